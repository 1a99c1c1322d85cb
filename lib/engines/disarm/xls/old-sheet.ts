/** A sheet of Excel 5 or 95, record by record. */
import { type BiffRecord, RECORD } from '../../../formats/office/biff-records.ts';
import { CELL_ERRORS, type Cell, type CellCount, type Column, ErrorValue, type Row } from '../workbook/book.ts';

/** Records that are read here alone. */
const SHEET = { rows: 0x00bd, blanks: 0x00be, rich: 0x00d6, blank: 0x0201, row: 0x0208, column: 0x007d, short: 0x027e };
const CELL_BYTES = 6;
/** A height that the content decides. */
const OWN_HEIGHT = 0x8000;

/** Takes the records of a sheet in any order, as Excel does. The last record of a cell counts. */
export class OldSheet {
  hasFormulas = false;
  private readonly columns: Column[] = [];
  private readonly sizes = new Map<number, { readonly height: number | null; readonly isHidden: boolean }>();
  private readonly cells = new Map<number, Map<number, Cell>>();
  /** The cell whose formula gave a text, which is in the next record. */
  private waiting: { readonly row: number; readonly column: number; readonly format: number } | null = null;

  constructor(
    private readonly decode: (bytes: Uint8Array) => string,
    private readonly count: CellCount,
  ) {}

  take({ id, data }: BiffRecord): void {
    if (id === RECORD.text) this.takeResult(data);
    if (id === SHEET.column && data.length >= 10) this.takeColumn(data);
    if (id === SHEET.row && data.length >= 14) this.takeRow(data);
    if (data.length < CELL_BYTES) return;
    if (id === SHEET.rows) this.takeShortNumbers(data);
    else if (id === SHEET.blanks) this.takeBlanks(data);
    else this.takeCell(id, data);
  }

  finish(): { readonly columns: readonly Column[]; readonly rows: readonly Row[] } {
    const indexes = [...new Set([...this.cells.keys(), ...this.sizes.keys()])].sort((a, b) => a - b);
    const rows = indexes.map((index): Row => {
      const { height = null, isHidden = false } = this.sizes.get(index) ?? {};
      const cells = [...(this.cells.get(index)?.values() ?? [])].sort((a, b) => a.column - b.column);
      return { index, height, isHidden, cells };
    });
    return { columns: this.columns.sort((a, b) => a.first - b.first), rows };
  }

  private put(row: number, column: number, format: number, value: Cell['value']): void {
    this.count.add();
    const cells = this.cells.get(row) ?? new Map<number, Cell>();
    cells.set(column, { column, format, value });
    this.cells.set(row, cells);
  }

  private takeCell(id: number, data: Buffer): void {
    const [row, column, format] = [data.readUInt16LE(0), data.readUInt16LE(2), data.readUInt16LE(4)];
    const put = (value: Cell['value']) => this.put(row, column, format, value);
    if (id === SHEET.blank) put(null);
    if ((id === RECORD.label || id === SHEET.rich) && data.length >= 8)
      put(this.decode(data.subarray(8, 8 + data.readUInt16LE(6))));
    if (id === RECORD.number && data.length >= 14) put(data.readDoubleLE(6));
    if (id === SHEET.short && data.length >= 10) put(shortNumber(data.readUInt32LE(6)));
    if (id === RECORD.truth && data.length >= 8) put(truth(data[6] ?? 0, data[7] === 1));
    if (id === RECORD.formula && data.length >= 14) this.takeFormula(data, { row, column, format });
  }

  /** The last value of a formula: a number, or something else after the mark of none. */
  private takeFormula(
    data: Buffer,
    place: { readonly row: number; readonly column: number; readonly format: number },
  ): void {
    this.hasFormulas = true;
    this.waiting = null;
    const { row, column, format } = place;
    const isNumber = data.readUInt16LE(12) !== 0xffff;
    const kind = data[6];
    if (isNumber) this.put(row, column, format, data.readDoubleLE(6));
    else if (kind === 0) this.waiting = place;
    else this.put(row, column, format, kind === 3 ? null : truth(data[8] ?? 0, kind === 2));
  }

  private takeResult(data: Buffer): void {
    const { waiting } = this;
    this.waiting = null;
    if (waiting === null || data.length < 2) return;
    this.put(waiting.row, waiting.column, waiting.format, this.decode(data.subarray(2, 2 + data.readUInt16LE(0))));
  }

  private takeShortNumbers(data: Buffer): void {
    const [row, first] = [data.readUInt16LE(0), data.readUInt16LE(2)];
    for (let at = 4, column = first; at + 6 <= data.length - 2; at += 6, column++)
      this.put(row, column, data.readUInt16LE(at), shortNumber(data.readUInt32LE(at + 2)));
  }

  private takeBlanks(data: Buffer): void {
    const [row, first] = [data.readUInt16LE(0), data.readUInt16LE(2)];
    for (let at = 4, column = first; at + 2 <= data.length - 2; at += 2, column++)
      this.put(row, column, data.readUInt16LE(at), null);
  }

  private takeColumn(data: Buffer): void {
    this.columns.push({
      first: data.readUInt16LE(0),
      last: Math.min(255, data.readUInt16LE(2)),
      width: Math.round((data.readUInt16LE(4) / 256) * 100) / 100,
      format: data.readUInt16LE(6),
      isHidden: (data.readUInt16LE(8) & 1) === 1,
    });
  }

  private takeRow(data: Buffer): void {
    const [height, options] = [data.readUInt16LE(6), data.readUInt16LE(12)];
    const isOwn = (height & OWN_HEIGHT) === 0 && (options & 0x40) !== 0;
    this.sizes.set(data.readUInt16LE(0), { height: isOwn ? height / 20 : null, isHidden: (options & 0x20) !== 0 });
  }
}

const truth = (code: number, isError: boolean) =>
  isError ? new ErrorValue(CELL_ERRORS.get(code) ?? '#N/A') : code !== 0;

/** Reads 30 bits of a number, as an integer or as the first ones of a double, perhaps times a hundred. */
function shortNumber(bits: number): number {
  const double = Buffer.alloc(8);
  double.writeUInt32LE((bits & 0xffff_fffc) >>> 0, 4);
  const value = (bits & 2) !== 0 ? (bits | 0) >> 2 : double.readDoubleLE(0);
  return (bits & 1) !== 0 ? value / 100 : value;
}
