/** Puts pixels that were decoded here into a TIFF (TIFF 6.0) without compression, in which sharp reads them with their colour profile. */

export interface PlainPicture {
  readonly width: number;
  readonly height: number;
  /** Lines from top to bottom, pixels from left to right, one byte for each channel. */
  readonly pixels: Uint8Array;
  readonly colours: 'grey' | 'rgb' | 'cmyk';
  /** Whether the last channel says how much of a pixel is seen. */
  readonly hasAlpha: boolean;
  /** An ICC profile. */
  readonly profile: Uint8Array | null;
}

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;
const PHOTOMETRIC = { grey: 1, rgb: 2, cmyk: 5 } as const;
const CHANNELS = { grey: 1, rgb: 3, cmyk: 4 } as const;
/** Alpha that the colours are not multiplied with. */
const UNASSOCIATED_ALPHA = 2;
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;

export function plainTiff({ width, height, pixels, colours, hasAlpha, profile }: PlainPicture): Buffer {
  const channels = CHANNELS[colours] + Number(hasAlpha);
  const pixelsAt = HEADER_BYTES;
  const depthsAt = pixelsAt + pixels.length + (pixels.length % 2);
  const profileAt = depthsAt + channels * 2;
  const directoryAt = profileAt + (profile?.length ?? 0) + ((profile?.length ?? 0) % 2);
  const entries: (readonly [tag: number, type: number, count: number, value: number])[] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, channels, channels < 3 ? 8 * 0x1_0001 : depthsAt],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, PHOTOMETRIC[colours]],
    [273, LONG, 1, pixelsAt],
    [277, SHORT, 1, channels],
    [278, LONG, 1, height],
    [279, LONG, 1, pixels.length],
    [284, SHORT, 1, 1],
  ];
  if (hasAlpha) entries.push([338, SHORT, 1, UNASSOCIATED_ALPHA]);
  if (profile !== null) entries.push([34_675, UNDEFINED, profile.length, profileAt]);
  const out = Buffer.alloc(directoryAt + 2 + entries.length * ENTRY_BYTES + 4);
  out.write('II*\0', 0, 'latin1');
  out.writeUInt32LE(directoryAt, 4);
  out.set(pixels, pixelsAt);
  for (let channel = 0; channel < channels; channel++) out.writeUInt16LE(8, depthsAt + channel * 2);
  if (profile !== null) out.set(profile, profileAt);
  out.writeUInt16LE(entries.length, directoryAt);
  entries.forEach((entry, index) => void writeEntry(out, directoryAt + 2 + index * ENTRY_BYTES, entry));
  return out;
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
