/** Decides which records of an Excel 97 to 2003 workbook ([MS-XLS] 2.3) may stay. Reads substreams and writes records. */
import { type BiffRecord, RECORD, readRecords } from '../../../formats/office/biff-records.ts';
import { EngineError } from '../../engine.ts';

/** Records that only describe cells, their look, the page, charts, or pivot tables on cells. `sheet.ts` handles some others one by one. */
const PLAIN = new Set(
  (
    '000c 000d 000e 000f 0010 0011 0012 0013 0014 0015 0019 001a 001b 001c 001d 0022 0026 0027 0028 0029 002a 002b 0031 0033 003d 0040 ' +
    '0041 0042 0055 005e 005f 0063 007d 0080 0081 0082 0083 0084 0086 008c 008d 0090 0092 0099 009b 009c 009d 009e 00a0 00a1 00a9 ' +
    '00ab 00ae 00af 00b0 00b1 00b2 00b4 00b5 00b6 00bd 00be 00c1 00c5 00c6 00c7 00c8 00c9 00ca 00cb 00cc 00cd 00ce 00cf 00d0 00d1 ' +
    '00d2 00d5 00d8 00d9 00da 00dd 00e0 00e1 00e2 00e3 00e5 00ed 00ef 00f0 00f1 00f2 00f4 00f5 00f6 00f7 00f8 00fb 00fd 0100 0122 ' +
    '013d 0160 0161 0162 01aa 01ab 01af 01b0 01b2 01ba 01bb 01bc 01c0 01c1 0200 0201 0208 0225 0236 023e 027e 0293 041e 080c 080e 080f ' +
    '0810 0812 0850 0851 0852 0853 0854 0855 0856 0857 0858 0859 085a 0862 0863 0864 0865 0867 0868 086a 086b 086c 0874 087c ' +
    '087d 087e 087f 088b 088c 088d 088e 088f 0890 0892 0895 089a 089b 089c 089d 08a3 08a7'
  )
    .split(' ')
    .map((id) => Number.parseInt(id, 16)),
);
const FIRST_CHART = 0x1001;
const LAST_CHART = 0x1068;

const DROPPED_KINDS: readonly (readonly [string, readonly number[]])[] = [
  [
    'data connection',
    [
      0x0050, 0x0051, 0x0052, 0x00dc, 0x01ad, 0x0802, 0x0803, 0x0804, 0x0805, 0x0806, 0x0807, 0x0808, 0x080a, 0x080d,
      0x0813, 0x0876,
    ],
  ],
  ['external workbook link', [0x0059, 0x005a]],
  ['macro', [0x00d3, 0x01bd, 0x0061, 0x009a, 0x0897, 0x0898, 0x0899]],
  ['web publishing', [0x0801, 0x080b, 0x0893]],
  ['printer settings', [0x004d]],
  ['picture behind the cells', [0x00e9]],
  ['picture in a header', [0x0866]],
  ['picture of an old version', [0x007f]],
  ['author', [0x005b, 0x00b8, 0x00b9, 0x01a9]],
  ['conditional format', [0x0879, 0x087a, 0x087b]],
  // Excel builds these again. Their offsets are no longer right.
  ['', [0x00d7, 0x020b, 0x01b7]],
];

export function isPlainRecord(id: number): boolean {
  return PLAIN.has(id) || (id >= FIRST_CHART && id <= LAST_CHART && id !== RECORD.series);
}

/** Returns the kind of a dropped record, in words for the report; empty when its loss is not reported. */
export function droppedKind(id: number): string {
  return DROPPED_KINDS.find(([, ids]) => ids.includes(id))?.[0] ?? 'unknown record';
}

/** Returns one substream, from its BOF to the EOF that ends it, with the charts in it. Throws EngineError. */
export function readSubstream(stream: Buffer, from: number): { readonly records: BiffRecord[]; readonly end: number } {
  const records: BiffRecord[] = [];
  let depth = 0;
  for (const record of readRecords(stream, from, refuse)) {
    if (record.id === RECORD.filePassword) throw new EngineError('encrypted', 'the workbook needs a password');
    if (records.length === 0 && record.id !== RECORD.begin) break;
    records.push(record);
    if (record.id === RECORD.begin) depth++;
    if (record.id === RECORD.eof) depth--;
    if (depth === 0) return { records, end: record.offset + 4 + record.data.length };
  }
  return refuse();
}

function refuse(): never {
  throw new EngineError('unreadable', 'a sheet of the workbook has no beginning or no end');
}

/** Returns a record as bytes; `data` is at most 8,224 bytes long. */
export function recordOf(id: number, data: Uint8Array): Buffer {
  const out = Buffer.alloc(4 + data.length);
  out.writeUInt16LE(id, 0);
  out.writeUInt16LE(data.length, 2);
  out.set(data, 4);
  return out;
}
