/**
 * Reads the lines of calendars and cards (RFC 5545, RFC 6350, vCard 2.1, vCalendar 1.0) for the search of links: It unfolds them in each
 * way that programs know, decodes them, and resolves escapes. It checks the disarm, so it shares no code with it.
 */

export interface ContentLine {
  /** Upper case, without group. */
  readonly name: string;
  /** The values of parameters, without quotes. */
  readonly parameters: readonly string[];
  readonly value: string;
  /** The bytes of a base64 value; null for any other value. */
  readonly bytes: Buffer | null;
}

/** A line continues in the next line if that begins with white space (RFC 5545 §3.1). */
const FOLD = /\r?\n[ \t]/g;
/** The same with the other line ends that some programs know. These programs join lines that others keep apart. */
const ODD_FOLD = /(?:\r\n?|[\n\v\f\u0085\u2028\u2029])[ \t]/g;
/** The same, with the white space of the next line kept as text (vCard 2.1 §2.1.3). */
const OLD_FOLD = /\r?\n(?=[ \t])/g;
/** The soft line end of quoted-printable. */
const SOFT = /=\r?\n[ \t]?/g;
const QUOTED = /QUOTED-PRINTABLE/i;
const BASE64 = /[;=](?:BASE64|B)(?=[;:,]|$)/i;
const LINE = /^([^:;\r\n"]{1,200})((?:;[^:"\r\n]*(?:"[^"\r\n]*"[^:"\r\n]*)*)*):(.*)$/s;
const PARAMETER_VALUES = /[=,](?:"([^"]*)"|([^",;]*))/g;

/** Returns every line of a text, in each of up to four ways to unfold it. Linear. */
export function contentLines(text: string): ContentLine[] {
  const unfolded = text.replace(FOLD, '');
  const readings = new Set([unfolded, text.replace(ODD_FOLD, ''), text.replace(OLD_FOLD, '')]);
  if (QUOTED.test(text)) readings.add(text.replace(SOFT, '').replace(FOLD, ''));
  const lines = new Set([...readings].flatMap((reading) => reading.split(/[\r\n\v\f\u0085\u2028\u2029]+/)));
  return [...lines].flatMap(lineOf);
}

function lineOf(line: string): ContentLine[] {
  const match = LINE.exec(line);
  if (match === null)
    return line.trim() === '' ? [] : [{ name: '', parameters: [], value: unescaped(line), bytes: null }];
  const [, left = '', parameters = '', raw = ''] = match;
  const value = QUOTED.test(parameters) ? quotedPrintable(raw) : raw;
  return [
    {
      name: left
        .slice(left.lastIndexOf('.') + 1)
        .trim()
        .toUpperCase(),
      parameters: [...parameters.matchAll(PARAMETER_VALUES)].map((found) => circumflex(found[1] ?? found[2] ?? '')),
      value: unescaped(value),
      bytes: BASE64.test(parameters) ? Buffer.from(raw, 'base64') : null,
    },
  ];
}

function quotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /[\x80-\xff]/.test(bytes) && !/[^\0-\xff]/.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes;
}

/** Resolves `\,`, `\;` and `\n` (RFC 5545 §3.3.11). A backslash in front of any other character stays: it may belong to a share. */
function unescaped(value: string): string {
  return value.replace(/\\([nN,;:])/g, (_, escaped: string) => (escaped.toLowerCase() === 'n' ? '\n' : escaped));
}

/** Resolves `^'`, `^n` and `^^` in the value of a parameter (RFC 6868). */
function circumflex(value: string): string {
  return value.replace(/\^(['n^])/g, (_, escaped: string) => ({ "'": '"', n: '\n' })[escaped] ?? '^');
}
