/**
 * Disarm of books (EPUB). The chapters are written anew as pages, in their order, with the rules of their style sheets in them. Pictures
 * are encoded again. The table of contents and the list of parts are written from scratch, so that they fit the remaining content.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import { type Disarmed, type Nested, writtenAnew } from '../disarm-module.ts';
import { documentPicture } from '../document-picture.ts';
import { noteLayout, openContainer, type PackageContainer } from '../office/package/container.ts';
import { type PackedPart, packPart, writeZip } from '../office/package/zip-write.ts';
import { type RemovalLog, removalLog } from '../removals.ts';
import { type ChapterLinks, writeChapter } from './chapter.ts';
import { type Entry, readContents, withTargets, writeNavigation, writeNcx } from './contents.ts';
import { type Book, type BookItem, pathAt, readBook } from './package.ts';
import { CONTAINER_XML, type WrittenBook, writePackage } from './written-package.ts';

const MIMETYPE = 'application/epub+zip';
const PAGE = /\.(?:xhtml|html?|xml)$/i;
/** Formats that each program for books shows. */
const WANTED = /^image\/(?:png|jpeg|gif|svg\+xml)$/;
/** Bytes of a style sheet that is read. Books have some kilobytes; each chapter gets a copy. */
const SHEET_BYTES = 256 * 1024;

interface Work {
  readonly container: PackageContainer;
  readonly book: Book;
  readonly limits: EngineLimits;
  readonly nested: Nested;
  readonly log: RemovalLog;
  /** Chapters by lower-case path, with their numbers. */
  readonly chapters: ReadonlyMap<string, number>;
  /** Pictures by lower-case path. Null for a file that is no picture. */
  readonly pictures: Map<string, Picture | null>;
  readonly used: Set<string>;
}

interface Picture {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** Rebuilds a book. Throws EngineError `unreadable`, `encrypted` (its parts are protected), `oversize`. */
export async function disarm(
  input: FileInput,
  type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const log = removalLog();
  const container = await openContainer(input.bytes, limits);
  noteLayout(container, log);
  const book = await readBook(container, limits);
  const spine = book.spine.filter(({ item }) => isPage(item, container));
  if (spine.length === 0) throw new EngineError('unreadable', 'the book has no chapter that can be read');
  const chapters = new Map(spine.map(({ item }, at) => [item.path.toLowerCase(), at + 1]));
  const used = new Set(book.descriptions);
  const work: Work = { container, book, limits, nested, log, chapters, pictures: new Map(), used };
  const parts = await writeParts(work, spine, input.keepMetadata === true);
  noteLeftOut(work);
  const bytes = writeBook(parts);
  return writtenAnew(input, bytes, type, log.removals);
}

/** The search for links reads only files with these names. */
function isPage({ mediaType, path }: BookItem, { entries }: PackageContainer): boolean {
  return (
    /^(?:application\/xhtml\+xml|text\/html)$/.test(mediaType) && PAGE.test(path) && entries.has(path.toLowerCase())
  );
}

const chapterName = (number: number) => `chapter-${number}.xhtml`;

async function writeParts(work: Work, spine: Book['spine'], keepMetadata: boolean): Promise<Map<string, Uint8Array>> {
  const { book } = work;
  const parts = new Map<string, Uint8Array>();
  for (const [at, { item }] of spine.entries()) parts.set(chapterName(at + 1), await chapterOf(item, work));
  const cover = book.cover === null ? null : await pictureAt(book.cover.path, work);
  const pictures = [...work.pictures.values()].flatMap((picture) => picture ?? []);
  for (const { name, bytes } of pictures) parts.set(name, bytes);
  const id = `urn:sha256:${digestOf(parts)}`;
  const entries = await contentsOf(work);
  const title = book.title === '' ? 'Book' : book.title;
  const written: WrittenBook = {
    id,
    title,
    language: book.language,
    creators: keepMetadata ? book.creators : [],
    direction: book.direction,
    chapters: spine.map(({ isLinear }, at) => ({ name: chapterName(at + 1), isLinear })),
    pictures: pictures.map(({ number, name, type }) => ({ name, type, isCover: number === cover?.number })),
  };
  if (!keepMetadata) for (const name of book.creators) work.log.note('author', name === '' ? 'book' : 'creator');
  return new Map([
    ['content.opf', writePackage(written)],
    ['nav.xhtml', writeNavigation(title, entries)],
    ['toc.ncx', writeNcx(id, title, entries)],
    ...parts,
  ]);
}

function digestOf(parts: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash('sha256');
  for (const [name, bytes] of parts) hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex');
}

async function chapterOf(item: BookItem, work: Work): Promise<Uint8Array> {
  const { container, limits, nested, log, chapters, used } = work;
  const key = item.path.toLowerCase();
  const bytes = (await container.entries.get(key)?.read()) ?? new Uint8Array();
  used.add(key);
  nested.spend(1, bytes.length);
  const links: ChapterLinks = {
    chapter: (href) => chapters.get(pathAt(href, item.path)?.toLowerCase() ?? '') ?? null,
    picture: async (href) => {
      const path = pathAt(href, item.path);
      return path === null ? null : ((await pictureAt(path, work))?.number ?? null);
    },
    drawing: (bytes) => drawingAt(bytes, item.path, work),
    sheet: (href) => sheetAt(pathAt(href, item.path), work),
    chapterName,
    pictureName: (number) => [...work.pictures.values()].find((each) => each?.number === number)?.name ?? '',
  };
  return writeChapter(bytes, links, limits, (kind, where, action) => log.note(kind, `${item.path} ${where}`, action));
}

async function sheetAt(path: string | null, { container, used }: Work): Promise<string | null> {
  const key = path?.toLowerCase() ?? '';
  const entry = /\.css$/.test(key) ? container.entries.get(key) : undefined;
  if (entry === undefined) return null;
  used.add(key);
  const bytes = await entry.read();
  return bytes.length > SHEET_BYTES ? null : new TextDecoder().decode(bytes);
}

async function pictureAt(path: string, work: Work): Promise<Picture | null> {
  const { container, book, pictures, used } = work;
  const key = path.toLowerCase();
  const known = pictures.get(key);
  if (known !== undefined) return known;
  const entry = container.entries.get(key);
  const isPicture = entry !== undefined && (book.items.get(key)?.mediaType ?? 'image/').startsWith('image/');
  if (!isPicture) {
    pictures.set(key, null);
    return null;
  }
  used.add(key);
  return addPicture(key, entry.name, await entry.read(), work);
}

/** Takes a drawing from a chapter. The same drawing in another place is the same picture. */
async function drawingAt(bytes: Uint8Array, place: string, work: Work): Promise<number> {
  // No path has a blank at its end.
  const key = `${createHash('sha256').update(bytes).digest('hex')} `;
  work.nested.spend(0, bytes.length);
  return (work.pictures.get(key) ?? (await addPicture(key, `${place} svg`, bytes, work))).number;
}

async function addPicture(key: string, place: string, untrusted: Uint8Array, work: Work): Promise<Picture> {
  const { nested, log, pictures } = work;
  const { bytes, type, extension, details } = await documentPicture(untrusted, nested, WANTED);
  for (const { kind, action } of details) log.note(kind, place, action);
  const number = [...pictures.values()].filter((each) => each !== null).length + 1;
  const picture = { number, name: `images/picture-${number}.${extension}`, type, bytes };
  pictures.set(key, picture);
  return picture;
}

/** Returns the first table of contents that names a chapter, otherwise a line for each chapter. */
async function contentsOf({ container, book, limits, chapters, used }: Work): Promise<readonly Entry[]> {
  for (const { path } of book.contents) used.add(path.toLowerCase());
  for (const { path, mediaType } of book.contents) {
    const bytes = await container.entries.get(path.toLowerCase())?.read();
    const found = bytes === undefined ? [] : readContents(bytes, limits, mediaType);
    const entries = withTargets(found, (href) => {
      const number = chapters.get(pathAt(href, path)?.toLowerCase() ?? '');
      const [place = ''] = /#[^\s<>"\\]*$/.exec(href) ?? [];
      return number === undefined ? null : `${chapterName(number)}${place}`;
    });
    if (entries.length > 0) return entries;
  }
  return [...chapters.values()].map((number) => ({ label: String(number), target: chapterName(number), entries: [] }));
}

/** The kinds under which left-out entries are reported. The first match counts. */
const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [/\.(?:[ot]tf|woff2?|ttc)$/i, 'embedded font'],
  [/\.m?js$/i, 'script'],
  [/\.css$/i, 'style sheet'],
  [/\.(?:mp[34]|m4[av]|ogg|oga|ogv|opus|webm|wav|smil)$/i, 'media'],
  [/^META-INF\/signatures\.xml$/i, 'digital signature'],
];

function noteLeftOut({ container, log, used }: Work): void {
  for (const [key, { name }] of container.entries)
    if (!used.has(key)) log.note(LEFT_OUT.find(([pattern]) => pattern.test(name))?.[1] ?? 'unused part', name);
}

function writeBook(parts: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const type = Buffer.from(MIMETYPE, 'latin1');
  // This entry is the first and is not packed, so its bytes are at a fixed place of the file (EPUB 3.3, 4.2.6.3).
  const entries = new Map<string, PackedPart>([
    ['mimetype', { method: 0, data: type, crc: crc32(type), size: type.length }],
    ['META-INF/container.xml', packPart(CONTAINER_XML)],
  ]);
  for (const [name, bytes] of parts) entries.set(`OEBPS/${name}`, packPart(bytes));
  return writeZip(entries);
}
