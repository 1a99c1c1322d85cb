/**
 * The objects that the newest save of a presentation shows ([MS-PPT] 2.3). Each save appends the objects that changed (slides, masters,
 * notes) and a directory with their offsets; programs read nothing else. Only these objects are written again, as a single save.
 */
import { ReadBudget } from '../../../formats/read-budget.ts';
import { EngineError } from '../../engine.ts';
import { PPT } from './records.ts';

/** The most saves that were appended to one another. Each is read once. */
const MAX_EDITS = 10_000;
const EDIT_BYTES = 28;
const HEADER_BYTES = 8;
/** Fields of UserEditAtom ([MS-PPT] 2.3.3), after its header. */
const EDIT = { previous: 8, directory: 12 } as const;
/** A number of an object has 20 bits, and a run of them 12 bits of length ([MS-PPT] 2.3.5). */
const ID_BITS = 20;
const MAX_RUN = 0xfff;

/** The objects of the newest save. */
export interface Saved {
  /** UserEditAtom of the newest save, with its header. */
  readonly edit: Buffer;
  /** Numbers of objects and their places in the stream. */
  readonly offsets: ReadonlyMap<number, number>;
}

/** One object of the stream, and the numbers that other objects use for it. */
export interface SavedObject {
  readonly record: Buffer;
  readonly ids: readonly number[];
}

/**
 * Follows the chain of saves from the newest one. A longer record names the encryption. A chain that leads outside the file is damage.
 * Throws EngineError `unreadable`, `encrypted`.
 */
export function readSaves(document: Buffer, newest: number): Saved {
  const seen = new Set<number>();
  const offsets = new Map<number, number>();
  const budget = new ReadBudget(document.length);
  for (let at = newest; ; ) {
    if (seen.has(at) || seen.size >= MAX_EDITS || at + HEADER_BYTES + EDIT_BYTES > document.length) throw damaged();
    seen.add(at);
    if (document.readUInt16LE(at + 2) !== PPT.userEdit) throw damaged();
    if (document.readUInt32LE(at + 4) > EDIT_BYTES)
      throw new EngineError('encrypted', 'the presentation needs a password');
    readDirectory(document, document.readUInt32LE(at + HEADER_BYTES + EDIT.directory), offsets, budget);
    const previous = document.readUInt32LE(at + HEADER_BYTES + EDIT.previous);
    if (previous === 0) return { edit: document.subarray(newest, newest + HEADER_BYTES + EDIT_BYTES), offsets };
    at = previous;
  }
}

const damaged = () => new EngineError('unreadable', 'the list of slides of the presentation is damaged');

/** Adds the objects of a directory, unless a newer one lists them. */
function readDirectory(document: Buffer, at: number, offsets: Map<number, number>, budget: ReadBudget): void {
  if (at + HEADER_BYTES > document.length || document.readUInt16LE(at + 2) !== PPT.persistDirectory) throw damaged();
  const end = at + HEADER_BYTES + document.readUInt32LE(at + 4);
  if (end > document.length || !budget.allows(end - at)) throw damaged();
  for (let next = at + HEADER_BYTES; next + 4 <= end; ) {
    const head = document.readUInt32LE(next);
    next += 4;
    const first = head & ((1 << ID_BITS) - 1);
    const count = head >>> ID_BITS;
    if (next + count * 4 > end) throw damaged();
    for (let index = 0; index < count; index++, next += 4)
      if (!offsets.has(first + index)) offsets.set(first + index, document.readUInt32LE(next));
  }
}

/**
 * Returns the objects in their order in the stream. An object that claims to reach into the next one, or out of the stream, is cut there.
 */
export function objectsOf(document: Buffer, { offsets }: Saved): readonly SavedObject[] {
  const ids = new Map<number, number[]>();
  for (const [id, offset] of offsets) {
    if (offset + HEADER_BYTES > document.length) continue;
    const known = ids.get(offset);
    if (known === undefined) ids.set(offset, [id]);
    else known.push(id);
  }
  const places = [...ids.keys()].sort((a, b) => a - b);
  return places.map((at, index) => {
    const limit = places[index + 1] ?? document.length;
    const end = Math.min(limit, at + HEADER_BYTES + document.readUInt32LE(at + 4));
    // A place without room for a header holds no object.
    const record = end - at < HEADER_BYTES ? Buffer.alloc(HEADER_BYTES) : document.subarray(at, end);
    return { record, ids: ids.get(at) ?? [] };
  });
}

/** Returns the stream of one save, and the place of its UserEditAtom. */
export function writeSave(edit: Buffer, objects: readonly SavedObject[]): { stream: Buffer; editAt: number } {
  const offsets = new Map<number, number>();
  let at = 0;
  for (const { record, ids } of objects) {
    for (const id of ids) offsets.set(id, at);
    at += record.length;
  }
  const directory = directoryOf(offsets);
  const newest = Buffer.from(edit);
  newest.writeUInt32LE(EDIT_BYTES, 4);
  newest.writeUInt32LE(0, HEADER_BYTES + EDIT.previous);
  newest.writeUInt32LE(at, HEADER_BYTES + EDIT.directory);
  return {
    stream: Buffer.concat([...objects.map(({ record }) => record), directory, newest]),
    editAt: at + directory.length,
  };
}

function directoryOf(offsets: ReadonlyMap<number, number>): Buffer {
  const words: number[] = [];
  let run = -1;
  let last = -1;
  for (const [id, offset] of [...offsets].sort(([a], [b]) => a - b)) {
    const isNext = run >= 0 && id === last + 1 && (words[run] ?? 0) >>> ID_BITS < MAX_RUN;
    if (!isNext) run = words.push(id) - 1;
    words[run] = ((words[run] ?? 0) + 2 ** ID_BITS) >>> 0;
    words.push(offset);
    last = id;
  }
  const out = Buffer.alloc(HEADER_BYTES + words.length * 4);
  out.writeUInt16LE(PPT.persistDirectory, 2);
  out.writeUInt32LE(words.length * 4, 4);
  for (const [index, word] of words.entries()) out.writeUInt32LE(word, HEADER_BYTES + index * 4);
  return out;
}
