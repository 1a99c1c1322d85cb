/** The messages between a gateway and the processes that judge its mail. */
import type { Early } from '../../pipeline/ledger/early-record.ts';
import type { IntakeObject } from '../../pipeline/ledger/intake-object.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { Policy } from '../../pipeline/policy/policy.ts';
import type { Outcome } from '../outcome.ts';
import type { PagesOptions } from '../report/html-report.ts';
import type { EngineOptions } from '../session/engine-session.ts';

/** With more processes, the memory of a machine is full before they make anything faster. */
export const MAX_PROCESSES = 64;

/** The parts with which another process opens a session. */
export interface Opening {
  readonly policy: Policy;
  readonly options: EngineOptions;
  /** Everything is written below this folder. */
  readonly out: string;
  /** The folder for a page about each mail; null when it writes none. */
  readonly pages: PagesOptions | null;
  /** How many stages of mails run at the same time in one process. */
  readonly concurrentStages: number;
  /** Keys of services are sent with it. They are not in the environment of the process, which hostile bytes could read. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Ended = Extract<Outcome, { ledger: Ledger }>;

/**
 * An outcome with the facts of its ledger that a gateway needs. Passing the whole ledger between processes would cost more than everything
 * else.
 */
export type JudgedOutcome =
  | Exclude<Outcome, Ended>
  | (Pick<Ended, 'input' | 'state' | 'runId'> & {
      readonly ledger: Pick<Ledger, 'kind' | 'runId' | 'reasons' | 'rebuilt' | 'terminal'>;
    });

/** Returns the outcome in the form for a gateway. */
export function judgedOutcome(outcome: Outcome): JudgedOutcome {
  if (!('ledger' in outcome)) return outcome;
  const { input, state, ledger } = outcome;
  const { kind, runId, reasons, rebuilt, terminal } = ledger;
  return { input, state, runId, ledger: { kind, runId, reasons, rebuilt, terminal } };
}

export type ToJudge =
  | { readonly kind: 'open'; readonly opening: Opening }
  | {
      readonly kind: 'scan';
      readonly number: number;
      readonly label: string;
      readonly intake: IntakeObject;
      readonly isOnce: boolean;
    }
  /** End everything that is in progress. */
  | { readonly kind: 'abort' }
  | { readonly kind: 'close' };

export type FromJudge =
  /** The session is open. */
  | { readonly kind: 'open' }
  /** It cannot be opened. The text is for the administrator. */
  | { readonly kind: 'refused'; readonly message: string }
  /** A line for stderr. */
  | { readonly kind: 'said'; readonly text: string }
  /** The first message of a mail is in the clean folder. Its outcome comes later. */
  | { readonly kind: 'first'; readonly number: number; readonly early: Early }
  | {
      readonly kind: 'outcome';
      readonly number: number;
      readonly outcome: JudgedOutcome;
      /** Bytes of memory that the process uses. */
      readonly residentBytes: number;
    };
