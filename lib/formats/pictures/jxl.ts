/** Decodes the first picture of a JPEG XL file (ISO/IEC 18181). Other frames and data about the picture are left out. */
import { type Jxl, openJxl } from './jxl-host.ts';
import { besidesPicture } from './jxl-start.ts';
import { PictureError } from './picture-error.ts';

export interface DecodedJxl {
  /** The pixels, turned as the file asks, with their colour profile. */
  readonly png: Uint8Array;
  /** Whether the file has further frames. */
  readonly hasOthers: boolean;
  readonly hasMetadata: boolean;
  /** The offset after the last box. */
  readonly end: number;
}

/** The decoder holds every sample in four bytes, several times, in a memory of two gigabytes. */
const MAX_PIXELS = 50_000_000;

/** Decodes the picture. Throws PictureError `oversize` or `unreadable`. */
export function decodeJxl(bytes: Uint8Array, mostPixels: number): DecodedJxl {
  const { hasMetadata, end } = besidesPicture(bytes);
  const jxl = openJxl();
  try {
    return { ...decode(jxl, bytes.subarray(0, end), Math.min(mostPixels, MAX_PIXELS)), hasMetadata, end };
  } catch (error) {
    if (error instanceof PictureError) throw error;
    // The program ended itself, because it had no memory left or detected an impossible state.
    throw new PictureError('unreadable', 'the picture is damaged or asks for too much memory');
  }
}

function decode(jxl: Jxl, bytes: Uint8Array, mostPixels: number): Pick<DecodedJxl, 'png' | 'hasOthers'> {
  const image = jxl.jxlimage_new();
  const input = jxl.__wbindgen_malloc(bytes.length, 1);
  new Uint8Array(jxl.memory.buffer).set(bytes, input);
  const value = ([result, , hasFailed]: readonly [number, number, number]): number => {
    if (hasFailed !== 0) throw damaged();
    return result;
  };
  value(jxl.jxlimage_feedBytes(image, input, bytes.length));
  if (value(jxl.jxlimage_tryInit(image)) === 0) throw damaged();
  const [width, height] = [jxl.jxlimage_width(image), jxl.jxlimage_height(image)];
  if (width * height > mostPixels) throw new PictureError('oversize', `the picture has more than ${mostPixels} pixels`);
  // A file that is cut off would give only a part of its picture.
  if (jxl.jxlimage_is_loading_done(image) === 0) throw damaged();
  const drawn = value(jxl.jxlimage_render(image, 0));
  const [at, length, , hasFailed] = jxl.renderresult_encodeToPng(drawn);
  if (hasFailed !== 0) throw damaged();
  const png = new Uint8Array(jxl.memory.buffer).slice(at, at + length);
  return { png, hasOthers: jxl.jxlimage_num_loaded_keyframes(image) > 1 };
}

const damaged = () => new PictureError('unreadable', 'the picture is damaged or not what its type says');
