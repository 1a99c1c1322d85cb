/**
 * The context of a stage: the ports and values that it may use. The caller hands it in: a lambda, the local runner, or a test. Each stage
 * asks for no more than it needs, so that its lambda needs no more permissions.
 */

import type { PollSchedule } from './analysis/poll-schedule.ts';
import type { Artifact } from './ledger/artifact.ts';
import type { Attempt } from './ledger/attempt.ts';
import type { IntakeObject } from './ledger/intake-object.ts';
import type { Limits } from './limits.ts';
import type { Run } from './model.ts';
import type { LookedUp } from './policy/operator-lists.ts';
import type { Policy } from './policy/policy.ts';
import type {
  Analyzer,
  Blobs,
  Clock,
  CodeReader,
  Events,
  Executions,
  Log,
  Sealer,
  SecondLook,
  SignatureReader,
  Signer,
  Submissions,
  Unpacker,
  WorkClock,
} from './ports.ts';

/** The part that every stage needs: the store of the chain with the keys that sign it, and the clock. */
export interface StoreContext {
  readonly blobs: Blobs;
  readonly signer: Signer;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly log: Log;
}

/** `parse` opens containers and starts the execution of its run. */
export interface ParseContext extends StoreContext {
  readonly work: WorkClock;
  readonly unpacker: Unpacker;
  /** Absent where pictures cannot be decoded. A picture that was not looked at is then a warning. */
  readonly codes?: CodeReader;
  /** Absent where signatures cannot be checked. They are then `unchecked`. */
  readonly signatures?: SignatureReader;
  readonly executions: Executions;
  /** Says which signers are trusted. */
  readonly policy: Policy;
}

/** `submit`, `poll` and `fetch` talk to the service. */
export interface AnalysisContext extends StoreContext {
  readonly analyzer: Analyzer;
  readonly submissions: Submissions;
  readonly policy: Policy;
  readonly schedule: PollSchedule;
}

/** `decide` applies the policy. */
export interface DecideContext extends StoreContext {
  readonly policy: Policy;
  /** The lists of the operator as they are now. Absent where there are none, or where a stage only goes on with what was decided. */
  readonly lists?: LookedUp | undefined;
}

/** `rebuild` also looks at what a disarm service returned. It has no key of a service, because it reads hostile bytes. */
export interface RebuildContext extends DecideContext {
  /**
   * Null only where the disarm engine is part of this installation, behind a gate of the same code. The composer of the context decides
   * this; no answer of a service does.
   */
  readonly secondLook: SecondLook | null;
}

/** `rebuild`, once it has looked at what the service returned. */
export interface CheckedContext extends DecideContext {
  /** The files that are delivered in the place of returned files that did not pass. The ledger goes on naming what the service returned. */
  readonly rewritten: ReadonlyMap<Artifact['id'], Uint8Array>;
}

/** `deliver` and `quarantine` tell others what became of the message. */
export interface EndContext extends StoreContext {
  readonly events: Events;
  /**
   * How long a stage can go on after its caller has given it up, in milliseconds. No error says that a stage has ended: its caller
   * may have lost only the connection, and an earlier try may go on. 0 where the caller waits for the stage itself.
   */
  readonly longestStageMs: number;
}

/** `deliver` also seals what it writes. */
export interface DeliverContext extends EndContext {
  readonly policy: Policy;
  /** Null where there is no key. */
  readonly sealer: Sealer | null;
}

/** `quarantine` also writes the notice that policy asks for. */
export interface NoticeContext extends EndContext {
  readonly policy: Policy;
}

/** The context in which a run is begun again. It reads no mail: where that is needed, it has `parse` do it. */
export interface RedriveContext extends StoreContext {
  readonly executions: Executions;
  /** Has `parse` read an intake object again, as this attempt of its run. */
  readonly parseAgain: (intake: IntakeObject, attempt: Attempt) => Promise<Run>;
}

/** The context in which a person decides about held messages. `deliver` alone delivers what is released. */
export interface ReviewContext extends RedriveContext {
  readonly policy: Policy;
  /** Removes what is held of a run: the original, the notice, and the object of the intake bucket. It is not an error if they are gone. */
  readonly removeHeld: (runId: string, intake: IntakeObject | null) => Promise<void>;
}

/** Everything, for a process that runs every stage. */
export interface Context extends ParseContext, AnalysisContext, RebuildContext, DeliverContext {}
