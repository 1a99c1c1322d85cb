/** Decides whether bytes are an email or another file. */
import { asBuffer, lineEndAfter, nonBlankRange, SPACE, skipMboxLine, TAB, withoutLineBreak } from '../byte-scan.ts';
import { fromUtf16 } from '../charsets/utf16.ts';

/** Bytes in which a header is looked for. */
const LOOK_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const FIELD_NAME = /^[!-9;-~]{1,100}[ \t]*:/;
/** Names of fields that people and other formats use, too. */
const PLAIN_NAMES = ['from', 'to', 'cc', 'bcc', 'subject', 'date', 'sender', 'reply-to'];
/** Names of fields that only mail programs write. */
const MACHINE_NAMES = [
  'received',
  'message-id',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'return-path',
  'delivered-to',
  'dkim-signature',
  'authentication-results',
  'arc-seal',
  'in-reply-to',
  'references',
  'x-mailer',
  'list-unsubscribe',
  'x-received',
  'received-spf',
  'x-original-to',
  'envelope-to',
];
const KNOWN_NAMES = new Set([...PLAIN_NAMES, ...MACHINE_NAMES]);

/**
 * Returns true when the bytes start with RFC 5322 header lines, at least one of them well known, after an optional mbox "From " line. Blank
 * lines or a byte order mark in front, and lines between the headers that are no fields, are allowed if mail programs would still show the
 * mail. The reader warns of them. Only the first 64 KiB are read.
 */
export function looksLikeEmail(bytes: Uint8Array): boolean {
  const start = asBuffer(bytes.subarray(0, LOOK_BYTES));
  const look = fromUtf16(start) ?? start;
  const lines = headerLines(look.subarray(startOf(look)));
  let known = 0;
  let fromMachines = 0;
  let malformed = 0;
  for (const line of lines) {
    const name = FIELD_NAME.test(line) ? line.slice(0, line.indexOf(':')).trimEnd().toLowerCase() : null;
    if (name === null) malformed++;
    else if (KNOWN_NAMES.has(name)) known++;
    if (name !== null && MACHINE_NAMES.includes(name)) fromMachines++;
  }
  return malformed === 0 ? known > 0 : known >= 3 && fromMachines > 0;
}

function startOf(look: Buffer): number {
  const start = look.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  const first = nonBlankRange(look, start, look.length).start;
  // A first line that is indented is not a header line.
  const isIndented = first > start && (look[first - 1] === SPACE || look[first - 1] === TAB);
  return isIndented ? start : first + skipMboxLine(look.subarray(first));
}

/** Returns the starts of the unfolded lines before the first blank line. A line that is cut off at the limit does not count. */
function headerLines(look: Buffer): string[] {
  const lines: string[] = [];
  for (let at = 0; at < look.length; ) {
    const end = lineEndAfter(look, at);
    const textEnd = withoutLineBreak(look, at, end);
    if (textEnd === at) break;
    const isCutOff = end === LOOK_BYTES && look[end - 1] !== 0x0a;
    const isFolded = (look[at] === SPACE || look[at] === TAB) && lines.length > 0;
    if (!isFolded && !(isCutOff && lines.length > 0))
      lines.push(look.toString('latin1', at, Math.min(textEnd, at + 120)));
    at = end;
  }
  return lines;
}
