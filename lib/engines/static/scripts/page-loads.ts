/**
 * Finds the addresses that a page or a drawing fetches by itself. For a page, pictures and styles of the web are ordinary; a drawing needs
 * none. Neither needs a file of another machine, to which Windows signs in.
 */
import type { Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import { judgeClicked, judgeLoaded } from '../findings/link-target.ts';

export type PageKind = 'page' | 'drawing' | 'data';

/** Attributes that name a file, of any element. The addresses below `xml:base` start there. */
const ADDRESSES = new Set(['href', 'xlink:href', 'src', 'data', 'poster', 'background', 'xml:base', 'base']);
/** The elements of drawings that show another file, also when a page holds the drawing. */
const DRAWN =
  /^(?:use|image|feimage|cursor|tref|textpath|mpath|pattern|lineargradient|radialgradient|filter|font-face-uri|color-profile|glyphref|altglyph|definition-src)$/;
/** Elements whose link waits for a click. */
const CLICKED = new Set(['a', 'area']);
/** A browser takes backslashes for slashes. */
const WEB = /^\s*(?:https?:|[\\/]{2})/i;
const FILE = /^\s*(?:file|smb):|^\s*\\\\/i;
/** Elements that change an attribute of a drawing, and the attributes with the new values. */
const CHANGING = new Set(['set', 'animate']);
const NEW_VALUES = new Set(['to', 'from', 'by', 'values']);

/** Judges an attribute. `key` is in lower case, `value` without blanks and invisible characters. */
export function judgeAddress(name: string, key: string, value: string, kind: PageKind): Finding[] {
  if (key === 'style') return judgeStyle(name, value, kind);
  if (CHANGING.has(name) && NEW_VALUES.has(key))
    return value.split(';').flatMap((one) => judgeAddress(`${name} of an address`, 'href', one, 'drawing'));
  if (!ADDRESSES.has(key)) return kind === 'drawing' && mayLoad(value) ? judgeStyle(name, value, kind) : [];
  const isClicked = CLICKED.has(name);
  if (FILE.test(value)) return fileFinding(name, value, isClicked);
  const isLoaded = kind === 'drawing' ? !isClicked : kind === 'page' && DRAWN.test(name);
  return isLoaded && WEB.test(value) ? [finding('html-active-element', name, value)] : [];
}

function fileFinding(name: string, value: string, isClicked: boolean): Finding[] {
  const id = isClicked ? judgeClicked(value) : judgeLoaded(value);
  return id === null ? [] : [finding(id === 'office-file-link' ? id : 'html-unsafe-link', name, value)];
}

const STYLE_ADDRESS =
  /\burl\(\s*(?:"([^"]*)"?|'([^']*)'?|([^)]*))|(?:@import|\b(?:image|src|image-set|cross-fade)\()\s*(?:"([^"]*)"|'([^']*)')/gi;

/** Judges the addresses in a style or in a style sheet. */
export function judgeStyle(name: string, untrustedCss: string, kind: PageKind): Finding[] {
  if (kind === 'data' || !mayLoad(untrustedCss)) return [];
  const found = [...unescapedCss(untrustedCss).matchAll(STYLE_ADDRESS)].flatMap(([, ...addresses]) => {
    const address = addresses.find((one) => one !== undefined) ?? '';
    if (FILE.test(address)) return fileFinding(name, address, false);
    return kind === 'drawing' && WEB.test(address) ? [finding('html-active-element', name, address)] : [];
  });
  return [...new Map(found.map((one) => [one.id, one])).values()];
}

/** Returns whether a value may hold such an address. Escapes can hide it. */
function mayLoad(value: string): boolean {
  return /\burl\(|@import|image|src\(|cross-fade|\\/i.test(value);
}

/**
 * Returns a style as a browser reads it: without comments and escapes (CSS Syntax 3, 4.3.7). Before a name the backslashes of a share are
 * escaped, too.
 */
function unescapedCss(css: string): string {
  return css
    .replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
    .replace(/\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi, (_, hex: string | undefined, one: string) => {
      const code = Number.parseInt(hex ?? '', 16);
      return hex === undefined ? one : code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    });
}
