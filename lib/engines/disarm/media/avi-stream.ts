/** The kind and the settings of a stream of an AVI file. */
import { EngineError } from '../../engine.ts';
import { type Chunk, damaged } from './riff-chunks.ts';

/** Codecs of pictures, in small letters. Four zeros mean pictures that are not packed. */
const PICTURES = new Set(
  'mjpg xvid divx dx50 div3 div4 div5 mp41 mp42 mp43 mp4v fmp4 mpg4 h263 h264 x264 avc1 hevc vp80 vp90 cvid iv32 iv41 iv50 dvsd dvhd dib  rgb  yuy2 uyvy i420 yv12 wmv1 wmv2 wmv3'.match(
    /\S{4}|\S{3} /g,
  ),
);
/** PCM, ADPCM, floats, A-law, µ-law, IMA ADPCM, GSM 6.10, MPEG layer 2 and 3, AAC, Windows Media, AC-3. */
const SOUNDS = new Set([1, 2, 3, 6, 7, 0x11, 0x31, 0x50, 0x55, 0xff, 0x161, 0x162, 0x2000]);
const [HEADER_BYTES, PICTURE_BYTES, SOUND_BYTES] = [48, 40, 14];
/** The format with a table of 256 colours, or with the settings of a codec. */
const MAX_FORM_BYTES = 4_096;

/**
 * Reads the stream. Throws EngineError: `unsupported` for a stream of anything but sound or pictures with a known codec, `unreadable` for a
 * damaged one.
 */
export function checkStream(bytes: Buffer, chunks: readonly Chunk[]): void {
  const [header, form] = ['strh', 'strf'].map((name) => {
    const [only, ...more] = chunks.filter((chunk) => chunk.name === name);
    if (only === undefined || more.length > 0) throw damaged();
    return bytes.subarray(only.from, only.end);
  }) as [Buffer, Buffer];
  if (header.length < HEADER_BYTES || header.length > HEADER_BYTES + 16 || form.length > MAX_FORM_BYTES)
    throw damaged();
  const kind = header.toString('latin1', 0, 4);
  const isKnown = (kind === 'vids' && isPicture(form)) || (kind === 'auds' && isSound(form));
  if (!isKnown) throw new EngineError('unsupported', 'the film has a codec that is not known here');
}

function isPicture(form: Buffer): boolean {
  if (form.length < PICTURE_BYTES) throw damaged();
  const codec = form.toString('latin1', 16, 20).toLowerCase();
  return form.readUInt32LE(16) <= 3 || PICTURES.has(codec);
}

function isSound(form: Buffer): boolean {
  if (form.length < SOUND_BYTES) throw damaged();
  return SOUNDS.has(form.readUInt16LE(0));
}
