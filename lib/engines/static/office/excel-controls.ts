/**
 * The controls of a workbook of Excel 97 to 2003: the class that each object names, and the class with which its data in the stream of
 * controls begin.
 */
import { asBuffer } from '../../../formats/byte-scan.ts';
import { RECORD, readRecords } from '../../../formats/office/biff-records.ts';
import { isFormClassInFile } from './object-classes.ts';

/** Parts of an object record ([MS-XLS] 2.4.181): what the object is like (2.5.152), and its formula (2.5.151). */
const LOOKS = 0x0008;
const FORMULA = 0x0009;
/** The object is a control, and its data are in the stream of controls. */
const IS_CONTROL = 0x10;
const IS_IN_STREAM = 0x20;
/** The mark in front of the name of a class (2.5.203). */
const CLASS_MARK = 3;
const CLASS_ID_BYTES = 16;
const FORM_NAME =
  /^Forms\.(?:CommandButton|CheckBox|OptionButton|ToggleButton|TextBox|ListBox|ComboBox|Label|Image|ScrollBar|SpinButton)\.1$/;

/** Returns true when a workbook has controls, and each is a box, button or list of a form, by its name and by its data. */
export function hasOnlyFormControls(workbook: Uint8Array, controls: Uint8Array): boolean {
  let count = 0;
  for (const { id, data } of readRecords(asBuffer(workbook), 0, () => undefined)) {
    if (id !== RECORD.object) continue;
    const parts = partsOf(data);
    const looks = parts.get(LOOKS)?.readUInt16LE(0) ?? 0;
    if ((looks & IS_CONTROL) === 0) continue;
    count += 1;
    if ((looks & IS_IN_STREAM) === 0 || !isForm(parts.get(FORMULA), asBuffer(controls))) return false;
  }
  return count > 0;
}

/** Returns the parts by their kinds. A part that is too short is omitted. */
function partsOf(record: Buffer): ReadonlyMap<number, Buffer> {
  const parts = new Map<number, Buffer>();
  for (let at = 0; at + 6 <= record.length; ) {
    const size = record.readUInt16LE(at + 2);
    const part = record.subarray(at + 4, at + 4 + size);
    if (part.length === size && size >= 2) parts.set(record.readUInt16LE(at), part);
    at += 4 + size;
  }
  return parts;
}

function isForm(part: Buffer | undefined, controls: Buffer): boolean {
  if (part === undefined || part.length < 10) return false;
  const placeAt = 2 + part.readUInt16LE(0);
  const markAt = 8 + part.readUInt16LE(2);
  if (placeAt + 4 > part.length || markAt + 4 > placeAt || part[markAt] !== CLASS_MARK) return false;
  const name = part.toString('latin1', markAt + 4, markAt + 4 + (part[markAt + 1] ?? 0));
  const place = part.readUInt32LE(placeAt);
  return FORM_NAME.test(name) && isFormClassInFile(controls.toString('hex', place, place + CLASS_ID_BYTES));
}
