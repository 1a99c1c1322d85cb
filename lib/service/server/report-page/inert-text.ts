/**
 * Untrusted text on the page of a report. Markup has its own type: a plain string that is put into markup is always cut,
 * defanged, marked and escaped, so nobody can forget to do it.
 */
import tlds from 'tlds' with { type: 'json' };

/** A piece of HTML. Only this file makes it. */
export interface Markup {
  readonly markup: string;
}

type Value = string | number | Markup | readonly Markup[];

/** Most characters of one text: a command line of megabytes would make a page of megabytes. */
export const TEXT_CHARS = 400;
/** Acting characters in a row that are each shown as a mark: a mark is as wide as ten characters. */
const MARKS_IN_A_ROW = 4;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? '');

/** A template for HTML. Its values are numbers, markup, and untrusted texts, which go through `shown`. */
export function html(pieces: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const holes = values.map((value) => {
    if (typeof value === 'string') return shown(value).markup;
    if (typeof value === 'number') return Number.isFinite(value) ? value.toLocaleString('en-US') : '';
    return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('\n');
  });
  return { markup: pieces.map((piece, at) => piece + (holes[at] ?? '')).join('') };
}

/** A text of ours, such as the words of the interface: escaped, and otherwise as it is. */
export const plain = (ownText: string): Markup => ({ markup: escaped(ownText) });

export const NOTHING: Markup = { markup: '' };

/** A text that is safe in an element: cut, without links, with acting characters as visible marks, and escaped. */
export function shown(untrustedText: string, maxChars = TEXT_CHARS): Markup {
  // A cut in the middle of a character would show its half as a mark.
  const kept =
    untrustedText.length > maxChars ? untrustedText.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '') : untrustedText;
  const rest = untrustedText.length - kept.length;
  const cut = rest > 0 ? `<span class="cut"> … ${rest.toLocaleString('en-US')} more characters</span>` : '';
  return { markup: marked(defangedText(kept)) + cut };
}

/** A value that as a whole is an address: a URL, a host, a mail address. */
export const address = (untrustedValue: string): Markup => shown(defangedAddress(untrustedValue.slice(0, 2_000)));

/** Like `shown`, for places that cannot hold elements, such as the title: acting characters are left out. */
export function titleText(untrustedText: string, maxChars: number): Markup {
  return { markup: escaped(defangedText(untrustedText.slice(0, maxChars)).replace(ACTING, '')) };
}

/**
 * Characters that act instead of showing: controls (terminal escapes), direction marks (a name that reads backwards), zero-width
 * characters, separators, lone surrogates, private ones and fillers, and stacks of combining characters, which cover nearby lines.
 */
const ACTING =
  /(?:[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5|\p{M}{3,}){1,999}/gu;

const NAMES: Readonly<Record<string, string>> = { '\n': '↵', '\r': '␍', '\t': '⇥', '\0': 'NUL' };

function marked(text: string): string {
  let from = 0;
  let out = '';
  for (const match of text.matchAll(ACTING)) {
    out += escaped(text.slice(from, match.index)) + marksOf([...match[0]]);
    from = match.index + match[0].length;
  }
  return out + escaped(text.slice(from));
}

function marksOf(characters: readonly string[]): string {
  const marks = characters.slice(0, MARKS_IN_A_ROW).map((character) => `<i class="mark">${markOf(character)}</i>`);
  const rest = characters.length - marks.length;
  return marks.join('') + (rest > 0 ? `<i class="mark">+${rest}</i>` : '');
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

/** The text with every URL, address and host changed so that it cannot be clicked, and no viewer makes a link of it. */
export function defangedText(text: string): string {
  return defangedScheme(text)
    .replace(/(\/\/)([^\s/\\?#"'<>]{1,255})/g, (_, slashes: string, host: string) => slashes + withoutDots(host))
    .replace(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?!\d)/g, withoutDots)
    .replace(/(?<=[\p{L}\p{N}_%+-])@(?=[\p{L}\p{N}[])/gu, '[@]')
    .replace(/(?<![p{L}p{N}])www\.(?=\S)/gi, 'www[.]')
    .replace(NAME, (name: string, last: string, call: string) =>
      isHost(last.toLowerCase(), call !== '') ? withoutDots(name) : name,
    );
}

const isHost = (last: string, isCalled: boolean) =>
  (PUBLIC_LEVELS.has(last) || PRIVATE_LEVEL.test(last)) && !(isCalled && CALLED.test(last));

/** The same for a value that as a whole is an address: every dot of its host and every `@` is put into brackets. */
export function defangedAddress(value: string): string {
  const text = defangedScheme(value);
  const [, start = '', host = text, rest = ''] = /^([^/]{0,40}\/\/)([^/?#]*)([\s\S]*)$/.exec(text) ?? [];
  const isSix = /^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*$/i.test(host);
  return start + (isSix ? host.replaceAll(':', '[:]') : withoutDots(host)) + rest;
}

const withoutDots = (text: string) => text.replace(/(?<!\[)\./g, '[.]').replace(/(?<!\[)@/g, '[@]');

/** The usual `hxxp`, `hxxps` and `fxp`. Any other scheme, with or without slashes, gets its colon in brackets. */
function defangedScheme(text: string): string {
  return text
    .replace(/(?<![a-z0-9])h(?:tt|xx)p(s?)\s{0,3}(?=:)/gi, 'hxxp$1')
    .replace(/(?<![a-z0-9])ftp(s?)(?=:)/gi, 'fxp$1')
    .replace(/(?<![a-z0-9])(?!hxxps?:|fxps?:)([a-z][a-z0-9+.-]{0,30}):(?=\/\/)/gi, '$1[:]')
    .replace(/(?<![a-z0-9])(mailto|javascript|vbscript|data|tel|sms|blob|about|ms-[a-z]{1,20}|search-ms):/gi, '$1[:]');
}
