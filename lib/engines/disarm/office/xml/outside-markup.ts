/** Checks the content of a part besides elements and text. */
import { malformed } from './scan.ts';

/** A processing instruction is a name, and then white space or its end (XML 1.0, 2.6). */
const INSTRUCTION = /^<\?[A-Za-z_\x80-\xff][\w.\-\x80-\xff]*(?:[ \t\r\n]|\?>)/;
const MAX_TARGET_LENGTH = 200;

/** Checks that there is only white space outside of the root. Throws EngineError `unreadable`. */
export function checkBlank(bytes: Buffer, from: number, to: number): void {
  for (let at = from; at < to; at += 1) {
    if (!/[ \t\r\n]/.test(String.fromCharCode(bytes[at] ?? 0))) throw malformed();
  }
}

/** Checks that an XML declaration is at the start of the part. Comments are allowed. Throws EngineError `unreadable`. */
export function checkInstruction(bytes: Buffer, from: number, to: number): void {
  const head = bytes.toString('latin1', from, Math.min(to, from + MAX_TARGET_LENGTH));
  if (!head.startsWith('<?')) return;
  if (!INSTRUCTION.test(head) || (/^<\?xml[\s?]/i.test(head) && from > 0)) throw malformed();
}
