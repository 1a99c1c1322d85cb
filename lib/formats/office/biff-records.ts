/** Reads the records of an Excel 97 to 2003 workbook ([MS-XLS] 2.1.4), one after another. */

/** Numbers of the records whose content is read ([MS-XLS] 2.3.2). */
export const RECORD = {
  formula: 0x0006,
  eof: 0x000a,
  externSheet: 0x0017,
  name: 0x0018,
  externName: 0x0023,
  filePassword: 0x002f,
  continued: 0x003c,
  writeAccess: 0x005c,
  object: 0x005d,
  sheet: 0x0085,
  drawingGroup: 0x00eb,
  drawing: 0x00ec,
  strings: 0x00fc,
  stringIndex: 0x00ff,
  book: 0x01ae,
  textObject: 0x01b6,
  conditionalFormat: 0x01b1,
  hyperlink: 0x01b8,
  validation: 0x01be,
  number: 0x0203,
  label: 0x0204,
  truth: 0x0205,
  text: 0x0207,
  array: 0x0221,
  shared: 0x04bc,
  hyperlinkTooltip: 0x0800,
  begin: 0x0809,
  dataConnection: 0x0876,
  conditionalFormatExtension: 0x087b,
  series: 0x1051,
} as const;

export interface BiffRecord {
  readonly id: number;
  /** At most 65,535 bytes. */
  readonly data: Buffer;
  /** The offset of the record in the stream. */
  readonly offset: number;
}

/** The possible fault of a record: the stream ends within it. */
export type RecordFault = 'cut-off';

/**
 * Returns the records from `from` to the end of the stream. Throws only the errors of `onFault`. When `onFault` returns, a record that is
 * cut off has the remaining data.
 */
export function* readRecords(
  stream: Buffer,
  from: number,
  onFault: (fault: RecordFault) => void,
): Generator<BiffRecord> {
  for (let at = from; at + 4 <= stream.length; ) {
    const end = at + 4 + stream.readUInt16LE(at + 2);
    if (end > stream.length) onFault('cut-off');
    yield { id: stream.readUInt16LE(at), data: stream.subarray(at + 4, end), offset: at };
    at = end;
  }
}
