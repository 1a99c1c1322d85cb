/** One script through the engine that runs scripts, without a mail around it. */
import { DEFAULT_ENGINE_LIMITS, type DynamicReport } from '../../../lib/engines/engine.ts';
import { detonateFile } from '../../../lib/engines/script/detonate-file.ts';

/** The report of a run. Throws when there is none. `timeoutMs` is the deadline of the thread, of which a run gets its share. */
export async function runScript(name: string, content: string, timeoutMs?: number): Promise<DynamicReport> {
  const limits = timeoutMs === undefined ? DEFAULT_ENGINE_LIMITS : { ...DEFAULT_ENGINE_LIMITS, timeoutMs };
  const report = await detonateFile({ bytes: Buffer.from(content), untrustedName: name, password: null }, limits);
  if (report.outcome === 'failed') throw new Error(`${report.failure.code}: ${report.failure.message}`);
  return report;
}

/** What was done to what, each once. */
export const actsOf = ({ events }: DynamicReport): ReadonlySet<string> =>
  new Set(events.map(({ operation, target }) => `${operation} ${target}`));
