/**
 * Untrusted text on a page: it is cut, its links are defanged, and its acting characters become visible marks. The runtime of the pages
 * (jsx-runtime.ts) does this to every string that is put into an element.
 */
import tlds from 'tlds' with { type: 'json' };
import { FILLERS } from '../../../formats/names/name-readings.ts';

/** The most characters of one text. A command line of megabytes would make a page of megabytes. */
export const TEXT_CHARS = 400;
/** The most acting characters in a row that are each shown as a mark, because a mark is as wide as ten characters. */
const MARKS_IN_A_ROW = 4;

/** A run of a text: unchanged characters, a mark instead of an acting character, or the words that tell the length of the cut. */
export interface TextRun {
  readonly text: string;
  /** The class of its element; null for unchanged characters. */
  readonly as: 'mark' | 'cut' | null;
}

/** Returns the runs of a text. They are safe in an element when they are escaped. */
export function inertRuns(untrustedText: string, maxChars = TEXT_CHARS): TextRun[] {
  // A cut in the middle of a character would show its half as a mark.
  const kept =
    untrustedText.length > maxChars ? untrustedText.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '') : untrustedText;
  const rest = untrustedText.length - kept.length;
  const runs = marked(defangedText(kept));
  if (rest > 0) runs.push({ text: ` … ${rest.toLocaleString('en-US')} more characters`, as: 'cut' });
  return runs;
}

/** Does the same for places that cannot hold elements, such as the title. Acting characters are left out. */
export function inertLine(untrustedText: string, maxChars: number): string {
  return defangedText(untrustedText.slice(0, maxChars)).replace(ACTING, '');
}

/** Blanks that a browser does not join: no-break, wide and thin ones. */
const WIDE_BLANKS = '\\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000';

/**
 * Characters that act instead of showing: controls (terminal escapes), direction marks (a name that reads backwards), zero-width
 * characters, separators, lone surrogates, private ones and fillers, stacks of combining characters, which cover nearby lines, and rows of
 * blanks, which push the extension of a name out of sight.
 */
const ACTING = new RegExp(
  `(?:[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}${FILLERS}]|\\p{M}{3,}|[${WIDE_BLANKS}]{10,}){1,999}`,
  'gu',
);

const NAMES: Readonly<Record<string, string>> = { '\n': '↵', '\r': '␍', '\t': '⇥', '\0': 'NUL' };

/** Only printable ASCII characters, none of which acts. Most texts of a page are like this, and searching classes of Unicode takes long. */
const PRINTABLE = /^[\x20-\x7e]+$/;

function marked(text: string): TextRun[] {
  if (PRINTABLE.test(text)) return [{ text, as: null }];
  const runs: TextRun[] = [];
  const plain = (piece: string) => piece !== '' && runs.push({ text: piece, as: null });
  let from = 0;
  for (const match of text.matchAll(ACTING)) {
    plain(text.slice(from, match.index));
    runs.push(...marksOf([...match[0]]));
    from = match.index + match[0].length;
  }
  plain(text.slice(from));
  return runs;
}

function marksOf(characters: readonly string[]): TextRun[] {
  const marks = characters.slice(0, MARKS_IN_A_ROW).map(markOf);
  const rest = characters.length - marks.length;
  return [...marks, ...(rest > 0 ? [`+${rest}`] : [])].map((text) => ({ text, as: 'mark' }));
}

const markOf = (character: string) =>
  NAMES[character] ?? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Top-level names that are not on the public list but mean a host: reserved names, private networks, other scripts. */
const PRIVATE_LEVEL =
  /^(?:example|test|invalid|local|internal|lan|home|corp|onion|localhost|xn--[a-z0-9-]{1,59}|.*\P{ASCII}.*)$/u;
const PUBLIC_LEVELS: ReadonlySet<string> = new Set(tlds);

/** Top-level names that are also names of methods: `element.click(`, `list.at(`. */
const CALLED =
  /^(?:run|show|call|save|read|search|select|map|play|watch|name|download|click|link|date|host|page|store|one|center|review|win|bid|trade|support|space|rest|is|at|of|in|do|id|to)$/;

/** Names with dots, and whether a call follows. */
const NAME =
  /(?<![\p{L}\p{N}_-])(?:[\p{L}\p{N}_-]{1,63}\.){1,12}([\p{L}\p{N}-]{2,63})(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])(\(?)/gu;

/** Returns the text with every URL, address and host changed. Nobody can click them, and no viewer makes links of them. */
export function defangedText(text: string): string {
  // Each replacement below breaks one of these characters. Most texts of a page have none.
  if (!/[.:@]/.test(text)) return text;
  return defangedScheme(text)
    .replace(/(\/\/)([^\s/\\?#"'<>]{1,255})/g, (_, slashes: string, host: string) => slashes + withoutDots(host))
    .replace(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\d)/g, withoutDots)
    .replace(/(?<=[\p{L}\p{N}_%+-])@(?=[\p{L}\p{N}[])/gu, '[@]')
    .replace(/(?<![\p{L}\p{N}])www\.(?=\S)/giu, 'www[.]')
    .replace(NAME, (name: string, last: string, call: string) =>
      isHost(last.toLowerCase(), call !== '') ? withoutDots(name) : name,
    );
}

const isHost = (last: string, isCalled: boolean) =>
  (PUBLIC_LEVELS.has(last) || PRIVATE_LEVEL.test(last)) && !(isCalled && CALLED.test(last));

/** Does the same for a value that is one address: every dot of its host and every `@` is put into brackets. */
export function defangedAddress(value: string): string {
  const text = defangedScheme(value);
  const [, start = '', host = text, rest = ''] = /^([^/]{0,40}\/\/)([^/?#]*)([\s\S]*)$/.exec(text) ?? [];
  const isSix = /^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*$/i.test(host);
  return start + (isSix ? host.replaceAll(':', '[:]') : withoutDots(host)) + rest;
}

const withoutDots = (text: string) => text.replace(/(?<!\[)\./g, '[.]').replace(/(?<!\[)@/g, '[@]');

/** Writes the usual `hxxp`, `hxxps` and `fxp`. The colon of any other scheme, with or without slashes, is put into brackets. */
function defangedScheme(text: string): string {
  return text
    .replace(/(?<![a-z0-9])h(?:tt|xx)p(s?)\s{0,3}(?=:)/gi, 'hxxp$1')
    .replace(/(?<![a-z0-9])ftp(s?)(?=:)/gi, 'fxp$1')
    .replace(/(?<![a-z0-9])(?!hxxps?:|fxps?:)([a-z][a-z0-9+.-]{0,30}):(?=\/\/)/gi, '$1[:]')
    .replace(/(?<![a-z0-9])(mailto|javascript|vbscript|data|tel|sms|blob|about|ms-[a-z]{1,20}|search-ms):/gi, '$1[:]');
}
