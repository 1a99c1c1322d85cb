/** Finds the records that make a PowerPoint 97 to 2003 presentation act ([MS-PPT]). */
import { EngineError, type EngineLimits, type Finding } from '../../engine.ts';
import { asFact, finding } from '../findings/findings.ts';
import type { ModuleResult } from '../findings/module.ts';
import { type PresentationParts, readStorages } from './powerpoint-storages.ts';

const STORAGE = 0x1011;
const VBA_INFO = 0x0400;
const INTERACTIVE_INFO = 0x0ff3;
const EXTERNAL_CONTROL = 0x0fee;
/** Actions of a click (2.6.23). */
const [MACRO, PROGRAM, OBJECT] = [1, 2, 5];
/** The token in the stream Current User (2.3.2) that marks an encrypted presentation. */
const ENCRYPTED_TOKEN = 0xf3d1c4df;
/** How deep containers may be nested. Real presentations have eight levels. */
const MAX_DEPTH = 64;
const PLACE = 'PowerPoint Document';

/** The content of the records of a presentation. */
interface Records {
  /** Compound files, most of them compressed: objects, controls and the project of macros. */
  readonly storages: Uint8Array[];
  /** The targets of clicks. */
  readonly actions: Set<number>;
  controls: number;
  hasMacros: boolean;
}

/**
 * Reads all records, and the objects and macros in them. Throws EngineError: `encrypted` for a presentation with a password, `oversize` for
 * a bomb.
 */
export function judgePresentation(
  bytes: Uint8Array,
  currentUser: Uint8Array | undefined,
  limits: EngineLimits,
): ModuleResult & { readonly areOrdinary: boolean } {
  if (
    currentUser !== undefined &&
    currentUser.length >= 16 &&
    viewOf(currentUser).getUint32(12, true) === ENCRYPTED_TOKEN
  ) {
    throw new EngineError('encrypted', 'the presentation needs a password');
  }
  const records: Records = { storages: [], actions: new Set(), controls: 0, hasMacros: false };
  const isWhole = walk(bytes, viewOf(bytes), 0, bytes.length, 0, records);
  const parts = readStorages(records.storages, limits);
  return {
    findings: [...judge(records, parts), ...parts.findings],
    views: parts.views,
    pieces: parts.pieces,
    understood: isWhole && parts.isWhole,
    areOrdinary: parts.areOrdinary,
  };
}

function judge({ storages, actions, controls, hasMacros }: Records, parts: PresentationParts): Finding[] {
  const weigh = (isFact: boolean, one: Finding) => (isFact ? asFact(one) : one);
  const hasCode = hasMacros || parts.macros > 0;
  // A button keeps the name of a macro when the presentation is saved without its macros.
  const isPlain = hasCode ? parts.arePlain : parts.isWhole;
  const isForm = parts.areOrdinary && parts.forms >= controls;
  const others = [...actions].filter((action) => action === PROGRAM || (action === OBJECT && !parts.areOrdinary));
  return [
    ...(hasCode ? [weigh(isPlain, finding('office-macro', PLACE))] : []),
    ...(controls > 0 ? [weigh(isForm, finding('office-activex', PLACE))] : []),
    ...(storages.length > parts.macros ? [weigh(parts.areOrdinary, finding('office-embedded-object', PLACE))] : []),
    ...(actions.has(MACRO) ? [weigh(isPlain, finding('office-action', PLACE))] : []),
    ...(others.length > 0 ? [finding('office-action', PLACE)] : []),
  ];
}

function walk(bytes: Uint8Array, view: DataView, from: number, end: number, depth: number, records: Records): boolean {
  let at = from;
  while (at + 8 <= end) {
    const isContainer = (view.getUint16(at, true) & 0x0f) === 0x0f;
    const next = at + 8 + view.getUint32(at + 4, true);
    if (next > end) return false;
    note(records, view.getUint16(at + 2, true), bytes.subarray(at + 8, next));
    if (isContainer && (depth >= MAX_DEPTH || !walk(bytes, view, at + 8, next, depth + 1, records))) return false;
    at = next;
  }
  return true;
}

function note(records: Records, type: number, data: Uint8Array): void {
  if (type === STORAGE) records.storages.push(data);
  if (type === EXTERNAL_CONTROL) records.controls += 1;
  if (type === VBA_INFO && data.length >= 8 && viewOf(data).getUint32(4, true) !== 0) records.hasMacros = true;
  const action = data[8] ?? 0;
  if (type === INTERACTIVE_INFO && (action === MACRO || action === PROGRAM || action === OBJECT))
    records.actions.add(action);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
