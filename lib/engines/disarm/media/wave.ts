/** WAV: the form of the samples, their number and the samples are written anew. Every other chunk is removed. */
import { asBuffer } from '../../../formats/byte-scan.ts';
import { EngineError } from '../../engine.ts';
import type { RemovalLog } from '../removals.ts';

/** PCM, Microsoft ADPCM, floats, A-law, µ-law, IMA ADPCM, GSM 6.10. An extensible form contains one of them. */
const CODECS = new Set([1, 2, 3, 6, 7, 0x11, 0x31]);
const EXTENSIBLE = 0xfffe;
/** The bytes after the number of the codec, in an extensible form. */
const SUBFORMAT = Buffer.from('000000001000800000aa00389b71', 'hex');
/** Chunks of one file. Each costs a step; recorders write fewer than ten. */
const MAX_CHUNKS = 1_000;
const MAX_FORM_BYTES = 128;

/** Returns the recording with `fmt `, `fact` and `data`. Throws EngineError `unreadable` without them, `unsupported` for other codecs. */
export function rewriteWave(untrusted: Uint8Array, log: RemovalLog): Uint8Array {
  const found = chunksOf(asBuffer(untrusted), log);
  const [form, samples] = [found.get('fmt '), found.get('data')];
  if (form === undefined || samples === undefined || samples.length === 0)
    throw new EngineError('unreadable', 'the recording holds no sound');
  checkForm(form);
  const chunks = [chunk('fmt ', form), chunk('fact', found.get('fact')), chunk('data', samples)];
  return chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), ...chunks]));
}

const KEPT = new Set(['fmt ', 'fact', 'data']);

/** Returns the chunks that are kept, each the first of its name. */
function chunksOf(bytes: Buffer, log: RemovalLog): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  let at = 12;
  for (let count = 0; at + 8 <= bytes.length && count < MAX_CHUNKS; count++) {
    const id = bytes.toString('latin1', at, at + 4);
    const content = contentOf(bytes, at, id);
    if (content === null) break;
    if (KEPT.has(id) && !found.has(id) && (id !== 'fact' || content.length === 4)) found.set(id, content);
    else log.note('media metadata', 'chunk beside the sound');
    at += 8 + content.length + (content.length % 2);
  }
  if (at < bytes.length) log.note('data behind the end', 'sound');
  return found;
}

/**
 * Returns the content of a chunk. Returns null when it passes the end of the file. Samples may, because an interrupted recorder leaves any
 * size.
 */
function contentOf(bytes: Buffer, at: number, id: string): Buffer | null {
  const size = bytes.readUInt32LE(at + 4);
  const content = bytes.subarray(at + 8, at + 8 + size);
  const isOpen = content.length < size || size === 0;
  if (id === 'data' && isOpen) return bytes.subarray(at + 8);
  return content.length < size ? null : content;
}

function checkForm(form: Buffer): void {
  if (form.length < 14 || form.length > MAX_FORM_BYTES)
    throw new EngineError('unreadable', 'the form of the sound is damaged');
  const tag = form.readUInt16LE(0);
  const isExtensible = tag === EXTENSIBLE && form.length >= 40 && form.subarray(26, 40).equals(SUBFORMAT);
  const codec = isExtensible ? form.readUInt16LE(24) : tag;
  if (!CODECS.has(codec)) throw new EngineError('unsupported', 'the recording has a codec that is not known here');
  const channels = form.readUInt16LE(2);
  const rate = form.readUInt32LE(4);
  if (channels === 0 || channels > 64 || rate === 0 || rate > 1_000_000)
    throw new EngineError('unreadable', 'the form of the sound is damaged');
}

function chunk(id: string, content: Buffer | undefined): Buffer {
  if (content === undefined) return Buffer.alloc(0);
  const header = Buffer.alloc(8);
  header.write(id, 'latin1');
  header.writeUInt32LE(content.length, 4);
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
}
