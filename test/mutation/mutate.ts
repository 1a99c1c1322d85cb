/** `npm run mutate -- ROOM`: plants small faults in a room, one at a time, and says which of them no test notices. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EQUIVALENT, excuseOf } from './equivalent.ts';
import { type Fault, plant } from './plant.ts';
import {
  type FileResult,
  hashOf,
  howMeasured,
  isWhole,
  keepResults,
  readResults,
  resultOf,
  roomResult,
  sharePercent,
  totalOf,
} from './results.ts';
import { filesOf, ROOMS, roomNamed } from './rooms.ts';
import { type Sample, sampledRanges } from './sample.ts';

const HELP = `npm run mutate -- ROOM [--files NAME]… [--since REVISION] [--tests PATTERN]… [--sample PERCENT [--seed N]] [--again]

Plants small faults in the files of a room, one at a time, and runs the tests that reach each. What no test notices is printed.

  ROOM              ${ROOMS.map(({ name }) => name).join(', ')}
  --files NAME      only files whose path ends like this; can be given more than once
  --since REVISION  only files that have changed since this revision
  --tests PATTERN   only these tests: faster, and what they miss others may notice
  --sample PERCENT  only about so many of a hundred lines, in windows of four, and only files that are not yet measured whole
  --seed N          which lines a sample takes (default 1)
  --again           after writing tests: faults that were noticed the last time are not planted again
  --help            this text

Exit codes: 0 enough is noticed, 1 too little is, 2 wrong usage.
`;

interface Asked {
  readonly room: string;
  readonly files: readonly string[];
  readonly since: string | null;
  readonly tests: readonly string[];
  readonly sample: Sample | null;
  readonly isAgain: boolean;
}

function asked(args: readonly string[]): Asked | null {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      files: { type: 'string', multiple: true, default: [] },
      since: { type: 'string' },
      tests: { type: 'string', multiple: true, default: [] },
      sample: { type: 'string' },
      seed: { type: 'string', default: '1' },
      again: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  return {
    room: roomNamed(positionals[0]).name,
    files: values.files,
    since: values.since ?? null,
    tests: values.tests,
    sample: values.sample === undefined ? null : sampleAsked(values.sample, values.seed),
    isAgain: values.again,
  };
}

function sampleAsked(percent: string, seed: string): Sample {
  const sample = { percent: Number(percent), seed: Number(seed) };
  if (!(sample.percent >= 1 && sample.percent < 100)) throw new TypeError('--sample is a number from 1 to 99.');
  if (!Number.isSafeInteger(sample.seed)) throw new TypeError('--seed is a whole number.');
  return sample;
}

function filesAsked({ room, files, since, sample }: Asked): string[] {
  const known = readResults();
  const all = filesOf(roomNamed(room)).filter((path) => sample === null || !isWhole(path, known));
  const changed =
    since === null ? all : execFileSync('git', ['diff', '--name-only', since], { encoding: 'utf8' }).split('\n');
  const isAsked = (path: string) => files.length === 0 || files.some((name) => `/${path}`.endsWith(`/${name}`));
  return all.filter((path) => changed.includes(path) && isAsked(path));
}

const showFault = ({ file, line, kind, was, becomes, outcome }: Fault): string =>
  `${file}:${line}  ${outcome}, ${kind}\n  - ${was}\n  + ${becomes || '(nothing)'}\n`;

function show(whole: readonly string[], faults: readonly Fault[]): void {
  const missed = faults.filter(({ outcome }) => outcome === 'not noticed' || outcome === 'not reached');
  for (const fault of missed.filter((each) => excuseOf(each) === undefined))
    process.stdout.write(`\n${showFault(fault)}`);
  for (const fault of missed) {
    const excuse = excuseOf(fault);
    if (excuse) process.stdout.write(`\n${showFault(fault)}  equivalent: ${excuse.why}\n`);
  }
  const excused = new Set(missed.map(excuseOf));
  for (const each of EQUIVALENT.filter((one) => whole.includes(one.file) && !excused.has(one)))
    process.stdout.write(`\nequivalent.ts excuses what was noticed: ${each.file}: ${each.was} -> ${each.becomes}\n`);
}

function line(name: string, results: readonly FileResult[], detail = ''): string {
  const share = sharePercent(results);
  const percent = share === null ? '   -' : `${Math.floor(share).toString().padStart(3)}%`;
  const { noticed, missed, equivalent } = totalOf(results);
  return `${percent} noticed  ${name}: ${noticed} of ${noticed + missed}, ${equivalent} equivalent${detail}\n`;
}

function plantIn(files: readonly string[], { room, tests, sample, isAgain }: Asked): Promise<Fault[]> {
  const sourceOf = (file: string) => readFileSync(file, 'utf8');
  const places =
    sample === null
      ? files
      : files.flatMap((file) => sampledRanges(file, sourceOf(file).trimEnd().split('\n').length, sample));
  if (places.length === 0) return Promise.resolve([]);
  return plant(places, tests.length > 0 ? tests : roomNamed(room).tests, isAgain, sourceOf);
}

async function main(args: readonly string[]): Promise<number> {
  let options: Asked | null;
  try {
    options = asked(args);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    return 2;
  }
  if (options === null) {
    process.stdout.write(HELP);
    return 0;
  }
  const { sample } = options;
  const room = roomNamed(options.room);
  const files = filesAsked(options);
  const hashes = files.map(hashOf);
  const faults = await plantIn(files, options);
  // A sample may have left out what equivalent.ts excuses.
  show(sample === null ? files : [], faults);
  const measured = files.map((file, at) => {
    const own = faults.filter((fault) => fault.file === file);
    return [file, resultOf(hashes[at] ?? '', own, sample)] as const;
  });
  keepResults(Object.fromEntries(measured));
  process.stdout.write('\n');
  for (const [file, result] of measured) process.stdout.write(line(file, [result]));
  const whole = roomResult(room, readResults());
  process.stdout.write(line(`room ${room.name}`, whole.fresh, `\nmeasured: ${howMeasured(whole)}`));
  return (sharePercent(measured.map(([, result]) => result)) ?? 100) >= room.atLeast ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
