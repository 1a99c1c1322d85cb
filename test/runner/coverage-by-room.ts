/** Prints how much of each room the tests ran, from what `npm run coverage` or `npm test -- --coverage` wrote. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const MEASURES = ['lines', 'branches'] as const;

type Counts = Readonly<Record<(typeof MEASURES)[number], { readonly total: number; readonly covered: number }>>;

/** Rooms that are so large that their inner rooms have rows of their own. */
const WITH_INNER_ROOMS = ['lib/engines', 'lib/message', 'lib/formats', 'lib/service'];

function roomOf(path: string): string {
  const [top = '', room = '', inner = ''] = path.split('/');
  const outer = top === 'lib' ? `${top}/${room}` : top;
  return WITH_INNER_ROOMS.includes(outer) && !/\.tsx?$/.test(inner) ? `${outer}/${inner}` : outer;
}

function percentOf(files: readonly Counts[], measure: (typeof MEASURES)[number]): string {
  const total = files.reduce((sum, counts) => sum + counts[measure].total, 0);
  const covered = files.reduce((sum, counts) => sum + counts[measure].covered, 0);
  return total === 0 ? '-' : `${((100 * covered) / total).toFixed(1)} %`;
}

const row = (name: string, files: readonly Counts[]) =>
  `${name.padEnd(28)} ${String(files.length).padStart(5)} ${MEASURES.map((one) => percentOf(files, one).padStart(9)).join(' ')}\n`;

const summary = JSON.parse(readFileSync(join(ROOT, 'coverage/rooms/coverage-summary.json'), 'utf8')) as Record<
  string,
  Counts
>;
const files = Object.entries(summary)
  .filter(([path]) => path !== 'total')
  .map(([path, counts]) => ({ room: roomOf(relative(ROOT, path)), counts }));
const countsOf = (chosen: typeof files) => chosen.map(({ counts }) => counts);

process.stdout.write(`${'room'.padEnd(28)} files ${MEASURES.map((one) => one.padStart(9)).join(' ')}\n`);
for (const room of [...new Set(files.map((file) => file.room))].sort())
  process.stdout.write(row(room, countsOf(files.filter((file) => file.room === room))));
process.stdout.write(row('all', countsOf(files)));
