/** The kinds and the places of the samples of a track. */
import type { RemovalLog } from '../removals.ts';
import { type Box, type BoxReader, empty } from './boxes.ts';

const words = (list: string) => new Set(list.split(' '));

const PICTURES = words(
  'avc1 avc3 hvc1 hev1 mp4v s263 vp08 vp09 av01 jpeg mjpa mjpb apch apcn apcs apco ap4h dvh1 dvhe',
);
const SOUNDS = words('mp4a samr sawb alac ac-3 ec-3 Opus fLaC sowt twos ulaw alaw lpcm in24 in32 fl32 fl64 raw');
/** The boxes that describe a codec. */
const SETTINGS = words(
  'avcC hvcC esds pasp colr btrt fiel clap dOps dfLa vpcC av1C dvcC dvvC chan wave alac damr d263 dac3 dec3 gama clli mdcv free',
);
/** Bytes of an entry before its boxes. Sound of QuickTime has more in its versions 1 and 2. */
const PICTURE_BYTES = 78;
const SOUND_BYTES = [28, 44, 64];
/** The place of the name of the program that wrote the pictures. */
const COMPRESSOR = { from: 42, to: 74 };
const MAX_ENTRIES = 64;

/** Returns true when each place of samples is in this file (ISO/IEC 14496-12, 8.7.2). Another file would be fetched. */
export function isSelfContained(reader: BoxReader, { from, end }: Box): boolean {
  if (end - from < 8) return false;
  const entries = reader.in(from + 8, end);
  const { bytes } = reader;
  const isHere = ({ type, from: content, end: last }: Box) =>
    (type === 'url ' || type === 'alis') && last - content === 4 && bytes.readUInt32BE(content) === 1;
  return entries.length > 0 && entries.length === bytes.readUInt32BE(from + 4) && entries.every(isHere);
}

/** Returns true when every entry has a known codec. Empties everything in them that does not describe it. */
export function checkSampleEntries(reader: BoxReader, { from, end }: Box, log: RemovalLog): boolean {
  if (end - from < 8) return false;
  const { bytes } = reader;
  const entries = reader.in(from + 8, end);
  if (entries.length === 0 || entries.length > MAX_ENTRIES || entries.length !== bytes.readUInt32BE(from + 4))
    return false;
  return entries.every((entry) => checkEntry(reader, entry, log));
}

function checkEntry(reader: BoxReader, entry: Box, log: RemovalLog): boolean {
  const { bytes } = reader;
  const isPicture = PICTURES.has(entry.type);
  if (!isPicture && !SOUNDS.has(entry.type.trimEnd())) return false;
  if (entry.end - entry.from < 20) return false;
  const version = isPicture ? 0 : bytes.readUInt16BE(entry.from + 8);
  const start = entry.from + (isPicture ? PICTURE_BYTES : (SOUND_BYTES[version] ?? Number.POSITIVE_INFINITY));
  if (start > entry.end) return false;
  if (isPicture) bytes.fill(0, entry.from + COMPRESSOR.from, entry.from + COMPRESSOR.to);
  for (const child of reader.in(start, entry.end)) {
    if (child.type === 'free') bytes.fill(0, child.from, child.end);
    else if (!SETTINGS.has(child.type)) {
      log.note('media metadata', 'codec');
      empty(bytes, child);
    }
  }
  return true;
}
