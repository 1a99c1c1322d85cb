/** The text of a Word 97 to 2003 document: characters by position, scattered over the stream in pieces ([MS-DOC] 2.4.1). */
import { EngineError } from '../../engine.ts';
import type { Range } from './fib.ts';

const PROPERTIES = 0x01;
const PIECE_TABLE = 0x02;
const COMPRESSED = 0x40000000;
/** The most characters for each byte of the stream. Many pieces over the same bytes would make an endless document. */
const MAX_SHARING = 2;

interface Piece {
  readonly first: number;
  readonly end: number;
  readonly offset: number;
  readonly width: 1 | 2;
}

export interface DocText {
  readonly length: number;
  /** The place of the characters in the stream. */
  readonly ranges: readonly Range[];
  at(position: number): number;
  /** Overwrites one character in the stream. */
  set(position: number, character: number): void;
}

/** Reads the piece table and returns the text over `stream`, whose bytes `set` changes. Throws EngineError `unreadable`. */
export function readText(clx: Buffer, stream: Buffer): DocText {
  const pieces = readPieces(pieceTable(clx), stream.length);
  const length = pieces.at(-1)?.end ?? 0;
  const find = (position: number): Piece => {
    let low = 0;
    let high = pieces.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((pieces[middle]?.first ?? 0) <= position) low = middle;
      else high = middle - 1;
    }
    const piece = pieces[low];
    if (piece === undefined || position >= piece.end) throw new EngineError('unreadable', 'the text ends early');
    return piece;
  };
  // Text is read from front to back, so most characters are in the same piece as the one before.
  let last: Piece | undefined;
  const pieceAt = (position: number): Piece => {
    if (last === undefined || position < last.first || position >= last.end) last = find(position);
    return last;
  };
  return {
    length,
    ranges: pieces.map(({ first, end, offset, width }) => ({ from: offset, length: (end - first) * width })),
    at(position) {
      const { first, offset, width } = pieceAt(position);
      const place = offset + (position - first) * width;
      return width === 1 ? stream.readUInt8(place) : stream.readUInt16LE(place);
    },
    set(position, character) {
      const { first, offset, width } = pieceAt(position);
      const place = offset + (position - first) * width;
      if (width === 1) stream.writeUInt8(character, place);
      else stream.writeUInt16LE(character, place);
    },
  };
}

function pieceTable(clx: Buffer): Buffer {
  let at = 0;
  while (at + 5 <= clx.length) {
    const kind = clx[at];
    if (kind === PIECE_TABLE) {
      const length = clx.readUInt32LE(at + 1);
      if (at + 5 + length <= clx.length) return clx.subarray(at + 5, at + 5 + length);
      break;
    }
    if (kind !== PROPERTIES) break;
    at += 3 + clx.readUInt16LE(at + 1);
  }
  throw new EngineError('unreadable', 'the document has no piece table');
}

function readPieces(table: Buffer, streamBytes: number): Piece[] {
  const count = Math.floor((table.length - 4) / 12);
  const pieces: Piece[] = [];
  for (let index = 0; index < count; index++) {
    const first = table.readUInt32LE(index * 4);
    const end = table.readUInt32LE(index * 4 + 4);
    const fc = table.readUInt32LE((count + 1) * 4 + index * 8 + 2);
    const width = fc & COMPRESSED ? 1 : 2;
    const offset = (fc & (COMPRESSED - 1)) / (width === 1 ? 2 : 1);
    const isNext = first === (pieces.at(-1)?.end ?? 0) && end > first;
    if (!isNext || !Number.isInteger(offset) || offset + (end - first) * width > streamBytes) {
      throw new EngineError('unreadable', 'the piece table of the document is damaged');
    }
    pieces.push({ first, end, offset, width });
  }
  refuseOverlaps(pieces, streamBytes);
  return pieces;
}

/**
 * Refuses pieces of one-byte and of two-byte characters over the same bytes, because words in one of them can be a field in the other. Word
 * itself lets two equal pieces share bytes, when text was copied within a document after a fast save.
 */
function refuseOverlaps(pieces: readonly Piece[], streamBytes: number): void {
  const sorted = [...pieces].sort((one, other) => one.offset - other.offset);
  let end = 0;
  let widest: Piece | undefined;
  for (const piece of sorted) {
    const isAlike = piece.width === widest?.width && (piece.offset - widest.offset) % piece.width === 0;
    if (piece.offset < end && !isAlike) throw new EngineError('unreadable', 'two pieces of the text share bytes');
    const last = piece.offset + (piece.end - piece.first) * piece.width;
    if (last > end) {
      end = last;
      widest = piece;
    }
  }
  if ((pieces.at(-1)?.end ?? 0) > streamBytes * MAX_SHARING) {
    throw new EngineError('unreadable', 'too many pieces of the text share bytes');
  }
}
