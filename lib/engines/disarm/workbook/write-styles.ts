/** The part with the formats of a workbook (ECMA-376 part 1, 18.8). */
import { escapeValue } from '../xml-escape.ts';
import {
  type Borders,
  type Color,
  DEFAULT_FONT,
  type Fill,
  type Font,
  type Format,
  type Line,
  type Styles,
} from './book.ts';
import { SHEET_SPACE, XML_HEAD } from './write-sheet.ts';

/** Excel expects these two before all others. */
const FIRST_FILLS = ['none', 'gray125'].map((pattern) => `<fill><patternFill patternType="${pattern}"/></fill>`);
const PATTERN =
  /^(?:none|solid|(?:light|medium|dark)Gray|(?:light|dark)(?:Horizontal|Vertical|Down|Up|Grid|Trellis)|gray125|gray0625)$/;
const LINE =
  /^(?:thin|medium|dashed|dotted|thick|double|hair|mediumDashed|dashDot|mediumDashDot|dashDotDot|mediumDashDotDot|slantDashDot)$/;
const HORIZONTAL = /^(?:left|center|right|fill|justify|centerContinuous|distributed)$/;
const VERTICAL = /^(?:top|center|bottom|justify|distributed)$/;

/** Writes the markup of the part. A number outside of a list becomes the first number of it. */
export function stylesMarkup({ numberFormats, fonts, fills, borders, formats }: Styles): string {
  const codes = [...numberFormats].map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${escapeValue(code)}"/>`);
  const allFonts = fonts.length === 0 ? [DEFAULT_FONT] : fonts;
  const allBorders: readonly Borders[] =
    borders.length === 0 ? [{ left: null, right: null, top: null, bottom: null }] : borders;
  const counts = { fonts: allFonts.length, fills: fills.length, borders: allBorders.length };
  return (
    `${XML_HEAD}<styleSheet xmlns="${SHEET_SPACE}">` +
    list('numFmts', codes) +
    list('fonts', allFonts.map(fontMarkup)) +
    list('fills', [...FIRST_FILLS, ...fills.map(fillMarkup)]) +
    list('borders', allBorders.map(borderMarkup)) +
    list('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']) +
    list(
      'cellXfs',
      formats.length === 0
        ? ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>']
        : formats.map((each) => formatMarkup(each, counts)),
    ) +
    list('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']) +
    '</styleSheet>'
  );
}

const list = (name: string, rows: readonly string[]) =>
  rows.length === 0 ? '' : `<${name} count="${rows.length}">${rows.join('')}</${name}>`;

function fontMarkup(font: Font): string {
  const { name, size, isBold, isItalic, isStruck, underline, position, color } = font;
  return (
    `<font>${isBold ? '<b/>' : ''}${isItalic ? '<i/>' : ''}${isStruck ? '<strike/>' : ''}` +
    (underline === null ? '' : `<u val="${underline}"/>`) +
    (position === null ? '' : `<vertAlign val="${position}"/>`) +
    `<sz val="${Number.isFinite(size) && size > 0 && size <= 409 ? size : 11}"/>${colorMarkup('color', color)}` +
    `<name val="${escapeValue(name.slice(0, 31) || DEFAULT_FONT.name)}"/></font>`
  );
}

function colorMarkup(element: string, color: Color | null): string {
  if (color === null) return '';
  if (color.by === 'rgb') return /^[\dA-F]{8}$/.test(color.argb) ? `<${element} rgb="${color.argb}"/>` : '';
  return `<${element} ${color.by}="${color.index}"${color.tint === 0 ? '' : ` tint="${color.tint}"`}/>`;
}

function fillMarkup({ pattern, foreground, background }: Fill): string {
  const type = PATTERN.test(pattern) ? pattern : 'none';
  return `<fill><patternFill patternType="${type}">${colorMarkup('fgColor', foreground)}${colorMarkup('bgColor', background)}</patternFill></fill>`;
}

function borderMarkup({ left, right, top, bottom }: Borders): string {
  return `<border>${line('left', left)}${line('right', right)}${line('top', top)}${line('bottom', bottom)}<diagonal/></border>`;
}

function line(side: string, found: Line | null): string {
  if (found === null || !LINE.test(found.style)) return `<${side}/>`;
  return `<${side} style="${found.style}">${colorMarkup('color', found.color)}</${side}>`;
}

function formatMarkup(
  format: Format,
  counts: { readonly fonts: number; readonly fills: number; readonly borders: number },
): string {
  const within = (index: number, count: number) => (Number.isInteger(index) && index >= 0 && index < count ? index : 0);
  // Two fills come before those of the book, whose first one is empty.
  const fill = format.fill >= 0 && format.fill < counts.fills ? format.fill + FIRST_FILLS.length : 0;
  const alignment = alignmentMarkup(format);
  const head =
    `<xf numFmtId="${within(format.numberFormat, 65_536)}" fontId="${within(format.font, counts.fonts)}" fillId="${fill}" ` +
    `borderId="${within(format.border, counts.borders)}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"`;
  return alignment === '' ? `${head}/>` : `${head} applyAlignment="1">${alignment}</xf>`;
}

function alignmentMarkup({ horizontal, vertical, isWrapped, indent, rotation }: Format): string {
  const attributes = [
    horizontal !== null && HORIZONTAL.test(horizontal) ? `horizontal="${horizontal}"` : '',
    vertical !== null && VERTICAL.test(vertical) ? `vertical="${vertical}"` : '',
    isWrapped ? 'wrapText="1"' : '',
    indent > 0 && indent <= 250 ? `indent="${Math.round(indent)}"` : '',
    rotation > 0 && (rotation <= 180 || rotation === 255) ? `textRotation="${Math.round(rotation)}"` : '',
  ].filter((each) => each !== '');
  return attributes.length === 0 ? '' : `<alignment ${attributes.join(' ')}/>`;
}
