/** OpenDocument: text, spreadsheets, presentations and drawings of LibreOffice and others. */

import { readZipMember, type ZipMember } from '../../../formats/archives/zip-directory.ts';
import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import { decodeMarked, textEncoding } from '../../../formats/charsets/text-encoding.ts';
import { isCompoundFile } from '../../../formats/compound/compound-file.ts';
import { EngineError, type Finding } from '../../engine.ts';
import { openZip } from '../archives/zip-integrity.ts';
import { readCompound } from '../compound-streams.ts';
import { isProgram } from '../findings/executable-kind.ts';
import { asFact, type FindingId, finding } from '../findings/findings.ts';
import { type Piece, type StaticFile, type StaticModule, VBA_SOURCE, type View } from '../findings/module.ts';
import { callsJava, EMBEDDED_DATABASE, isOrdinaryDatabase } from './embedded-database.ts';
import { judgeAddresses } from './open-document-links.ts';
import { isOrdinaryObject } from './ordinary-objects.ts';
import { arePlainMacros } from './plain/plain-macro.ts';
import { plainXml } from './plain-xml.ts';
import { unescapeXml } from './xml-escapes.ts';

const MAX_VIEWS = 60;

/**
 * The event of a letter, a fax or an agenda that starts the assistant of LibreOffice and OpenOffice, in the two ways in which they write
 * it. The document contains and passes no code: it only names an installed program. Any other attribute or sign makes it a listener like
 * any other.
 */
const ASSISTANT = /(?:Template|Gimmicks|Euro|FormWizard|ImportWizard)(?:\.\w{1,60}){2}/.source;
const OWN_ASSISTANT = new RegExp(
  `<script:event-listener(?=[^<>]{1,400}\\s(?:script:macro-name|xlink:href)=)(?:\\s(?:${[
    'script:language="ooo:(?:StarBasic|script)"',
    'script:event-name="[\\w:-]{1,60}"',
    'xlink:type="simple"',
    `script:macro-name="application:${ASSISTANT}"`,
    `xlink:href="vnd\\.sun\\.star\\.script:${ASSISTANT}\\?language=Basic&amp;location=application"`,
  ].join('|')})){1,5}\\s?/>`,
  'g',
);

/** The empty library of macros, or the empty list of libraries, that LibreOffice writes into every flat document. */
const EMPTY_LIBRARIES =
  /<office:script script:language="ooo:Basic">\s{0,99}<ooo:libraries(?:\sxmlns:\w{1,20}="[^"<>]{1,200}"){0,9}(?:\s?\/>|>\s{0,99}(?:<ooo:library-embedded ooo:name="\w{1,60}"\s?\/>\s{0,99}){0,9}<\/ooo:libraries>)\s{0,99}<\/office:script>/g;

/** Dangerous elements of the XML parts. An empty `<office:scripts/>` is in every file. */
const DANGEROUS_XML: readonly (readonly [RegExp, FindingId])[] = [
  [
    // Templates list the events of a document with empty actions.
    // A listener was called an event before OpenDocument, and programs still read it.
    /<(?:script:event(?:-listener)?(?:(?=[^<>]*macro-name\s*=\s*["'][^"'])|(?![^<>]*\sxlink:href=""\s*\/?>))|presentation:event(?:-listener)?(?=[^<>]*(?:execute|run-program|verb))|office:script|text:script|text:execute-macro)[\s>]/,
    'office-custom-code',
  ],
  [
    /<(?:draw:applet|draw:floating-frame)[\s/>]|<draw:plugin(?![^<>]*\sdraw:mime-type="application\/vnd\.sun\.star\.media")[\s/>]/,
    'office-embedded-object',
  ],
  [/<(?:text:dde-connection|table:dde-link|office:dde-source)|\bDDE\s*\(/, 'office-dde'],
  [/\bWEBSERVICE\s*\(/, 'office-dangerous-formula'],
  // Programs know functions in small letters, too. In running text, these are words.
  [/\bformula\s*=\s*(?:"[^"<>]*?\bdde\s*\(|'[^'<>]*?\bdde\s*\()/i, 'office-dde'],
  [/\bformula\s*=\s*(?:"[^"<>]*?\bwebservice\s*\(|'[^'<>]*?\bwebservice\s*\()/i, 'office-dangerous-formula'],
  // Manifests of older programs, and all parts of OpenOffice.org 1, name their DTD and declare nothing.
  [/<!DOCTYPE(?!\s[\w:.-]{1,40}\sPUBLIC\s"[^"<>]{0,100}"\s"[\w.-]{1,40}">)/i, 'xml-doctype'],
];

export const openDocumentModule: StaticModule = {
  name: 'open document',
  accepts: (type) => type.startsWith('application/vnd.oasis.opendocument.'),
  run: (file) => {
    // A flat document is one XML file with everything in it.
    if (file.type.type.endsWith('-flat-xml')) {
      const part: View = { where: 'content.xml', bytes: file.bytes };
      return { ...judgePart(part, NO_FACTS), views: [] };
    }
    const { members, findings } = openZip(file);
    const parts = readParts(file, members);
    const manifest = parts.find(({ where }) => where === 'META-INF/manifest.xml');
    if (manifest !== undefined && decodeMarked(manifest.bytes).includes('encryption-data')) {
      throw new EngineError('encrypted', 'the document needs a password');
    }
    const views = parts
      .filter(({ where }) => !/\.(?:xml|rdf|png|jpe?g|gif)$|^mimetype$/i.test(where))
      .slice(0, MAX_VIEWS);
    const facts = factsOf(file, parts);
    const judged = parts.map((part) => judgePart(part, facts));
    return {
      findings: [...findings, ...judged.flatMap((part) => part.findings)],
      views,
      pieces: parts.flatMap(pieceOf).slice(0, MAX_VIEWS),
      // A template may consist only of its styles.
      understood:
        judged.every(({ understood }) => understood) &&
        parts.some(({ where }) => where === 'content.xml' || where === 'styles.xml'),
    };
  },
};

function readParts({ bytes, limits }: StaticFile, members: readonly ZipMember[]): View[] {
  let left = limits.inflatedBytes;
  return members
    .filter(({ untrustedName }) => !untrustedName.endsWith('/'))
    .map((member) => {
      if (member.size > left)
        throw new EngineError('oversize', `the document inflates to more than ${limits.inflatedBytes} bytes`);
      const content = readZipMember(bytes, member, Math.max(1, left));
      if (content === null) throw new EngineError('unreadable', 'a part of the document cannot be unpacked');
      left -= content.length;
      return { where: member.untrustedName, bytes: content };
    });
}

const PICTURE_OF_CHART = Buffer.from('VCLMTF', 'latin1');

/** Returns the pieces of a part: macro source, which is escaped as XML, or a file in the package. */
function pieceOf({ where, bytes }: View): Piece[] {
  if (/^Basic\//i.test(where) && /\.xml$/i.test(where) && !/(?:^|\/)script-l[bc]\.xml$/i.test(where)) {
    const source = unescapeXml(decodeMarked(bytes));
    return [
      {
        where,
        bytes: Buffer.from(source),
        kind: 'deobfuscated_code',
        untrustedName: 'module.bas',
        type: VBA_SOURCE,
        scope: 'code',
      },
    ];
  }
  // The picture that LibreOffice keeps of each chart, in its own format of drawings.
  if (/^ObjectReplacements\/[^/.]*$/.test(where) && PICTURE_OF_CHART.equals(bytes.subarray(0, PICTURE_OF_CHART.length)))
    return [];
  const isFile =
    isProgram(bytes) || isCompoundFile(bytes) || /^(?:Scripts|Object [^/]*$|ObjectReplacements)/i.test(where);
  const untrustedName = where.slice(where.lastIndexOf('/') + 1);
  return isFile ? [{ where, bytes, kind: 'extracted_file', untrustedName, scope: 'file' }] : [];
}

/** The address of the database in the document, as `plainXml` spells it. */
const OWN_DATABASE = ` xlink:href="${EMBEDDED_DATABASE}"`;

interface JudgedPart {
  readonly findings: readonly Finding[];
  readonly understood: boolean;
}

const NO_FACTS: ReadonlySet<string> = new Set();
/** Objects are compound files under any name, or have the name that programs give to them. */
const isObject = ({ where, bytes }: View) => /^Object [^/]*$/.test(where) || isCompoundFile(bytes);
const isMacro = (where: string) => /^(?:Basic|Scripts)\//i.test(where) && !/(?:^|\/)script-l[bc]\.xml$/i.test(where);

/** A module of Basic: its text, and no element and no other beside it. */
const MODULE = new RegExp(
  [
    /^[^<]{0,9}(?:<\?xml[^<>]{0,200}>\s*)?(?:<!DOCTYPE[^<>]{0,300}>\s*)?/,
    /<script:module\s[^<>]{1,600}>([^<]*)<\/script:module>\s*$/,
  ]
    .map(({ source }) => source)
    .join(''),
);

/**
 * Returns the findings that are facts in this document: macros that cannot act, and objects of an ordinary class. No code here reads
 * scripts of other languages.
 */
function factsOf({ limits }: StaticFile, parts: readonly View[]): ReadonlySet<string> {
  const macros = parts.filter(({ where }) => isMacro(where));
  const objects = parts.filter(isObject);
  const sources = macros.flatMap(({ where, bytes }) => {
    const source = /^Basic\//i.test(where) ? MODULE.exec(decodeMarked(bytes))?.[1] : undefined;
    return source === undefined ? [] : unescapeXml(source);
  });
  const arePlain = macros.length > 0 && sources.length === macros.length && arePlainMacros(sources);
  const isOrdinary = ({ bytes }: View) => isCompoundFile(bytes) && isOrdinaryObject(readCompound(bytes, limits), '');
  return new Set<FindingId>([
    ...(arePlain ? (['office-custom-code'] as const) : []),
    ...(objects.length > 0 && objects.every(isOrdinary) ? (['office-embedded-object'] as const) : []),
    ...(isOrdinaryDatabase(parts) ? (['office-data-connection'] as const) : []),
  ]);
}

/**
 * A button of a form or a picture that starts a macro of this document on a click. Events of the document itself start it without
 * one.
 */
const CLICK = new RegExp(
  `<script:event-listener(?:\\s(?:${[
    'script:language="ooo:script"',
    'xlink:type="simple"',
    'script:event-name="(?:form:(?:performaction|itemstatechange|textchange)|dom:(?:click|mousedown|mouseup|change))"',
    'xlink:href="vnd\\.sun\\.star\\.script:[\\w.]{1,200}\\?language=Basic&amp;location=document"',
  ].join('|')})){4}\\s?/>`,
  'g',
);

function judgePart({ where, bytes }: View, facts: ReadonlySet<string>): JudgedPart {
  const only = (...findings: readonly Finding[]) => ({ findings, understood: true });
  if (isProgram(bytes)) return only(finding('office-embedded-program', where));
  // LibreOffice writes empty lists of libraries for a document that once had a macro. Only modules run.
  const weigh = (one: Finding) => (facts.has(one.id) ? asFact(one) : one);
  if (isMacro(where)) return only(weigh(finding('office-custom-code', where)));
  if (!/\.xml$/i.test(where)) return only();
  const encoding = textEncoding(bytes);
  const { text, isUnderstood } = plainXml(decodeCharset(bytes, encoding ?? 'windows-1252'));
  const withClicks = text.replace(OWN_ASSISTANT, '').replace(EMPTY_LIBRARIES, '');
  const hasPlainCode = facts.has('office-custom-code');
  const plain = hasPlainCode ? withClicks.replace(CLICK, '') : withClicks;
  const findings = DANGEROUS_XML.filter(([pattern]) => pattern.test(plain)).map(([, id]) => finding(id, where));
  const objects = /<draw:object-ole[\s/>]/.test(plain) ? [weigh(finding('office-embedded-object', where))] : [];
  const isOwnData = facts.has('office-data-connection') && plain.includes(OWN_DATABASE) && !callsJava(plain);
  const database = isOwnData ? [asFact(finding('office-data-connection', where, EMBEDDED_DATABASE))] : [];
  const addresses = judgeAddresses(where, isOwnData ? plain.replaceAll(OWN_DATABASE, '') : plain);
  return {
    findings: [...findings, ...objects, ...database, ...addresses],
    understood: isUnderstood && encoding !== null,
  };
}
