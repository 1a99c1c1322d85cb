/** Inspection of the main stream of a PowerPoint 97-2003 presentation ([MS-PPT] 2.3): every record, containers opened. */
import type { Findings, Units } from './fact.ts';
import { isLiveLink } from './live-values.ts';
import { tallyBytes, tallyText, type WordTally } from './word-tally.ts';

const SLIDE = 0x03ee;
/** Atoms that hold text: in UTF-16, and one byte per character. */
const TEXT_CHARS = 0x0fa0;
const TEXT_BYTES = 0x0fa8;
/** Names and targets ([MS-PPT] 2.2.32), told apart by their instance and by what holds them. */
const STRING = 0x0fba;
const HYPERLINK = 0x0fd7;
const TARGET = 1;
const INTERACTION = 0x0ff2;
const MACRO_NAME = 2;
const ENCRYPTION = 0x2f14;
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

/** Counts words and slides; with findings it also searches the stream. Null when the presentation is encrypted. */
export function readSlides(
  slides: Uint8Array,
  tally: WordTally,
  findings: Findings | null,
): { readonly units: Units } | null {
  const view = new DataView(slides.buffer, slides.byteOffset, slides.byteLength);
  let count = 0;
  // Ends of the last hyperlink and the last interaction: strings before them belong to them.
  const ends = { link: 0, interaction: 0 };
  for (let at = 0; at + 8 <= slides.length; ) {
    const head = view.getUint16(at, true);
    const kind = view.getUint16(at + 2, true);
    const end = at + 8 + view.getUint32(at + 4, true);
    if (kind === ENCRYPTION) return null;
    const body = slides.subarray(at + 8, Math.min(slides.length, end));
    if (kind === SLIDE) count += 1;
    if (kind === HYPERLINK) ends.link = end;
    if (kind === INTERACTION) ends.interaction = end;
    if (kind === TEXT_BYTES) tallyBytes(tally, body, 0, body.length);
    if (kind === TEXT_CHARS) tallyText(tally, utf16(body));
    if (findings !== null) {
      const atom = { kind, instance: head >> 4, body, where: `record at ${at}` };
      judgeAtom(atom, findings);
      if (kind === STRING) judgeString(atom, at < ends.link, at < ends.interaction, findings);
    }
    at = (head & 0x0f) === 0x0f ? at + 8 : end;
  }
  return { units: { kind: 'slides', count } };
}

const utf16 = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf16le');

function judgeAtom({ kind, body, where }: Atom, findings: Findings): void {
  // A macro, a program, an object, a media clip.
  if (kind === 0x0ff3 && [1, 2, 5, 6].includes(body[8] ?? 0)) findings.add('ppt-action', where);
  if (kind === 0x1011 && body.some((byte) => byte !== 0)) findings.add('ppt-object', where);
  if (kind === 0x0400 && body.subarray(0, 8).some((byte) => byte !== 0)) findings.add('ppt-macro', where);
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
