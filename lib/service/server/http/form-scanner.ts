/** Finds delimiters in a body that arrives in pieces. It never holds more than a piece and a delimiter. */
import type { BodyReader } from './body.ts';

export interface FormScanner {
  /** Exactly this many bytes, or fewer at the end of the body. */
  take(size: number): Promise<Buffer>;
  /** Reads up to the delimiter and skips it. Returns null when it does not come within `maxBytes`, or never. */
  takeUntil(delimiter: Buffer, maxBytes: number): Promise<Buffer | null>;
  /** Reads up to the delimiter, piece by piece, and skips it. Returns false when it never comes. */
  streamUntil(delimiter: Buffer): AsyncGenerator<Uint8Array, boolean>;
  /** Puts bytes back before the unread rest. */
  unread(bytes: Buffer): void;
}

/** Scans a body from its start. */
export function createFormScanner(body: BodyReader): FormScanner {
  let held: Buffer = Buffer.alloc(0);
  let isAtEnd = false;
  const more = async () => {
    if (isAtEnd) return false;
    const piece = await body.next();
    isAtEnd = piece === null;
    if (piece) held = held.byteLength === 0 ? viewOf(piece) : Buffer.concat([held, piece]);
    return !isAtEnd;
  };
  const cut = (size: number) => {
    const head = held.subarray(0, size);
    held = held.subarray(size);
    return head;
  };
  return {
    take: async (size) => {
      while (held.byteLength < size && (await more()));
      return cut(size);
    },
    takeUntil: async (delimiter, maxBytes) => {
      for (;;) {
        const at = held.indexOf(delimiter);
        if (at > maxBytes || (at < 0 && held.byteLength > maxBytes + delimiter.byteLength)) return null;
        if (at >= 0) {
          const found = cut(at);
          cut(delimiter.byteLength);
          return found;
        }
        if (!(await more())) return null;
      }
    },
    async *streamUntil(delimiter) {
      for (;;) {
        const at = held.indexOf(delimiter);
        if (at >= 0) {
          const last = cut(at);
          cut(delimiter.byteLength);
          if (last.byteLength > 0) yield last;
          return true;
        }
        // The end of a piece may be the start of the delimiter, so that much is kept.
        const safe = Math.max(0, held.byteLength - delimiter.byteLength + 1);
        if (safe > 0) yield cut(safe);
        if (!(await more())) return false;
      }
    },
    unread: (bytes) => {
      held = Buffer.concat([bytes, held]);
    },
  };
}

const viewOf = (piece: Uint8Array) => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
