/**
 * Finds codes that a page draws: with the cells of a table or other empty elements that have a colour, with lines of characters, or with
 * the shapes of an SVG. Mail programs show them without loading a picture.
 */
import { walked } from '../html/html-walk.ts';
import { type Cell, cellDrawings } from './cells.ts';
import { backgroundOf, inkOf, isDark, type Sheet, sheetOf } from './colours.ts';
import { MAX_SQUARES, type Squares } from './drawing.ts';
import { type Attributes, ElementWalk } from './element-walk.ts';
import { Shapes } from './shapes.ts';
import { drawingsInText } from './text-drawings.ts';

/** A page with fewer tags draws no code with elements: each of 21 rows has about ten runs of colour. */
const LEAST_TAGS = 400;
/** Cells of one page. A page of a megabyte can have more, and a code has 31,329 at most. */
const MAX_CELLS = 500_000;

const BREAKS = new Set('tr table div p li ul ol center section article pre blockquote br'.split(' '));
const ROW_ENDS = new Set(['br', 'tr', 'table']);
const KEEPS_LINES = new Set(['pre', 'textarea', 'listing', 'xmp', 'plaintext']);
const BESIDE = /inline|float|table-cell/i;
/** A character that draws, as it is or as an entity, or lines that a page keeps. */
const CHARACTERS = /[\u2580-\u259f\u25a0\u25a1\u2801-\u28ff\u2b1b\u2b1c]|&#|<pre|white-space/i;
const ALL_DARK = /[▓█■⬛]/gu;

/** Returns the drawings of a page, and null for each that is not drawn to its end. Linear in its length. */
export function* drawingsInPage(html: string): Generator<Squares | null> {
  if (!CHARACTERS.test(html) && !/<(?:\w+:)?svg\b/i.test(html) && !hasManyTags(html)) return;
  const page = walked(html, new DrawingWalk(html, sheetOf(html)));
  yield* page.shapes.drawings();
  yield* cellDrawings(page.rows);
  yield* drawingsInText(page.lines.join('\n'));
}

function hasManyTags(html: string): boolean {
  let count = 0;
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) if (++count > LEAST_TAGS) return true;
  return false;
}

interface Look {
  readonly isDark: boolean;
  /** True when its text has a light colour. */
  readonly isPale: boolean;
  readonly keepsLines: boolean;
  readonly span: number;
}
const PLAIN: Look = { isDark: false, isPale: false, keepsLines: false, span: 1 };

class DrawingWalk extends ElementWalk<Look> {
  readonly rows: Cell[][] = [];
  readonly lines: string[] = [];
  readonly shapes = new Shapes();
  private row: Cell[] = [];
  private line = '';
  private cells = 0;

  constructor(
    html: string,
    private readonly sheet: Sheet,
  ) {
    super(html, PLAIN);
  }

  protected override begin(name: string, attributes: Attributes, outer: Look): Look {
    this.shapes.open(name, attributes);
    if (BREAKS.has(name) && !BESIDE.test(attributes.style ?? '')) this.endLine();
    if (ROW_ENDS.has(name)) this.endRow();
    const own = backgroundOf(name, attributes, this.sheet);
    const ink = inkOf(attributes);
    return {
      isDark: own === null ? outer.isDark : isDark(own),
      isPale: ink === null ? outer.isPale : !isDark(ink),
      keepsLines: outer.keepsLines || KEEPS_LINES.has(name),
      span: spanOf(attributes),
    };
  }

  protected override text(text: string, look: Look): void {
    // The blanks that indent the source of a page are no line of it.
    if (!look.keepsLines && /^\s*$/.test(text) && text.includes('\n')) return;
    const [first = '', ...more] = (look.isPale ? text.replace(ALL_DARK, '░') : text).split('\n');
    this.line += first;
    for (const line of more) {
      this.endLine();
      this.line = line;
    }
  }

  protected override end(name: string, look: Look, isEmpty: boolean): void {
    this.shapes.close(name);
    if (isEmpty && this.cells < MAX_CELLS) {
      this.cells++;
      this.row.push(look);
    } else if (BREAKS.has(name)) this.endRow();
    if (BREAKS.has(name)) this.endLine();
  }

  override onend(): void {
    super.onend();
    this.endRow();
    this.endLine();
  }

  private endRow(): void {
    if (this.row.length > 0) this.rows.push(this.row);
    this.row = [];
  }

  private endLine(): void {
    if (this.line !== '') this.lines.push(this.line);
    this.line = '';
  }
}

function spanOf({ colspan = '1', style = '', width = '' }: Attributes): number {
  const columns = Number(colspan);
  if (columns > 1 && columns <= MAX_SQUARES) return columns;
  const pixels = Number.parseFloat(/(?:^|[;\s])width\s*:\s*([\d.]+)px/i.exec(style)?.[1] ?? width);
  return pixels > 0 && pixels <= MAX_SQUARES ? pixels : 1;
}
