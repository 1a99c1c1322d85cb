/** Style that loads or runs something, and the declarations that may stay in a rebuilt page. CSS Syntax Level 3. */

/** Old programs ran these; what `url()` and its kin load may be a program's own scheme, a share, or a page. */
const ACTIVE =
  /url\s*\((?!\s*["']?#)|src\s*\(|image(?:-set)?\s*\(|@import|alphaimageloader|expression\s*\(|behaviou?r\s*:|-moz-binding|javascript:|vbscript:/i;
/** Outlook writes this into nearly every mail with a picture. It names a part of the program itself, and loads nothing. */
const OUTLOOK_BEHAVIOUR = /behavior\s*:\s*url\(#default#vml\)/gi;
/**
 * A picture, font or style sheet from the web, or a picture of the message: what a remote `<img>` is too. Newsletters are full
 * of them, and none runs anything; their URLs are judged like every other. No bracket is part of one: with the end of a line, or of a
 * comment, in between, what looks like a URL is style for those who see a function in it.
 */
const WEB_LOAD =
  /(?:@import\s+)?url\(\s*(["']?)https?:\/\/[^"'()\\]*\1\s*\)|url\(\s*(["']?)cid:[^"'()\\]*\2\s*\)|@import\s+(["'])https?:\/\/[^"'()\\]*\3/gi;
const ESCAPE = /\\(?:([0-9a-f]{1,6})[ \t\r\n\f]?|([^0-9a-f]))/gi;

/** Style with comments and escapes resolved: `u\72l(` and `exp/**\/ression(` are what they hide. */
function plain(css: string): string {
  return withoutComments(css).replace(ESCAPE, (_, digits: string | undefined, character: string | undefined) => {
    if (digits === undefined) return character ?? '';
    const code = Number.parseInt(digits, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

/** A loop over indexOf: an expression for comments takes quadratic time on a flood of openings. */
function withoutComments(css: string): string {
  const kept: string[] = [];
  let at = 0;
  for (let open = css.indexOf('/*'); open !== -1; open = css.indexOf('/*', at)) {
    kept.push(css.slice(at, open));
    const close = css.indexOf('*/', open + 2);
    if (close === -1) return kept.join('');
    at = close + 2;
  }
  kept.push(css.slice(at));
  return kept.join('');
}

/** Texts remembered at a time, and how long each may be: pages of ever new styles would fill the memory. */
const REMEMBERED = 500;
const REMEMBERED_LENGTH = 500;

/** The same judgement for the same text, made once: newsletters repeat a few styles a thousand times. */
export function remembered<T extends string | boolean>(judge: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = judge(text);
    if (known.size >= REMEMBERED) known.clear();
    if (text.length <= REMEMBERED_LENGTH) known.set(text, result);
    return result;
  };
}

/** True when a style sheet or a style attribute runs something, or loads it from anywhere but the web. Also looks at what comments hold. */
export const isActiveCss = remembered((css) => {
  const others = css.replace(OUTLOOK_BEHAVIOUR, '').replace(WEB_LOAD, '');
  return ACTIVE.test(others) || ACTIVE.test(plain(others).replace(WEB_LOAD, ''));
});

/** Colours, fonts, sizes, spacing, borders and alignment; nothing that loads, moves over other content or animates. */
const PROPERTIES =
  /^(?:color|background-color|background|opacity|font(?:-(?:family|size|style|weight|variant|stretch))?|line-height|letter-spacing|word-spacing|text-(?:align|decoration|indent|transform|overflow)|vertical-align|white-space|word-(?:break|wrap)|overflow-wrap|direction|(?:min-|max-)?(?:width|height)|(?:margin|padding)(?:-(?:top|right|bottom|left))?|border(?:-(?:top|right|bottom|left))?(?:-(?:color|style|width|radius))?|border-(?:collapse|spacing)|border-(?:top|bottom)-(?:left|right)-radius|table-layout|caption-side|empty-cells|list-style(?:-(?:type|position))?|display|float|clear|box-sizing|page-break-(?:after|before|inside))$/;
const VALUE = /^[\p{L}\p{N}\s#%.,()'"!+/-]+$/u;
const FUNCTIONS = /([a-z-]*)\(/gi;
const ALLOWED_FUNCTIONS = new Set(['rgb', 'rgba', 'hsl', 'hsla']);
/** Style attributes of megabytes: what is longer is dropped, not read. */
const STYLE_LENGTH = 8_192;

const safeDeclaration = remembered((declaration) => {
  const colon = declaration.indexOf(':');
  const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  const value = declaration
    .slice(colon + 1)
    .replace(/\s+/g, ' ')
    .trim();
  if (colon === -1 || !PROPERTIES.test(property) || !VALUE.test(value) || isActiveCss(value)) return '';
  // A quote that is not closed would take the next declarations into the string.
  if (/^[^'"]*(?:'[^'"]*'[^'"]*|"[^'"]*"[^'"]*)*$/.test(value) === false) return '';
  for (const call of value.matchAll(FUNCTIONS)) if (!ALLOWED_FUNCTIONS.has((call[1] ?? '').toLowerCase())) return '';
  return `${property}: ${value}`;
});

/** The declarations of a style attribute that may stay, in their order; empty when none may. */
export function safeStyle(style: string): string {
  if (style.length > STYLE_LENGTH) return '';
  return withoutComments(style)
    .split(';')
    .map((declaration) => safeDeclaration(declaration))
    .filter((declaration) => declaration !== '')
    .join('; ');
}

/** True when `safeStyle` leaves nothing out, comments included. */
export function isWholeStyle(style: string): boolean {
  return (
    style.length <= STYLE_LENGTH &&
    style.split(';').every((declaration) => declaration.trim() === '' || safeDeclaration(declaration) !== '')
  );
}
