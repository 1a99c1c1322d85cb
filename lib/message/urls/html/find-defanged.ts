/**
 * Finds URLs that are written so that a person reads them and no program links them: `hxxps://evil[.]example`, `evil (dot) com`. Analysts
 * write so to be safe. Attackers do so to pass a scanner and make the recipient type the URL.
 */
import { anyOf } from '../../../formats/patterns.ts';
import { rewritten } from '../rewritten.ts';
import { matchesInText } from '../text-links.ts';
import { type MappedText, type TextMatch, verbatim, within } from './mapped.ts';

/** `h**ps`, `hxxp`, `meows` or `h t t p s` for http, in front of a spelling of `://`. */
const SCHEME =
  '(?<![a-z0-9])(?:h[x*_#@t-]{1,3}p|h t t p|x{2,4}p|t{1,2}p|meow|f[x*]p)(?: ?s| ?[[(]s[\\])])?(?= ?[[({]?:[\\])}]? ?[[({]?[/\\\\]| ?[[({]:)';
const SEPARATOR =
  '：[/／]{2}|:／{2}|:\\/\\/ (?=[a-z0-9-]+[.[({])|[[({]:[\\])}]|[[({]:\\/\\/[\\])}]| :\\s?\\/\\s?\\/\\s?|:\\s?[[({]\\/\\/[\\])}]|:\\s\\/\\/\\s?';
const SLASH = '[[({][\\/\\\\]{1,2}[\\])}]';
const DOT =
  ' ?[[({<] ?(?:\\.|·|d|dot|d0t|punkt|point|ponto|punto) ?[\\])}>] ?|[[({]\\.(?=[a-z0-9])|(?<=[a-z0-9])\\.[\\])}](?=[a-z0-9])';
const ODD_DOT = '(?<=[a-z0-9])\\\\\\.(?=[a-z0-9])|[。．｡․](?=[^\\s])|(?<=[a-z0-9])[_-]dot[_-](?=[a-z0-9])';
const DOT_WORD = '(?<=[a-z0-9]) {1,2}(?:dot {1,2}|\\.)(?=[a-z0-9])';

const DEFANGED = new RegExp([SCHEME, SEPARATOR, SLASH, DOT, ODD_DOT, DOT_WORD].join('|'), 'gi');

/** Every defanged URL holds one of these, and few other texts do. */
const SIGNAL = anyOf(
  [
    /h(?!ttp)[x*_#@t-]{1,3}p|f[x*]p:|h t t p|xxps?[:[ ]|htt?ps? ?[[(:{] |meow|(?<![a-z])ttps?:/,
    /[([]s[\])]:|：[/／]|:／|:\/\/ |: ?\/ ?\/ /,
    /[[({<] ?(?:[.:/·]|d[o0]?t?[\])}> ]|punkt|point|ponto|punto)|[.:]\s?[\])}]/,
    / dot | \.[a-z0-9]|[_-]dot[_-]|\\\.|[。．｡․]/,
  ],
  'i',
);

/** The word `dot` means a dot only inside a URL that is spelled in words. These match such a URL before and behind its slashes. */
const SPELLED_SCHEME = /(?:h\S{1,4}p|meow)\S{0,3}$/i;
const SPELLED_HOST = /^\S+(?:\s+(?:dot\s+|\.)\S+)*$/i;
const SLASHES = /^(?:\/\/|\\\\)$/;
const SPELLED_DOT = /^\s+(?:dot\s+|\.)$/i;
/** Characters in front of the slashes in which the scheme is looked for. */
const SCHEME_LENGTH = 12;
/** How far back the start of such a URL is searched, in characters. */
const SPELLING_LENGTH = 150;

/** Returns true when a text may hold defanged URLs. It is false for nearly all texts. */
export function canBeDefanged(text: string): boolean {
  return SIGNAL.test(text);
}

/** Defanged URLs of a text in their plain form, with indexes into it. Linear in the length of the text. */
export function findDefanged(text: MappedText): {
  readonly value: MappedText;
  readonly matches: Iterable<TextMatch | null>;
} {
  // There are few forms, and a flood repeats them a million times.
  const forms = new Map<string, string>();
  const local = rewritten(verbatim(text.text, 0), DEFANGED, (sign, index) => {
    const known = forms.get(sign);
    if (known !== undefined) return known;
    if (SPELLED_DOT.test(sign))
      return isBeingSpelled(text.text.slice(Math.max(0, index - SPELLING_LENGTH), index)) ? '.' : sign;
    const form = plainForm(sign);
    forms.set(sign, form);
    return form;
  });
  if (local.text === text.text) return { value: text, matches: [] };
  return { value: within(text, local), matches: defangedMatches(text.text, local) };
}

/** A defanged URL counts only when it is spelled in full, with scheme and host. */
const HAS_HOST = /^[a-z]+:[\\/]{2}[^\s\\/]+\.[^\s\\/]/i;

function* defangedMatches(text: string, local: MappedText): Generator<TextMatch | null, void> {
  for (const match of matchesInText(local.text)) {
    if (match === null) {
      yield null;
      continue;
    }
    const { url, start, end } = match;
    if (!HAS_HOST.test(url)) continue;
    const span = local.spanOf(start, end);
    if (span.end - span.start !== end - start || !text.startsWith(local.text.slice(start, end), span.start))
      yield match;
  }
}

/** Returns the plain form of a defanged sign. Only a spelled dot depends on the text before it. */
function plainForm(sign: string): string {
  const bare = sign.toLowerCase().replace(/[\s[\](){}<>]/g, '');
  if (/^[:：/／\\]+$/.test(bare)) return bare.replaceAll('\\', '/').replaceAll('：', ':').replaceAll('／', '/');
  if (/^(?:\\?\.|[_-]?(?:d|dot|d0t|punkt|point|ponto|punto)[_-]?|[·。．｡․])$/.test(bare)) return '.';
  if (bare.startsWith('f')) return bare.endsWith('s') ? 'ftps' : 'ftp';
  return bare.endsWith('s') ? 'https' : 'http';
}

/**
 * Returns true when `before` ends inside a URL that is spelled in words. Only the text after its last slashes is read, because every `dot`
 * asks this.
 */
function isBeingSpelled(before: string): boolean {
  const at = Math.max(before.lastIndexOf('//'), before.lastIndexOf('\\\\'));
  if (at === -1 || !SLASHES.test(before.slice(at, at + 2))) return false;
  return (
    SPELLED_SCHEME.test(before.slice(Math.max(0, at - SCHEME_LENGTH), at)) && SPELLED_HOST.test(before.slice(at + 2))
  );
}
