/** The drawings of a Word 97 to 2003 document: shapes in the table stream, their pictures in the document stream ([MS-DOC] 2.9.172). */
import { EngineError } from '../../engine.ts';
import { filterDrawing, type Note } from '../compound/drawing.ts';
import { isPictureRecord } from '../compound/picture.ts';
import type { Range } from './fib.ts';

const HEADER_BYTES = 8;
const STORE = 0xf001;
const STORE_ENTRY = 0xf007;
const STORE_ENTRY_BYTES = 36;
const NOWHERE = 0xffffffff;

/** Filters the drawings in place and returns the places of their pictures in `stream`. Throws EngineError `unreadable`. */
export function filterWordDrawings(drawings: Buffer, stream: Buffer, note: Note): Range[] {
  const groupEnd = recordEnd(drawings, 0);
  const pictures = delayedPictures(drawings.subarray(0, groupEnd), stream);
  filterDrawing(drawings.subarray(0, groupEnd), note);
  // There is one drawing for the text and one for the headers. A byte before each says which it is.
  for (let at = groupEnd; at + 1 + HEADER_BYTES <= drawings.length; ) {
    const end = recordEnd(drawings, at + 1);
    filterDrawing(drawings.subarray(at + 1, end), note);
    at = end;
  }
  return pictures;
}

function recordEnd(bytes: Buffer, at: number): number {
  const end = at + HEADER_BYTES <= bytes.length ? at + HEADER_BYTES + bytes.readUInt32LE(at + 4) : Number.NaN;
  if (!(end <= bytes.length)) throw new EngineError('unreadable', 'the drawings of the document are damaged');
  return end;
}

function delayedPictures(group: Buffer, stream: Buffer): Range[] {
  const found = new Map<number, Range>();
  for (const store of childrenOf(group.subarray(HEADER_BYTES))) {
    if (store.type !== STORE) continue;
    for (const { type, payload } of childrenOf(store.payload)) {
      if (type !== STORE_ENTRY || payload.length < STORE_ENTRY_BYTES) continue;
      const from = payload.readUInt32LE(28);
      if (from === NOWHERE || from + HEADER_BYTES > stream.length || !isPictureRecord(stream.readUInt16LE(from + 2)))
        continue;
      const length = HEADER_BYTES + stream.readUInt32LE(from + 4);
      if (from + length <= stream.length) found.set(from, { from, length });
    }
  }
  return [...found.values()];
}

function* childrenOf(bytes: Buffer): Generator<{ readonly type: number; readonly payload: Buffer }> {
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    const end = recordEnd(bytes, at);
    yield { type: bytes.readUInt16LE(at + 2), payload: bytes.subarray(at + HEADER_BYTES, end) };
    at = end;
  }
}
