/**
 * Searches Office packages (OOXML, OpenDocument): relationships that lead out of the file, fields and formulas with links, and codes
 * in the pictures. The package is opened elsewhere, like any other archive.
 */
import type { Allowance, Unpack, UnpackedMember } from '../../../formats/archives/unpacking.ts';
import { decodeText } from '../../../formats/charsets/decode-text.ts';
import { runAsync, type Steps } from '../../../formats/steps.ts';
import type { DiscoveredUrl } from '../../model.ts';
import { htmlRegionSteps } from '../html/html.ts';
import { createLinkSet, type LinkSet, searchOf } from '../link-set.ts';
import { linksWritten } from './binary.ts';
import { linksOfCodes } from './codes.ts';
import { distinct, isOneOf, type Search, type SearchTools, type UrlExtractor, type UrlSource } from './source.ts';
import { readInside } from './source-map.ts';
import { pdf } from './source-pdf.ts';

const TYPES =
  /^application\/(?:vnd\.(?:openxmlformats|ms-(?:word|excel|powerpoint|visio)|oasis\.opendocument)[a-z0-9.+-]*|vnd\.ms-xpsdocument|oxps|epub\+zip|vnd\.google-earth\.kmz|vnd\.apple\.iwork[a-z.]*)$/i;
const EXTENSIONS =
  /^(?:(?:doc|dot|xls|xlt|ppt|pot|pps|vsd)[xm]|xlsb|xlam|ppam|od[tspgf]|ot[tsp]|xps|oxps|epub|kmz|pages|numbers|key)$/;
const ZIP = 'PK\x03\x04';

/** Limits against a package of ten thousand parts, a part of gigabytes, and pictures without end. */
const ALLOWANCE: Omit<Allowance, 'workMs'> = {
  members: 5_000,
  bytes: 96 * 1024 * 1024,
  memberBytes: 24 * 1024 * 1024,
  ratio: 1_000,
  passwordTries: 0,
};
const MAX_PICTURES = 50;
const MAX_MS = 10_000;

export const officePackage: UrlExtractor = {
  name: 'office-package',
  accepts: (source) =>
    isFlat(source) ||
    (isOneOf(source, TYPES, EXTENSIONS) && Buffer.from(source.bytes.subarray(0, 4)).toString('latin1') === ZIP),
  async find(source, tools) {
    if (tools.unpack === null) return { urls: [], notSearched: ['the links of an Office file'] };
    const members = isFlat(source)
      ? flatMembers(source.bytes, tools)
      : await zipMembers(source.bytes, tools, tools.unpack);
    if (members === null)
      return { urls: [], notSearched: ['all of an Office file: it could not be opened as a whole'] };
    const notSearched = members.isWhole ? [] : ['all of an Office file: it could not be opened as a whole'];
    return searchMembers(members.list, notSearched, tools);
  },
};

interface Members {
  readonly list: readonly UnpackedMember[];
  readonly isWhole: boolean;
}

async function zipMembers(bytes: Uint8Array, tools: SearchTools, unpack: Unpack): Promise<Members> {
  const allowance = { ...ALLOWANCE, workMs: Math.min(MAX_MS, tools.workLeftMs()) };
  const { outcome, members } = await unpack({ format: 'zip', bytes, untrustedName: null, passwords: [], allowance });
  return { list: members, isWhole: outcome === 'opened' };
}

/** Returns true for a package, or a document of Office 2003, that is one XML file. Its root tells its type, so nothing else comes here. */
const isFlat = ({ detectedType }: UrlSource) => FLAT.test(detectedType);
const FLAT = /^application\/x-(?:flat-opc|spreadsheetml|wordml)$/;
/** The name under which a picture of such a package is searched, and the name for all of its markup. */
const FLAT_PICTURE =
  /<(?:[\w.-]{1,40}:)?part\s[^<>]{0,2000}?name\s*=\s*["']([^"'<>]{1,500}\.(?:png|jpe?g|gif|bmp|tiff?|webp))["'][^<>]{0,2000}>\s{0,99}<(?:[\w.-]{1,40}:)?binaryData[^<>]{0,200}>([^<]*)/gi;
const FLAT_MARKUP = 'package.rels.xml';

/** Returns the markup of the whole file as one part, and each picture. Returns null when it is too long to be searched. */
function flatMembers(bytes: Uint8Array, { limits }: SearchTools): Members | null {
  if (bytes.length > limits.textBytes) return null;
  const pictures = Array.from(decodeText(bytes, null).matchAll(FLAT_PICTURE), ([, name = '', content = '']) => ({
    path: name,
    untrustedNames: [name],
    bytes: new Uint8Array(Buffer.from(content, 'base64')),
  }));
  return { list: [{ path: '1', untrustedNames: [FLAT_MARKUP], bytes }, ...pictures], isWhole: true };
}

async function searchMembers(
  members: readonly UnpackedMember[],
  notSearched: readonly string[],
  tools: SearchTools,
): Promise<Search> {
  const links = await runAsync(linkSteps(members, tools));
  const codes = await codesOfPictures(members, tools);
  const previews = await linksOfPreviews(members, tools);
  return {
    urls: distinct([...links.urls, ...codes.urls, ...previews.urls]),
    notSearched: [...notSearched, ...links.notSearched, ...codes.notSearched, ...previews.notSearched],
  };
}

const nameOf = (member: UnpackedMember) => member.untrustedNames[0] ?? '';

/** Links that a program opens, and links that are merely written somewhere. Names of vocabularies are left out of the latter. */
interface Links {
  readonly opened: LinkSet;
  readonly written: LinkSet;
}

/** Returns the links of all parts. Other work may run between two parts. */
function* linkSteps(members: readonly UnpackedMember[], { limits, workLeftMs }: SearchTools): Steps<Search> {
  const links: Links = { opened: createLinkSet(limits), written: linksWritten(limits) };
  let sinceTurn = 0;
  for (const member of members) {
    if (workLeftMs() <= 0)
      return { urls: searchOf([links.opened, links.written], '').urls, notSearched: [OUT_OF_TIME] };
    yield* linksOfMember(member, links);
    sinceTurn += member.bytes.length;
    if (sinceTurn < TURN_BYTES) continue;
    yield;
    sinceTurn = 0;
  }
  return searchOf([links.opened, links.written], 'all of an Office file');
}

/** Returns the previews of documents of Apple's programs. They are delivered instead of these documents. */
async function linksOfPreviews(members: readonly UnpackedMember[], tools: SearchTools): Promise<Search> {
  const urls: DiscoveredUrl[] = [];
  const notSearched: string[] = [];
  for (const member of members.filter((each) => /(?:^|\/)preview\.pdf$/i.test(nameOf(each)))) {
    const found = await pdf.find({ ...NO_HINTS, bytes: member.bytes }, tools);
    urls.push(...found.urls);
    notSearched.push(...found.notSearched);
  }
  return { urls, notSearched };
}

const NO_HINTS = {
  detectedType: 'application/pdf',
  declaredType: '',
  extensions: [],
  charset: null,
  base: null,
  isDelSp: false,
  isData: false,
} as const;

/** Bytes of parts after which other work may run. */
const TURN_BYTES = 512 * 1024;
const OUT_OF_TIME = 'all of an Office file: the time for searching URLs was over';

/** Searches a part by its name. The parts of binary workbooks (.bin) are not searched: their links are relationships. */
function* linksOfMember(member: UnpackedMember, links: Links): Steps<void> {
  const name = nameOf(member).toLowerCase();
  if (!/\.(?:rels|xml|xhtml|html?|vml|fpage|fdseq|opf|ncx|svg|kml)$/.test(name)) return;
  const xml = new TextDecoder(isUtf16(member.bytes) ? 'utf-16le' : 'utf-8').decode(member.bytes);
  if (name.endsWith('.rels') || name === FLAT_MARKUP) addRelationships(xml, links.opened);
  if (!name.endsWith('.rels')) yield* linksOfXml(xml, links);
  if (name.startsWith('visio/') || name.endsWith('.fpage') || name === FLAT_MARKUP) linksOfValues(xml, links.written);
  if (name.endsWith('.kml')) yield* linksOfXml(readInside(xml), links);
}

/** Searches the cells of a drawing. They have their addresses in attribute values that are no links in any other file. */
function linksOfValues(xml: string, written: LinkSet): void {
  for (const match of xml.matchAll(/=\s*(?:"([^"]{7,})"|'([^']{7,})')/g)) {
    const value = plain(match[1] ?? match[2] ?? '');
    if (/[:\\/]/.test(value)) written.addText(value, { where: 'document', rank: 0 }, true);
  }
}

function isUtf16(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff || bytes[1] === 0;
}

const RELATIONSHIP = /<(?:[\w-]+:)?Relationship\s([^>]*)>/gi;
const ATTRIBUTE = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Adds targets outside the package (ECMA-376 part 2 §9.3). An absolute target leads out in any mode. */
function addRelationships(xml: string, opened: LinkSet): void {
  for (const match of xml.matchAll(RELATIONSHIP)) {
    if (opened.isFull()) return;
    const attributes = new Map<string, string>();
    for (const [, name = '', double, single] of (match[1] ?? '').matchAll(ATTRIBUTE))
      attributes.set(name.toLowerCase(), plain(double ?? single ?? ''));
    const target = attributes.get('target') ?? '';
    const isExternal = attributes.get('targetmode')?.toLowerCase() === 'external';
    // A click follows a hyperlink. Templates, pictures and frames are fetched when the file is opened.
    const rank = /\/hyperlink$/i.test(attributes.get('type') ?? '') ? 0 : 1;
    if (isExternal || /^[a-z][a-z0-9+.-]+:|^\\\\/i.test(target))
      opened.add(target.replace(/^(?:mhtml|html):/i, ''), { where: 'document', rank });
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function plain(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Field instructions, which runs may cut in pieces, and formulas. */
const FIELD_TEXT =
  /<(?:w:|)instrText[^>]*>([^<]*)<\/|<(?:[\w-]+:)?f(?:\s[^>]*)?>([^<]*)<\/|<w:fldSimple\s[^>]*w:instr\s*=\s*"([^"]*)"/gi;

function* linksOfXml(xml: string, { opened, written }: Links): Steps<void> {
  const field = { where: 'document', rank: 0 } as const;
  yield* linksOfFields(xml, opened);
  yield;
  // Words cut by markup are joined in the same way as on a page.
  let done = 0;
  for (const region of (yield* htmlRegionSteps(xml)).regions) {
    if (written.isFull()) return;
    const text = region.value.text;
    if (region.kind !== 'link') written.addText(text, { where: 'document', rank: 2 }, true);
    else if (/^\s*[a-z][a-z0-9+.-]+:/i.test(text)) written.add(text, field);
    if (++done % REGIONS_PER_STEP === 0) yield;
  }
}

const REGIONS_PER_STEP = 20_000;
const FIELDS_PER_STEP = 20_000;

function* linksOfFields(xml: string, opened: LinkSet): Steps<void> {
  const field = { where: 'document', rank: 0 } as const;
  const fields: string[] = [];
  for (const match of xml.matchAll(FIELD_TEXT)) {
    const text = plain(match[1] ?? match[2] ?? match[3] ?? '');
    opened.addText(text, field, true);
    fields.push(text);
    if (fields.length % FIELDS_PER_STEP === 0) yield;
  }
  // All pieces are joined once, because an instruction may be cut anywhere.
  opened.addText(fields.join(''), field, true);
}

async function codesOfPictures(members: readonly UnpackedMember[], tools: SearchTools): Promise<Search> {
  const pictures = members.filter((member) => /\.(?:png|jpe?g|gif|bmp|tiff?|webp)$/i.test(nameOf(member)));
  const urls: DiscoveredUrl[] = [];
  const notSearched = new Set(pictures.length > MAX_PICTURES ? ['all pictures of an Office file, for codes'] : []);
  for (const { bytes } of pictures.slice(0, MAX_PICTURES)) {
    const found = await linksOfCodes({ kind: 'picture', bytes }, tools);
    urls.push(...found.urls);
    for (const words of found.notSearched) notSearched.add(words);
  }
  return { urls, notSearched: [...notSearched] };
}
