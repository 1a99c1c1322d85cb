/**
 * Filters one object of a presentation (the document, a slide, a master) in place. Every record keeps its length. A denied record loses its
 * type and its content, and readers skip it.
 */
import { EngineError } from '../../engine.ts';
import { filterAtom, type Note } from '../compound/drawing.ts';
import { isSafeLink } from '../safe-links.ts';
import { deniedKind, isPlainPptRecord, PPT } from './records.ts';

const HEADER_BYTES = 8;
const CONTAINER = 0x0f;
/** Containers inside containers; real presentations have eight levels. */
const MAX_DEPTH = 64;
/** A type no record has. */
const NOTHING = 0x0000;
const FIRST_DRAWING = 0xf000;
const LAST_DRAWING = 0xf122;
/** Text records of a hyperlink: the shown text, the target, and the place in the target. */
const TARGET = 1;
/**
 * Clicks that jump, follow a link or start a custom show ([MS-PPT] 2.8.25); clicks for a macro, a program, an object or media are
 * removed.
 */
const HARMLESS_ACTIONS = new Set([0, 3, 4, 7]);
const ACTION_AT = 8;
const MACRO_NAME = 2;

/** Filters one object with everything in it. Throws EngineError `unreadable` (drawings), `encrypted`, `oversize` (nesting). */
export function filterObject(object: Buffer, note: Note): void {
  walk(object, { note, depth: 0, parent: NOTHING });
}

interface Place {
  readonly note: Note;
  readonly depth: number;
  readonly parent: number;
}

function walk(bytes: Buffer, place: Place): void {
  if (place.depth > MAX_DEPTH) throw new EngineError('oversize', `records are nested more than ${MAX_DEPTH} deep`);
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length) {
    const end = endOfRecord(bytes, at, place.note);
    filterRecord(bytes.subarray(at, end), place);
    at = end;
  }
  bytes.fill(0, at);
}

/** Cuts a record that claims to be longer than its container, so that every program sees the same records. */
function endOfRecord(bytes: Buffer, at: number, note: Note): number {
  const end = at + HEADER_BYTES + bytes.readUInt32LE(at + 4);
  if (end <= bytes.length) return end;
  bytes.writeUInt32LE(bytes.length - at - HEADER_BYTES, at + 4);
  note('damaged record', 'sanitized');
  return bytes.length;
}

function filterRecord(record: Buffer, place: Place): void {
  const head = record.readUInt16LE(0);
  const type = record.readUInt16LE(2);
  const payload = record.subarray(HEADER_BYTES);
  if (type === PPT.encryption) throw new EngineError('encrypted', 'the presentation needs a password');
  const isContainer = (head & 0x0f) === CONTAINER;
  if (!isPlainPptRecord(type) || (type === PPT.tagData && !isRecordList(payload))) {
    dissolve(record, type, place.note);
    // The data of a tag is a list of records, although its header does not say so.
  } else if (isContainer || type === PPT.tagData) {
    if (type === PPT.hyperlink || type === PPT.hyperlinkTip) filterLink(payload, place.note);
    walk(payload, { note: place.note, depth: place.depth + 1, parent: type });
  } else {
    filterPlainRecord(type, head >> 4, payload, place);
  }
}

function dissolve(record: Buffer, type: number, note: Note): void {
  const payload = record.subarray(HEADER_BYTES);
  if (type !== NOTHING || payload.some((byte) => byte !== 0)) note(deniedKind(type));
  record.writeUInt16LE(0, 0);
  record.writeUInt16LE(NOTHING, 2);
  payload.fill(0);
}

function isRecordList(payload: Buffer): boolean {
  let at = 0;
  while (at + HEADER_BYTES <= payload.length) at += HEADER_BYTES + payload.readUInt32LE(at + 4);
  return at === payload.length;
}

function filterPlainRecord(type: number, instance: number, payload: Buffer, { note, depth, parent }: Place): void {
  switch (type) {
    case PPT.storage:
      blank(payload, note, 'embedded object');
      break;
    case PPT.vbaInfo:
      // A presentation without macros also has this record, with only a version in it.
      blank(payload.subarray(0, 8), note, 'macro');
      payload.fill(0);
      break;
    case PPT.action:
      filterAction(payload, note);
      break;
    case PPT.text:
      filterText(parent, instance, payload, note);
      break;
    default:
      if (type >= FIRST_DRAWING && type <= LAST_DRAWING) filterAtom(type, instance, payload, note, depth);
  }
}

function blank(bytes: Buffer, note: Note, kind: string): void {
  if (bytes.every((byte) => byte === 0)) return;
  bytes.fill(0);
  note(kind);
}

function filterAction(payload: Buffer, note: Note): void {
  if (payload.length <= ACTION_AT || HARMLESS_ACTIONS.has(payload[ACTION_AT] ?? 0)) return;
  payload[ACTION_AT] = 0;
  note('action');
}

/** Replaces names of macros and programs by spaces. */
function filterText(parent: number, instance: number, payload: Buffer, note: Note): void {
  if (parent === PPT.interactive && instance === MACRO_NAME && blankText(payload)) note('action');
}

/** Empties a link to an unsafe target: target, name and place become spaces, so that it leads nowhere. */
function filterLink(payload: Buffer, note: Note): void {
  const texts: { readonly instance: number; readonly text: Buffer }[] = [];
  for (let at = 0; at + HEADER_BYTES <= payload.length; ) {
    const end = at + HEADER_BYTES + payload.readUInt32LE(at + 4);
    const isText = payload.readUInt16LE(at + 2) === PPT.text && end <= payload.length;
    if (isText) texts.push({ instance: payload.readUInt16LE(at) >> 4, text: payload.subarray(at + HEADER_BYTES, end) });
    at = end;
  }
  const isUnsafe = texts.some(
    ({ instance, text }) => instance === TARGET && !isAllowedTarget(text.toString('utf16le')),
  );
  if (isUnsafe && texts.map(({ text }) => blankText(text)).includes(true)) note('unsafe hyperlink');
}

function blankText(payload: Buffer): boolean {
  if (payload.toString('utf16le').trim() === '') return false;
  for (let at = 0; at + 2 <= payload.length; at += 2) payload.writeUInt16LE(0x20, at);
  return true;
}

/** Reads a slide of the presentation, written as `256,1,Title`. */
function isAllowedTarget(text: string): boolean {
  const target = text.replace(/\0+$/, '').trim();
  return target === '' || isSafeLink(target) || /^-?\d{1,10},-?\d{1,5},/.test(target);
}
