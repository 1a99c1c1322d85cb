/** Describes the removals of a disarm: the content, how often, where, and why it was removed. */
import type { DisarmQuality, Removal } from '../../engines/engine.ts';
import { reasonFor } from '../../engines/removal-reasons.ts';
import { inertText } from '../../pipeline/safe-text.ts';
import { type Paint, wrap } from '../paint.ts';

const SHOWN_PLACES = 3;

/** Returns lines of a report, one kind of content after the other, in the order in which they were found. */
export function removalLines(details: readonly Removal[], paint: Paint): string[] {
  if (details.length === 0) return ['  nothing dangerous was found; the file was made anew from its safe content'];
  const groups = new Map<string, Removal[]>();
  for (const detail of details) {
    const key = `${detail.action} ${detail.kind}`;
    groups.set(key, [...(groups.get(key) ?? []), detail]);
  }
  return [...groups.values()].flatMap((group) => groupLines(group, paint));
}

function groupLines(group: readonly Removal[], paint: Paint): string[] {
  const [first] = group;
  if (first === undefined) return [];
  const verb = first.action === 'removed' ? paint('red', 'removed  ') : paint('yellow', 'rewritten');
  const count = group.length > 1 ? ` (${group.length} times)` : '';
  const places = group.slice(0, SHOWN_PLACES).map(({ where }) => inertText(where, 200));
  const more = group.length > SHOWN_PLACES ? ', …' : '';
  return [
    `  ${verb} ${wrap(`${inertText(first.kind, 100)}${count}: ${reasonFor(first.kind)}`, paint.width - 12, ' '.repeat(12))}`,
    paint('dim', `            ${wrap(`in ${places.join(', ')}${more}`, paint.width - 12, ' '.repeat(12))}`),
  ];
}

/** Says in one or two lines how much of the original is left, and how that was checked. */
export function qualityLines({ strategy, words, units, checks }: DisarmQuality, paint: Paint): string[] {
  const facts: string[] = [];
  if (words !== null && words.before > 0) {
    const counts = `${numberText(words.kept)} of ${numberText(words.before)}`;
    facts.push(`text kept ${percent(words.kept, words.before)} (${counts} ${words.before === 1 ? 'word' : 'words'})`);
  }
  if (units !== null)
    facts.push(
      `${numberText(units.after)} of ${numberText(units.before)} ${units.before === 1 ? units.kind.slice(0, -1) : units.kind}`,
    );
  const way =
    strategy === 'rebuild' ? [] : [paint('yellow', `  made as: ${strategy}, because a full rebuild was not safe`)];
  const checked = paint('dim', `  checked again: ${checks.join(', ')}`);
  return [...way, ...(facts.length > 0 ? [`  ${facts.join(', ')}`] : []), checked];
}

function numberText(count: number): string {
  return count.toLocaleString('en-US');
}

/** Writes a percentage. It never rounds up to 100 %, because 99.96 % is not all. */
function percent(part: number, whole: number): string {
  return `${Math.floor((part / whole) * 1_000) / 10} %`;
}
