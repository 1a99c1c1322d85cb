/**
 * Copies the objects that a PDF's catalog reaches, filtered and with new numbers. Superseded revisions, unreachable objects and bytes
 * between objects cannot get into the output. References go through a queue, so long chains do not exhaust the stack.
 */
import {
  PdfArray,
  PdfBool,
  PdfDict,
  PdfName,
  PdfNull,
  PdfNumber,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
} from '@libpdf/core';
import { EngineError, type EngineLimits, type Removal } from '../../engine.ts';
import { GateError } from '../gate.ts';
import { type RemovalLog, removalLog } from '../removals.ts';
import { withoutDecoders } from './content.ts';
import { NO_PICTURE, type PictureOrder, UNDECODED_PICTURE } from './decoded-pictures.ts';
import { filterNames, follow, nameAt, type Resolve, refusal } from './judge.ts';
import { keyVerdict, mapVerdict } from './kept-keys.ts';
import { type PageTree, readPageTree, treeEntriesOf } from './page-tree.ts';
import { type DecodedKind, decodedKind, dictionaryOf, pictureOrder } from './picture-orders.ts';
import { activeEntry, allowedKeys, type DictEntry, isMap, type Role, roleOf } from './roles.ts';
import { flateFilters, type StreamBudget, sealed, takeStream } from './streams.ts';
import { type ObjectBody, writeName, writeNumber, writeString } from './write.ts';

/** A limit against floods of objects. Real documents have up to some hundred thousand, far more than archives have entries. */
const MAX_OBJECTS = 1_000_000;

interface Queued {
  readonly ref: PdfRef;
  readonly role: Role;
  readonly number: number;
}

interface Walk {
  readonly resolve: Resolve;
  readonly tree: PageTree;
  readonly limits: EngineLimits;
  readonly budget: StreamBudget;
  /** New object number by `role object generation`. */
  readonly numbers: Map<string, number>;
  readonly queue: Queued[];
  readonly pictures: PictureOrder[];
  readonly bodies: ObjectBody[];
  readonly log: RemovalLog;
  /** Object being copied, for the report. */
  where: string;
}

export interface WalkedPdf {
  /** Object 1 is the catalog. */
  readonly bodies: readonly ObjectBody[];
  /** Pictures that replace their object when they are decoded. Until then the object is missing. */
  readonly pictures: readonly PictureOrder[];
  readonly removals: readonly Removal[];
}

/** Walks through the document. Throws EngineError `oversize` (objects, nesting, inflated bytes) or `unreadable` (no page). */
export function walkPdf(catalog: PdfDict, resolve: Resolve, limits: EngineLimits): WalkedPdf {
  const walk: Walk = {
    resolve,
    tree: readPageTree(catalog, resolve),
    limits,
    budget: { left: limits.inflatedBytes, limits },
    numbers: new Map(),
    queue: [],
    pictures: [],
    bodies: [],
    log: removalLog(),
    where: 'catalog',
  };
  walk.bodies.push({ text: 'null', data: null });
  walk.bodies[0] = { text: writeDict(walk, catalog, 'catalog', 0, []), data: null };
  // The queue grows during the loop.
  for (const next of walk.queue) {
    walk.where = `object ${next.ref.objectNumber}`;
    const object = follow(next.ref, resolve);
    walk.bodies[next.number - 1] = object === null ? { text: 'null', data: null } : writeBody(walk, object, next);
  }
  const { bodies, pictures, log } = walk;
  return { bodies, pictures, removals: log.removals };
}

function writeBody(walk: Walk, object: PdfObject, { role, number }: Queued): ObjectBody {
  if (!(object instanceof PdfStream)) return { text: writeValue(walk, object, role, 0) ?? 'null', data: null };
  const filters = filterNames(object, walk.resolve);
  const kind = decodedKind(filters);
  if (kind !== null) return orderPicture(walk, object, number, { filters, kind });
  const { left } = walk.budget;
  const taken = takeStream(object, filters, walk.budget);
  const plain = withoutDecoders(object, filters, { resolve: walk.resolve, maxBytes: left, inflated: taken.inflated });
  if (plain?.lostPicture) note(walk, UNDECODED_PICTURE);
  const { data, reencoded, wrapping } = sealed(plain ?? taken);
  const own = reencoded
    ? [`/Filter ${flateFilters(wrapping)}`, `/Length ${data.length}`]
    : [...filterEntries(walk, object, wrapping), `/Length ${data.length}`];
  return { text: writeDict(walk, object, role, 0, own), data };
}

function note(walk: Walk, kind: string): void {
  walk.log.note(kind, walk.where);
}

/** Orders a decoded picture. Its object shows nothing until then. */
function orderPicture(walk: Walk, stream: PdfStream, number: number, { filters, kind }: Picture): ObjectBody {
  const order = pictureOrder(stream, filters, walk.resolve, walk.budget.left);
  if (order === null) {
    note(walk, UNDECODED_PICTURE);
    return NO_PICTURE;
  }
  const text = writeDict(walk, dictionaryOf(stream, kind, walk.resolve), 'plain', 0, []);
  walk.pictures.push({ ...order, number, text, where: walk.where });
  return NO_PICTURE;
}

interface Picture {
  readonly filters: readonly string[];
  readonly kind: DecodedKind;
}

/** Writes filters and their parameters directly into the dictionary, so that every program reads the same ones. */
function filterEntries(walk: Walk, stream: PdfStream, wrapping?: string): string[] {
  return ['Filter', 'DecodeParms'].flatMap((key) => {
    const value = stream.get(key) === undefined ? undefined : follow(stream.get(key), walk.resolve);
    const own = value === undefined || value === null ? null : writeValue(walk, value, 'plain', 0);
    const outer = key === 'Filter' ? `/${wrapping}` : 'null';
    const text = wrapping === undefined || own === null ? own : `[${outer} ${own.replace(/^\[|\]$/g, '')}]`;
    return text === null || text === 'null' ? [] : [`${writeName(key)} ${text}`];
  });
}

/** Returns the text of a value; null when it must not be in the output. */
function writeValue(walk: Walk, object: PdfObject, role: Role, depth: number): string | null {
  if (depth > walk.limits.depth) throw new EngineError('oversize', 'objects are nested too deep');
  if (object instanceof PdfRef) return writeReference(walk, object, role);
  if (object instanceof PdfName) return writeName(object.value);
  if (object instanceof PdfNumber) return writeNumber(object.value);
  if (object instanceof PdfString) return writeString(object.bytes);
  if (object instanceof PdfBool) return object.value ? 'true' : 'false';
  if (object instanceof PdfArray) return writeArray(walk, object, depth);
  if (object instanceof PdfStream) return null;
  if (object instanceof PdfDict) {
    const kind = refusalOf(walk, object);
    if (kind === null) return writeDict(walk, object, role, depth, []);
    note(walk, kind);
    return null;
  }
  return object instanceof PdfNull ? 'null' : null;
}

/** Returns the role of an object. Every object in the page tree is copied as a page, with the keys of a page, despite its declared type. */
function refusalOf(walk: Walk, object: PdfObject): string | null {
  const isOfTree = object instanceof PdfDict && (walk.tree.pages.has(object) || walk.tree.nodes.has(object));
  return isOfTree ? null : refusal(object, walk.resolve);
}

function writeReference(walk: Walk, ref: PdfRef, role: Role): string | null {
  const target = follow(ref, walk.resolve);
  if (target === null || target instanceof PdfNull) return null;
  const kind = refusalOf(walk, target);
  if (kind !== null) {
    note(walk, kind);
    return null;
  }
  const key = `${role} ${ref.objectNumber} ${ref.generation}`;
  const known = walk.numbers.get(key);
  if (known !== undefined) return `${known} 0 R`;
  const number = walk.bodies.length + 1;
  if (number > MAX_OBJECTS) throw new EngineError('oversize', 'the file has too many objects');
  walk.bodies.push({ text: 'null', data: null });
  walk.numbers.set(key, number);
  walk.queue.push({ ref, role, number });
  return `${number} 0 R`;
}

function writeArray(walk: Walk, array: PdfArray, depth: number): string {
  const parts: string[] = [];
  for (const item of array) parts.push(writeValue(walk, item, 'plain', depth + 1) ?? 'null');
  return `[${parts.join(' ')}]`;
}

function writeDict(walk: Walk, dict: PdfDict, asked: Role, depth: number, own: readonly string[]): string {
  // Free keys belong only to plain dictionaries. An appearance stream that was reached over /AP has keys with a meaning.
  const role = dict instanceof PdfStream ? 'plain' : asked;
  const allowed = allowedKeys(dict, role, walk.tree, walk.resolve);
  const treeEntries = treeEntriesOf(walk.tree, dict);
  const parts = [...treeEntries];
  for (const [name, value] of dict) {
    const key = name.value;
    if (dict instanceof PdfStream && /^(Length|Filter|DecodeParms|DL)$/.test(key)) continue;
    if (treeEntries.length > 0 && (key === 'Type' || key === 'Count')) continue;
    if (role.startsWith('resources ')) checkResourceName(walk, key);
    const entry = { key, value, role, depth };
    if (!isKept(walk, dict, entry, allowed)) continue;
    const text = writeEntry(walk, dict, entry);
    if (text !== null) parts.push(`${writeName(key)} ${text}`);
  }
  return `<< ${[...parts, ...own].join(' ')} >>`;
}

/**
 * Refuses names outside of ASCII. The parser turns the bytes of a name into text and cannot tell their encoding. Content refers to
 * resources by their bytes, so such a name could miss. Pictures of the pages are better than a page that silently lost its fonts.
 */
function checkResourceName(walk: Walk, name: string): void {
  if (/[^\p{ASCII}]/u.test(name)) throw new GateError({ id: 'resource-name-outside-ascii', where: walk.where });
}

function isKept(walk: Walk, dict: PdfDict, entry: DictEntry, allowed: ReadonlySet<string> | null): boolean {
  const { key, value, role } = entry;
  const verdict = isMap(role)
    ? mapVerdict(role.slice(role.indexOf(' ') + 1), value, walk.resolve)
    : keyVerdict(dict, key, value, allowed, walk.resolve);
  if (typeof verdict === 'string') note(walk, verdict);
  return verdict === true;
}

function writeEntry(walk: Walk, dict: PdfDict, entry: DictEntry): string | null {
  const { key, role, depth } = entry;
  if (isMap(role)) return writeValue(walk, entry.value, 'plain', depth + 1);
  const node = key === 'Kids' ? walk.tree.nodes.get(dict) : undefined;
  if (node !== undefined) return writeMembers(walk, node.kids, depth);
  if (key === 'Annots' || key === 'Kids' || key === 'Fields') return writeList(walk, entry);
  if (role === 'catalog' && key === 'PageMode' && nameAt(dict, key, walk.resolve) === 'UseAttachments') return null;
  const kind = activeEntry(dict, entry, walk.resolve);
  if (kind !== null) {
    note(walk, kind);
    return null;
  }
  return writeValue(walk, entry.value, roleOf(entry, walk.resolve), depth + 1);
}

/** Lists whose members may be missing. A refused annotation leaves no null. */
function writeList(walk: Walk, entry: DictEntry): string | null {
  const list = follow(entry.value, walk.resolve);
  if (!(list instanceof PdfArray)) return writeValue(walk, entry.value, 'plain', entry.depth + 1);
  return writeMembers(walk, [...list], entry.depth);
}

function writeMembers(walk: Walk, members: readonly PdfObject[], depth: number): string {
  const parts: string[] = [];
  for (const item of members) {
    const text = writeValue(walk, item, 'plain', depth + 1);
    if (text !== null && text !== 'null') parts.push(text);
  }
  return `[${parts.join(' ')}]`;
}
