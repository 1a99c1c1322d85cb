/** One file through the disarm engine, for tests: the report, or the text of what came out. */
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS, type DisarmQuality, type EngineLimits } from '../../../lib/engines/engine.ts';

export interface DisarmTestOptions {
  readonly limits?: Partial<EngineLimits>;
  readonly password?: string;
}

/** The engine's report. Text is taken as UTF-8. */
export async function disarmReport(
  content: string | Uint8Array,
  untrustedName: string,
  options: DisarmTestOptions = {},
) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const input = { bytes: new Uint8Array(bytes), untrustedName, password: options.password ?? null };
  return disarmFile(input, { ...DEFAULT_ENGINE_LIMITS, ...options.limits });
}

export interface DisarmedForTest {
  readonly outcome: 'disarmed' | 'already_safe';
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly extension: string;
  readonly kinds: readonly string[];
  readonly quality: DisarmQuality;
}

/** What came out. Fails the test when the file is refused. */
export async function disarmed(
  content: string | Uint8Array,
  untrustedName: string,
  options: DisarmTestOptions = {},
): Promise<DisarmedForTest> {
  const report = await disarmReport(content, untrustedName, options);
  if (report.outcome === 'failed') throw new Error(`refused: ${report.failure.code}: ${report.failure.message}`);
  const { outcome, bytes, type, details, quality } = report;
  const text = Buffer.from(bytes).toString('utf8');
  const kinds = [...new Set(details.map(({ kind }) => kind))];
  return { outcome, bytes, text, extension: type.extension, kinds, quality };
}

/** The failure code; null when the file was not refused. */
export async function refusalCode(
  content: string | Uint8Array,
  untrustedName: string,
  options: DisarmTestOptions = {},
) {
  const report = await disarmReport(content, untrustedName, options);
  return report.outcome === 'failed' ? report.failure.code : null;
}
