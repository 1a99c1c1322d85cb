/** `airlock disarm`: disarms one file and says in plain words what was removed. */
import type { Stats } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { DEFAULT_ENGINE_LIMITS, type DisarmReport, type FailedReport } from '../engines/engine.ts';
import { reasonFor } from '../engines/removal-reasons.ts';
import { createEnginePool } from '../engines/threads/pool.ts';
import { safeJson, safeText } from '../pipeline/safe-text.ts';
import { type Console, UsageError, wantsColor, writeLine } from './console.ts';
import { showProgress } from './disarm-progress.ts';
import { qualityLines, removalLines } from './disarm-words.ts';
import { EXIT } from './outcome.ts';
import { formatBytes, type Paint, painter, wrap } from './paint.ts';

export interface DisarmOptions {
  readonly output?: string;
  readonly json?: boolean;
  readonly password?: string;
  readonly keepMetadata?: boolean;
}

const WIDTH = 100;

/**
 * Runs the verb. Returns 0 when the file is disarmed or already safe, 1 when it is refused and nothing is written. Throws
 * UsageError when the file cannot be read or the output may not be written. The input is never changed.
 */
export async function disarmVerb(console: Console, path: string, options: DisarmOptions): Promise<number> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} ${error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`}.`);
  });
  if (!found.isFile()) throw new UsageError(`${path} is not a file. Name the file to disarm.`);
  if (options.output !== undefined) await refuseSameFile(found, options.output);
  const report = await runEngine(console, path, found.size, options);
  if (console.signal.aborted) throw new Error('stopped before the file was disarmed; nothing was written');
  const written = report.outcome === 'failed' ? null : await write(path, options.output, report);
  if (options.json) await writeLine(console.stdout, safeJson(asJson(path, report, written)));
  else await show(console, { path, size: found.size, report, written });
  return report.outcome === 'failed' ? EXIT.quarantined : EXIT.delivered;
}

/** Runs the engine in a thread of the pool, so that its deadline and its memory limit hold here too. */
async function runEngine(
  console: Console,
  path: string,
  size: number,
  { password = '', keepMetadata = false, json = false }: DisarmOptions,
): Promise<DisarmReport | FailedReport> {
  const limit = DEFAULT_ENGINE_LIMITS.inputBytes;
  if (size > limit) {
    const message = `the file has ${formatBytes(size)}; the limit for a disarm is ${formatBytes(limit)}`;
    return { outcome: 'failed', failure: { code: 'oversize', message }, engineVersion: '' };
  }
  const bytes = new Uint8Array(await readFile(path));
  const pool = createEnginePool({ threads: 1 });
  const stop = () => void pool.close();
  console.signal.addEventListener('abort', stop, { once: true });
  const progress = json ? null : showProgress(console, path);
  try {
    const input = { bytes, untrustedName: basename(path), password: password === '' ? null : password, keepMetadata };
    const report = await pool.run({ engine: 'disarm', input });
    if (report.outcome === 'failed' || 'bytes' in report) return report;
    throw new Error('the engine answered with a report of another kind');
  } finally {
    progress?.end();
    console.signal.removeEventListener('abort', stop);
    await pool.close();
  }
}

async function refuseSameFile(input: Stats, output: string): Promise<void> {
  const there = await stat(output).catch(() => null);
  if (there?.isDirectory()) throw new UsageError(`${output} is a folder. Name a file with -o.`);
  // The same file under another name, or through a link, is still the input.
  if (there !== null && there.dev === input.dev && there.ino === input.ino) {
    throw new UsageError(`${output} is the input itself, which is never overwritten. Name another file with -o.`);
  }
}

/** Writes the disarmed file and returns its path. Null when the input is safe and needs no copy. */
async function write(path: string, output: string | undefined, report: DisarmReport): Promise<string | null> {
  if (output === undefined && report.outcome === 'already_safe') return null;
  const stem = basename(path, extname(path));
  const target = output ?? join(dirname(path), `${stem}.disarmed.${report.type.extension}`);
  // An existing file is replaced only when the user named it.
  const flag = output === undefined ? 'wx' : 'w';
  await writeFile(target, report.bytes, { flag }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'already exists' : `cannot be written (${error.code})`;
    throw new UsageError(`${target} ${why}. Name another file with -o.`);
  });
  return target;
}

function asJson(input: string, report: DisarmReport | FailedReport, output: string | null) {
  const { engineVersion } = report;
  if (report.outcome === 'failed') return { input, outcome: 'refused', output, failure: report.failure, engineVersion };
  const { outcome, type, bytes, quality } = report;
  const details = report.details.map((detail) => ({ ...detail, why: reasonFor(detail.kind) }));
  const kinds = (action: string) => [
    ...new Set(details.filter((each) => each.action === action).map(({ kind }) => kind)),
  ];
  const lists = { removed: kinds('removed'), sanitized: kinds('sanitized'), details };
  return { input, outcome, output, type, size: bytes.length, ...lists, quality, engineVersion };
}

interface Shown {
  readonly path: string;
  readonly size: number;
  readonly report: DisarmReport | FailedReport;
  readonly written: string | null;
}

async function show(console: Console, { path, size, report, written }: Shown): Promise<void> {
  const paint = painter(wantsColor(console));
  const lines = [paint('bold', safeText(path, 400)), ...resultLines(paint, size, report, written)];
  for (const line of lines) await writeLine(console.stdout, line);
}

function resultLines(
  paint: Paint,
  size: number,
  report: DisarmReport | FailedReport,
  written: string | null,
): string[] {
  if (report.outcome === 'failed') {
    const hint = report.failure.code === 'encrypted' ? ' Give its password with --password.' : '';
    const sentence = `${safeText(report.failure.message, 600)}. Nothing was written.${hint}`;
    return [`  ${paint('red', 'REFUSED')} ${wrap(sentence, WIDTH, '    ')}`];
  }
  const file = written === null ? [] : [`  written to ${safeText(written, 400)}`, ...nameHint(written, report)];
  if (report.outcome === 'already_safe') {
    const said = `  ${paint('green', 'ALREADY SAFE')} There was nothing to remove; the file is unchanged.`;
    return [said, ...qualityLines(report.quality, paint), ...file];
  }
  const facts = `${report.type.description}, ${formatBytes(report.bytes.length)}, was ${formatBytes(size)}`;
  return [
    `  ${paint('green', 'DISARMED')} ${paint('dim', `(${facts})`)}`,
    ...removalLines(report.details, paint, WIDTH),
    ...qualityLines(report.quality, paint),
    ...file,
  ];
}

/** Extensions that programs read as the same type. */
const ALIASES: Readonly<Record<string, string>> = { jpeg: 'jpg', tiff: 'tif', htm: 'html', text: 'txt', log: 'txt' };

/** No program opens a document without macros under an extension that promises macros. So a given name may no longer fit. */
function nameHint(written: string, { type }: DisarmReport): string[] {
  const extension = extname(written).slice(1).toLowerCase();
  const isPlain = type.type === 'text/plain' || (ALIASES[extension] ?? extension) === type.extension;
  const hint = `it is now a file of type ${type.extension} (${type.description}); rename it so that programs open it`;
  return isPlain ? [] : [`  ${hint}`];
}
