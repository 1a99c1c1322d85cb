/**
 * The errors of the pipeline and its ports. `code` is stable and safe to branch on; messages are for people. The state
 * machine retries the class name `TransientError` and sends every other error to its one failure edge.
 */
import type { FailureClass } from './model.ts';

export abstract class PipelineError extends Error {
  abstract readonly code: string;
}

/** The requested object does not exist. */
export class NotFoundError extends PipelineError {
  readonly code = 'NOT_FOUND';
  override readonly name = 'NotFoundError';
  constructor(
    readonly bucket: string,
    readonly key: string,
  ) {
    super(`no object in the ${bucket} bucket under this key: ${key}`);
  }
}

/** Something is larger, deeper or more numerous than a named limit allows. */
export class LimitExceededError extends PipelineError {
  readonly code = 'LIMIT_EXCEEDED';
  override readonly name = 'LimitExceededError';
  constructor(
    readonly limit: string,
    readonly max: number,
    readonly actual: number | null,
  ) {
    super(`limit ${limit} exceeded: at most ${max}, found ${actual ?? 'more'}`);
  }
}

/** A fault that passes by itself: the same call can succeed later. */
export class TransientError extends PipelineError {
  readonly code = 'TRANSIENT';
  override readonly name = 'TransientError';
}

/** The service did not give every report yet. The ledger has the reports so far. The state machine waits and fetches the rest. */
export class ServiceAwayError extends PipelineError {
  readonly code = 'SERVICE_AWAY';
  override readonly name = 'ServiceAwayError';
}

/** The service will never accept this artifact. */
export class AnalyzerRefusal extends PipelineError {
  readonly code = 'ANALYZER_REFUSAL';
  override readonly name = 'AnalyzerRefusal';
  constructor(
    readonly failureClass: FailureClass,
    message: string,
  ) {
    super(message);
  }
}

/** Stored data of this pipeline does not match its schema. */
export class CorruptDataError extends PipelineError {
  readonly code = 'CORRUPT_DATA';
  override readonly name = 'CorruptDataError';
}

/** The advice for a person when the end of the audit trail is missing. */
export const AUDIT_END_ADVICE =
  'Put back what is missing from a copy, or accept the loss with "airlock audit seal"; blocks in lost records must then be added again';

/** Records are missing at the end of the audit trail, or its head, so nobody knows what is blocked. */
export class AuditEndError extends CorruptDataError {
  constructor(what: string) {
    super(`${what}. ${AUDIT_END_ADVICE}`);
  }
}

/** Returns true when stored data of a run is missing, damaged or larger than anything that was written. The same call would fail again. */
export const isLostRecord = (error: unknown): error is Error =>
  error instanceof NotFoundError || error instanceof CorruptDataError || error instanceof LimitExceededError;

/** The rebuilt message was read again, and differs from the ledger. */
export class RebuildMismatchError extends PipelineError {
  readonly code = 'REBUILD_MISMATCH';
  override readonly name = 'RebuildMismatchError';
}

/** Under the policy, a finding of `rebuild` holds the message. Nothing has failed in the run. */
export class HeldError extends PipelineError {
  readonly code = 'HELD';
  override readonly name = 'HeldError';
  /** The text starts with the code of the reason, because the state machine passes on only the name and the text of an error. */
  constructor(readonly reason: { readonly code: string; readonly text: string }) {
    super(`${reason.code}: ${reason.text}`);
  }
}

/** A stage was asked to do something its ledger does not allow, for example to deliver a quarantined message. */
export class StageOrderError extends PipelineError {
  readonly code = 'STAGE_ORDER';
  override readonly name = 'StageOrderError';
}

/** An attempt has begun in another way. Somebody decided about the run, or began it again, at the same moment. Nothing was done. */
export class AttemptBegunError extends PipelineError {
  readonly code = 'ATTEMPT_BEGUN';
  override readonly name = 'AttemptBegunError';
}

/** The files of a run are gone, and are being read again from its original. The same request can be carried out when they are back. */
export class FilesAwaitedError extends PipelineError {
  readonly code = 'FILES_AWAITED';
  override readonly name = 'FilesAwaitedError';
}

/** A configuration (policy, limits, environment) that cannot be used. One line per issue. */
export class ConfigError extends PipelineError {
  readonly code = 'CONFIG';
  override readonly name = 'ConfigError';
  constructor(
    readonly subject: string,
    readonly issues: readonly string[],
  ) {
    super(`${subject} cannot be used:\n${issues.map((issue) => `  - ${issue}`).join('\n')}`);
  }
}
