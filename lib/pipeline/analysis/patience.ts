/**
 * The patience of a stage when the service does not answer. Its work stays outstanding until the run's deadline, because a temporary fault
 * must not quarantine a message before that.
 */
import type { AnalysisContext } from '../context.ts';
import { ConfigError, TransientError } from '../errors.ts';
import type { StageName } from '../model.ts';

/** The absences of the service that a stage has met while it asks. */
export interface Absence {
  readonly stage: StageName;
  readonly runId: string;
  /** True after one request without an answer: the rest is skipped, because each request would wait as long again. */
  isAway: boolean;
}

/**
 * Notes that the service is away, or that it refuses the key. An operator can mend the key while the run waits. Throws every other error
 * again. When a person waits for the result (`waitsForService`), it throws these errors, too, because that person can act at once.
 */
export function waitOut(ctx: AnalysisContext, absence: Absence, error: unknown): void {
  const isRefused = error instanceof ConfigError;
  if (!(isRefused || error instanceof TransientError) || !ctx.schedule.waitsForService) throw error;
  noteAbsence(ctx, absence, error);
}

/**
 * Notes and logs the refused key. An alarm looks for `fault`, because nothing is analysed until somebody mends the key, the secret or the
 * URL.
 */
export function noteAbsence(ctx: AnalysisContext, absence: Absence, error: ConfigError | TransientError): void {
  absence.isAway = true;
  const { stage, runId } = absence;
  const fault = error instanceof ConfigError ? 'misconfigured' : 'away';
  ctx.log.warn('the service does not answer; the run waits for it', { stage, runId, fault, reason: error.message });
}
