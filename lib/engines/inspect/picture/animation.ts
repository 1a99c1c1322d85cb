/** Checks animated PNG (PNG, Third Edition, 11.3.7): whether its frames fit its control, and how many there are. */

import { imageOf } from './plain-png.ts';
import { endsWithRows } from './plain-png-rows.ts';

/** The largest frame that is inflated. The disarm holds as much of one in memory. */
const MAX_FRAME_BYTES = 256 * 1024 * 1024;

const CONTROL = /^(?:acTL|fcTL|fdAT)$/;
const MAX_DISPOSAL = 2;
const MAX_BLEND = 1;

interface Seen {
  announced: number | null;
  frames: number;
  /** The sequence number of the next control or piece of data. */
  number: number;
  hasPixels: boolean;
  /** Whether the last announced frame has data already. */
  isFilled: boolean;
  isSound: boolean;
  /** The data of each picture and its size: of frames, and of a picture outside of the animation. */
  readonly pictures: { readonly width: number; readonly height: number; readonly data: Uint8Array[] }[];
}

/** Watches the chunks of one PNG, in their order. */
export interface AnimationCheck {
  chunk(kind: string, at: number, length: number): void;
  /** Returns false when chunks of an animation are there that form none. */
  isSound(): boolean;
  frames(): number;
  /** Returns false when bytes follow the compressed pixels of a frame. Inflates all of them. */
  isNothingButPixels(): boolean;
}

/** Returns a check of a PNG whose chunks are at these places of `view`. `at` is the place of the data of a chunk. */
export function openAnimationCheck(view: DataView): AnimationCheck {
  const seen: Seen = {
    announced: null,
    frames: 0,
    number: 0,
    hasPixels: false,
    isFilled: true,
    isSound: true,
    pictures: [],
  };
  const canvas = { width: view.getUint32(16), height: view.getUint32(20) };
  const bytes = (at: number, length: number) => new Uint8Array(view.buffer, view.byteOffset + at, length);
  const need = (isTrue: boolean) => {
    seen.isSound &&= isTrue;
  };
  return {
    chunk(kind, at, length) {
      if (kind === 'IDAT') {
        if (seen.pictures.length === 0) seen.pictures.push({ ...canvas, data: [] });
        seen.pictures.at(-1)?.data.push(bytes(at, length));
        seen.isFilled = true;
        seen.hasPixels = true;
      }
      if (!CONTROL.test(kind)) return;
      if (kind === 'acTL') {
        need(length === 8 && seen.announced === null && !seen.hasPixels && seen.frames === 0);
        if (length === 8) seen.announced = view.getUint32(at);
        return;
      }
      need(length >= 4 && view.getUint32(at) === seen.number++);
      if (kind === 'fdAT') {
        need(length > 4 && seen.frames > 0 && seen.hasPixels);
        seen.pictures.at(-1)?.data.push(bytes(at + 4, Math.max(0, length - 4)));
        seen.isFilled = true;
        return;
      }
      need(length === 26 && seen.isFilled && isOnCanvas(view, at, canvas));
      if (length === 26)
        seen.pictures.push({ width: view.getUint32(at + 4), height: view.getUint32(at + 8), data: [] });
      seen.isFilled = false;
      seen.frames++;
    },
    isSound: () => seen.isSound && seen.isFilled && (seen.announced ?? 0) === seen.frames,
    frames: () => seen.frames,
    isNothingButPixels: () => {
      const image = imageOf(Buffer.from(bytes(16, 13)));
      if (image === null) return false;
      return seen.pictures.every(({ data, ...size }) =>
        endsWithRows(Buffer.concat(data), { ...image, ...size }, MAX_FRAME_BYTES),
      );
    },
  };
}

function isOnCanvas(view: DataView, at: number, { width, height }: { width: number; height: number }): boolean {
  const [across, down, left, top] = [4, 8, 12, 16].map((place) => view.getUint32(at + place)) as [
    number,
    number,
    number,
    number,
  ];
  const isPlaced = across > 0 && down > 0 && left + across <= width && top + down <= height;
  return isPlaced && view.getUint8(at + 24) <= MAX_DISPOSAL && view.getUint8(at + 25) <= MAX_BLEND;
}
