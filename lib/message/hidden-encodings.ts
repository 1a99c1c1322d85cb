/**
 * Files written into text without MIME saying so. Some mail programs show them as attachments, so a leaf that holds one is
 * more than the text it was judged as.
 */
import { asBuffer, lineEndAfter, withoutLineBreak } from './byte-scan.ts';
import { isBase64 } from './transfer-encodings.ts';

/** Shorter runs of letters and digits are words and tokens, not files. */
const BASE64_FILE_BYTES = 64;
const UU_BEGIN = /^begin(?:-base64)? [0-7]{3,4} \S/;
/** Candidates looked at per leaf: a text of `begin` lines must not cost more than reading it. */
const CANDIDATES = 10_000;

/** What file is hidden in these decoded bytes of a leaf, in plain words; null when none is seen. */
export function hiddenFileIn(
  bytes: Uint8Array,
  leaf: { readonly isText: boolean; readonly isIdentity: boolean },
): string | null {
  const buffer = asBuffer(bytes);
  if (leaf.isText) {
    if (hasUuencodedFile(buffer)) return 'a text that holds a uuencoded file';
    if (hasLine(buffer, '=ybegin ', (line) => / size=\d+ name=/.test(line))) return 'a text that holds a yEnc file';
    return null;
  }
  // Sent without its Content-Transfer-Encoding: some programs decode it all the same.
  const isBare = leaf.isIdentity && bytes.length >= BASE64_FILE_BYTES && isBase64(bytes);
  return isBare ? 'an attachment that is base64 text' : null;
}

function hasUuencodedFile(text: Buffer): boolean {
  return hasLine(text, 'begin', (line, next) => UU_BEGIN.test(line) && (line.startsWith('begin-') || isUuLine(next)));
}

/** The first character of a uuencoded line gives the number of bytes in it, four characters for three. */
function isUuLine(line: string): boolean {
  const count = (line.charCodeAt(0) - 0x20) & 0x3f;
  const digits = Math.ceil(count / 3) * 4;
  // Trailing spaces get lost in mail, a checksum character may follow.
  return (
    count > 0 && line.length <= 1 + digits + 1 && line.trimEnd().length >= 1 + digits - 3 && /^[\x20-\x60]+$/.test(line)
  );
}

function hasLine(text: Buffer, start: string, accept: (line: string, next: string) => boolean): boolean {
  let at = text.indexOf(start);
  for (let seen = 0; at >= 0 && seen < CANDIDATES; seen++) {
    if (at === 0 || text[at - 1] === 0x0a || text[at - 1] === 0x0d) {
      const end = lineEndAfter(text, at);
      if (accept(lineText(text, at, end), lineText(text, end, lineEndAfter(text, end)))) return true;
    }
    at = text.indexOf(start, at + start.length);
  }
  // More candidates than anybody writes: it is taken for what it tries to be.
  return at >= 0;
}

/** The start of a line, without its line break: enough to recognise it. */
function lineText(text: Buffer, start: number, end: number): string {
  return text.toString('latin1', start, Math.min(withoutLineBreak(text, start, end), start + 300));
}
