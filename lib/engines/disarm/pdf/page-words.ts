/** The words that PDFium finds on a page, with their places on its picture. */
import { heapOf, type Pdfium } from '../../../formats/pdf/pdfium.ts';

/** A limit against pages of millions of letters. A page of a telephone book has twenty thousand. */
const MAX_LETTERS = 50_000;
/**
 * The most letters of a file of such pages: ten of them took ten seconds, a hundred a gigabyte. It is a hundred pages of a novel. Later
 * pages have no words.
 */
export const LETTERS_OF_FILE = 200_000;
/** The most letters of one word. A longer word continues as another word. */
const MAX_WORD = 200;
/** Characters that separate words, do not print, or are no letter of any script. */
const NO_LETTER = /[\p{C}\p{Z}\ufffd]/u;
/**
 * Words, and parts of words, that a program could turn into links. The search for links read the file in another way, because otherwise the
 * page would not have become a picture. So these words are shown, but cannot be clicked.
 */
const PART_OF_LINK = /\/\/|:\/|^\/|^www|^\.|\\\\/i;
const DOUBLES = 4;
const DOUBLE_BYTES = 8;

/** The direction of a word on the shown page. */
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

/** An open page, and its shown size in points. */
export interface OpenPage {
  readonly page: number;
  readonly width: number;
  readonly height: number;
}

/** How many letters of a file are still read. */
export interface LetterBudget {
  left: number;
  /** Whether some letters were not read. */
  isSpent: boolean;
}

/** A place on the shown page: points from its upper left corner. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/**
 * Returns the words in the order of the page, without addresses, and without invisible letters, because people would otherwise copy text
 * that they never saw. Returns none when PDFium cannot read its text.
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

/** Returns the place of a letter on the shown page, turned and cut: hundredths of points from the upper left corner. */
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

/** Returns the direction of a word. Words on turned pages, and beside the axis of a chart, run up or down. */
function directionOf(boxes: readonly Box[]): Direction {
  const [first, last] = [boxes[0], boxes.at(-1)];
  if (first === undefined || last === undefined) return 'across';
  const [across, down] = [last.left - first.left, last.top - first.top];
  if (Math.abs(down) <= Math.abs(across)) return 'across';
  return down > 0 ? 'down' : 'up';
}
