/** `npm run architecture`: the rooms, who imports whom, who reads what, and what always holds. With --json for programs. */
import { filesBelow, imports, isIn, ROOMS, read, roomOf } from './imports.ts';
import { INVARIANTS_FILE, invariantsOf } from './invariant-list.ts';
import { READERS, stillReading } from './readers.ts';

interface Room {
  readonly room: string;
  readonly files: number;
  readonly lines: number;
  /** How often it imports from each room. */
  readonly imports: Readonly<Record<string, number>>;
  /** Arrows that run up. */
  readonly up: readonly string[];
  readonly folders: readonly { readonly folder: string; readonly files: number; readonly lines: number }[];
}

const linesOf = (path: string) => read(path).split('\n').length - 1;
const total = (paths: readonly string[]) => paths.reduce((sum, path) => sum + linesOf(path), 0);

function roomNamed(room: string): Room {
  const paths = filesBelow(`lib/${room}`);
  const out = imports.filter(({ from, to }) => roomOf(from) === room && roomOf(to) !== null && roomOf(to) !== room);
  const counts = Object.entries(countBy(out.map(({ to }) => roomOf(to) ?? '')));
  const folders = [...new Set(paths.map((path) => path.split('/').slice(2, -1)[0] ?? ''))].filter(
    (name) => name !== '',
  );
  return {
    room,
    files: paths.length,
    lines: total(paths),
    imports: Object.fromEntries(counts.sort(([, one], [, other]) => other - one)),
    up: out.filter(({ to }) => !ROOMS[room]?.includes(roomOf(to) ?? '')).map(({ from, to }) => `${from} -> ${to}`),
    folders: folders.map((folder) => {
      const inFolder = paths.filter((path) => isIn(path, `lib/${room}/${folder}`));
      return { folder, files: inFolder.length, lines: total(inFolder) };
    }),
  };
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

const lib = filesBelow('lib');
const facts = {
  rooms: Object.keys(ROOMS).map(roomNamed),
  readers: READERS.map((row) => {
    const { format, reader, secondLook } = row;
    return { format, reader, secondLook, still: stillReading(row) };
  }),
  invariants: invariantsOf(read(INVARIANTS_FILE)),
  lib: { files: lib.length, lines: total(lib) },
};

const count = (value: number) => value.toLocaleString('en-US');
const short = (path: string | null) => path?.replace(/^lib\//, '') ?? 'none';

/** The columns of a table, each as wide as its widest word. Numbers stand to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((word, at) => Math.max(word.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((word, at) => (/^[\d,]+$/.test(word) ? word.padStart(widths[at] ?? 0) : word.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map((row) => `  ${line(row)}`).join('\n');
}

function roomsText(): string {
  const rows = facts.rooms.flatMap(({ room, files, lines, imports: to, folders }) => [
    [room, count(files), count(lines), Object.keys(to).join(', ') || 'nothing of lib'],
    ...folders.map((each) => [`  ${each.folder}/`, count(each.files), count(each.lines), '']),
  ]);
  return table(
    ['room', 'files', 'lines', 'imports'],
    [...rows, ['lib', count(facts.lib.files), count(facts.lib.lines), '']],
  );
}

function readersText(): string {
  const rows = facts.readers.flatMap(({ format, reader, secondLook, still }) => {
    const [first = '', ...others] = still.map(short);
    return [[format, short(reader), short(secondLook), first], ...others.map((other) => ['', '', '', other])];
  });
  return table(['format', 'reader', 'second look', 'still read by'], rows);
}

function invariantsText(): string {
  const themes = [...new Set(facts.invariants.map(({ theme }) => theme))];
  const one = ({ sentence, tests }: (typeof facts.invariants)[number]) => {
    const claim = /^\*\*(.+?)\*\*/.exec(sentence)?.[1] ?? sentence;
    const named = tests.map(({ path, title }) => `      ${path}${title === null ? '' : `  "${title}"`}`);
    return [`    ${claim.replace(/[`*]/g, '').replace(/\.$/, '')}`, ...named].join('\n');
  };
  const ofTheme = (theme: string) => facts.invariants.filter((each) => each.theme === theme).map(one);
  return themes.map((theme) => [`  ${theme}`, ...ofTheme(theme)].join('\n')).join('\n\n');
}

function text(): string {
  const up = facts.rooms.flatMap((room) => room.up);
  const second = facts.readers.flatMap(({ still }) => still);
  const tests = facts.invariants.flatMap((invariant) => invariant.tests);
  return [
    'Rooms, from the ground up. A room imports only rooms above it in this list.',
    roomsText(),
    `Arrows that run up: ${up.length === 0 ? 'none' : `\n${up.map((arrow) => `  ${arrow}`).join('\n')}`}`,
    `Readers of each format. Modules that still read one a second time: ${second.length || 'none'}`,
    readersText(),
    `What always holds: ${facts.invariants.length} invariants with ${tests.length} tests`,
    invariantsText(),
  ].join('\n\n');
}

console.log(process.argv.includes('--json') ? JSON.stringify(facts, null, 2) : text());
