/**
 * WebM and Matroska (RFC 9559): a copy in which every element that is not on the list is empty space. No byte moves, because elements
 * contain places in the file.
 */
import { EngineError } from '../../engine.ts';
import type { RemovalLog } from '../removals.ts';
import { damaged, type Element, ElementReader, empty, numberAt } from './ebml.ts';
import { checkTrack, ID } from './webm-track.ts';

const ids = (list: string) => new Set(list.split(' ').map((id) => Number.parseInt(id, 16)));

/** The elements that an element may contain. The content of all other elements is read as data. */
const CHILDREN: ReadonlyMap<number, ReadonlySet<number>> = new Map([
  // Versions, lengths of numbers, and the name of the format.
  [ID.head, ids('4286 42f7 42f2 42f3 4282 4287 4285')],
  [ID.segment, ids('114d9b74 1549a966 1654ae6b 1f43b675 1c53bb6b')],
  [ID.index, ids('4dbb')],
  [0x4dbb, ids('53ab 53ac')],
  // The scale of times, the duration, and the programs that wrote it.
  [ID.info, ids('2ad7b1 4489 4d80 5741')],
  [ID.tracks, ids('ae')],
  [ID.track, ids('d7 73c5 83 b9 88 55aa 9c 6de7 6df8 23e383 55ee 86 63a2 56aa 56bb e0 e1')],
  // Size, shape and colours of pictures.
  [0xe0, ids('9a 9d 53b8 53c0 b0 ba 54aa 54bb 54cc 54dd 54b0 54ba 54b2 55b0')],
  [0x55b0, ids('55b1 55b2 55b3 55b4 55b5 55b6 55b7 55b8 55b9 55ba 55bb 55bc 55bd 55d0')],
  [0x55d0, ids('55d1 55d2 55d3 55d4 55d5 55d6 55d7 55d8 55d9 55da')],
  // Rate, channels and bits of sound.
  [0xe1, ids('b5 78b5 9f 6264')],
  [ID.cluster, ids('e7 a3 a0 ab a7')],
  [ID.group, ids('a1 9b fb 75a2')],
  [ID.cues, ids('bb')],
  [0xbb, ids('b3 b7')],
  [0xb7, ids('f7 f1 f0 b2 5378')],
]);
const FREE = ids('ec bf');
/** Numbers and short names. Longer ones hold something else. */
const MAX_VALUE_BYTES = 16;
/** Blocks of sound and pictures, and the settings of a codec, are data of any length. */
const DATA = new Set<number>([ID.simpleBlock, ID.block, ID.settings]);

interface Work {
  readonly bytes: Buffer;
  readonly reader: ElementReader;
  readonly log: RemovalLog;
  /** The numbers of the tracks that stay. */
  readonly tracks: Set<number>;
}

/** Disarms the file. Throws EngineError: `unreadable` for elements that do not fit, `unsupported` when a track has an unknown codec. */
export function rewriteWebm(untrusted: Uint8Array, log: RemovalLog): Uint8Array {
  const bytes = Buffer.from(untrusted);
  const reader = new ElementReader(bytes);
  const work: Work = { bytes, reader, log, tracks: new Set() };
  const head = reader.at(0, bytes.length);
  if (head.id !== ID.head || head.isOpen) throw damaged();
  visit(work, head);
  const segment = reader.at(head.end, bytes.length);
  if (segment.id !== ID.segment) throw damaged();
  const end = visitAll(work, segment);
  if (work.tracks.size === 0) throw new EngineError('unsupported', 'no track of it has a codec that is known here');
  if (end < bytes.length) log.note('data behind the end', 'file');
  return bytes.subarray(0, end);
}

/** Handles the elements in one element. Returns the end of the last one. */
function visitAll(work: Work, parent: Element): number {
  let at = parent.from;
  while (at < parent.end) {
    const child = childAt(work, parent, at);
    if (child === null) break;
    if (child.isOpen && child.id !== ID.cluster) throw damaged();
    at = child.isOpen ? visitAll(work, child) : child.end;
    if (!child.isOpen) visitChild(work, parent.id, child);
  }
  if (!parent.isOpen && at !== parent.end) throw damaged();
  return at;
}

/** Titles of parts, files and tags, which a segment may contain. */
const METADATA = ids('1043a770 1941a469 1254c367');

/**
 * Returns the next element. Null after the last one of an element without a known end: before an element that it cannot contain, and before
 * half an element, which an interrupted recorder leaves.
 */
function childAt({ reader }: Work, parent: Element, at: number): Element | null {
  if (!parent.isOpen) return reader.at(at, parent.end);
  try {
    const child = reader.at(at, parent.end);
    const isOurs = CHILDREN.get(parent.id)?.has(child.id) === true || FREE.has(child.id);
    return isOurs || (parent.id === ID.segment && METADATA.has(child.id)) ? child : null;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'unreadable' && at > parent.from) return null;
    throw error;
  }
}

function visitChild(work: Work, parent: number, child: Element): void {
  const { bytes, log } = work;
  if (FREE.has(child.id)) empty(bytes, child);
  else if (CHILDREN.get(parent)?.has(child.id) !== true) {
    log.note('media metadata', 'film');
    empty(bytes, child);
  } else visit(work, child);
}

function visit(work: Work, element: Element): void {
  const { bytes, log, tracks } = work;
  if (element.id === ID.track && !isKeptTrack(work, element)) {
    log.note('media track', 'neither sound nor picture');
    empty(bytes, element);
    return;
  }
  if (isBlock(element) && !tracks.has(trackOf(work, element))) {
    log.note('media track', 'block');
    empty(bytes, element);
    return;
  }
  if (CHILDREN.has(element.id)) visitAll(work, element);
  else if (WRITERS.has(element.id)) bytes.fill(0, element.from, element.end);
  else if (!DATA.has(element.id) && element.end - element.from > maxBytes(element)) throw damaged();
}

/** The names of the programs that wrote the file must be there, and may be empty. */
const WRITERS = ids('4d80 5741');
const CODEC_NAME_BYTES = 32;
const maxBytes = ({ id }: Element) => (id === ID.codec ? CODEC_NAME_BYTES : MAX_VALUE_BYTES);

const isBlock = ({ id }: Element) => id === ID.simpleBlock || id === ID.block;
const trackOf = ({ bytes }: Work, { from, end }: Element) => numberAt(bytes, from, end, 8).value ?? -1;

/** Notes the number of a track of sound or pictures. Throws EngineError `unsupported` for a codec that is not known here. */
function isKeptTrack({ bytes, reader, tracks }: Work, element: Element): boolean {
  const number = checkTrack(bytes, reader, element);
  if (number === null) return false;
  if (tracks.has(number)) throw damaged();
  tracks.add(number);
  return true;
}
