/**
 * The elements of a chapter that do not belong to a page: drawings (SVG) and formulas (MathML). A drawing becomes a picture of the book,
 * which is disarmed like any other. A formula becomes words in one line.
 */
import { serializeOuter } from 'parse5';
import { descendants, type HtmlElement, type HtmlNode, isElement } from '../html/tree.ts';

/** Returns an inline drawing as a separate file. */
export function drawingFile(drawing: HtmlElement): Uint8Array {
  // A page in a drawing would not be XML any more. Its words are written beside the drawing.
  for (const node of descendants([drawing]))
    if (isElement(node)) {
      node.childNodes = node.childNodes.filter(({ nodeName }) => !NO_DRAWING.test(nodeName));
      node.attrs = node.attrs.filter(({ name }) => !name.startsWith('xmlns'));
    }
  const names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
  const text = serializeOuter(drawing).replaceAll('&nbsp;', '\u00a0');
  return Buffer.from(
    text.replace(/^<svg/, () => `<svg ${names}`),
    'utf8',
  );
}

const NO_DRAWING = /^(?:foreignobject|script|#comment)$/i;

/** The signs between parts of a formula that are not simply adjacent. */
const JOINED: Readonly<Record<string, (parts: readonly string[]) => string>> = {
  mfrac: ([above = '', below = '']) => `${grouped(above)}/${grouped(below)}`,
  msup: ([base = '', above = '']) => `${base}^${grouped(above)}`,
  mover: ([base = '', above = '']) => `${base}^${grouped(above)}`,
  msub: ([base = '', below = '']) => `${base}_${grouped(below)}`,
  munder: ([base = '', below = '']) => `${base}_${grouped(below)}`,
  msubsup: ([base = '', below = '', above = '']) => `${base}_${grouped(below)}^${grouped(above)}`,
  munderover: ([base = '', below = '', above = '']) => `${base}_${grouped(below)}^${grouped(above)}`,
  msqrt: (parts) => `√${grouped(parts.join(''))}`,
  mroot: ([base = '', root = '']) => `${root}√${grouped(base)}`,
  mtr: (parts) => parts.join(' '),
  mtable: (parts) => parts.join('; '),
  semantics: ([shown = '']) => shown,
};

/** Elements whose words are shown. Others switch, replace or annotate them. */
const SHOWN = new Set(
  'math mrow mstyle mpadded menclose mfenced mi mn mo ms mtext mspace mtd mlabeledtr mmultiscripts'
    .split(' ')
    .concat(Object.keys(JOINED)),
);

const grouped = (text: string) => (/^[\p{L}\p{N}.]*$/u.test(text) ? text : `(${text})`);

/** Writes a formula in one line, such as `(a+b)/2`. */
export function formulaText(node: HtmlNode): string {
  if (!isElement(node)) return node.nodeName === '#text' && 'value' in node ? node.value.trim() : '';
  if (!SHOWN.has(node.tagName)) return '';
  const parts = node.childNodes.map(formulaText).filter((part) => part !== '');
  const text = Object.hasOwn(JOINED, node.tagName) ? (JOINED[node.tagName]?.(parts) ?? '') : parts.join('');
  return node.tagName === 'mo' && /^[=<>≤≥≈≠→⇒]+$/.test(text) ? ` ${text} ` : text;
}
