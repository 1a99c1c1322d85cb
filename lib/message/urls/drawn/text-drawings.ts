/**
 * Finds codes that are drawn with characters: block elements, Braille, squares, or any two characters (`##  ##`). A telephone reads them
 * from the screen like a picture.
 */
import { LEAST_MODULES, MAX_SQUARES, type Squares } from './drawing.ts';

/** A character is drawn in four rows of two squares, one of double width in four of four. So a dot of Braille is one square. */
const CELL_ROWS = 4;
const CELL_COLUMNS = 2;
/** A shorter line is no row of a code, and a longer one is no drawing. */
const LEAST_COLUMNS = 10;
/** Rows of Braille hold four modules, and those of half blocks two. */
const LEAST_LINES = 6;
/** Lines of one drawing. The largest code has 177 modules in a column. */
const MAX_LINES = 250;
/** Empty lines within a drawing. More of them end it. */
const MAX_GAP = 2;

/** Marks of a quoted line. */
const QUOTED = /^(?:[>|] ?)+/;
/** Blanks of every width are light. */
const BLANK = /^[ \t\u00a0\u2000-\u200a\u2800\u3000]$/;
/** Characters of double width: squares and other emoji, letters of East Asia, full-width forms. */
const WIDE = /^[\u2b1b\u2b1c\u3000-\u9fff\uac00-\ud7a3\uff01-\uff60\u{1f000}-\u{1faff}]$/u;

/** For each block element from U+2580 on, its dark squares: a bit for each, from the top left, two in a row. */
const TOP = 0b1111_0000;
const BOTTOM = 0b0000_1111;
const LEFT = 0b1010_1010;
const RIGHT = 0b0101_0101;
const QUADRANTS = [
  BOTTOM & LEFT,
  BOTTOM & RIGHT,
  TOP & LEFT,
  (TOP & LEFT) | BOTTOM,
  (TOP & LEFT) | (BOTTOM & RIGHT),
  TOP | (BOTTOM & LEFT),
  TOP | (BOTTOM & RIGHT),
  TOP & RIGHT,
  (TOP & RIGHT) | (BOTTOM & LEFT),
  (TOP & RIGHT) | BOTTOM,
];
/** The bits of the eight dots of Braille, in the order of Unicode. */
const DOTS = [0x80, 0x20, 0x08, 0x40, 0x10, 0x04, 0x02, 0x01];

/** Returns the dark squares of a character that is a drawing by itself, or null for any other. */
function squaresOf(character: string): number | null {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x2800 && code <= 0x28ff) return DOTS.reduce((bits, bit, dot) => bits | ((code >> dot) & 1 ? bit : 0), 0);
  if (code >= 0x2596 && code <= 0x259f) return QUADRANTS[code - 0x2596] ?? null;
  return BLOCKS.get(character) ?? null;
}

const BLOCKS: ReadonlyMap<string, number> = new Map([
  ['▀', TOP],
  ['▄', BOTTOM],
  ['█', TOP | BOTTOM],
  ['▌', LEFT],
  ['▐', RIGHT],
  ['▓', TOP | BOTTOM],
  ['▒', TOP | BOTTOM],
  ['░', 0],
  ['■', TOP | BOTTOM],
  ['□', 0],
  ['⬛', TOP | BOTTOM],
  ['⬜', 0],
]);

interface Line {
  readonly characters: readonly string[];
  /** The characters that are neither blank nor a drawing by themselves. There are two at most. */
  readonly letters: ReadonlySet<string>;
}

/** Reads a line. Returns null when it is no row of a drawing. Stops at the third letter, so that ordinary text costs little. */
function lineOf(text: string): Line | null {
  const plain = text.replace(QUOTED, '').trimEnd();
  if (plain.length > MAX_SQUARES) return null;
  const letters = new Set<string>();
  const characters: string[] = [];
  for (const character of plain) {
    characters.push(character);
    if (BLANK.test(character) || squaresOf(character) !== null) continue;
    letters.add(character);
    if (letters.size > 2) return null;
  }
  return plain === '' || characters.length >= LEAST_COLUMNS ? { characters, letters } : null;
}

/** Returns the drawings of a text, line by line. Linear in its length. */
export function* drawingsInText(text: string): Generator<Squares> {
  let lines: Line[] = [];
  let letters = new Set<string>();
  let gap = 0;
  for (const each of linesOf(text)) {
    const line = lineOf(each);
    const isEmpty = line?.characters.length === 0;
    gap = isEmpty ? gap + 1 : 0;
    for (const letter of line?.letters ?? []) letters.add(letter);
    if (line !== null && letters.size <= 2 && gap <= MAX_GAP && lines.length < MAX_LINES) {
      if (lines.length > 0 || !isEmpty) lines.push(line);
      continue;
    }
    yield* drawingsOf(lines);
    lines = line === null || isEmpty ? [] : [line];
    letters = new Set(line?.letters);
  }
  yield* drawingsOf(lines);
}

/** Yields the lines one by one, because a text of megabytes has a million. */
function* linesOf(text: string): Generator<string> {
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start);
    yield text.slice(start, end === -1 ? text.length : end).replace(/\r$/, '');
    if (end === -1) return;
    start = end + 1;
  }
}

/** Draws the lines. Of two letters, either may be the dark one. */
function* drawingsOf(lines: readonly Line[]): Generator<Squares> {
  const rows = lines.filter(({ characters }) => characters.length > 0);
  if (rows.length < LEAST_LINES) return;
  // Around a code whose light character is taken for the dark one, the margin is on the wrong side.
  const letters = new Set(rows.flatMap((row) => [...row.letters]));
  for (const dark of letters.size > 0 ? letters : [undefined]) yield* ofUse(drawn(lines, dark));
}

function* ofUse(squares: Uint8Array[]): Generator<Squares> {
  const [height, width] = [squares.length, squares[0]?.length ?? 0];
  if (height < LEAST_MODULES || width < LEAST_MODULES || width > MAX_SQUARES) return;
  yield squares;
  // Style can make a character as wide as it is high.
  if (height > width * 1.5) yield squares.filter((_, y) => y % 2 === 0);
}

function drawn(lines: readonly Line[], dark: string | undefined): Uint8Array[] {
  const width = Math.max(...lines.map(({ characters }) => characters.reduce((sum, each) => sum + widthOf(each), 0)));
  return lines.flatMap(({ characters }) => {
    const rows = Array.from({ length: CELL_ROWS }, () => new Uint8Array(width));
    let x = 0;
    for (const character of characters) {
      const bits = character === dark ? TOP | BOTTOM : (squaresOf(character) ?? 0);
      const columns = widthOf(character);
      if (bits !== 0) draw(rows, bits, x, columns / CELL_COLUMNS);
      x += columns;
    }
    return rows;
  });
}

/** Draws the squares of one character, each `columns` wide. */
function draw(rows: readonly Uint8Array[], bits: number, x: number, columns: number): void {
  for (const [y, row] of rows.entries())
    for (let side = 0; side < CELL_COLUMNS; side++)
      if ((bits >> (7 - y * CELL_COLUMNS - side)) & 1) row.fill(1, x + side * columns, x + (side + 1) * columns);
}

const widthOf = (character: string) => (WIDE.test(character) ? 2 * CELL_COLUMNS : CELL_COLUMNS);
