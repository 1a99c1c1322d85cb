/** A sheet of a binary workbook ([MS-XLSB] 2.1.7.61): cells with the values that they show, sizes, merged areas and links. */
import { type Biff12Record, wideString } from '../../../formats/office/biff12-records.ts';
import { EngineError } from '../../engine.ts';
import {
  type Area,
  CELL_ERRORS,
  type Cell,
  type CellCount,
  type Column,
  ErrorValue,
  type Link,
  MAX_COLUMNS,
  MAX_ROWS,
  type Row,
  type Sheet,
} from './book.ts';

/** Records by number ([MS-XLSB] 2.3.1). */
const RECORD = { row: 0, column: 60, merge: 176, link: 494, pane: 151, drawing: 550 };
/** How each record of a cell stores its value, after its column and format. */
const CELLS: ReadonlyMap<number, 'blank' | 'rk' | 'error' | 'truth' | 'number' | 'text' | 'shared' | 'rich'> = new Map([
  [1, 'blank'],
  [2, 'rk'],
  [3, 'error'],
  [4, 'truth'],
  [5, 'number'],
  [6, 'text'],
  [7, 'shared'],
  [8, 'text'],
  [9, 'number'],
  [10, 'truth'],
  [11, 'error'],
  [62, 'rich'],
]);
const FIRST_FORMULA = 8;
const LAST_FORMULA = 11;
const VALUE_AT = 8;
const ERRORS: ReadonlyMap<number, string> = new Map([...CELL_ERRORS, [0x2b, '#GETTING_DATA']]);

/** The content of a sheet besides its name and state. */
export type SheetContent = Omit<Sheet, 'name' | 'state'> & {
  /** Identifier of the relationship of the drawing. */
  readonly drawing: string | null;
  /** Links name their targets by relationships. */
  readonly linkIds: readonly (string | null)[];
  readonly hasFormulas: boolean;
};

/** Reads the records of a sheet. Throws EngineError `unreadable` when rows or cells are out of order, or a record is cut off. */
export function readSheet(records: Iterable<Biff12Record>, texts: readonly string[], count: CellCount): SheetContent {
  const reading = new SheetReading(texts, count);
  for (const record of records) reading.take(record);
  return reading;
}

const damaged = () => new EngineError('unreadable', 'a sheet of the workbook is damaged');

class SheetReading implements SheetContent {
  readonly columns: Column[] = [];
  readonly rows: (Row & { readonly cells: Cell[] })[] = [];
  readonly merges: Area[] = [];
  readonly links: Link[] = [];
  /** They have a separate part. */
  readonly comments = [];
  readonly linkIds: (string | null)[] = [];
  frozen: Sheet['frozen'] = null;
  drawing: string | null = null;
  hasFormulas = false;

  constructor(
    private readonly texts: readonly string[],
    private readonly count: CellCount,
  ) {}

  take({ type, data }: Biff12Record): void {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const kind = CELLS.get(type);
    if (kind !== undefined) {
      this.hasFormulas ||= type >= FIRST_FORMULA && type <= LAST_FORMULA;
      this.takeCell(kind, data, view);
    } else if (type === RECORD.row) this.takeRow(view);
    else if (type === RECORD.column) this.takeColumn(view);
    else if (type === RECORD.merge) this.merges.push(areaOf(view));
    else if (type === RECORD.link) this.takeLink(data, view);
    else if (type === RECORD.pane && data.length >= 29) this.takePane(view);
    else if (type === RECORD.drawing) this.drawing = wideString(data, 0)?.text ?? null;
  }

  /** Reads a row ([MS-XLSB] 2.4.736). Two rows of one number would show different cells in different programs. */
  private takeRow(view: DataView): void {
    if (view.byteLength < 12) throw damaged();
    const index = view.getUint32(0, true);
    if (index >= MAX_ROWS || index <= (this.rows.at(-1)?.index ?? -1)) throw damaged();
    const flags = view.getUint8(11);
    const height = (flags & 0x20) === 0 ? null : view.getUint16(8, true) / 20;
    this.rows.push({ index, height, isHidden: (flags & 0x10) !== 0, cells: [] });
  }

  private takeCell(kind: string, data: Uint8Array, view: DataView): void {
    const row = this.rows.at(-1);
    if (row === undefined || data.length < VALUE_AT) throw damaged();
    const column = view.getUint32(0, true);
    if (column >= MAX_COLUMNS || column <= (row.cells.at(-1)?.column ?? -1)) throw damaged();
    this.count.add();
    const format = view.getUint32(4, true) & 0xff_ffff;
    row.cells.push({ column, format, value: this.valueOf(kind, data, view) });
  }

  private valueOf(kind: string, data: Uint8Array, view: DataView): Cell['value'] {
    const needs = (bytes: number) => {
      if (data.length < VALUE_AT + bytes) throw damaged();
    };
    switch (kind) {
      case 'blank':
        return null;
      case 'rk':
        needs(4);
        return shortNumber(view);
      case 'number':
        needs(8);
        return view.getFloat64(VALUE_AT, true);
      case 'truth':
        needs(1);
        return view.getUint8(VALUE_AT) !== 0;
      case 'error':
        needs(1);
        return new ErrorValue(ERRORS.get(view.getUint8(VALUE_AT)) ?? '#N/A');
      case 'shared':
        needs(4);
        return this.texts[view.getUint32(VALUE_AT, true)] ?? null;
      default: {
        const text = wideString(data, VALUE_AT + (kind === 'rich' ? 1 : 0));
        if (text === null) throw damaged();
        return text.text;
      }
    }
  }

  /** Reads columns ([MS-XLSB] 2.4.324). The width is in 256ths of a character. */
  private takeColumn(view: DataView): void {
    if (view.byteLength < 18) return;
    const flags = view.getUint16(16, true);
    this.columns.push({
      first: view.getUint32(0, true),
      last: view.getUint32(4, true),
      width: view.getUint32(8, true) / 256,
      format: view.getUint32(12, true),
      isHidden: (flags & 0x01) !== 0,
    });
  }

  private takeLink(data: Uint8Array, view: DataView): void {
    const id = wideString(data, 16);
    const location = id === null ? null : wideString(data, id.end);
    if (id === null || location === null) return;
    this.links.push({ ...areaOf(view), target: null, location: location.text === '' ? null : location.text });
    this.linkIds.push(id.text === '' ? null : id.text);
  }

  /** Reads a pane ([MS-XLSB] 2.4.709). Only a frozen pane is of use. A split one belongs to a window. */
  private takePane(view: DataView): void {
    const [columns, rows] = [view.getFloat64(0, true), view.getFloat64(8, true)];
    const isFrozen = (view.getUint8(28) & 0x01) !== 0;
    const isPlain = Number.isInteger(columns) && Number.isInteger(rows) && columns >= 0 && rows >= 0;
    if (isFrozen && isPlain && columns < MAX_COLUMNS && rows < MAX_ROWS) this.frozen = { columns, rows };
  }
}

/** Reads a number ([MS-XLSB] 2.5.123): 30 bits, as an integer or as the first ones of a double, perhaps times a hundred. */
function shortNumber(view: DataView): number {
  const bits = view.getUint32(VALUE_AT, true);
  const double = new DataView(new ArrayBuffer(8));
  double.setUint32(4, (bits & 0xffff_fffc) >>> 0, true);
  const value = (bits & 0x02) !== 0 ? (bits | 0) >> 2 : double.getFloat64(0, true);
  return (bits & 0x01) !== 0 ? value / 100 : value;
}

function areaOf(view: DataView): Area {
  if (view.byteLength < 16) throw damaged();
  const [firstRow, lastRow, firstColumn, lastColumn] = [0, 4, 8, 12].map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  if (lastRow < firstRow || lastColumn < firstColumn || lastRow >= MAX_ROWS || lastColumn >= MAX_COLUMNS)
    throw damaged();
  return { firstRow, lastRow, firstColumn, lastColumn };
}
