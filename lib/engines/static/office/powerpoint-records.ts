/** Finds the records that make a PowerPoint 97 to 2003 presentation act ([MS-PPT]). */
import { EngineError, type Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';

const EMBEDDED_STORAGE = 0x1011;
const VBA_INFO = 0x0400;
const INTERACTIVE_INFO = 0x0ff3;
const EXTERNAL_CONTROL = 0x0fee;
/** Actions of a click (2.6.23) that start a macro, a program or an object. */
const ACTING = new Set([1, 2, 5]);
/** The token in the stream Current User (2.3.2) that marks an encrypted presentation. */
const ENCRYPTED_TOKEN = 0xf3d1c4df;
/** How deep containers may stand in containers. Real presentations have eight levels. */
const MAX_DEPTH = 64;

/** Reads all records. Throws EngineError `encrypted` for a presentation with a password. */
export function judgePresentation(
  bytes: Uint8Array,
  currentUser: Uint8Array | undefined,
): { findings: Finding[]; understood: boolean } {
  if (
    currentUser !== undefined &&
    currentUser.length >= 16 &&
    viewOf(currentUser).getUint32(12, true) === ENCRYPTED_TOKEN
  ) {
    throw new EngineError('encrypted', 'the presentation needs a password');
  }
  const findings: Finding[] = [];
  const understood = walk(bytes, viewOf(bytes), 0, bytes.length, 0, findings);
  return { findings, understood };
}

function walk(
  bytes: Uint8Array,
  view: DataView,
  from: number,
  end: number,
  depth: number,
  findings: Finding[],
): boolean {
  let at = from;
  while (at + 8 <= end) {
    const isContainer = (view.getUint16(at, true) & 0x0f) === 0x0f;
    const type = view.getUint16(at + 2, true);
    const next = at + 8 + view.getUint32(at + 4, true);
    if (next > end) return false;
    const found = judgeRecord(type, bytes.subarray(at + 8, next));
    if (found !== null) findings.push(found);
    if (isContainer && (depth >= MAX_DEPTH || !walk(bytes, view, at + 8, next, depth + 1, findings))) return false;
    at = next;
  }
  return true;
}

function judgeRecord(type: number, data: Uint8Array): Finding | null {
  switch (type) {
    case EMBEDDED_STORAGE:
      return finding('office-embedded-object', 'PowerPoint Document');
    case EXTERNAL_CONTROL:
      return finding('office-activex', 'PowerPoint Document');
    case VBA_INFO:
      return data.length >= 8 && viewOf(data).getUint32(4, true) !== 0
        ? finding('office-macro', 'PowerPoint Document')
        : null;
    case INTERACTIVE_INFO:
      return ACTING.has(data[8] ?? 0) ? finding('office-action', 'PowerPoint Document') : null;
    default:
      return null;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
