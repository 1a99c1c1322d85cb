/**
 * Inspects the main stream of a PowerPoint 97-2003 presentation ([MS-PPT] 2.3): every record of the newest save, with the content of
 * containers.
 */
import type { Findings, Units } from '../fact.ts';
import { isLiveLink } from '../live-values.ts';
import { openReadBudget } from '../read-budget.ts';
import { tallyBytes, tallyText, type WordTally } from '../word-tally.ts';
import { picturesInStores } from './legacy-pictures.ts';
import { type Extent, gapOf, liveExtents } from './legacy-saves.ts';

const SLIDE = 0x03ee;
/** One picture of the store of drawings, which is in a stream of its own. */
const STORE_ENTRY = 0xf007;
/** Atoms that hold text: in UTF-16, and one byte per character. */
const TEXT_CHARS = 0x0fa0;
const TEXT_BYTES = 0x0fa8;
/** Names and targets ([MS-PPT] 2.2.32), distinguished by their instance and by the record around them. */
const STRING = 0x0fba;
const HYPERLINK = 0x0fd7;
const TARGET = 1;
const INTERACTION = 0x0ff2;
const MACRO_NAME = 2;
const ENCRYPTION = 0x2f14;
/**
 * Records in which PowerPoint 2007 and later keep content that this format cannot express: packages of their own format ([MS-PPT] 2.11).
 */
const NEWER_VERSION = new Set([0x040e, 0x040f, 0x041e, 0x0423, 0x0427, 0x0428, 0x2b0b, 0x3714, 0x3715]);
const TAG_DATA = 0x138b;
const MAX_DEPTH = 128;
/** Records that embed, link or play something: objects, controls, sounds, films. */
const EXTERNAL = new Map([
  [0x0fcc, 'ppt-object'],
  [0x0fce, 'ppt-linked-object'],
  [0x0fee, 'ppt-control'],
  [0x1006, 'ppt-media'],
  [0x1007, 'ppt-media'],
  [0x100d, 'ppt-media'],
  [0x100e, 'ppt-media'],
  [0x100f, 'ppt-media'],
  [0x1010, 'ppt-media'],
]);

interface Atom {
  readonly kind: number;
  readonly instance: number;
  readonly body: Uint8Array;
  readonly where: string;
}

interface Reading {
  readonly stream: DataView;
  readonly tally: WordTally;
  readonly findings: Findings | null;
  // Ends of the last hyperlink and the last interaction: strings before them belong to them.
  readonly ends: { link: number; interaction: number };
  readonly store: Uint8Array[];
}

/** The streams of a presentation; null for one without pictures. */
export interface Presentation {
  readonly slides: Uint8Array;
  readonly user: Uint8Array;
  readonly pictures: Uint8Array | null;
}

/**
 * Counts words, slides and pictures of the newest save. With findings it also searches them, and anything beside them is a finding. Returns
 * null when the presentation is encrypted or its list of slides cannot be read.
 */
export function readSlides(
  { slides, user, pictures }: Presentation,
  tally: WordTally,
  findings: Findings | null,
): { readonly units: Units; readonly pictures: number } | null {
  const stream = new DataView(slides.buffer, slides.byteOffset, slides.byteLength);
  const live = liveExtents(stream, new DataView(user.buffer, user.byteOffset, user.byteLength));
  if (live === null) {
    findings?.add('ppt-unreadable', 'list of slides');
    return null;
  }
  const gap = findings === null ? null : gapOf([...live.objects, ...live.lists], slides.length);
  if (gap !== null) findings?.add('ppt-stray-data', `at ${gap}`);
  const reading: Reading = { stream, tally, findings, ends: { link: 0, interaction: 0 }, store: [] };
  const spend = openReadBudget(slides.length);
  for (const extent of live.objects) {
    spend(extent.to - extent.from);
    if (!readRecords(extent, reading, 0)) return null;
  }
  // A slide is an object by itself. The own data of a newer version can look like a slide.
  const count = live.objects.filter(({ from }) => stream.getUint16(from + 2, true) === SLIDE).length;
  return { units: { kind: 'slides', count }, pictures: picturesInStores(reading.store, pictures) };
}

/** Returns false when a record says that the presentation is encrypted. A record that is longer than its container ends with it. */
function readRecords({ from, to }: Extent, reading: Reading, depth: number): boolean {
  const { stream } = reading;
  for (let at = from; at + 8 <= to; ) {
    const head = stream.getUint16(at, true);
    const kind = stream.getUint16(at + 2, true);
    const end = Math.min(to, at + 8 + stream.getUint32(at + 4, true));
    if (kind === ENCRYPTION) return false;
    readRecord({ kind, head, at, end }, reading);
    const isContainer = (head & 0x0f) === 0x0f && !NEWER_VERSION.has(kind);
    // The data of a tag is a list of records, although its header does not say so. It holds no text of a slide.
    const isOpened = (isContainer || (kind === TAG_DATA && reading.findings !== null)) && depth < MAX_DEPTH;
    if (isOpened && !readRecords({ from: at + 8, to: end }, reading, depth + 1)) return false;
    at = end;
  }
  return true;
}

function readRecord(
  { kind, head, at, end }: { readonly kind: number; readonly head: number; readonly at: number; readonly end: number },
  { stream, tally, findings, ends, store }: Reading,
): void {
  const body = new Uint8Array(stream.buffer, stream.byteOffset + at + 8, end - at - 8);
  if (kind === HYPERLINK) ends.link = end;
  if (kind === INTERACTION) ends.interaction = end;
  if (kind === TEXT_BYTES) tallyBytes(tally, body, 0, body.length);
  if (kind === TEXT_CHARS) tallyText(tally, utf16(body));
  if (kind === STORE_ENTRY) store.push(body);
  if (findings === null) return;
  const atom = { kind, instance: head >> 4, body, where: `record at ${at}` };
  judgeAtom(atom, findings);
  if (kind === STRING) judgeString(atom, at < ends.link, at < ends.interaction, findings);
}

const utf16 = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf16le');

function judgeAtom({ kind, body, where }: Atom, findings: Findings): void {
  // A macro, a program, an object, a media clip.
  if (kind === 0x0ff3 && [1, 2, 5, 6].includes(body[8] ?? 0)) findings.add('ppt-action', where);
  if (kind === 0x1011 && body.some((byte) => byte !== 0)) findings.add('ppt-object', where);
  if (kind === 0x0400 && body.subarray(0, 8).some((byte) => byte !== 0)) findings.add('ppt-macro', where);
  if (NEWER_VERSION.has(kind)) findings.add('ppt-newer-version', where);
  const id = EXTERNAL.get(kind);
  if (id !== undefined) findings.add(id, where);
}

function judgeString(
  { instance, body, where }: Atom,
  isInLink: boolean,
  isInInteraction: boolean,
  findings: Findings,
): void {
  const text = utf16(body).replace(/\0+$/, '').trim();
  if (isInInteraction && instance === MACRO_NAME && text !== '') findings.add('ppt-macro', where);
  // A slide of the same presentation is written `256,1,Title`.
  if (isInLink && instance === TARGET && !/^-?\d+,-?\d+,/.test(text) && isLiveLink(text))
    findings.add('ppt-link', where);
}
