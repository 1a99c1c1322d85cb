/** What the invariants of a simulation look at: what is known of each mail, and of everything that was done so far. */

import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import type { Policy } from '../../lib/pipeline/policy/policy.ts';
import type { DecisionName } from '../../lib/pipeline/review/decision.ts';
import type { SentRequest } from '../pipeline/rig.ts';
import type { Answered } from './analyst.ts';
import type { MailKind } from './mails.ts';
import type { RunIndex } from './run-index.ts';
import type { GivenUp, Objects, Written } from './stores.ts';

/** What a mail becomes when nothing goes wrong. */
export interface Reference {
  readonly state: 'delivered' | 'quarantined';
  /** Keys in the clean bucket without the run, and the hash of what is written there. */
  readonly clean: ReadonlyMap<string, string>;
  /** The reports without which it is not delivered. */
  readonly reports: ReadonlySet<string>;
  /** False when other mail has a say in it: it tells a password, or has used up a budget. */
  readonly isExact: boolean;
}

/** What the simulation knows of one mail. */
export interface Mail {
  readonly label: string;
  readonly kind: MailKind;
  readonly runId: string;
  readonly reference: Reference;
  /** The key under which the delivery is complete, without the run. */
  readonly last: string | null;
  readonly arrivedAtMs: number;
  /** The ends that were told, by attempt. */
  readonly told: Map<number, ReadonlySet<string>>;
  /** The newest that has begun. */
  attempt: number;
  /** When the first entry of each attempt was written. */
  readonly begunAtMs: Map<number, number>;
  /** When something was first written into the quarantine bucket, by the newest attempt at that time. */
  readonly heldAtMs: Map<number, number>;
  /** The hash of what came in. */
  readonly came: string;
  /** What people decided, by the attempt that began with it. */
  readonly decided: Map<number, DecisionName>;
  readonly answers: Answered[];
  /** Its files that were sent to the sandbox, by any attempt. */
  readonly sandboxed: Set<string>;
  /** Why it may be held before its deadline: somebody changed or ended something. */
  excuse: string | null;
}

/** What the invariants may look at. */
export interface View {
  readonly objects: Objects;
  readonly index: RunIndex;
  readonly mails: readonly Mail[];
  readonly policy: Policy;
  /** Files that were sent to the sandbox. */
  readonly sandboxed: Set<string>;
  /** True when anything at all went wrong. */
  readonly isTroubled: () => boolean;
  readonly mailOf: (claimant: string) => Mail | undefined;
  /** From this time on nothing goes wrong any more. */
  readonly calmFromMs: number;
  /** True when everything that a passing fault held was begun again while nothing went wrong any more. */
  readonly isBegunAgain: () => boolean;
  /** Messages that a stage has read, by hash. */
  readonly readings: ReadonlySet<string>;
  /** Reports that the service has handed out. */
  readonly reports: ReadonlySet<string>;
  /** The records of a request that are valid now. */
  readonly recordsOf: (request: SentRequest) => readonly { readonly claimedBy: string; readonly isSent: boolean }[];
  /** True when the claim that this run had for this request has run out, or a later attempt took its place. */
  readonly hadClaim: (request: SentRequest) => boolean;
  /** Claims of a run with which nothing was sent. */
  readonly leftClaims: (runId: string) => readonly string[];
  /** True when something went wrong with a store or with a process. */
  readonly hasStoreFaults: () => boolean;
  /** True when the execution gave up a stage of this mail that went on. Two of its stages may then run at once. */
  readonly isDoubled: (label: string) => boolean;
  readonly killedOf: (label: string) => number;
  readonly skewMs: number;
  /** The hashes of the records of the audit trail, or what is wrong with it. */
  readonly audited: ReadonlySet<string> | string;
  /** Why a delivery does not prove itself, by run. */
  readonly problems: ReadonlyMap<string, string>;
}

export interface Invariant {
  readonly name: string;
  /** With the mail, when the object is below a run. */
  readonly onWritten?: (view: View, written: Written, mail: Mail | undefined) => string | null;
  /** Everything that leaves the stores: a row of the index, a message, an event, a line of a log. */
  readonly onSaid?: (view: View, where: string, text: string) => string | null;
  readonly onEvent?: (view: View, mail: Mail, attempt: number) => string | null;
  /** `isAgain`: this run sent the same under a claim that has not run out since. */
  readonly onSubmit?: (view: View, request: SentRequest, isAgain: boolean) => string | null;
  /** A claimant gives up the record of another one. */
  readonly onGivenUp?: (view: View, givenUp: GivenUp) => string | null;
  /** With the ledger of each attempt; null when there is none. */
  readonly atEnd?: (view: View, mail: Mail, attempts: readonly (Ledger | null)[]) => string | null;
}
