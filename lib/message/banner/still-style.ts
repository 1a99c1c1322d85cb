/**
 * Style that cannot affect the content above it: colours, fonts, sizes, borders and layout in its own place. Other declarations are
 * removed: those that move things over others, hide the page, draw additional text or load a font. CSS Syntax Level 3. Pure.
 */
import { oneOf } from '../../formats/patterns.ts';

const PROPERTIES = new RegExp(
  `^(?:-(?:webkit|moz|ms)-)?${oneOf(`
    color color-scheme supported-color-schemes background(?:-[a-z]+){0,2} opacity visibility font(?:-[a-z]+){0,3}
    line-height letter-spacing word-(?:spacing|break|wrap)
    text-(?:align|align-last|decoration|decoration-[a-z]+|indent|transform|overflow|size-adjust|rendering)
    vertical-align white-space(?:-[a-z]+)? overflow(?:-wrap|-x|-y)? hyphens direction unicode-bidi
    (?:min-|max-)?(?:width|height|device-width) margin(?:-[a-z]+){0,2} padding(?:-[a-z]+){0,2} border(?:-[a-z]+){0,3}
    box-sizing table-layout caption-side empty-cells list-style(?:-[a-z]+)? display float clear page-break-[a-z]+
    break-[a-z]+ orphans widows cursor object-fit flex(?:-[a-z]+)? align-[a-z]+ justify-[a-z]+ gap row-gap column-gap
    text-size-adjust font-smoothing osx-font-smoothing interpolation-mode appearance user-select tap-highlight-color
    text-fill-color mso-[a-z-]+
  `)}$`,
);
/** Conditions around rules. All other blocks with a name like these define fonts, animations or layers. */
const CONDITION = /^@(?:media|supports)(?![\w-])[^<\\]*$/i;
/** A selector like these could restyle the first letter of our banner. */
const REACHES_LETTERS = /::|:first-l/i;
/** The most conditions within conditions. */
const DEPTH = 3;

/** Returns the declarations of a style attribute that may stay, in order. Empty when none may stay. */
export function stillDeclarations(style: string): string {
  const css = withoutComments(style);
  return css === null ? '' : stillOnes(css).join(';');
}

/** Returns the rules of a style sheet that may stay. */
export function stillSheet(sheet: string): string {
  const css = withoutComments(sheet.replaceAll('<!--', ' ').replaceAll('-->', ' '));
  return css === null ? '' : stillRules(css, 0).join('\n');
}

export interface Declaration {
  /** In small letters. */
  readonly property: string;
  readonly value: string;
}

/** Returns the declarations of a style attribute that may stay, one by one. */
export function declarationsOf(style: string): Declaration[] {
  const css = withoutComments(style);
  return css === null ? [] : stillOnes(css).map(apart);
}

/** Returns the rules of a style sheet that may stay and have no condition. */
export function plainRules(sheet: string): { readonly head: string; readonly declarations: readonly Declaration[] }[] {
  const css = withoutComments(sheet.replaceAll('<!--', ' ').replaceAll('-->', ' '));
  return blocksOf(css ?? '')
    .filter(({ head }) => !head.startsWith('@'))
    .map(({ head, body }) => ({ head, declarations: stillOnes(body).map(apart) }));
}

function apart(declaration: string): Declaration {
  const colon = declaration.indexOf(':');
  return { property: declaration.slice(0, colon).trim().toLowerCase(), value: declaration.slice(colon + 1) };
}

function stillRules(css: string, depth: number): string[] {
  return blocksOf(css).flatMap(({ head, body }) => {
    if (head.startsWith('@')) {
      if (!CONDITION.test(head) || depth >= DEPTH) return [];
      const inner = stillRules(body, depth + 1);
      return inner.length === 0 ? [] : [`${head}{${inner.join('\n')}}`];
    }
    if (head === '' || REACHES_LETTERS.test(head) || /[<\\]/.test(head)) return [];
    const declarations = stillOnes(body);
    return declarations.length === 0 ? [] : [`${head}{${declarations.join(';')}}`];
  });
}

function stillOnes(css: string): string[] {
  return splitAt(css, ';').filter(isStill);
}

function isStill(declaration: string): boolean {
  const colon = declaration.indexOf(':');
  const property = declaration.slice(0, Math.max(colon, 0)).trim().toLowerCase();
  const value = declaration.slice(colon + 1);
  if (!PROPERTIES.test(property) || /[{}<\\]/.test(value)) return false;
  // A negative margin pulls the following content over the content before it.
  return !property.startsWith('margin') || !/-[\d.]|\(/.test(value);
}

/** Returns null when a comment has no end, because programs read it differently. */
function withoutComments(css: string): string | null {
  const kept: string[] = [];
  let at = 0;
  for (let open = css.indexOf('/*'); open !== -1; open = css.indexOf('/*', at)) {
    const close = css.indexOf('*/', open + 2);
    if (close === -1) return null;
    kept.push(css.slice(at, open));
    at = close + 2;
  }
  kept.push(css.slice(at));
  return kept.join(' ');
}

interface Block {
  readonly head: string;
  readonly body: string;
}

/** Yields the blocks of a sheet with the text before each. Statements without a block are left out. */
function blocksOf(css: string): Block[] {
  const blocks: Block[] = [];
  let start = 0;
  let open = -1;
  let depth = 0;
  for (const { at, mark } of marksOf(css, '{};')) {
    if (mark === '{') {
      if (depth === 0) open = at;
      depth++;
    } else if (mark === '}' && depth > 0) {
      depth--;
      if (depth > 0) continue;
      blocks.push({ head: css.slice(start, open).trim(), body: css.slice(open + 1, at) });
      start = at + 1;
    } else if (depth === 0) start = at + 1;
  }
  return blocks;
}

function splitAt(css: string, mark: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const { at } of marksOf(css, mark)) {
    pieces.push(css.slice(start, at));
    start = at + 1;
  }
  pieces.push(css.slice(start));
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}

/** Returns the positions of these characters outside strings and brackets. */
function* marksOf(css: string, wanted: string): Generator<{ readonly at: number; readonly mark: string }> {
  let quote = '';
  let brackets = 0;
  for (let at = 0; at < css.length; at++) {
    const mark = css.charAt(at);
    if (mark === '\\') at++;
    else if (quote !== '') {
      // The end of a line ends an unclosed string.
      if (mark === quote || mark === '\n') quote = '';
    } else if (mark === '"' || mark === "'") quote = mark;
    else if (mark === '(') brackets++;
    else if (mark === ')') brackets = Math.max(0, brackets - 1);
    else if (brackets === 0 && wanted.includes(mark)) yield { at, mark };
  }
}
