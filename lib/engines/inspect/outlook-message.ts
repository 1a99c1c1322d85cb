/** Counts the words of an Outlook message ([MS-OXMSG]) without attachments. */
import { openCompound } from './office/compound.ts';
import { readRtf } from './office/rtf.ts';
import { tallyText, type WordTally } from './word-tally.ts';

/** Streams of the plain text: in UTF-16, and in a code page. Only the ASCII letters of the latter are counted. */
const WIDE = '__substg1.0_1000001F';
const NARROW = '__substg1.0_1000001E';
const RICH = '__substg1.0_10090102';
const PAGE = /^__substg1\.0_1013/i;
const ATTACHMENT = /^__attach/i;

/**
 * Returns true when the words were counted. Returns false for a damaged message, and for a message with attachments or a page, which would
 * have to be counted.
 */
export function countOutlookMessage(bytes: Uint8Array, tally: WordTally): boolean {
  const file = openCompound(bytes);
  if (file === null || file.entries.some(({ path }) => ATTACHMENT.test(path))) return false;
  const [wide, narrow, rich] = [WIDE, NARROW, RICH].map((path) => file.read(path) ?? new Uint8Array());
  if (wide?.length) tallyText(tally, Buffer.from(wide).toString('utf16le'));
  else if (narrow?.length) tallyText(tally, Buffer.from(narrow).toString('latin1'));
  else if (file.entries.some(({ path, size }) => PAGE.test(path) && size > 0)) return false;
  else if (rich?.length) {
    const text = inflated(rich);
    if (text === null) return false;
    readRtf(text, tally, null);
  }
  return file.entries.some(({ path }) => path === '__properties_version1.0');
}

/** The text that precedes every compressed text ([MS-OXRTFCP] 2.1.2.1). */
const DICTIONARY =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArial' +
  'Times New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';
const WINDOW = 4_096;
const HEADER = 16;
const STORED = 'MELA';
const COMPRESSED = 'LZFu';
/** A longer text is not counted. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Returns the rich text of a message ([MS-OXRTFCP]), or null when it is damaged or too long. */
function inflated(packed: Uint8Array): Uint8Array | null {
  if (packed.length < HEADER) return null;
  const kind = Buffer.from(packed.subarray(8, 12)).toString('latin1');
  if (kind === STORED) return packed.subarray(HEADER);
  if (kind !== COMPRESSED) return null;
  return unpacked(packed.subarray(HEADER));
}

/** Unpacks bytes and references to earlier bytes. A byte of flags says which of the next eight are references. */
function unpacked(packed: Uint8Array): Uint8Array | null {
  const window = Buffer.alloc(WINDOW, 0x20);
  let end = window.write(DICTIONARY, 'latin1');
  const out: number[] = [];
  const put = (byte: number) => {
    out.push(byte);
    window[end] = byte;
    end = (end + 1) % WINDOW;
  };
  let flags = 0;
  for (let at = 0, item = 0; at < packed.length && out.length <= MAX_BYTES; item = (item + 1) % 8) {
    if (item === 0) flags = packed[at++] ?? 0;
    if ((flags & (1 << item)) === 0) {
      if (at < packed.length) put(packed[at++] ?? 0);
      continue;
    }
    const reference = ((packed[at] ?? 0) << 8) | (packed[at + 1] ?? 0);
    at += 2;
    const from = reference >> 4;
    // A reference to itself is the end.
    if (from === end) break;
    for (let index = 0; index < (reference & 0xf) + 2; index++) put(window[(from + index) % WINDOW] ?? 0);
  }
  return out.length > MAX_BYTES ? null : Uint8Array.from(out);
}
