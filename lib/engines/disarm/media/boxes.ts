/** The boxes of an ISO base media file (ISO/IEC 14496-12, 4.2), and a copy in which boxes are emptied in place. */
import { EngineError } from '../../engine.ts';

export interface Box {
  readonly type: string;
  /** The offset of the header. */
  readonly at: number;
  /** The offset of the content. */
  readonly from: number;
  readonly end: number;
}

/** Boxes of one file. Each costs a step; an hour of film in fragments has some ten thousand. */
const MAX_BOXES = 200_000;

/** Reads boxes, and counts them. */
export class BoxReader {
  private left = MAX_BOXES;
  constructor(readonly bytes: Buffer) {}

  /** Returns the boxes that fill a range exactly. Throws EngineError `unreadable` when they do not. */
  in(from: number, end: number): Box[] {
    const boxes: Box[] = [];
    for (let at = from; at < end; ) {
      // QuickTime ends some lists of boxes with four zeros.
      if (end - at === 4 && this.bytes.readUInt32BE(at) === 0) break;
      const box = this.boxAt(at, end, false);
      boxes.push(box);
      at = box.end;
    }
    return boxes;
  }

  /** Returns the box at a place of the file. Throws EngineError `unreadable` when it does not fit. */
  first(at: number, end: number): Box {
    return this.boxAt(at, end, true);
  }

  private boxAt(at: number, end: number, isFile: boolean): Box {
    const { bytes } = this;
    if (--this.left < 0) throw new EngineError('oversize', 'the file has too many boxes');
    if (at + 8 > end) throw damaged();
    const type = bytes.toString('latin1', at + 4, at + 8);
    const short = bytes.readUInt32BE(at);
    if (short === 0 && isFile && type === 'mdat') return { type, at, from: at + 8, end };
    const isLong = short === 1 && at + 16 <= end;
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short;
    const from = at + (isLong ? 16 : 8);
    if (!Number.isSafeInteger(size) || at + size < from || at + size > end) throw damaged();
    return { type, at, from, end: at + size };
  }
}

export const damaged = () =>
  new EngineError('unreadable', 'the boxes of the film or recording do not fit into each other');

/** Turns a box into free space. Its length stays, because other boxes contain places in the file. */
export function empty(bytes: Buffer, { at, from, end }: Box): void {
  bytes.write('free', at + 4, 'latin1');
  bytes.fill(0, from, end);
}
