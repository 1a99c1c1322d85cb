/**
 * `npm run check:files -- FOLDER…`: analyses and disarms every file of some folders, and says what became of each kind: how many come out, how
 * many are refused and why, and which are suspicious. Nothing is written beside the answer. It is for sets of ordinary files that are not ours.
 * Exit codes: 0 every file got an answer, 1 an engine failed at one, 2 wrong usage.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, extname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { createEngines, type Engines } from '../../lib/engines/library.ts';

const HELP = `npm run check:files -- [--most BYTES] [--json] FOLDER…

  --most BYTES  leave out larger files (default: 10000000)
  --json        one JSON document per file instead of a table
`;

/** The answers about one file. Its name is from outside. */
interface Row {
  readonly untrustedName: string;
  readonly kind: string;
  /** `disarmed`, `already_safe`, or the code of the refusal. */
  readonly disarm: string;
  readonly why: string | null;
  /** The level, or `failed`. */
  readonly level: string;
  readonly findings: readonly string[];
}

async function filesIn(folder: string, mostBytes: number): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
  return paths.filter((_, index) => (sizes[index] ?? 0) > 0 && (sizes[index] ?? 0) <= mostBytes).sort();
}

async function rowOf(engines: Engines, folder: string, path: string): Promise<Row> {
  const [bytes, name] = [await readFile(path), basename(path)];
  const [disarmed, seen] = [await engines.disarm(bytes, { name }), await engines.analyse(bytes, { name })];
  return {
    untrustedName: relative(folder, path),
    kind: extname(name).toLowerCase() || 'no extension',
    disarm: disarmed.outcome === 'failed' ? disarmed.failure.code : disarmed.outcome,
    why: disarmed.outcome === 'failed' ? disarmed.failure.message : null,
    level: seen.outcome === 'failed' ? 'failed' : seen.level,
    findings: seen.outcome === 'failed' ? [] : seen.findings.map(({ id }) => id),
  };
}

const GIVEN = new Set(['disarmed', 'already_safe']);
const ALARMS = new Set(['suspicious', 'malicious']);

/** How many there are of each. */
function countsOf(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => `${count} ${value}`).join(', ') || 'none';
}

/** One line for each kind, and one for each file that a person should look at. */
function report(rows: readonly Row[]): string {
  const kinds = [...new Set(rows.map(({ kind }) => kind))].sort();
  const lines = kinds.map((kind) => {
    const files = rows.filter((row) => row.kind === kind);
    const refused = files.map(({ disarm }) => disarm).filter((disarm) => !GIVEN.has(disarm));
    return `${kind}: ${files.length} files; refused: ${countsOf(refused)}; analysed as: ${countsOf(files.map(({ level }) => level))}`;
  });
  const said = rows.flatMap(({ untrustedName, disarm, why, level, findings }) => [
    ...(GIVEN.has(disarm) ? [] : [`${JSON.stringify(untrustedName)}: refused as ${disarm}: ${why}`]),
    ...(ALARMS.has(level) ? [`${JSON.stringify(untrustedName)}: ${level}: ${findings.join(', ')}`] : []),
  ]);
  return [...lines, '', ...said, ''].join('\n');
}

async function main(folders: readonly string[], mostBytes: number, json: boolean): Promise<number> {
  const threads = availableParallelism();
  const engines = createEngines({ threads });
  const rows: Row[] = [];
  for (const folder of folders) {
    const paths = await filesIn(folder, mostBytes);
    const left = paths.values();
    const work = async () => {
      for (const path of left) {
        const row = await rowOf(engines, folder, path);
        rows.push(row);
        if (json) process.stdout.write(`${JSON.stringify(row)}\n`);
        if (rows.length % 100 === 0) process.stderr.write(`${rows.length} files, ${paths.length} in ${folder}\n`);
      }
    };
    await Promise.all(Array.from({ length: threads }, work));
  }
  await engines.close();
  if (!json) process.stdout.write(report(rows));
  return rows.some(({ disarm }) => disarm === 'engine_failed') ? 1 : 0;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { most: { type: 'string', default: '10000000' }, json: { type: 'boolean', default: false } },
});
if (positionals.length === 0 || !(Number(values.most) > 0)) {
  process.stderr.write(HELP);
  process.exitCode = 2;
} else process.exitCode = await main(positionals, Number(values.most), values.json);
