/** The reports of tasks that the pool ended. */
import type { EngineFailureCode, EngineLimits, FailedReport } from '../engine.ts';
import type { End } from './pool-jobs.ts';
import { POOL_VERSION } from './task.ts';

/** Returns the report of a task that was ended. A task that gave up its thread has none, because it starts again. */
export function endedReport(limits: EngineLimits, end: Exclude<End, 'yield'>): FailedReport {
  switch (end) {
    case 'timeout':
      return failedReport('timeout', `the engine did not end within ${limits.timeoutMs} ms of processor time`);
    case 'group timeout':
      return failedReport(
        'timeout',
        `the files that came together used up their ${limits.groupTimeMs} ms of processor time`,
      );
    case 'closed':
      return failedReport('engine_failed', 'the engine pool was closed');
    case 'not started':
      return failedReport('engine_failed', 'no engine thread could start');
  }
}

export function failedReport(code: EngineFailureCode, message: string): FailedReport {
  return { outcome: 'failed', failure: { code, message }, engineVersion: POOL_VERSION };
}
