/** The kind of a track of a WebM or Matroska file, and the settings of its codec. */
import { EngineError } from '../../engine.ts';
import { damaged, type Element, type ElementReader } from './ebml.ts';

export const ID = {
  head: 0x1a45dfa3,
  segment: 0x18538067,
  index: 0x114d9b74,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  track: 0xae,
  number: 0xd7,
  type: 0x83,
  codec: 0x86,
  settings: 0x63a2,
  /** Elements that say how the samples are packed once more, or encrypted. */
  encodings: 0x6d80,
  cluster: 0x1f43b675,
  simpleBlock: 0xa3,
  group: 0xa0,
  block: 0xa1,
  cues: 0x1c53bb6b,
} as const;

const PICTURES = new Set('V_VP8 V_VP9 V_AV1 V_MPEG4/ISO/AVC V_MPEGH/ISO/HEVC V_MPEG4/ISO/ASP V_MJPEG'.split(' '));
const SOUNDS = new Set(
  'A_OPUS A_VORBIS A_AAC A_MPEG/L3 A_MPEG/L2 A_AC3 A_EAC3 A_FLAC A_PCM/INT/LIT A_PCM/FLOAT/IEEE'.split(' '),
);
const [PICTURE, SOUND] = [1, 2];
const MAX_SETTINGS_BYTES = 64 * 1024;

/**
 * Returns the number of a track of sound or pictures, whose settings are cleaned of comments. Returns null for tracks of another kind, such
 * as subtitles. Throws EngineError `unsupported` for an unknown codec.
 */
export function checkTrack(bytes: Buffer, reader: ElementReader, track: Element): number | null {
  const values = childrenOf(reader, track);
  const [number, type, codec, settings] = [ID.number, ID.type, ID.codec, ID.settings].map((id) => values.get(id));
  if (number === undefined || type === undefined || codec === undefined) throw damaged();
  const kind = unsigned(bytes, type);
  if (kind !== PICTURE && kind !== SOUND) return null;
  const name = bytes.toString('latin1', codec.from, codec.end).replace(/\0+$/, '');
  if (values.has(ID.encodings) || !(kind === PICTURE ? PICTURES : SOUNDS).has(name))
    throw new EngineError('unsupported', 'the film or recording has a codec that is not known here');
  if (settings !== undefined) cleanSettings(bytes.subarray(settings.from, settings.end), name);
  return unsigned(bytes, number);
}

/** Returns the elements of a track. Throws EngineError `unreadable` when a deciding one occurs twice. */
function childrenOf(reader: ElementReader, track: Element): Map<number, Element> {
  const found = new Map<number, Element>();
  for (let at = track.from; at < track.end; ) {
    const child = reader.at(at, track.end);
    if (child.isOpen || (found.has(child.id) && TELLING.has(child.id))) throw damaged();
    found.set(child.id, child);
    at = child.end;
  }
  return found;
}

const TELLING = new Set<number>([ID.number, ID.type, ID.codec, ID.settings]);

function unsigned(bytes: Buffer, { from, end }: Element): number {
  if (end - from < 1 || end - from > 6) throw damaged();
  return bytes.readUIntBE(from, end - from);
}

/** Cleans the settings of two codecs, which contain comments and covers. */
function cleanSettings(settings: Buffer, name: string): void {
  if (settings.length > MAX_SETTINGS_BYTES) throw damaged();
  if (name === 'A_VORBIS') withoutVorbisComments(settings);
  if (name === 'A_FLAC') withoutFlacBlocks(settings);
}

/** Cleans three packets. The first two state their lengths (RFC 9559, 6). The second contains the comments. */
function withoutVorbisComments(settings: Buffer): void {
  let at = 1;
  const lengths = [0, 0].map(() => {
    let length = 0;
    let byte = 255;
    while (byte === 255) {
      byte = settings[at++] ?? 0;
      length += byte;
    }
    return length;
  });
  const [first = 0, second = 0] = lengths;
  const comments = settings.subarray(at + first, at + first + second);
  const isPacket = settings[0] === 2 && comments.length === second && second >= COMMENTS.length + 9;
  if (!isPacket || comments.toString('latin1', 0, COMMENTS.length) !== COMMENTS) throw damaged();
  // An empty name of the program replaces all comments.
  comments.fill(0, COMMENTS.length);
  comments.writeUInt32LE(second - COMMENTS.length - 9, COMMENTS.length);
  comments[second - 1] = 1;
}

const COMMENTS = '\x03vorbis';

/** Cleans the blocks. The first block has the form of the sound. The others become empty space (RFC 9639, 8). */
function withoutFlacBlocks(settings: Buffer): void {
  if (settings.toString('latin1', 0, 4) !== 'fLaC') throw damaged();
  for (let at = 4; at < settings.length; ) {
    if (at + 4 > settings.length) throw damaged();
    const end = at + 4 + settings.readUIntBE(at + 1, 3);
    if (end > settings.length || (at === 4) !== (((settings[at] as number) & 0x7f) === 0)) throw damaged();
    if (at > 4) {
      settings[at] = ((settings[at] as number) & 0x80) | 1;
      settings.fill(0, at + 4, end);
    }
    at = end;
  }
}
