/** Style that loads or runs something. CSS Syntax Level 3. */
import { anyOf } from '../../../formats/patterns.ts';
import { remembered } from '../../../formats/remembered.ts';

/** Style that old programs ran, and functions that load: a URL can have the scheme of any program, name a share, or lead to a page. */
const ACTIVE = anyOf(
  [
    /url\s*\((?!\s*["']?#)/,
    /src\s*\(/,
    /image(?:-set)?\s*\(/,
    /@import/,
    /alphaimageloader/,
    /expression\s*\(/,
    /behaviou?r\s*:/,
    /-moz-binding/,
    /javascript:/,
    /vbscript:/,
  ],
  'i',
);
/** Outlook writes this into nearly every mail with a picture. It names a part of the program itself, and loads nothing. */
const OUTLOOK_BEHAVIOUR = /behavior\s*:\s*url\(#default#vml\)/gi;
/**
 * A picture, font or style sheet from the web, or a picture of the message or in the page itself. A remote `<img>` loads as much.
 * Newsletters are full of them, none runs anything, and their URLs are judged like every other. No bracket may be part of one. With the end
 * of a line or of a comment in between, some programs see a function where others see a URL.
 */
const WEB_LOAD = anyOf(
  [
    /(?:@import\s+)?url\(\s*(?<web>["']?)https?:\/\/[^"'()\\]*\k<web>\s*\)/,
    /url\(\s*(?<message>["']?)cid:[^"'()\\]*\k<message>\s*\)/,
    /url\(\s*(?<inside>["']?)data:image\/(?:png|jpe?g|gif|webp|bmp)(?:;[a-z0-9=-]+)*;base64,[a-z0-9+/=%]*\k<inside>\s*\)/,
    /@import\s+(?<sheet>["'])https?:\/\/[^"'()\\]*\k<sheet>/,
  ],
  'gi',
);
const ESCAPE = /\\(?:([0-9a-f]{1,6})[ \t\r\n\f]?|([^0-9a-f]))/gi;

/** Returns style with comments removed and escapes resolved. They can hide a function: `u\72l(`, `exp/**\/ression(`. */
function plain(css: string): string {
  return withoutComments(css).replace(ESCAPE, (_, digits: string | undefined, character: string | undefined) => {
    if (digits === undefined) return character ?? '';
    const code = Number.parseInt(digits, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

/** Removes comments with indexOf, because a regular expression for comments takes quadratic time on a flood of openings. */
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

/** Longer style is seldom repeated. */
const REMEMBERED_LENGTH = 500;

/** Makes a function that judges each text once and remembers the answer. Newsletters repeat a few styles a thousand times. */
export function rememberedStyle<T>(judge: (text: string) => T): (text: string) => T {
  return remembered({ most: 500, keyOf: (text) => (text.length <= REMEMBERED_LENGTH ? text : null) }, judge);
}

/** True when style runs something, or loads something from elsewhere than the web. Looks into comments, too. */
export const isActiveCss = rememberedStyle((css) => {
  const others = css.replace(OUTLOOK_BEHAVIOUR, '').replace(WEB_LOAD, '');
  return ACTIVE.test(others) || ACTIVE.test(plain(others).replace(WEB_LOAD, ''));
});
