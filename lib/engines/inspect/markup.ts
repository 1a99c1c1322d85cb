/** Inspects SVG drawings, OpenDocument packages, and XML data. */
import { type Fact, type Findings, namesOf, type Units, type ValueTest } from './fact.ts';
import { ODF_FACTS, SVG_FACTS } from './markup-facts.ts';
import { ADDRESSED, JUDGED_TEXTS, judgeOdfSetting, openAddresses } from './odf-content.ts';
import { inspectPicture } from './picture/picture.ts';
import { openTally, type WordTally } from './word-tally.ts';
import { hasForeignEncoding } from './xml/encoding.ts';
import { type XmlPlan, xmlPlan } from './xml/plan.ts';
import { scanXml } from './xml/scan.ts';
import { type InflateBudget, layoutFaults, openZip, readMember, type ZipArchive } from './zip-scan.ts';

interface MarkupSearch {
  readonly plan: XmlPlan;
  readonly elements: ReadonlyMap<string, string>;
  readonly attributes: ReadonlyMap<string, { readonly id: string; readonly value: ValueTest }[]>;
  readonly texts: ReadonlyMap<string, { readonly id: string; readonly isLive: (text: string) => boolean }>;
}

function searchOf(facts: readonly Fact[], skipped: string, counted = '', judged = ''): MarkupSearch {
  const elements = new Map<string, string>();
  const attributes = new Map<string, { id: string; value: ValueTest }[]>();
  for (const { id, find } of facts) {
    if (find.by === 'element') for (const name of namesOf(find.names.toLowerCase())) elements.set(name, id);
    if (find.by !== 'attribute') continue;
    for (const name of namesOf(find.names.toLowerCase())) {
      attributes.set(name, [...(attributes.get(name) ?? []), { id, value: find.value }]);
    }
  }
  const texts = new Map<string, { id: string; isLive: (text: string) => boolean }>();
  for (const { id, find } of facts)
    if (find.by === 'text') for (const name of namesOf(find.names)) texts.set(name, { id, isLive: find.isLive });
  const watched = `${[...elements.keys()].join(' ')} ${counted}`;
  const plan = xmlPlan({
    watched,
    attributes: [...attributes.keys()].join(' '),
    texts: `${[...texts.keys()].join(' ')} ${judged}`,
    skipped,
    allText: true,
  });
  return { plan, elements, attributes, texts };
}

/** Elements of drawings that show the content of their address. A link waits for a click. */
const DRAWN = `use image feimage pattern lineargradient radialgradient filter tref textpath mpath cursor font-face-uri glyphref altglyph
  color-profile`;
const IS_DRAWN = new Set(namesOf(DRAWN));
/** Something in the same drawing, or a picture in it. */
const IN_DRAWING = /^\s*(?:#|data:image\/(?:png|jpeg|gif|webp);base64,|$)/i;
/** Other elements that are not shown: Illustrator keeps its own file as letters in `pgf` and `aipgf`. */
const SVG = searchOf(SVG_FACTS, 'script style metadata foreignObject handler pgf aipgf', DRAWN);
/**
 * Elements of OpenDocument without words of the document. A flat file has its settings in it, a name and a number for each. Comments and
 * changes name their authors.
 */
const UNSHOWN = 'scripts script settings binary-data event-listeners object creator creator-initials sender-initials';
const ODF = searchOf(ODF_FACTS, UNSHOWN, `table page ${ADDRESSED}`, JUDGED_TEXTS);
/** Characters that programs drop before they read a scheme. */
const IGNORED = /[\p{Cc}\p{Cf}\s\u00ad]/gu;
/** Functions that run, call or load something, outside of texts. */
const LIVE_CALL = /(?:^|[^\w.])(?:call|register(?:\.id)?|exec|rtd|sql\.request)\s*\(/i;
/** Attributes that hold a formula, or a condition with one. */
const FORMULAS = /^(?:formula|condition|expression|value)$/;
/** The part that names the author of the document. */
const ABOUT = 'meta.xml';
const XML = searchOf([], '');
const EVENT_HANDLER = /<[^<>]{0,4000}[\s"'/:]on[a-z]{3,30}\s*=/i;

/** Counts the words of a drawing; with findings it also searches the drawing. */
export function readSvg(bytes: Uint8Array, tally: WordTally, findings: Findings | null): void {
  checkRoot(bytes, SVG_ROOT, findings);
  readMarkup(bytes, SVG, tally, findings, 'drawing');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').replaceAll('\0', '');
  if (findings !== null && EVENT_HANDLER.test(text)) findings.add('svg-event-handler', 'drawing');
}

/** Judges a picture in base64, as flat documents have it. A drawing is markup. */
function judgeInlinePicture(bytes: Uint8Array, where: string, findings: Findings): void {
  if (bytes[0] === 0x3c) readSvg(bytes, openTally(), findings);
  else if (!inspectPicture(bytes, findings, where)) findings.add('odf-foreign-part', `${where} <binary-data>`);
}

/** Counts the words of XML data; with findings it also searches for declarations on which programs act. */
export function readXmlData(bytes: Uint8Array, tally: WordTally, findings: Findings | null): void {
  checkRoot(bytes, ANY_ROOT, findings);
  readMarkup(bytes, XML, tally, findings, 'document');
}

const ANY_ROOT = /^[a-z_]/i;
const SVG_ROOT = /^(?:[\w.-]{1,40}:)?svg[\s/>]/;
const FLAT_ROOT = /^(?:[\w.-]{1,40}:)?document\s/;
/** Content that may come before the first element: a byte order mark, declarations and comments. */
const PROLOG =
  /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(?:\s|<\?[^>]{0,1000}\?>|<!--(?:(?!-->)[\s\S]){0,4000}-->|<![^>]{0,1000}>)*</;

/** Checks the root element. Programs read bytes without the root element of their format as another format. */
function checkRoot(bytes: Uint8Array, root: RegExp, findings: Findings | null): void {
  if (findings === null) return;
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1').replaceAll('\0', '');
  const prolog = PROLOG.exec(head)?.[0];
  if (prolog === undefined || !root.test(head.slice(prolog.length))) findings.add('xml-other-root', 'start');
}

const HEAD_BYTES = 16_384;
/**
 * The name of a table that keeps the values that a formula needs of another document: `'file:///a.ods'#$Sheet1`, or without the `$`. No
 * program shows it.
 */
const MIRROR = /^'[^\n]{1,4000}'#/;

function readMarkup(
  bytes: Uint8Array,
  { plan, elements, attributes, texts }: MarkupSearch,
  tally: WordTally | null,
  findings: Findings | null,
  where: string,
): Map<string, number> {
  const counts = new Map<string, number>();
  const isOdf = plan === ODF.plan && findings !== null;
  if (isOdf && hasForeignEncoding(bytes)) findings.add('xml-encoding', where);
  const addresses = isOdf ? openAddresses(where, findings) : null;
  /** A link to another program keeps its last values in a table without a name, which nobody sees. */
  let isBehindLink = false;
  scanXml(bytes, plan, {
    tally,
    declaration: (kind) => findings?.add(`xml-${kind}`, where),
    // A page of ours has none, and all of it is searched.
    isHidden: (name, untrustedAttributes) => {
      if (findings !== null) return false;
      isBehindLink ||= name === 'dde-link';
      if (name !== 'table') return false;
      const sheet = untrustedAttributes.get('name');
      const isCopy = sheet === undefined ? isBehindLink : MIRROR.test(sheet);
      isBehindLink = false;
      return isCopy;
    },
    element: (name, untrustedAttributes) => {
      addresses?.element(name, untrustedAttributes);
      // A chart in a flat file has its own table, which is not a sheet.
      if (untrustedAttributes.get('name') !== 'local-table') counts.set(name, (counts.get(name) ?? 0) + 1);
      const id = elements.get(name);
      if (id !== undefined) findings?.add(id, `${where} <${name}>`);
      if (plan === SVG.plan && IS_DRAWN.has(name) && !IN_DRAWING.test(untrustedAttributes.get('href') ?? ''))
        findings?.add('svg-remote-content', `${where} <${name}>`);
    },
    attribute: (name, value) => {
      if (name === 'href') addresses?.address(value);
      for (const fact of attributes.get(name) ?? [])
        if (fact.value.test(value) || fact.value.test(value.replace(IGNORED, '')))
          findings?.add(fact.id, `${where} ${name}`);
      if (FORMULAS.test(name) && LIVE_CALL.test(value.replace(/"(?:[^"]|"")*"?/g, '""')))
        findings?.add('odf-live-formula', `${where} ${name}`);
    },
    text: (name, text) => {
      const fact = texts.get(name);
      if (where === ABOUT && fact?.isLive(text)) findings?.add(fact.id, `${where} <${name}>`);
      if (isOdf && name === 'config-item') judgeOdfSetting(text, where, findings);
      if (isOdf && name === 'binary-data') judgeInlinePicture(Buffer.from(text, 'base64'), where, findings);
    },
  });
  addresses?.end();
  return counts;
}

/**
 * Counts the words and the sheets or slides of an OpenDocument package or flat file. With findings it also searches the file. Returns null
 * when the file is neither, or is encrypted.
 */
export function readOpenDocument(
  bytes: Uint8Array,
  tally: WordTally,
  budget: InflateBudget,
  findings: Findings | null,
): { readonly units: Units | null } | null {
  if (bytes[0] !== 0x50) return readFlat(bytes, tally, findings);
  const archive = openZip(bytes);
  if (archive === null) {
    findings?.add('zip-unreadable', 'archive');
    return null;
  }
  if (findings === null && isEncrypted(archive, budget)) return null;
  if (findings !== null) for (const id of layoutFaults(archive)) findings.add(id, 'archive');
  const mime = textOf(archive, 'mimetype', budget);
  const content = archive.members.find(({ name }) => name === 'content.xml');
  const counts =
    content === undefined
      ? null
      : readMarkup(readMember(archive, content, budget), ODF, tally, findings, 'content.xml');
  if (findings !== null) searchMembers(archive, budget, findings);
  // A template may consist only of its styles: programs open it as an empty document.
  if (content === undefined && archive.members.some(({ name }) => name === 'styles.xml')) return { units: null };
  return counts === null ? null : { units: unitsOf(mime, counts) };
}

/** Reads a document that is one XML file with its pictures. */
function readFlat(bytes: Uint8Array, tally: WordTally, findings: Findings | null): { readonly units: Units | null } {
  checkRoot(bytes, FLAT_ROOT, findings);
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1').replaceAll('\0', '');
  const mime = /office:mimetype\s*=\s*["']([^"']{1,100})/.exec(head)?.[1] ?? '';
  const shown = findings === null ? withoutProperties(bytes) : bytes;
  return { units: unitsOf(mime, readMarkup(shown, ODF, tally, findings, 'document')) };
}

/**
 * Returns an original without the data about itself in front of its body. A package has such data in a part of its own, and they are not
 * its words.
 */
function withoutProperties(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = '<office:meta>';
  const from = text.indexOf(start);
  const to = from === -1 ? -1 : text.indexOf('</office:meta>', from);
  const body = text.indexOf('<office:body');
  return to === -1 || body < to ? bytes : Buffer.concat([text.subarray(0, from + start.length), text.subarray(to)]);
}

/** Returns true for an encrypted package. Its parts cannot be read, so they have no words. */
function isEncrypted(archive: ZipArchive, budget: InflateBudget): boolean {
  return /encryption-data/.test(textOf(archive, 'META-INF/manifest.xml', budget));
}

function textOf(archive: ZipArchive, path: string, budget: InflateBudget): string {
  const member = archive.members.find(({ name }) => name === path);
  return member === undefined ? '' : Buffer.from(readMember(archive, member, budget)).toString('latin1');
}

function searchMembers(archive: ZipArchive, budget: InflateBudget, findings: Findings): void {
  for (const member of archive.members) {
    for (const { id, find } of ODF_FACTS)
      if (find.by === 'path' && find.path.test(member.name)) findings.add(id, member.name);
    if (member.name.endsWith('/') || /^(?:content\.xml|mimetype)$/.test(member.name)) continue;
    const content = readMember(archive, member, budget);
    if (/\.(?:xml|rdf)$/i.test(member.name)) readMarkup(content, ODF, null, findings, member.name);
    else if (/\.svg$/i.test(member.name)) readSvg(content, openTally(), findings);
    else if (!inspectPicture(content, findings, member.name)) findings.add('odf-foreign-part', member.name);
  }
}

function unitsOf(mime: string, counts: ReadonlyMap<string, number>): Units | null {
  if (/spreadsheet/.test(mime)) return { kind: 'sheets', count: counts.get('table') ?? 0 };
  return /presentation/.test(mime) ? { kind: 'slides', count: counts.get('page') ?? 0 } : null;
}
