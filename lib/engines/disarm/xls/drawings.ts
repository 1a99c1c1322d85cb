/** Drawings of a workbook. One tree of records is spread over many records of the sheet ([MS-XLS] 2.4.170, 2.4.171). */
import { type BiffRecord, RECORD } from '../../../formats/office/biff-records.ts';
import { filterDrawing, type Note } from '../compound/drawing.ts';

/** The filtered payload of every record that belongs to a drawing, continuations included. */
export function filterDrawings(records: readonly BiffRecord[], note: Note): ReadonlyMap<BiffRecord, Buffer> {
  const filtered = new Map<BiffRecord, Buffer>();
  // Each level is a substream: a chart within a sheet has its own drawing.
  const levels: BiffRecord[][] = [];
  let owner = 0;
  for (const record of records) {
    if (record.id === RECORD.begin) levels.push([]);
    if (record.id === RECORD.drawing || record.id === RECORD.drawingGroup) levels.at(-1)?.push(record);
    // Excel also continues a long drawing behind the object that interrupted it.
    const goesOn = owner === RECORD.drawing || owner === RECORD.drawingGroup || owner === RECORD.object;
    if (record.id === RECORD.continued && goesOn) levels.at(-1)?.push(record);
    if (record.id !== RECORD.continued) owner = record.id;
    if (record.id === RECORD.eof) filterTree(levels.pop() ?? [], filtered, note);
  }
  return filtered;
}

function filterTree(chunks: readonly BiffRecord[], filtered: Map<BiffRecord, Buffer>, note: Note): void {
  if (chunks.length === 0) return;
  const tree = Buffer.concat(chunks.map(({ data }) => data));
  filterDrawing(tree, note);
  let at = 0;
  for (const chunk of chunks) {
    filtered.set(chunk, tree.subarray(at, at + chunk.data.length));
    at += chunk.data.length;
  }
}
