/**
 * The context of a stage: the ports and values that it may use. The caller passes it in: a lambda, the local runner, or a test. Each stage
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
  /** Absent if pictures cannot be decoded. A picture that was not searched then causes a warning. */
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
  /** The current lists of the operator. Absent when there are none, or when a stage only continues an earlier decision. */
  readonly lists?: LookedUp | undefined;
}

/**
 * The context of `rebuild`, which also checks the files of a disarm service. It has no key of a service, because it reads hostile bytes.
 */
export interface RebuildContext extends DecideContext {
  /**
   * Null only where the disarm engine is part of this installation, behind a gate of the same code. The composer of the context decides
   * this, and no answer of a service.
   */
  readonly secondLook: SecondLook | null;
}

/** The context of `rebuild` after it has checked the files of the service. */
export interface CheckedContext extends DecideContext {
  /** The files that are delivered instead of returned files that did not pass. The ledger still names the files of the service. */
  readonly rewritten: ReadonlyMap<Artifact['id'], Uint8Array>;
}

/** The context of `deliver` and `quarantine`, which tell others the end of the message. */
export interface EndContext extends StoreContext {
  readonly events: Events;
  /**
   * How long a stage can continue after its caller has given it up, in milliseconds. No error proves that a stage has ended. Its caller may
   * only have lost the connection, and an earlier try may continue. 0 if the caller itself waits for the stage.
   */
  readonly longestStageMs: number;
}

/** The context of `deliver`, which also seals messages. */
export interface DeliverContext extends EndContext {
  readonly policy: Policy;
  /** Null where there is no key. */
  readonly sealer: Sealer | null;
}

/** The context of `quarantine`, which also writes the notice that policy asks for. */
export interface NoticeContext extends EndContext {
  readonly policy: Policy;
}

/** The context in which a run is begun again. It reads no mail. If that is needed, `parse` does it. */
export interface RedriveContext extends StoreContext {
  readonly executions: Executions;
  /** Has `parse` read an intake object again, as this attempt of its run. */
  readonly parseAgain: (intake: IntakeObject, attempt: Attempt) => Promise<Run>;
}

/** The context in which a person decides about held messages. Only `deliver` delivers released messages. */
export interface ReviewContext extends RedriveContext {
  readonly policy: Policy;
  /**
   * Removes the stored objects of a held run: the original, the notice, and the object of the intake bucket. Missing objects are no error.
   */
  readonly removeHeld: (runId: string, intake: IntakeObject | null) => Promise<void>;
}

/** Everything, for a process that runs every stage. */
export interface Context extends ParseContext, AnalysisContext, RebuildContext, DeliverContext {}
