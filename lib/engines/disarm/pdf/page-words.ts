/** The words that PDFium finds on a page, and where they stand on its picture. */
import { heapOf, type Pdfium } from '../../../formats/pdf/pdfium.ts';

/** A limit against pages of millions of letters. A page of a telephone book has twenty thousand. */
const MAX_LETTERS = 50_000;
/**
 * A limit against a file of such pages: ten of them took ten seconds, a hundred a gigabyte. It is a hundred pages of a novel; the pages behind it
 * have no words.
 */
export const LETTERS_OF_FILE = 200_000;
/** Letters of one word. Longer ones go on as another word. */
const MAX_WORD = 200;
/** Characters that separate words, do not print, or stand for no letter of any script. */
const NO_LETTER = /[\p{C}\p{Z}\ufffd]/u;
/**
 * Words, and parts of words, of which a program that makes links of text could make one. The search for links read the file in another
 * way, or the page would not have become a picture, so they are shown and cannot be clicked.
 */
const PART_OF_LINK = /\/\/|:\/|^\/|^www|^\.|\\\\/i;
const DOUBLES = 4;
const DOUBLE_BYTES = 8;

/** How a word runs on the page as it is shown. */
export type Direction = 'across' | 'up' | 'down';

export interface PageWord {
  readonly text: string;
  readonly direction: Direction;
  /** Points from the lower left corner of the page as it is shown. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A page that is open, and its size as it is shown, in points. */
export interface OpenPage {
  readonly page: number;
  readonly width: number;
  readonly height: number;
}

/** How many letters of a file are still read. */
export interface LetterBudget {
  left: number;
  /** Whether some were not. */
  isSpent: boolean;
}

/** A place on the page as it is shown: points from its upper left corner. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * The words in the order in which the page has them, without addresses, and without the letters that nobody sees, since people would copy
 * what they never read; none when PDFium cannot read its text.
 */
export function wordsOfPage(
  pdfium: Pdfium,
  open: OpenPage,
  isSeen: (box: Box) => boolean,
  budget: LetterBudget,
): readonly PageWord[] {
  if (budget.left <= 0) {
    budget.isSpent = true;
    return [];
  }
  const text = pdfium.FPDFText_LoadPage(open.page);
  if (text === 0) return [];
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const memory = malloc(DOUBLES * DOUBLE_BYTES);
  try {
    const words: PageWord[] = [];
    let letters: { readonly letter: string; readonly box: Box }[] = [];
    const end = () => {
      if (letters.length > 0) words.push(wordOf(letters, open));
      letters = [];
    };
    const all = pdfium.FPDFText_CountChars(text);
    const count = Math.min(all, MAX_LETTERS, budget.left);
    budget.left -= count;
    budget.isSpent ||= count < all;
    for (let index = 0; index < count; index++) {
      const letter = letterOf(pdfium.FPDFText_GetUnicode(text, index));
      const box = letter === null ? null : boxOf(pdfium, { ...open, text, index, memory });
      const isShown = box !== null && isSeen(box);
      if (letter === null || !isShown || letters.length >= MAX_WORD) end();
      if (letter !== null && isShown) letters.push({ letter, box });
    }
    end();
    return words.filter((word) => !PART_OF_LINK.test(word.text));
  } finally {
    free(memory);
    pdfium.FPDFText_ClosePage(text);
  }
}

function letterOf(code: number): string | null {
  if (code < 0x20 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return null;
  const letter = String.fromCodePoint(code);
  return NO_LETTER.test(letter) ? null : letter;
}

/** Where a letter stands on the page as it is shown, turned and cut: hundredths of points from the upper left corner. */
function boxOf(
  pdfium: Pdfium,
  { text, index, memory, page, width, height }: OpenPage & { text: number; index: number; memory: number },
): Box | null {
  const [left, right, bottom, top] = [0, 1, 2, 3].map((at) => memory + at * DOUBLE_BYTES) as [
    number,
    number,
    number,
    number,
  ];
  if (!pdfium.FPDFText_GetCharBox(text, index, left, right, bottom, top)) return null;
  const view = () => new DataView(heapOf(pdfium).buffer);
  const box = [left, right, bottom, top].map((at) => view().getFloat64(at, true)) as [number, number, number, number];
  const corner = (x: number, y: number) => {
    const size = [Math.round(width * 100), Math.round(height * 100)] as const;
    const isPlaced = pdfium.FPDF_PageToDevice(page, 0, 0, size[0], size[1], 0, x, y, memory, memory + 4);
    return isPlaced ? { x: view().getInt32(memory, true) / 100, y: view().getInt32(memory + 4, true) / 100 } : null;
  };
  const [one, other] = [corner(box[0], box[2]), corner(box[1], box[3])];
  if (one === null || other === null) return null;
  return {
    left: Math.min(one.x, other.x),
    right: Math.max(one.x, other.x),
    top: Math.min(one.y, other.y),
    bottom: Math.max(one.y, other.y),
  };
}

function wordOf(letters: readonly { readonly letter: string; readonly box: Box }[], { height }: OpenPage): PageWord {
  const [left, top] = (['left', 'top'] as const).map((side) => Math.min(...letters.map(({ box }) => box[side])));
  const [right, bottom] = (['right', 'bottom'] as const).map((side) =>
    Math.max(...letters.map(({ box }) => box[side])),
  );
  return {
    text: letters.map(({ letter }) => letter).join(''),
    direction: directionOf(letters.map(({ box }) => box)),
    x: left ?? 0,
    y: height - (bottom ?? 0),
    width: (right ?? 0) - (left ?? 0),
    height: (bottom ?? 0) - (top ?? 0),
  };
}

/** Words on turned pages, and beside the axis of a chart, run up or down. */
function directionOf(boxes: readonly Box[]): Direction {
  const [first, last] = [boxes[0], boxes.at(-1)];
  if (first === undefined || last === undefined) return 'across';
  const [across, down] = [last.left - first.left, last.top - first.top];
  if (Math.abs(down) <= Math.abs(across)) return 'across';
  return down > 0 ? 'down' : 'up';
}
