/** What a disarm took out, for a person: what, how often, where, and why it is better gone. */
import type { Removal } from '../analysis/engines/engine.ts';
import { safeText } from '../pipeline/safe-text.ts';
import { type Paint, wrap } from './paint.ts';

/** Why a kind of content is dangerous; the first that fits. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/macro|VBA|XLM/i, 'it runs as a program when the file is opened'],
  [/DDE|command/i, 'it starts another program'],
  [/formula/i, 'a spreadsheet program would calculate it, and it can send data away'],
  [/script|event handler|animation|timer/i, 'it runs code on the computer that shows the file'],
  [/alarm/i, 'it runs a program or sends mail at a set time'],
  [/redirect|base address|frame|form/i, 'it leads to, or sends what is typed to, another place'],
  [
    /template|external|remote|linked|data source|connection|query/i,
    'it loads something from outside when the file is opened',
  ],
  [/unsafe link|active link|link/i, 'it opens something other than a web page, a mail or a telephone call'],
  [/cannot be made safe|program/i, 'no safe form of it exists'],
  [/embedded|object|package|ActiveX|attachment/i, 'it can carry a program that a click starts'],
  [/document type|processing instruction/i, 'it makes readers load or repeat other content'],
  [/hidden|contradictory|disguised|trailing|unreached/i, 'different programs would see different contents'],
];

const SHOWN_PLACES = 3;

/** Lines of a report, one kind after the other in the order they were found. */
export function removalLines(details: readonly Removal[], paint: Paint, width: number): string[] {
  if (details.length === 0) return ['  nothing dangerous was found; it was made anew from its safe content'];
  const groups = new Map<string, Removal[]>();
  for (const detail of details) {
    const key = `${detail.action} ${detail.kind}`;
    groups.set(key, [...(groups.get(key) ?? []), detail]);
  }
  return [...groups.values()].flatMap((group) => groupLines(group, paint, width));
}

function groupLines(group: readonly Removal[], paint: Paint, width: number): string[] {
  const [first] = group;
  if (first === undefined) return [];
  const verb = first.action === 'removed' ? paint('red', 'removed  ') : paint('yellow', 'rewritten');
  const count = group.length > 1 ? ` (${group.length} times)` : '';
  const why = REASONS.find(([pattern]) => pattern.test(first.kind))?.[1];
  const places = group.slice(0, SHOWN_PLACES).map(({ where }) => safeText(where, 200));
  const more = group.length > SHOWN_PLACES ? ', …' : '';
  return [
    `  ${verb} ${safeText(first.kind, 100)}${count}${why === undefined ? '' : `: ${why}`}`,
    paint('dim', `            ${wrap(`in ${places.join(', ')}${more}`, width - 12, ' '.repeat(12))}`),
  ];
}
