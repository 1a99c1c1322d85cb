/** Puts decoded pixels into an uncompressed TIFF (TIFF 6.0), which sharp reads with their colour profile. */

export interface PlainPicture {
  readonly width: number;
  readonly height: number;
  /** Lines from top to bottom, pixels from left to right, one byte for each channel, or two with the lower one first. */
  readonly pixels: Uint8Array;
  /** The bits of a channel. @default 8 */
  readonly bits?: 8 | 16;
  readonly colours: 'grey' | 'rgb' | 'cmyk';
  /** Whether the last channel is opacity. */
  readonly hasAlpha: boolean;
  /** An ICC profile. */
  readonly profile: Uint8Array | null;
  /** The orientation as EXIF numbers it. @default 1, upright */
  readonly orientation?: number;
}

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;
const PHOTOMETRIC = { grey: 1, rgb: 2, cmyk: 5 } as const;
const CHANNELS = { grey: 1, rgb: 3, cmyk: 4 } as const;
/** Opacity with which the colours are not multiplied. */
const UNASSOCIATED_ALPHA = 2;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;

/** Writes a TIFF of one page, or of several in this order. */
export function plainTiff(...pages: readonly PlainPicture[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('II*\0', 0, 'latin1');
  const parts: Buffer[] = [header];
  let end = HEADER_BYTES;
  // The place of the next directory follows each directory. The header has the place of the first one.
  let next = { part: header, at: 4 };
  for (const page of pages) {
    const { part, directoryAt } = pageFrom(page, end);
    next.part.writeUInt32LE(end + directoryAt, next.at);
    parts.push(part);
    end += part.length;
    next = { part, at: part.length - 4 };
  }
  return Buffer.concat(parts);
}

/** Returns the bytes of one page, which begins at an offset of the file. Its directory is the last thing in it. */
function pageFrom({ width, height, pixels, colours, hasAlpha, profile, ...rest }: PlainPicture, from: number) {
  const { bits = 8, orientation = 1 } = rest;
  const channels = CHANNELS[colours] + Number(hasAlpha);
  const depthsAt = pixels.length + (pixels.length % 2);
  const profileAt = depthsAt + channels * 2;
  const directoryAt = profileAt + (profile?.length ?? 0) + ((profile?.length ?? 0) % 2);
  const entries: (readonly [tag: number, type: number, count: number, value: number])[] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, channels, channels < 3 ? bits * 0x1_0001 : from + depthsAt],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, PHOTOMETRIC[colours]],
    [273, LONG, 1, from],
    [274, SHORT, 1, orientation],
    [277, SHORT, 1, channels],
    [278, LONG, 1, height],
    [279, LONG, 1, pixels.length],
    [284, SHORT, 1, 1],
  ];
  if (hasAlpha) entries.push([338, SHORT, 1, UNASSOCIATED_ALPHA]);
  if (profile !== null) entries.push([34_675, UNDEFINED, profile.length, from + profileAt]);
  const part = Buffer.alloc(directoryAt + 2 + entries.length * ENTRY_BYTES + 4);
  part.set(pixels, 0);
  for (let channel = 0; channel < channels; channel++) part.writeUInt16LE(bits, depthsAt + channel * 2);
  if (profile !== null) part.set(profile, profileAt);
  part.writeUInt16LE(entries.length, directoryAt);
  entries.forEach((entry, index) => void writeEntry(part, directoryAt + 2 + index * ENTRY_BYTES, entry));
  return { part, directoryAt };
}

function writeEntry(
  out: Buffer,
  at: number,
  [tag, type, count, value]: readonly [number, number, number, number],
): void {
  out.writeUInt16LE(tag, at);
  out.writeUInt16LE(type, at + 2);
  out.writeUInt32LE(count, at + 4);
  out.writeUInt32LE(value, at + 8);
}
