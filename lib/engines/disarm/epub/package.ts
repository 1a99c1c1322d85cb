/** Reads the description of a book: its first rendition, with its parts, their order, and its table of contents (EPUB 3.3). */
import { EngineError, type EngineLimits } from '../../engine.ts';
import type { PackageContainer, PackageEntry } from '../office/package/container.ts';
import { childrenOf, readXml, textOf, type XmlElement } from '../xml/tree.ts';

const CONTAINER = 'meta-inf/container.xml';
const CONTAINER_SPACES = new Map([['urn:oasis:names:tc:opendocument:xmlns:container', '']]);
const PACKAGE_SPACES = new Map([
  ['http://www.idpf.org/2007/opf', ''],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
]);
const ENCRYPTION = 'meta-inf/encryption.xml';
const FONT = /^(?:application\/(?:vnd\.ms-opentype|font-|x-font)|font\/)|\.(?:[ot]tf|woff2?)$/i;

/** A file of the book, as its list names it. */
export interface BookItem {
  readonly id: string;
  /** Path in the package. */
  readonly path: string;
  readonly mediaType: string;
  readonly properties: readonly string[];
}

export interface Book {
  readonly title: string;
  readonly creators: readonly string[];
  readonly language: string;
  readonly direction: 'rtl' | 'ltr' | null;
  /** By lower-case path. */
  readonly items: ReadonlyMap<string, BookItem>;
  /** In the order in which they are read. */
  readonly spine: readonly { readonly item: BookItem; readonly isLinear: boolean }[];
  readonly cover: BookItem | null;
  /** The tables of contents, the newer form first. */
  readonly contents: readonly BookItem[];
  /** Lower-case names of the entries that describe the book. */
  readonly descriptions: ReadonlySet<string>;
}

/** Reads the description. Throws EngineError `unreadable` when its parts are missing or damaged, `encrypted` for a protected book. */
export async function readBook(container: PackageContainer, limits: EngineLimits): Promise<Book> {
  const list = readXml(await entryOf(container, CONTAINER).read(), limits, CONTAINER_SPACES).root;
  const rootFile = childrenOf(list, 'rootfiles')
    .flatMap((files) => childrenOf(files, 'rootfile'))
    .map(({ attributes }) => attributes.get('full-path') ?? '')
    .find((path) => path !== '');
  if (rootFile === undefined) throw new EngineError('unreadable', 'the book does not name its parts');
  const { root } = readXml(await entryOf(container, rootFile).read(), limits, PACKAGE_SPACES);
  if (root.key !== 'package') throw new EngineError('unreadable', 'the book has no list of its parts');
  const book = bookOf(root, rootFile);
  await checkEncryption(container, book, limits);
  return book;
}

function entryOf({ entries }: PackageContainer, path: string): PackageEntry {
  const entry = entries.get(path.toLowerCase());
  if (entry === undefined) throw new EngineError('unreadable', 'the book lacks a part that describes it');
  return entry;
}

function bookOf(root: XmlElement, rootFile: string): Book {
  const [metadata] = childrenOf(root, 'metadata');
  const [manifest] = childrenOf(root, 'manifest');
  const [spine] = childrenOf(root, 'spine');
  if (manifest === undefined || spine === undefined)
    throw new EngineError('unreadable', 'the book has no list of its parts');
  const all = childrenOf(manifest, 'item').flatMap((item) => itemOf(item, rootFile) ?? []);
  const byId = new Map(all.map((item) => [item.id, item]));
  const order = childrenOf(spine, 'itemref').flatMap(({ attributes }) => {
    const item = byId.get(attributes.get('idref') ?? '');
    return item === undefined ? [] : [{ item, isLinear: attributes.get('linear') !== 'no' }];
  });
  const said = (key: string) => (metadata === undefined ? [] : childrenOf(metadata, key).map((each) => words(each)));
  const language = said('dc:language')[0] ?? '';
  const direction = spine.attributes.get('page-progression-direction');
  const toc = byId.get(spine.attributes.get('toc') ?? '');
  return {
    title: said('dc:title')[0] ?? '',
    creators: said('dc:creator').filter((name) => name !== ''),
    language: /^[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,4}$/i.test(language) ? language : 'und',
    direction: direction === 'rtl' || direction === 'ltr' ? direction : null,
    items: new Map(all.map((item) => [item.path.toLowerCase(), item])),
    spine: order.filter(({ item }, at) => order.findIndex((other) => other.item === item) === at),
    cover: coverOf(all, byId, metadata),
    contents: [
      ...all.filter(({ properties }) => properties.includes('nav')),
      ...all.filter((item) => item === toc || item.mediaType === 'application/x-dtbncx+xml'),
    ],
    descriptions: new Set(['mimetype', CONTAINER, ENCRYPTION, rootFile.toLowerCase()]),
  };
}

const words = (element: XmlElement) =>
  textOf(element)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 1_000);

function itemOf({ attributes }: XmlElement, rootFile: string): BookItem | null {
  const path = pathAt(attributes.get('href') ?? '', rootFile);
  if (path === null) return null;
  return {
    id: attributes.get('id') ?? '',
    path,
    mediaType: (attributes.get('media-type') ?? '').trim().toLowerCase(),
    properties: (attributes.get('properties') ?? '').split(/\s+/),
  };
}

function coverOf(all: readonly BookItem[], byId: ReadonlyMap<string, BookItem>, metadata: XmlElement | undefined) {
  const named = all.find(({ properties }) => properties.includes('cover-image'));
  if (named !== undefined || metadata === undefined) return named ?? null;
  const meta = childrenOf(metadata, 'meta').find(({ attributes }) => attributes.get('name') === 'cover');
  return byId.get(meta?.attributes.get('content') ?? '') ?? null;
}

/**
 * Returns the path in the package of an address in one of its files, without its place in the file. Returns null for an address that leads
 * out.
 */
export function pathAt(href: string, from: string): string | null {
  const [untrusted = ''] = href.trim().split(/[?#]/, 1);
  if (untrusted === '' || /^[a-z][a-z0-9+.-]*:|^[/\\]|[\\\p{Cc}]/iu.test(untrusted)) return null;
  const steps = from.split('/').slice(0, -1);
  for (const step of decoded(untrusted).split('/')) {
    if (step === '..') {
      if (steps.pop() === undefined) return null;
    } else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A percent sign that starts no escape belongs to the name.
    return path;
  }
}

/**
 * Refuses encrypted parts. Fonts may be obfuscated, because they are left out. A book whose other parts are encrypted cannot be read here.
 */
async function checkEncryption(container: PackageContainer, book: Book, limits: EngineLimits): Promise<void> {
  const entry = container.entries.get(ENCRYPTION);
  if (entry === undefined) return;
  const { root } = readXml(await entry.read(), limits, new Map([['http://www.w3.org/2001/04/xmlenc#', 'enc']]));
  for (const uri of encryptedPaths(root)) {
    const item = book.items.get(decoded(uri).toLowerCase());
    if (!FONT.test(item?.mediaType ?? '') && !FONT.test(uri))
      throw new EngineError('encrypted', 'the book is protected, and only the program of its reader can open it');
  }
}

function encryptedPaths(element: XmlElement): string[] {
  const own = element.key === 'enc:CipherReference' ? [element.attributes.get('URI') ?? ''] : [];
  return [...own, ...childrenOf(element).flatMap(encryptedPaths)];
}
