/** `npm run mutate -- ROOM`: plants small faults in a room, one at a time, and says which of them no test notices. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EQUIVALENT, excuseOf } from './equivalent.ts';
import { type Fault, plant } from './plant.ts';
import { hashOf, keepResults, readResults, resultOf, roomResult, sharePercent } from './results.ts';
import { filesOf, ROOMS, roomNamed } from './rooms.ts';

const HELP = `npm run mutate -- ROOM [--files NAME]… [--since REVISION] [--tests PATTERN]…

Plants small faults in the files of a room, one at a time, and runs the tests that reach each. What no test notices is printed.

  ROOM              ${ROOMS.map(({ name }) => name).join(', ')}
  --files NAME      only files whose path ends like this; can be given more than once
  --since REVISION  only files that have changed since this revision
  --tests PATTERN   only these tests: faster, and what they miss others may notice
  --help            this text

Exit codes: 0 enough is noticed, 1 too little is, 2 wrong usage.
`;

interface Asked {
  readonly room: string;
  readonly files: readonly string[];
  readonly since: string | null;
  readonly tests: readonly string[];
}

function asked(args: readonly string[]): Asked | null {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      files: { type: 'string', multiple: true, default: [] },
      since: { type: 'string' },
      tests: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  return {
    room: roomNamed(positionals[0]).name,
    files: values.files,
    since: values.since ?? null,
    tests: values.tests,
  };
}

function filesAsked({ room, files, since }: Asked): string[] {
  const all = filesOf(roomNamed(room));
  const changed =
    since === null ? all : execFileSync('git', ['diff', '--name-only', since], { encoding: 'utf8' }).split('\n');
  const isAsked = (path: string) => files.length === 0 || files.some((name) => `/${path}`.endsWith(`/${name}`));
  return all.filter((path) => changed.includes(path) && isAsked(path));
}

const showFault = ({ file, line, kind, was, becomes, outcome }: Fault): string =>
  `${file}:${line}  ${outcome}, ${kind}\n  - ${was}\n  + ${becomes || '(nothing)'}\n`;

function show(files: readonly string[], faults: readonly Fault[]): void {
  const missed = faults.filter(({ outcome }) => outcome === 'not noticed' || outcome === 'not reached');
  for (const fault of missed.filter((each) => excuseOf(each) === undefined))
    process.stdout.write(`\n${showFault(fault)}`);
  for (const fault of missed) {
    const excuse = excuseOf(fault);
    if (excuse) process.stdout.write(`\n${showFault(fault)}  equivalent: ${excuse.why}\n`);
  }
  const excused = new Set(missed.map(excuseOf));
  for (const each of EQUIVALENT.filter((one) => files.includes(one.file) && !excused.has(one)))
    process.stdout.write(`\nequivalent.ts excuses what was noticed: ${each.file}: ${each.was} -> ${each.becomes}\n`);
}

function line(name: string, counts: { noticed: number; missed: number; equivalent: number }): string {
  const share = sharePercent(counts);
  const percent = share === null ? '   -' : `${share.toFixed(0).padStart(3)}%`;
  return `${percent} noticed  ${name}: ${counts.noticed} of ${counts.noticed + counts.missed}, ${counts.equivalent} equivalent\n`;
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
  const room = roomNamed(options.room);
  const files = filesAsked(options);
  const hashes = files.map(hashOf);
  const faults =
    files.length === 0
      ? []
      : await plant(files, options.tests.length > 0 ? options.tests : room.tests, (file) => readFileSync(file, 'utf8'));
  show(files, faults);
  const measured = files.map((file, at) => {
    const own = faults.filter((fault) => fault.file === file);
    return [file, resultOf(hashes[at] ?? '', own)] as const;
  });
  keepResults(Object.fromEntries(measured));
  process.stdout.write('\n');
  for (const [file, result] of measured) process.stdout.write(line(file, result));
  const whole = roomResult(room, readResults());
  const { fresh, stale } = whole;
  process.stdout.write(
    line(`room ${room.name}, ${fresh} of ${whole.files} files measured as they are, ${stale} out of date`, whole),
  );
  return measured.every(([, result]) => (sharePercent(result) ?? 100) >= room.atLeast) ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
