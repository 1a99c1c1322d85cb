/** Puts a book together from the elements of an Excel 2003 workbook in XML. */
import { EngineError } from '../../engine.ts';
import { isSafeFormula } from '../office/formulas.ts';
import type { RemovalLog } from '../removals.ts';
import {
  type Area,
  type Book,
  type Cell,
  CellCount,
  type Column,
  type Comment,
  formatOfColumn,
  type Link,
  MAX_COLUMNS,
  MAX_ROWS,
  type Row,
  type Sheet,
} from './book.ts';
import { formulaInA1 } from './r1c1.ts';
import { type Attributes, StyleReader } from './xml-styles.ts';
import { cellValue } from './xml-values.ts';

/** A character of the usual font, in points. */
const CHARACTER_POINTS = 5.25;
/** A formula by which a cell is a link: `=HYPERLINK("https://…","text")`. */
const LINK_FORMULA = /^=HYPERLINK\("([^"]{1,2000})"/i;

interface OpenSheet {
  readonly name: string;
  state: Sheet['state'];
  readonly columns: Column[];
  readonly rows: Row[];
  readonly merges: Area[];
  readonly links: Link[];
  readonly comments: Comment[];
  isFrozen: boolean;
  frozenRows: number;
  frozenColumns: number;
}

interface OpenCell {
  readonly column: number;
  readonly format: number | null;
  type: string;
  value: string | null;
  comment: string | null;
  readonly formula: string | null;
}

/** Takes elements in the order of the document. Every method throws EngineError `unreadable` or `oversize`. */
export class XmlBook {
  private readonly styles = new StyleReader();
  private readonly sheets: OpenSheet[] = [];
  private is1904 = false;
  private sheet: OpenSheet | null = null;
  private row: {
    index: number;
    height: number | null;
    isHidden: boolean;
    format: number | null;
    span: number;
    cells: Cell[];
  } | null = null;
  private cell: OpenCell | null = null;
  private isInStyles = false;
  private isInComment = false;
  /** The target of the text of the open element. */
  private target: 'value' | 'comment' | 'setting' | null = null;
  private setting = '';
  private nextColumn = 0;
  private nextRow = 0;
  private nextWidth = 0;
  private readonly count = new CellCount();

  constructor(private readonly log: RemovalLog) {}

  open(local: string, attributes: Attributes): void {
    if (local === 'Styles') this.isInStyles = true;
    if (this.isInStyles) this.styles.take(local, attributes);
    const opener = this.openers[local];
    if (!this.isInStyles && opener !== undefined) opener(attributes);
  }

  text(text: string): void {
    if (this.target === 'value' && this.cell !== null) this.cell.value = (this.cell.value ?? '') + text;
    if (this.target === 'comment' && this.cell !== null) this.cell.comment = (this.cell.comment ?? '') + text;
    if (this.target === 'setting') this.setting += text;
  }

  close(local: string): void {
    if (local === 'Styles') this.isInStyles = false;
    if (local === 'Data') this.target = null;
    if (local === 'Comment') this.isInComment = false;
    if (local === 'Cell') this.closeCell();
    if (local === 'Row') this.closeRow();
    if (local === 'Worksheet') this.sheet = null;
    if (this.target === 'setting') this.takeSetting(local);
  }

  finish(): Book {
    const sheets = this.sheets.map(
      ({ isFrozen, frozenRows, frozenColumns, ...sheet }): Sheet => ({
        ...sheet,
        frozen: isFrozen ? { rows: frozenRows, columns: frozenColumns } : null,
      }),
    );
    return { sheets, styles: this.styles.finish(), is1904: this.is1904 };
  }

  private readonly openers: Readonly<Record<string, (attributes: Attributes) => void>> = {
    Worksheet: (attributes) => {
      this.sheet = {
        name: attributes.get('Name') ?? `Sheet${this.sheets.length + 1}`,
        state: 'visible',
        ...{ columns: [], rows: [], merges: [], links: [], comments: [] },
        ...{ isFrozen: false, frozenRows: 0, frozenColumns: 0 },
      };
      this.sheets.push(this.sheet);
      this.nextRow = 0;
      this.nextWidth = 0;
    },
    Column: (attributes) => this.openColumn(attributes),
    Row: (attributes) => this.openRow(attributes),
    Cell: (attributes) => this.openCell(attributes),
    Data: (attributes) => {
      if (this.cell === null) return;
      this.target = this.isInComment ? 'comment' : 'value';
      if (!this.isInComment)
        Object.assign(this.cell, { type: attributes.get('Type') ?? 'String', value: this.cell.value ?? '' });
    },
    Comment: () => {
      this.isInComment = true;
    },
    Date1904: () => {
      this.is1904 = true;
    },
    FreezePanes: () => {
      if (this.sheet !== null) this.sheet.isFrozen = true;
    },
    ...Object.fromEntries(
      ['Visible', 'SplitHorizontal', 'SplitVertical'].map((name) => [
        name,
        () => {
          this.target = 'setting';
          this.setting = '';
        },
      ]),
    ),
    NamedRange: () => this.log.note('defined name', 'workbook'),
    QueryTable: () => this.log.note('query', 'worksheet'),
    PivotTable: () => this.log.note('pivot data', 'worksheet'),
  };

  private takeSetting(local: string): void {
    this.target = null;
    const { sheet } = this;
    if (sheet === null) return;
    const split = Math.floor(Number(this.setting));
    const count = Number.isFinite(split) && split > 0 ? Math.min(split, MAX_COLUMNS) : 0;
    if (local === 'Visible')
      sheet.state = /VeryHidden/i.test(this.setting)
        ? 'veryHidden'
        : /Hidden/i.test(this.setting)
          ? 'hidden'
          : 'visible';
    if (local === 'SplitHorizontal') sheet.frozenRows = count;
    if (local === 'SplitVertical') sheet.frozenColumns = count;
  }

  private openColumn(attributes: Attributes): void {
    if (this.sheet === null || this.row !== null) return;
    const first = placeOf(attributes.get('Index'), this.nextWidth, MAX_COLUMNS);
    const last = Math.min(MAX_COLUMNS - 1, first + countOf(attributes.get('Span')));
    const points = Number(attributes.get('Width') ?? Number.NaN);
    this.nextWidth = last + 1;
    this.sheet.columns.push({
      first,
      last,
      width: Number.isFinite(points) ? Math.round((points / CHARACTER_POINTS) * 100) / 100 : null,
      isHidden: attributes.get('Hidden') === '1',
      format: this.styles.indexOf(attributes.get('StyleID')),
    });
  }

  private openRow(attributes: Attributes): void {
    const index = placeOf(attributes.get('Index'), this.nextRow, MAX_ROWS);
    const height = Number(attributes.get('Height') ?? Number.NaN);
    this.row = {
      index,
      height: Number.isFinite(height) ? height : null,
      isHidden: attributes.get('Hidden') === '1',
      format: this.styles.indexOf(attributes.get('StyleID')),
      span: Math.min(countOf(attributes.get('Span')), MAX_ROWS - index - 1),
      cells: [],
    };
    this.nextColumn = 0;
  }

  private openCell(attributes: Attributes): void {
    const { row, sheet } = this;
    if (row === null || sheet === null) throw new EngineError('unreadable', 'a cell of the workbook stands in no row');
    const column = placeOf(attributes.get('Index'), this.nextColumn, MAX_COLUMNS);
    const across = Math.min(countOf(attributes.get('MergeAcross')), MAX_COLUMNS - column - 1);
    const down = Math.min(countOf(attributes.get('MergeDown')), MAX_ROWS - row.index - 1);
    this.nextColumn = column + across + 1;
    this.count.add();
    const area = { firstRow: row.index, lastRow: row.index + down, firstColumn: column, lastColumn: column + across };
    if (across + down > 0) sheet.merges.push(area);
    const formula = this.takeFormula(attributes, area, sheet);
    this.cell = {
      column,
      format: this.styles.indexOf(attributes.get('StyleID')) ?? row.format ?? formatOfColumn(sheet.columns, column),
      type: 'String',
      value: null,
      comment: null,
      formula,
    };
  }

  /**
   * Returns the formula in the form of xlsx; null when there is none, or when it is removed. A formula is removed when it is not safe
   * there, when it names something that is not written, or when it fills several cells. If it only makes a link of the cell, the link
   * stays, and the disarm of xlsx judges it.
   */
  private takeFormula(attributes: Attributes, area: Area, sheet: OpenSheet): string | null {
    const formula = attributes.get('Formula');
    const isLink = LINK_FORMULA.test(formula ?? '');
    const isAlone = !isLink && attributes.get('ArrayRange') === undefined;
    const written =
      isAlone && formula !== undefined ? formulaInA1(formula, { row: area.firstRow, column: area.firstColumn }) : null;
    const kept = written !== null && isSafeFormula(written) ? written : null;
    if (formula !== undefined && kept === null) this.log.note('formula', 'cell');
    this.takeLink(attributes, area, sheet);
    return kept;
  }

  private takeLink(attributes: Attributes, area: Area, sheet: OpenSheet): void {
    const formula = attributes.get('Formula');
    const target = attributes.get('HRef') ?? LINK_FORMULA.exec(formula ?? '')?.[1];
    if (target === undefined) return;
    const isInside = target.startsWith('#');
    const cell = { ...area, lastRow: area.firstRow, lastColumn: area.firstColumn };
    sheet.links.push({ ...cell, target: isInside ? null : target, location: isInside ? target.slice(1) : null });
  }

  private closeCell(): void {
    const { cell, row, sheet } = this;
    this.cell = null;
    if (cell === null || row === null) return;
    const value = cellValue(cell, this.is1904);
    const { column, format, formula } = cell;
    row.cells.push({ column, format, value, ...(formula !== null && { formula }) });
    if (cell.comment !== null && cell.comment.trim() !== '')
      sheet?.comments.push({ row: row.index, column: cell.column, text: cell.comment });
  }

  private closeRow(): void {
    const { row, sheet } = this;
    this.row = null;
    if (row === null || sheet === null) return;
    const { index, height, isHidden, cells, span } = row;
    this.nextRow = index + span + 1;
    sheet.rows.push({ index, height, isHidden, cells });
    if (height === null && !isHidden) return;
    for (let next = index + 1; next <= index + span; next++) {
      this.count.add();
      sheet.rows.push({ index: next, height, isHidden, cells: [] });
    }
  }
}

/** Returns a place counted from 0. A number from 1 may move it ahead. */
function placeOf(index: string | undefined, next: number, most: number): number {
  const place = index === undefined ? next : Number(index) - 1;
  if (!Number.isInteger(place) || place < next || place >= most)
    throw new EngineError(
      place >= most ? 'oversize' : 'unreadable',
      'the rows and cells of the workbook are not in their order',
    );
  return place;
}

function countOf(value: string | undefined): number {
  const count = Number(value ?? 0);
  return Number.isInteger(count) && count > 0 ? count : 0;
}
