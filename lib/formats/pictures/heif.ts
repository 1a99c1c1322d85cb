/**
 * Decodes the picture that a HEIC file (ISO/IEC 23008-12) shows first. Other pictures, previews and data about the picture are left out.
 */
import { type Heif, openHeif } from './heif-host.ts';
import { PictureError } from './picture-error.ts';
import { plainTiff } from './plain-tiff.ts';

/** The bytes of a colour profile. Those of cameras have a few kilobytes. */
const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
/** The places in `heif_security_limits` of the pixels of a picture (64 bits) and the bytes of a profile (32 bits). */
const LIMIT_AT = { pixels: 8, profile: 32 } as const;

const OK = 0;
/** No such brand, no such feature, no such codec (`heif_error_code`). */
const UNSUPPORTED = new Set([3, 4, 11]);
const OVER_LIMIT = 6;
const RGB = 1;
const INTERLEAVED = 10;
const INTERLEAVED_RGB = 10;
const INTERLEAVED_RGBA = 11;

export interface DecodedPicture {
  /** The pixels and their colour profile, turned and cut as the file asks. */
  readonly tiff: Uint8Array;
  readonly isTransparent: boolean;
  /** Whether the file contains further pictures. */
  readonly hasOthers: boolean;
  /** Whether the file contains data about the picture: Exif, XMP and the like. */
  readonly hasMetadata: boolean;
}

/** Decodes the picture. Throws PictureError `oversize` (pixels), `unsupported` (another codec than HEVC) or `unreadable` (damaged). */
export async function decodeHeif(bytes: Uint8Array, mostPixels: number): Promise<DecodedPicture> {
  const heif = await openHeif();
  try {
    return decode(heif, bytes, mostPixels);
  } catch (error) {
    if (error instanceof PictureError) throw error;
    // The program ended itself, because it had no memory left or detected an impossible state.
    throw new PictureError('unreadable', 'the picture is damaged or asks for too much memory');
  }
}

function decode(heif: Heif, bytes: Uint8Array, mostPixels: number): DecodedPicture {
  const calls = callsOf(heif);
  const context = heif._heif_context_alloc();
  setLimits(heif, heif._heif_context_get_security_limits(context), mostPixels);
  const input = heif._malloc(bytes.length);
  heif.HEAPU8.set(bytes, input);
  calls.check((error) => heif._heif_context_read_from_memory(error, context, input, bytes.length, 0));
  const handle = calls.place((error, to) => heif._heif_context_get_primary_image_handle(error, context, to));
  const [width, height] = [heif._heif_image_handle_get_width(handle), heif._heif_image_handle_get_height(handle)];
  if (width * height > mostPixels) throw new PictureError('oversize', `the picture has more than ${mostPixels} pixels`);
  const isTransparent = heif._heif_image_handle_has_alpha_channel(handle) !== 0;
  const chroma = isTransparent ? INTERLEAVED_RGBA : INTERLEAVED_RGB;
  const image = calls.place((error, to) => heif._heif_decode_image(error, handle, to, RGB, chroma, 0));
  return {
    tiff: plainTiff({ ...pixelsOf(heif, image, isTransparent ? 4 : 3), profile: profileOf(heif, handle) }),
    isTransparent,
    hasOthers: heif._heif_context_get_number_of_top_level_images(context) > 1,
    hasMetadata: heif._heif_image_handle_get_number_of_metadata_blocks(handle, 0) > 0,
  };
}

function setLimits(heif: Heif, at: number, mostPixels: number): void {
  const view = viewOf(heif);
  view.setBigUint64(at + LIMIT_AT.pixels, BigInt(mostPixels), true);
  view.setUint32(at + LIMIT_AT.profile, MAX_PROFILE_BYTES, true);
}

const viewOf = ({ HEAPU8 }: Heif) => new DataView(HEAPU8.buffer, HEAPU8.byteOffset, HEAPU8.byteLength);

/** Calls functions that report an error, and functions that also write a pointer. */
function callsOf(heif: Heif) {
  const error = heif._malloc(12);
  const to = heif._malloc(4);
  const check = (call: (error: number) => void) => {
    call(error);
    const code = viewOf(heif).getUint32(error, true);
    if (code === OK) return;
    if (UNSUPPORTED.has(code))
      throw new PictureError('unsupported', 'the picture is packed in a way that is not read here; ask for it as JPEG');
    if (code === OVER_LIMIT)
      throw new PictureError('oversize', 'the picture has more pixels than the limit, or needs too much memory');
    throw new PictureError('unreadable', 'the picture is damaged or not what its type says');
  };
  return {
    check,
    place: (call: (error: number, to: number) => void): number => {
      check((failed) => call(failed, to));
      return viewOf(heif).getUint32(to, true);
    },
  };
}

/** Returns the lines of the picture, without the bytes between them in memory. */
function pixelsOf(heif: Heif, image: number, channels: 3 | 4) {
  const strideAt = heif._malloc(4);
  const from = heif._heif_image_get_plane_readonly(image, INTERLEAVED, strideAt);
  const [width, height] = [
    heif._heif_image_get_width(image, INTERLEAVED),
    heif._heif_image_get_height(image, INTERLEAVED),
  ];
  const stride = viewOf(heif).getUint32(strideAt, true);
  if (from === 0 || width < 1 || height < 1) throw new PictureError('unreadable', 'the picture shows nothing');
  const line = width * channels;
  const pixels = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++)
    pixels.set(heif.HEAPU8.subarray(from + y * stride, from + y * stride + line), y * line);
  return { width, height, pixels, colours: 'rgb', hasAlpha: channels === 4 } as const;
}

/** Returns the ICC profile; null without one. */
function profileOf(heif: Heif, handle: number): Uint8Array | null {
  const size = heif._heif_image_handle_get_raw_color_profile_size(handle);
  if (size < 1 || size > MAX_PROFILE_BYTES) return null;
  const to = heif._malloc(size);
  heif._heif_image_handle_get_raw_color_profile(heif._malloc(12), handle, to);
  return heif.HEAPU8.slice(to, to + size);
}
