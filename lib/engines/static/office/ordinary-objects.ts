/**
 * Recognises objects and controls of ordinary documents: a sheet, a chart, a drawing, a formula, a check box. The class, by which Windows
 * chooses the program, is on a closed list. The data have the form that this program writes. Nothing in the object is a program or a link
 * to elsewhere.
 */
import type { Compound, CompoundStorage, CompoundStream } from '../compound-streams.ts';
import { isMathType, isOrdinaryEquation } from './equation.ts';
import { CLASS, isPlainClass, NO_CLASS } from './object-classes.ts';
import { isFileToRead } from './ole-package.ts';

/** Says whether the object is in the file or is a link to elsewhere ([MS-OLEDS] 2.3.3). */
const LINK_STREAM = /(?:^|\/)\[1\]Ole$/i;
const LINK_FLAG = 1;
/** The program of an object without a class is the one for its document. */
const DOCUMENT_STREAM = /^(?:Workbook|Book|WordDocument|PowerPoint Document|VisioDocument)$/i;

const startsWith = (bytes: Uint8Array, text: string, at = 0) =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text;

/** Checks a metafile behind its length, its unit and its size. */
const isDrawing = (bytes: Uint8Array) => startsWith(bytes, '\x01\0\x09\0\0\x03', 10);

const NATIVE = /(?:^|\/)\[1\]Ole10Native$/i;
const EQUATION = /(?:^|\/)Equation Native$/i;
const CONTENTS = /(?:^|\/)CONTENTS$/i;
/** Streams by which an object acts. They belong to the classes of the next table and to no other. */
const ACTING = [NATIVE, EQUATION];

/** Classes that are ordinary when their own stream is there and has the form that their program writes. */
const WITH_OWN_STREAM: Readonly<Record<string, readonly [stream: RegExp, isOrdinary: (bytes: Uint8Array) => boolean]>> =
  {
    // A picture of Paint is a bitmap behind its length.
    [CLASS.paint]: [NATIVE, (bytes) => bytes[4] === 0x42 && bytes[5] === 0x4d],
    [CLASS.draw]: [NATIVE, isDrawing],
    [CLASS.package]: [NATIVE, isFileToRead],
    [CLASS.equation]: [EQUATION, isOrdinaryEquation],
    [CLASS.mathType]: [EQUATION, isMathType],
    // A document of Acrobat is also judged as such, beside the object.
    [CLASS.acrobat]: [CONTENTS, (bytes) => startsWith(bytes, '%PDF')],
    [CLASS.photoshop]: [CONTENTS, (bytes) => startsWith(bytes, '8BPS')],
    [CLASS.chartOfPeople]: [CONTENTS, (bytes) => startsWith(bytes, 'UOCF', 4)],
  };

const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/**
 * Returns true when the storage at a path holds an ordinary object, and so does each object within it. The root of a compound file that is
 * an object as a whole has the path ''.
 */
export function isOrdinaryObject({ streams, storages }: Compound, path: string): boolean {
  const prefix = path === '' ? '' : `${path}/`;
  const inside = streams.filter((stream) => stream.path.startsWith(prefix));
  const own = storages.find((storage) => storage.path === path)?.classId ?? NO_CLASS;
  const within = storages.filter((one) => one.path !== path && one.path.startsWith(prefix));
  const classes = new Map([[path, own], ...within.map(({ path, classId }) => [path, classId] as const)]);
  const isEmpty = inside.length === 0 && within.length === 0;
  const hasDocument = inside.some((stream) => DOCUMENT_STREAM.test(stream.path.slice(prefix.length)));
  return (
    (isKnownClass(own, path, inside) || (own === NO_CLASS && (hasDocument || isEmpty))) &&
    within.every((one) => isKnownInside(one, inside)) &&
    inside.every((stream) => isOrdinaryStream(stream, classes.get(folderOf(stream.path)) ?? NO_CLASS))
  );
}

/** Returns whether a storage is an object. Objects within objects have a class. Other storages of documents have none. */
function isKnownInside({ path, classId }: CompoundStorage, inside: readonly CompoundStream[]): boolean {
  return isKnownClass(classId, path, inside) || (classId === NO_CLASS && !OBJECT_STORAGE.test(path));
}

function isKnownClass(classId: string, path: string, inside: readonly CompoundStream[]): boolean {
  const own = WITH_OWN_STREAM[classId]?.[0];
  return own === undefined
    ? isPlainClass(classId)
    : inside.some((stream) => folderOf(stream.path) === path && own.test(stream.path));
}

function isOrdinaryStream({ path, bytes }: CompoundStream, classId: string): boolean {
  const [own, isOrdinary] = WITH_OWN_STREAM[classId] ?? [];
  if (own?.test(path)) return isOrdinary?.(bytes) === true;
  if (ACTING.some((name) => name.test(path))) return false;
  return !LINK_STREAM.test(path) || (bytes.length >= 8 && ((bytes[4] ?? 0) & LINK_FLAG) === 0);
}

/** Returns true for the data of a control whose class is elsewhere: one stream, or an ordinary object. */
export function isFormData(compound: Compound): boolean {
  const [root, ...storages] = compound.storages;
  const isBare = root?.classId === NO_CLASS && storages.length === 0 && compound.streams.length === 1;
  return isBare || isOrdinaryObject(compound, '');
}

/** Where a document of Office 97 to 2003 keeps its objects: Word in one storage for all, Excel in one for each. */
const OBJECT_STORAGE = /(?:^|\/)(?:ObjectPool\/[^/]+|MBD[0-9A-F]+)$/i;

/** Returns true when a document holds objects, or is one, and all of them are ordinary. */
export function hasOnlyOrdinaryObjects(compound: Compound): boolean {
  const objects = compound.storages.filter(({ path }) => OBJECT_STORAGE.test(path));
  return objects.length === 0
    ? isOrdinaryObject(compound, '')
    : objects.every(({ path }) => isOrdinaryObject(compound, path));
}
