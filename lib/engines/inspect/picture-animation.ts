/** Animated PNG (PNG, Third Edition, 11.3.7): whether its frames are what its control says, and how many there are. */

const CONTROL = /^(?:acTL|fcTL|fdAT)$/;
const MOST_DISPOSAL = 2;
const MOST_BLEND = 1;

interface Seen {
  announced: number | null;
  frames: number;
  /** Of the next control or piece of data. */
  number: number;
  hasPixels: boolean;
  /** Whether the frame that was announced last has data already. */
  isFilled: boolean;
  isSound: boolean;
}

/** Watches the chunks of one PNG, in their order. */
export interface AnimationCheck {
  chunk(kind: string, at: number, length: number): void;
  /** False when chunks of an animation are there that make none. */
  isSound(): boolean;
  frames(): number;
}

/** A check of a PNG whose chunks are at these places of `view`: `at` is where the data of a chunk begins. */
export function openAnimationCheck(view: DataView): AnimationCheck {
  const seen: Seen = { announced: null, frames: 0, number: 0, hasPixels: false, isFilled: true, isSound: true };
  const canvas = { width: view.getUint32(16), height: view.getUint32(20) };
  const need = (isTrue: boolean) => {
    seen.isSound &&= isTrue;
  };
  return {
    chunk(kind, at, length) {
      if (kind === 'IDAT') {
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
        seen.isFilled = true;
        return;
      }
      need(length === 26 && seen.isFilled && isOnCanvas(view, at, canvas));
      seen.isFilled = false;
      seen.frames++;
    },
    isSound: () => seen.isSound && seen.isFilled && (seen.announced ?? 0) === seen.frames,
    frames: () => seen.frames,
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
  return isPlaced && view.getUint8(at + 24) <= MOST_DISPOSAL && view.getUint8(at + 25) <= MOST_BLEND;
}
