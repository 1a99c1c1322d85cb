/**
 * Invisible text, so that the words of a page that became a picture can be searched and copied (ISO 32000-2, 9.3.6). Its fonts have no
 * shapes. Each code means one letter, by a table of ours.
 */
import type { PageWord } from './page-words.ts';
import { type ObjectBody, writeNumber } from './write.ts';

/** Codes of a simple font. The first is left out, because some programs take it for the end of a string. */
const LETTERS_OF_FONT = 255;
/** The width of every letter, in thousandths of the size. */
const WIDTH = 500;
/** A size that programs accept for words without an extent. */
const LEAST = 1;

/** A number for each letter of all pages, in the order in which they occur. */
export type Letters = ReadonlyMap<string, number>;

/** Returns the letters of the words of all pages. */
export function lettersOf(pages: readonly (readonly PageWord[])[]): Letters {
  const letters = new Map<string, number>();
  for (const words of pages)
    for (const { text } of words)
      for (const letter of text) if (!letters.has(letter)) letters.set(letter, letters.size);
  return letters;
}

/** Returns the number of fonts that these letters need. */
export const fontCount = (letters: Letters): number => Math.ceil(letters.size / LETTERS_OF_FONT);

/** Returns the objects of all fonts, three for each: the font, its one shape, and the table of its letters. The first has this number. */
export function fontBodies(letters: Letters, first: number): readonly ObjectBody[] {
  const all = [...letters.keys()];
  return Array.from({ length: fontCount(letters) }, (_, font) => {
    const own = all.slice(font * LETTERS_OF_FONT, (font + 1) * LETTERS_OF_FONT);
    const number = first + font * 3;
    const names = own.map((__, at) => `/g${at + 1}`).join(' ');
    const shapes = own.map((__, at) => `/g${at + 1} ${number + 1} 0 R`).join(' ');
    const widths = own.map(() => WIDTH).join(' ');
    const encoding = `<< /Type /Encoding /Differences [1 ${names}] >>`;
    const range = `/FirstChar 1 /LastChar ${own.length} /Widths [${widths}]`;
    const box = '/FontBBox [0 0 0 0] /FontMatrix [0.001 0 0 0.001 0 0]';
    const text = `<< /Type /Font /Subtype /Type3 ${box} /CharProcs << ${shapes} >> /Encoding ${encoding} ${range} /ToUnicode ${number + 2} 0 R >>`;
    return [{ text, data: null }, streamOf(`${WIDTH} 0 d0`), streamOf(tableOf(own))];
  }).flat();
}

const streamOf = (content: string): ObjectBody => {
  const data = Buffer.from(content, 'latin1');
  return { text: `<< /Length ${data.length} >>`, data };
};

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

/** Returns the table of letters of the codes (ISO 32000-2, 9.10.3). A table has at most a hundred rows. */
function tableOf(letters: readonly string[]): string {
  const rows = letters.map((letter, at) => {
    const units = Array.from({ length: letter.length }, (_, unit) => hex(letter.charCodeAt(unit), 4)).join('');
    return `<${hex(at + 1, 2)}> <${units}>`;
  });
  const blocks: string[] = [];
  for (let from = 0; from < rows.length; from += 100) {
    const block = rows.slice(from, from + 100);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  return [
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Words def\n/CMapType 2 def',
    '1 begincodespacerange\n<00> <ff>\nendcodespacerange',
    ...blocks,
    'endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend',
  ].join('\n');
}

/** Returns the operators that put the words of one page at their places on its picture; empty without words. */
export function textOrders(words: readonly PageWord[], letters: Letters): string {
  if (words.length === 0) return '';
  const lines = words.flatMap((word) => {
    const { text, width, height } = word;
    const isAcross = word.direction === 'across';
    const [long, size] = [isAcross ? width : height, isAcross ? height : width].map((value) =>
      Math.max(LEAST, value),
    ) as [number, number];
    const stretch = (long / (([...text].length * WIDTH * size) / 1_000)) * 100;
    return [`${writeNumber(round(stretch))} Tz ${matrixOf(word)} Tm`, ...shown(text, letters, size)];
  });
  return ['BT 3 Tr', ...lines, 'ET'].join('\n');
}

/** Turns a word into its direction, and puts its beginning in its place. */
function matrixOf({ direction, x, y, width, height }: PageWord): string {
  const place = (left: number, bottom: number) => [left, bottom].map((value) => writeNumber(round(value))).join(' ');
  if (direction === 'up') return `0 1 -1 0 ${place(x + width, y)}`;
  if (direction === 'down') return `0 -1 1 0 ${place(x, y + height)}`;
  return `1 0 0 1 ${place(x, y)}`;
}

const round = (value: number) => Math.round(value * 100) / 100;

/** Splits a word into one piece for each needed font. */
function shown(text: string, letters: Letters, size: number): string[] {
  const pieces: { readonly font: number; codes: string }[] = [];
  for (const letter of text) {
    const number = letters.get(letter) ?? 0;
    const font = Math.floor(number / LETTERS_OF_FONT);
    const code = hex((number % LETTERS_OF_FONT) + 1, 2);
    const last = pieces.at(-1);
    if (last?.font === font) last.codes += code;
    else pieces.push({ font, codes: code });
  }
  return pieces.map(({ font, codes }) => `/F${font} ${writeNumber(round(size))} Tf <${codes}> Tj`);
}
