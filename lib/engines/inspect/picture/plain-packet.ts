/**
 * Decides whether a packet of XMP (ISO 16684-1) is data in plain XML: elements, attributes and text, without a document type, comments,
 * entities of its own or pictures.
 */

const MAX_BYTES = 64 * 1024;
const MAX_DEPTH = 24;
/** Each name has the prefix of its space. Programs that take the file for a page find no element and no handler in it. */
const PREFIXED = String.raw`[A-Za-z_][\w.-]{0,99}:[A-Za-z_][\w.-]{0,99}`;
const TEXT = '(?:[^<>&]|&(?:amp|lt|gt|quot|apos);)*';
const ATTRIBUTE = String.raw`\s+(?:${PREFIXED}|xmlns|about)\s*=\s*(?:"(?:[^<>"&]|&(?:amp|lt|gt|quot|apos|#xA|#10);)*"|'(?:[^<>'&]|&(?:amp|lt|gt|quot|apos|#xA|#10);)*')`;
/** A tag and the text behind it. The groups are the name of an end, the name of a start, and the slash of an empty element. */
const PIECE = new RegExp(String.raw`(?:</(${PREFIXED})\s*>|<(${PREFIXED})(?:${ATTRIBUTE})*\s*(/?)>)${TEXT}`, 'y');
const BEGIN = /^\uFEFF?(?:<\?xpacket begin=["'][^"'<>&]{0,3}["'] id=["'][A-Za-z0-9]{1,40}["']\?>)?\s*/;
const END = /^<\?xpacket end=["'][rw]["']\?>$/;
/** Small pictures in base64 (xmpGImg). */
const PICTURE = /:image$/;

/** Returns true when nothing else is in the packet. Never throws. */
export function isPlainPacket(bytes: Uint8Array): boolean {
  if (bytes.length > MAX_BYTES) return false;
  const text = withoutMarks(decoded(bytes) ?? '');
  const open: string[] = [];
  let at = 0;
  while (at < text.length) {
    PIECE.lastIndex = at;
    const [piece, ended, started = '', isEmpty] = PIECE.exec(text) ?? [];
    if (piece === undefined || (at > 0 && open.length === 0)) return false;
    if (ended !== undefined && open.pop() !== ended) return false;
    if (PICTURE.test(started) || open.length >= MAX_DEPTH) return false;
    if (ended === undefined && isEmpty === '') open.push(started);
    at += piece.length;
  }
  return at > 0 && open.length === 0;
}

/** Trims in linear time, with any number of spaces. A pattern for spaces at the end does not. */
function withoutMarks(packet: string): string {
  const text = packet.replace(BEGIN, '');
  let end = text.length;
  while (end > 0 && /[\s\0]/.test(text.charAt(end - 1))) end -= 1;
  const mark = text.lastIndexOf('<?xpacket', end);
  const hasMark = mark >= 0 && END.test(text.slice(mark, Math.min(end, mark + 40)));
  return text.slice(0, hasMark ? mark : end).trimEnd();
}

function decoded(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    return /[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text) ? null : text;
  } catch {
    return null;
  }
}
