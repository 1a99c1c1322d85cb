/** The output of `airlock disarm` for a file: lines for people, one object for programs. */
import { extname } from 'node:path';
import type { DisarmReport, FailedReport } from '../../engines/engine.ts';
import { reasonFor } from '../../engines/removal-reasons.ts';
import { safeText } from '../../pipeline/safe-text.ts';
import { formatBytes, type Paint, wrap } from '../paint.ts';
import { qualityLines, removalLines } from './words.ts';

/** The result for one file. */
export interface Disarmed {
  readonly path: string;
  readonly size: number;
  readonly report: DisarmReport | FailedReport;
  /** Its place; `-` for stdout, null when nothing was written. */
  readonly written: string | null;
  /** The reason why it could not be read or written; null when it could. */
  readonly problem: string | null;
}

/** Returns the object for programs. */
export function disarmedJson({ path: input, report, written: output, problem }: Disarmed) {
  const { engineVersion } = report;
  const failed = problem !== null && { problem };
  if (report.outcome === 'failed')
    return { input, outcome: 'refused', output, failure: report.failure, ...failed, engineVersion };
  const { outcome, type, bytes, quality } = report;
  const details = report.details.map((detail) => ({ ...detail, why: reasonFor(detail.kind) }));
  const kinds = (action: string) => [
    ...new Set(details.filter((each) => each.action === action).map(({ kind }) => kind)),
  ];
  const lists = { removed: kinds('removed'), sanitized: kinds('sanitized'), details };
  return { input, outcome, output, ...failed, type, size: bytes.length, ...lists, quality, engineVersion };
}

/** Returns the lines for people. */
export function disarmedLines(disarmed: Disarmed, paint: Paint): string[] {
  const { path, problem, written, report } = disarmed;
  const title = paint('bold', path === '-' ? 'stdin' : safeText(path, 400));
  if (problem !== null)
    return [title, `  ${paint('red', 'NOT WRITTEN')} ${wrap(safeText(problem, 600), paint.width, '    ')}`];
  if (report.outcome === 'failed') return [title, refusal(report, paint)];
  return [title, ...disarmedFacts(disarmed.size, report, paint), ...writtenLines(written, report)];
}

function refusal({ failure }: FailedReport, paint: Paint): string {
  const hint = failure.code === 'encrypted' ? ' Give its password with --password.' : '';
  const sentence = `${safeText(failure.message, 600)}. Nothing was written.${hint}`;
  return `  ${paint('red', 'REFUSED')} ${wrap(sentence, paint.width, '    ')}`;
}

function disarmedFacts(size: number, report: DisarmReport, paint: Paint): string[] {
  const quality = qualityLines(report.quality, paint);
  if (report.outcome === 'already_safe')
    return [`  ${paint('green', 'ALREADY SAFE')} There was nothing to remove; the file is unchanged.`, ...quality];
  const facts = `${report.type.description}, ${formatBytes(report.bytes.length)}, was ${formatBytes(size)}`;
  return [
    `  ${paint('green', 'DISARMED')} ${paint('dim', `(${facts})`)}`,
    ...removalLines(report.details, paint),
    ...quality,
  ];
}

function writtenLines(written: string | null, report: DisarmReport): string[] {
  if (written === null) return [];
  if (written === '-') return ['  written to stdout'];
  return [`  written to ${safeText(written, 400)}`, ...nameHint(written, report)];
}

/** Extensions that programs read as the same type. */
const ALIASES: Readonly<Record<string, string>> = { jpeg: 'jpg', tiff: 'tif', htm: 'html', text: 'txt', log: 'txt' };

/**
 * Returns a hint to rename the file when its name does not fit its new type. No program opens a document without macros under an extension
 * that promises macros.
 */
function nameHint(written: string, { type }: DisarmReport): string[] {
  const extension = extname(written).slice(1).toLowerCase();
  const isPlain = type.type === 'text/plain' || (ALIASES[extension] ?? extension) === type.extension;
  const hint = `it is now a file of type ${type.extension} (${type.description}); rename it so that programs open it`;
  return isPlain ? [] : [`  ${hint}`];
}
