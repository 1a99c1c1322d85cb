/**
 * Pictures inside content itself (`BI … ID … EI`, ISO 32000-2, 8.9.7) that ask for JBIG2 or JPEG 2000. The format does not allow these
 * decoders there, but readers run them. The name is removed, so that no reader does.
 */

/** In every spelling with `#xx`. Readers also understand `JPX` alone. */
const DECODER = new RegExp(
  String.raw`/(?:${spelled('JBIG2')}|${spelled('JPX')})(?:${spelled('Decode')})?(?=[\s\0()<>\[\]{}/%]|$)`,
  'g',
);
/**
 * The most names whose context is checked in one stream, and the length of that context. Beyond it, every name is removed without a check.
 */
const MAX_BYTES_LOOKED_AT = 4 * 1024 * 1024;
/** A name of no filter. Every reader leaves the data undecoded. */
const NOTHING = '/Removed';

const WORD = /[^\s\0()<>[\]{}/%]+/y;

function spelled(name: string): string {
  return [...name].map(spelledCharacter).join('');
}

function spelledCharacter(character: string): string {
  const digits = [...character.charCodeAt(0).toString(16)];
  const escaped = digits.map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit));
  return `(?:${character}|#${escaped.join('')})`;
}

/** Returns any beginning of the name, including the empty one and one that ends within an escape. */
function begun(name: string): string {
  const [first = '', ...rest] = name;
  if (first === '') return '';
  return `(?:#\\d?|${spelledCharacter(first)}${begun(rest.join(''))})?`;
}

/** The beginning of such a name at the end of a stream. Readers that join the streams of a page without a blank continue reading it. */
const CUT = new RegExp(`/(?:${begun('JBIG2Decode')}|${begun('JPXDecode')})$`);
const LONGEST = '/JBIG2Decode'.length * '#4a'.length;

/** The content without these decoders. */
export interface PlainContent {
  readonly bytes: Uint8Array;
  readonly lostPicture: boolean;
}

/** Returns the content; null when it can stay unchanged. Linear. */
export function withoutInlinePictures(content: Uint8Array): PlainContent | null {
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  let left = MAX_BYTES_LOOKED_AT;
  const safe = text.replace(DECODER, (name, at: number) => {
    const end = at + name.length;
    const { isString, looked } = left > 0 ? lookBehind(text, end, end + left) : { isString: false, looked: 0 };
    left -= looked;
    return isString ? name : NOTHING;
  });
  const isCut = CUT.test(safe.slice(-LONGEST));
  if (safe === text && !isCut) return null;
  return { bytes: Buffer.from(isCut ? `${safe}\n` : safe, 'latin1'), lostPicture: safe !== text };
}

/**
 * Looks behind a name. It says how far it looked, and whether the name is only a word in a shown string. Then a bracket closes after it
 * that was not opened. Otherwise there is a list of whole values between the name and `ID`. If the content ends before that, it continues
 * in the next stream of the page.
 */
function lookBehind(text: string, start: number, limit: number): { isString: boolean; looked: number } {
  let at = start;
  for (let depth = 0; at < Math.min(limit, text.length); at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '%' && depth === 0) at = lineEnd(text, at);
    else if (character === '(') depth++;
    else if (character === ')' && depth-- === 0) return { isString: true, looked: at - start };
    else if (depth === 0 && character !== undefined && WORD_START.test(character)) {
      WORD.lastIndex = at;
      const word = WORD.exec(text)?.[0] ?? '';
      if (word === 'ID') break;
      at += Math.max(0, word.length - 1);
    }
  }
  return { isString: false, looked: at - start };
}

const WORD_START = /[A-Za-z]/;
const LINE_END = /[\r\n]|$/g;

function lineEnd(text: string, from: number): number {
  LINE_END.lastIndex = from;
  return LINE_END.exec(text)?.index ?? text.length;
}
