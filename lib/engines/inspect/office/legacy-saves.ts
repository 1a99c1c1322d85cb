/** Finds where the newest save of a PowerPoint 97-2003 presentation has its slides, masters and notes ([MS-PPT] 2.1.2). */

import { openReadBudget } from '../read-budget.ts';

const EDIT = 0x0ff5;
const DIRECTORY = 0x1772;
/** No program writes a longer chain of saves. */
const MAX_SAVES = 100_000;

/** Bytes from one place up to another. */
export interface Extent {
  readonly from: number;
  readonly to: number;
}

export interface LiveExtents {
  /** One for each object that the newest save shows. */
  readonly objects: readonly Extent[];
  /** The records that say so. */
  readonly lists: readonly Extent[];
}

/** Follows the chain of saves. Returns null when that is not possible. Throws RangeError when its lists overlap too much. */
export function liveExtents(stream: DataView, user: DataView): LiveExtents | null {
  if (user.byteLength < 20) return null;
  const lists: Extent[] = [];
  const offsets = new Map<number, number>();
  const spend = openReadBudget(stream.byteLength);
  let at = user.getUint32(16, true);
  for (let saves = 0; saves < MAX_SAVES; saves++) {
    const edit = extentAt(stream, at, EDIT);
    if (edit === null || edit.to - edit.from < 28) return null;
    const list = extentAt(stream, stream.getUint32(at + 20, true), DIRECTORY);
    if (list === null) return null;
    spend(list.to - list.from);
    lists.push(edit, list);
    addOffsets(stream, list, offsets);
    at = stream.getUint32(at + 16, true);
    if (at === 0) return { objects: extentsOf(stream, offsets), lists };
  }
  return null;
}

function extentAt(stream: DataView, at: number, kind: number): Extent | null {
  if (at + 8 > stream.byteLength || stream.getUint16(at + 2, true) !== kind) return null;
  const to = at + 8 + stream.getUint32(at + 4, true);
  return to > stream.byteLength ? null : { from: at, to };
}

function addOffsets(stream: DataView, { from, to }: Extent, offsets: Map<number, number>): void {
  let next = from + 8;
  while (next + 4 <= to) {
    const run = stream.getUint32(next, true);
    next += 4;
    for (let left = run >>> 20, id = run & 0xfffff; left > 0 && next + 4 <= to; left--, id++, next += 4)
      if (!offsets.has(id)) offsets.set(id, stream.getUint32(next, true));
  }
}

function extentsOf(stream: DataView, offsets: ReadonlyMap<number, number>): Extent[] {
  return [...new Set(offsets.values())]
    .filter((from) => from + 8 <= stream.byteLength)
    .sort((a, b) => a - b)
    .map((from) => ({ from, to: Math.min(stream.byteLength, from + 8 + stream.getUint32(from + 4, true)) }));
}

/** Returns where the extents omit bytes of the stream, or overlap. Returns null when they cover it once. */
export function gapOf(extents: readonly Extent[], length: number): number | null {
  let at = 0;
  for (const { from, to } of [...extents].sort((a, b) => a.from - b.from)) {
    if (from !== at) return Math.min(from, at);
    at = to;
  }
  return at === length ? null : at;
}
