/** AIFF and AIFF-C: the form of the samples and the samples are written anew. Every other chunk is removed. */
import { asBuffer } from '../../../formats/byte-scan.ts';
import { EngineError } from '../../engine.ts';
import type { RemovalLog } from '../removals.ts';

/** Codings of AIFF-C. The first is none. */
const CODINGS = new Set('NONE sowt twos raw in24 in32 fl32 FL32 fl64 FL64 alaw ALAW ulaw ULAW ima4'.split(' '));
/** Chunks of one file. Each costs a step; programs write fewer than ten. */
const MAX_CHUNKS = 1_000;
const FORM_BYTES = 18;
/** The version of AIFF-C, which has only one. */
const VERSION = Buffer.from('a2805140', 'hex');
/** The start of the samples in their chunk, and the size of their blocks, which nobody uses. */
const NO_OFFSET = Buffer.alloc(8);
const NO_NAME = Buffer.alloc(2);

/** Returns the recording with its form and its samples. Throws EngineError `unreadable` without them, `unsupported` for other codings. */
export function rewriteAiff(untrusted: Uint8Array, log: RemovalLog): Uint8Array {
  const bytes = asBuffer(untrusted);
  const isCoded = bytes.toString('latin1', 8, 12) === 'AIFC';
  const found = chunksOf(bytes, log);
  const [form, sound] = [found.get('COMM'), found.get('SSND')];
  if (form === undefined || sound === undefined) throw damaged();
  const samples = samplesOf(sound);
  const chunks = [
    ...(isCoded ? [chunk('FVER', VERSION)] : []),
    chunk('COMM', formOf(form, isCoded)),
    chunk('SSND', Buffer.concat([NO_OFFSET, samples])),
  ];
  return chunk('FORM', Buffer.concat([Buffer.from(isCoded ? 'AIFC' : 'AIFF'), ...chunks]));
}

/** Returns the first chunk of each name. */
function chunksOf(bytes: Buffer, log: RemovalLog): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  let at = 12;
  for (let count = 0; at + 8 <= bytes.length && count < MAX_CHUNKS; count++) {
    const id = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32BE(at + 4);
    const content = bytes.subarray(at + 8, at + 8 + size);
    if (content.length < size && id !== 'SSND') break;
    const isKept = /^(?:COMM|SSND|FVER)$/.test(id) && !found.has(id);
    if (isKept) found.set(id, content);
    else log.note('media metadata', 'chunk beside the sound');
    at += 8 + content.length + (content.length % 2);
  }
  if (at < bytes.length) log.note('data behind the end', 'sound');
  return found;
}

/** Channels, number of samples, bits and rate; of AIFF-C also the coding, without its name. */
function formOf(form: Buffer, isCoded: boolean): Buffer {
  const coding = isCoded ? form.toString('latin1', FORM_BYTES, FORM_BYTES + 4).trimEnd() : 'NONE';
  if (form.length < FORM_BYTES || form.readUInt16BE(0) === 0) throw damaged();
  if (!CODINGS.has(coding)) throw new EngineError('unsupported', 'the recording has a codec that is not known here');
  return isCoded ? Buffer.concat([form.subarray(0, FORM_BYTES + 4), NO_NAME]) : form.subarray(0, FORM_BYTES);
}

function samplesOf(sound: Buffer): Buffer {
  if (sound.length <= 8) throw damaged();
  const samples = sound.subarray(8 + sound.readUInt32BE(0));
  if (samples.length === 0) throw damaged();
  return samples;
}

const damaged = () => new EngineError('unreadable', 'the recording holds no sound');

function chunk(id: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.write(id, 'latin1');
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
}
