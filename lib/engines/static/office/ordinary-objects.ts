/**
 * Objects and controls that ordinary documents hold: a sheet, a chart, a drawing, a check box. The class, by which Windows chooses the program,
 * is on a closed list, and nothing in the object is a file for a click, a link to elsewhere or an equation of the editor that was attacked.
 */
import type { Compound, CompoundStorage, CompoundStream } from '../compound-streams.ts';

/** The classes of documents and pictures that Office and LibreOffice embed. */
const DOCUMENT_CLASSES = `
  00020810-0000-0000-C000-000000000046 00020811-0000-0000-C000-000000000046 00020820-0000-0000-C000-000000000046
  00020821-0000-0000-C000-000000000046 00020830-0000-0000-C000-000000000046 00020832-0000-0000-C000-000000000046
  00020833-0000-0000-C000-000000000046 00020803-0000-0000-C000-000000000046 00020801-0000-0000-C000-000000000046
  00020900-0000-0000-C000-000000000046 00020906-0000-0000-C000-000000000046 00020907-0000-0000-C000-000000000046
  F4754C9B-64F5-4B40-8AF4-679732AC0607 18A06B6B-2F3F-4E2B-A611-52BE631B2D22
  64818D10-4F9B-11CF-86EA-00AA00B929E8 64818D11-4F9B-11CF-86EA-00AA00B929E8
  CF4F55F4-8F87-4D47-80BB-5808164BB3F8 048EB43E-2059-422F-95E0-557DA96038AF
  00021A14-0000-0000-C000-000000000046 00021A15-0000-0000-C000-000000000046
  0003000A-0000-0000-C000-000000000046 D3E34B21-9D75-101A-8C3D-00AA001A1652
  00000315-0000-0000-C000-000000000046 00000316-0000-0000-C000-000000000046 00000319-0000-0000-C000-000000000046
  8BC6B165-B1B2-4EDD-AA47-DAE2EE689DD6 47BBB4CB-CE4C-4E80-A591-42D9AE74950F 9176E48A-637A-4D1F-803B-99D9BFAC1047
  4BAB8970-8A3B-45B3-991C-CBEEAC6BD5E3 078B7ABA-54FC-457F-8551-6147E776A997 12DCAE26-281F-416F-A234-C3086127382E
  3EAB3858-A0E0-4A3B-A405-F4D525E85265
`;
/** The controls of Microsoft Forms that hold a state and nothing else: no frames and pages, in which others stand ([MS-OFORMS] 2.2). */
const FORM_CLASSES = `
  D7053240-CE69-11CD-A777-00DD01143C57 8BD21D10-EC42-11CE-9E0D-00AA006002F3 8BD21D20-EC42-11CE-9E0D-00AA006002F3
  8BD21D30-EC42-11CE-9E0D-00AA006002F3 8BD21D40-EC42-11CE-9E0D-00AA006002F3 8BD21D50-EC42-11CE-9E0D-00AA006002F3
  8BD21D60-EC42-11CE-9E0D-00AA006002F3 978C9E23-D4B0-11CE-BF2D-00AA003F40D0 4C599241-6926-101B-9992-00000B65C6F9
  DFD181E0-5E2F-11CE-A449-00AA004A803D 79176FB0-B7F2-11CE-97EF-00AA006D2776
`;

const listOf = (classes: string): readonly string[] => classes.trim().split(/\s+/);
const OBJECTS = new Set([...listOf(DOCUMENT_CLASSES), ...listOf(FORM_CLASSES)].map(inFileOrder));
const CONTROLS = new Set(listOf(FORM_CLASSES));
const FORMS_IN_FILE = new Set(listOf(FORM_CLASSES).map(inFileOrder));

/** A class id as the directory of a compound file holds it: the first three groups with the lowest byte first. */
function inFileOrder(classId: string): string {
  const [first = '', second = '', third = '', ...rest] = classId.toLowerCase().split('-');
  const turned = [first, second, third].map((group) => (group.match(/../g) ?? []).reverse().join(''));
  return [...turned, ...rest].join('');
}

/** True for the class of a control that only holds a state, as XML writes it: `{8BD21D40-EC42-11CE-9E0D-00AA006002F3}`. */
export function isFormClass(untrustedClassId: string): boolean {
  return CONTROLS.has(
    untrustedClassId
      .trim()
      .replace(/^\{|\}$/g, '')
      .toUpperCase(),
  );
}

/** The same for a class id in the order of a file, in hex digits. */
export const isFormClassInFile = (classId: string): boolean => FORMS_IN_FILE.has(classId);

/** Streams that make an object act: a file that a double click opens, and an equation for the editor that was attacked. */
const NATIVE_STREAM = /(?:^|\/)\[1\]Ole10Native$/i;
const EQUATION_STREAM = /(?:^|\/)Equation Native$/i;
/** Says whether the object stands in the file or is a link to elsewhere ([MS-OLEDS] 2.3.3). */
const LINK_STREAM = /(?:^|\/)\[1\]Ole$/i;
const LINK_FLAG = 1;
const NO_CLASS = '0'.repeat(32);
const PAINT = inFileOrder('0003000A-0000-0000-C000-000000000046');
/** The program of an object without a class is the one for its document. */
const DOCUMENT_STREAM = /^(?:Workbook|Book|WordDocument|PowerPoint Document|VisioDocument)$/i;

/**
 * True when the storage at a path holds an ordinary object, and so does each object within it. The root of a compound file that is an object as
 * a whole has the path ''.
 */
export function isOrdinaryObject({ streams, storages }: Compound, path: string): boolean {
  const prefix = path === '' ? '' : `${path}/`;
  const inside = streams.filter((stream) => stream.path.startsWith(prefix));
  const own = storages.find((storage) => storage.path === path)?.classId ?? NO_CLASS;
  const hasDocument = inside.some((stream) => DOCUMENT_STREAM.test(stream.path.slice(prefix.length)));
  return (
    (OBJECTS.has(own) || (own === NO_CLASS && hasDocument)) &&
    storages.every((one) => one.path === path || !one.path.startsWith(prefix) || isKnownInside(one)) &&
    inside.every((stream) => !actsByItself(stream, own === PAINT))
  );
}

/** Objects within objects have a class. Other storages of documents have none. */
function isKnownInside({ path, classId }: CompoundStorage): boolean {
  return OBJECTS.has(classId) || (classId === NO_CLASS && !OBJECT_STORAGE.test(path));
}

function actsByItself({ path, bytes }: CompoundStream, isPaint: boolean): boolean {
  if (EQUATION_STREAM.test(path)) return true;
  // A picture of Paint is a bitmap behind its length.
  if (NATIVE_STREAM.test(path)) return !isPaint || bytes[4] !== 0x42 || bytes[5] !== 0x4d;
  return LINK_STREAM.test(path) && (bytes.length < 8 || ((bytes[4] ?? 0) & LINK_FLAG) !== 0);
}

/** True for the data of a control whose class stands elsewhere: one stream, or what is an ordinary object. */
export function isFormData(compound: Compound): boolean {
  const [root, ...storages] = compound.storages;
  const isBare = root?.classId === NO_CLASS && storages.length === 0 && compound.streams.length === 1;
  return isBare || isOrdinaryObject(compound, '');
}

/** Where a document of Office 97 to 2003 keeps its objects: Word in one storage for all, Excel in one for each. */
const OBJECT_STORAGE = /(?:^|\/)(?:ObjectPool\/[^/]+|MBD[0-9A-F]+)$/i;

/** True when a document holds objects, or is one, and all of them are ordinary. */
export function hasOnlyOrdinaryObjects(compound: Compound): boolean {
  const objects = compound.storages.filter(({ path }) => OBJECT_STORAGE.test(path));
  return objects.length === 0
    ? isOrdinaryObject(compound, '')
    : objects.every(({ path }) => isOrdinaryObject(compound, path));
}
