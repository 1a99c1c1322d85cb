/** The chunks of a RIFF file, and a copy in which chunks are emptied in place. */
import { EngineError } from '../../engine.ts';

export interface Chunk {
  /** The name of the list, if it is a list. */
  readonly name: string;
  readonly isList: boolean;
  /** The offset of the header. */
  readonly at: number;
  /** The offset of the content. */
  readonly from: number;
  readonly end: number;
}

/** Chunks of one file. Each costs a step; an hour of film has some hundred thousand. */
const MAX_CHUNKS = 1_000_000;
const LISTS = new Set(['RIFF', 'LIST']);

/** Reads chunks, and counts them. */
export class ChunkReader {
  private left = MAX_CHUNKS;
  constructor(readonly bytes: Buffer) {}

  /** Returns the chunks that fill a range. Throws EngineError `unreadable` when they do not. */
  in(from: number, end: number): Chunk[] {
    const chunks: Chunk[] = [];
    for (let at = from; at < end; ) {
      const chunk = this.at(at, end);
      chunks.push(chunk);
      at = Math.min(end, chunk.end + ((chunk.end - chunk.at) % 2));
    }
    return chunks;
  }

  /** Returns the chunk at a place of the file. Throws EngineError `unreadable` when it does not fit. */
  at(at: number, end: number): Chunk {
    const { bytes } = this;
    if (--this.left < 0) throw new EngineError('oversize', 'the file has too many chunks');
    if (at + 8 > end) throw damaged();
    const id = bytes.toString('latin1', at, at + 4);
    const isList = LISTS.has(id);
    const last = at + 8 + bytes.readUInt32LE(at + 4);
    if (last > end || (isList && last < at + 12)) throw damaged();
    const name = isList ? bytes.toString('latin1', at + 8, at + 12) : id;
    return { name, isList, at, from: at + (isList ? 12 : 8), end: last };
  }
}

export const damaged = () => new EngineError('unreadable', 'the film is damaged or cut off');

/** Empties a chunk. Its length stays, because the index contains places in the file. */
export function empty(bytes: Buffer, { at, end }: Chunk): void {
  bytes.write('JUNK', at, 'latin1');
  bytes.fill(0, at + 8, end);
}
