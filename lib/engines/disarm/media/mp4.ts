/**
 * MP4, M4A and QuickTime: a copy in which every box that is not on the list is free space. No byte moves, because tables of the file
 * contain places in it.
 */
import { EngineError } from '../../engine.ts';
import type { RemovalLog } from '../removals.ts';
import { checkTable } from './box-tables.ts';
import { type Box, BoxReader, damaged, empty } from './boxes.ts';
import { checkSampleEntries, isSelfContained } from './sample-entries.ts';

const words = (list: string) => new Set(list.split(' '));

/** The boxes that a box may contain. The content of all other boxes is read as data. */
const CHILDREN: Readonly<Record<string, ReadonlySet<string>>> = {
  file: words('ftyp styp moov moof mdat'),
  moov: words('mvhd trak mvex'),
  trak: words('tkhd edts mdia'),
  edts: words('elst'),
  mdia: words('mdhd hdlr minf'),
  minf: words('vmhd smhd hdlr dinf stbl'),
  dinf: words('dref'),
  stbl: words('stsd stts ctts stsc stsz stz2 stco co64 stss stps'),
  mvex: words('mehd trex'),
  moof: words('mfhd traf'),
  traf: words('tfhd tfdt trun'),
};
const FREE = words('free skip wide');
const TRACKS = words('soun vide');
/** Brands of one file. */
const MAX_FTYP_BYTES = 512;

/**
 * Disarms the file. Throws EngineError: `unreadable` for boxes that do not fit, `unsupported` when no track can stay, `oversize` for too
 * many boxes.
 */
export function rewriteMp4(untrusted: Uint8Array, log: RemovalLog): Uint8Array {
  const bytes = Buffer.from(untrusted);
  const reader = new BoxReader(bytes);
  const boxes = topLevel(reader, log);
  const [first] = boxes;
  if (first?.type !== 'ftyp' || first.end - first.at > MAX_FTYP_BYTES) throw damaged();
  if (
    boxes.filter(({ type }) => type === 'ftyp').length !== 1 ||
    boxes.filter(({ type }) => type === 'moov').length !== 1
  )
    throw damaged();
  const work: Work = { bytes, reader, log, tracks: 0 };
  for (const box of boxes) visit(work, box, 'file');
  if (work.tracks === 0) throw new EngineError('unsupported', 'no track of it has a codec that is known here');
  return bytes.subarray(0, boxes.at(-1)?.end);
}

/** Returns the boxes of the file. The file ends after the last known one. */
function topLevel(reader: BoxReader, log: RemovalLog): Box[] {
  const boxes: Box[] = [];
  const end = reader.bytes.length;
  for (let at = 0; at < end; ) {
    const box = boxOrNull(reader, at);
    if (box === null || !/^[a-zA-Z0-9 ]{4}$/.test(box.type)) {
      log.note('data behind the end', 'file');
      break;
    }
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

function boxOrNull(reader: BoxReader, at: number): Box | null {
  try {
    return reader.first(at, reader.bytes.length);
  } catch {
    return null;
  }
}

interface Work {
  readonly bytes: Buffer;
  readonly reader: BoxReader;
  readonly log: RemovalLog;
  tracks: number;
}

function visit(work: Work, box: Box, parent: string): void {
  const { bytes, log } = work;
  if (FREE.has(box.type)) {
    bytes.fill(0, box.from, box.end);
    return;
  }
  if (CHILDREN[parent]?.has(box.type) !== true) {
    log.note(box.type === 'trak' ? 'media track' : 'media metadata', parent);
    empty(bytes, box);
    return;
  }
  if (box.type === 'trak' && !maySoundOrShow(work, box)) {
    log.note('media track', 'neither sound nor picture that is known');
    empty(bytes, box);
    return;
  }
  if (box.type === 'trak') work.tracks++;
  if (Object.hasOwn(CHILDREN, box.type)) {
    for (const child of work.reader.in(box.from, box.end)) visit(work, child, box.type);
    return;
  }
  checkTable(bytes, box);
  scrub(work, box);
}

/** Returns true for a track of sound or pictures whose samples are in this file and have known codecs. Its samples are not looked into. */
function maySoundOrShow({ bytes, reader, log }: Work, track: Box): boolean {
  const media = childOf(reader, track, 'mdia');
  const handler = media && childOf(reader, media, 'hdlr');
  const information = media && childOf(reader, media, 'minf');
  const data = information && childOf(reader, information, 'dinf');
  const references = data && childOf(reader, data, 'dref');
  const samples = information && childOf(reader, information, 'stbl');
  const entries = samples && childOf(reader, samples, 'stsd');
  if (!handler || !references || !entries || handler.end - handler.from < 24) return false;
  if (!TRACKS.has(bytes.toString('latin1', handler.from + 8, handler.from + 12))) return false;
  return isSelfContained(reader, references) && checkSampleEntries(reader, entries, log);
}

/** Returns the one box of a type. Returns null when there is none, or when there are several, because programs use different ones. */
function childOf(reader: BoxReader, { from, end }: Box, type: string): Box | null {
  const found = reader.in(from, end).filter((box) => box.type === type);
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Removes names and times. */
function scrub({ bytes }: Work, { type, from, end }: Box): void {
  // The maker and the name of the handler follow its type.
  if (type === 'hdlr') bytes.fill(0, Math.min(end, from + 12), end);
  if (type === 'mvhd' || type === 'tkhd' || type === 'mdhd') {
    const width = bytes[from] === 1 ? 16 : 8;
    bytes.fill(0, Math.min(end, from + 4), Math.min(end, from + 4 + width));
  }
}
