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
import type { Piece, StaticFile, StaticModule, View } from '../findings/module.ts';
import { callsJava, EMBEDDED_DATABASE, isOrdinaryDatabase } from './embedded-database.ts';
import { judgeAddresses } from './open-document-links.ts';
import {
  flatPieces,
  isMacro,
  type MacroState,
  macroPiece,
  macrosOfFlat,
  macrosOfPackage,
  withoutClicks,
  withoutLibraries,
} from './open-document-macros.ts';
import { isOrdinaryObject } from './ordinary-objects.ts';
import { plainXml } from './plain-xml.ts';

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
      const { text } = plainXml(decodeMarked(file.bytes));
      const facts = factsOf(file, [], macrosOfFlat(text));
      return {
        ...judgePart({ where: 'content.xml', bytes: file.bytes }, facts, true),
        views: [],
        pieces: flatPieces(text).slice(0, MAX_VIEWS),
      };
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
    const facts = factsOf(file, parts, macrosOfPackage(parts));
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
  if (/^Basic\//i.test(where) && /\.xml$/i.test(where) && isMacro({ where, bytes }))
    return [macroPiece({ where, bytes })];
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

/** Objects are compound files under any name, or have the name that programs give to them. */
const isObject = ({ where, bytes }: View) => /^Object [^/]*$/.test(where) || isCompoundFile(bytes);

/** Returns the findings that are facts in this document: macros that cannot act, objects of an ordinary class, and databases of its own. */
function factsOf({ limits }: StaticFile, parts: readonly View[], macros: MacroState): ReadonlySet<string> {
  const objects = parts.filter(isObject);
  const isOrdinary = ({ bytes }: View) => isCompoundFile(bytes) && isOrdinaryObject(readCompound(bytes, limits), '');
  return new Set<FindingId>([
    ...(macros === 'any' ? [] : (['office-custom-code'] as const)),
    ...(objects.length > 0 && objects.every(isOrdinary) ? (['office-embedded-object'] as const) : []),
    ...(isOrdinaryDatabase(parts) ? (['office-data-connection'] as const) : []),
  ]);
}

const HOLDS_CODE = /<ooo:source-code>|="vnd\.sun\.star\.script:/;

function judgePart({ where, bytes }: View, facts: ReadonlySet<string>, isFlat = false): JudgedPart {
  const only = (...findings: readonly Finding[]) => ({ findings, understood: true });
  if (isProgram(bytes)) return only(finding('office-embedded-program', where));
  // LibreOffice writes empty lists of libraries for a document that once had a macro. Only modules run.
  const weigh = (one: Finding) => (facts.has(one.id) ? asFact(one) : one);
  if (isMacro({ where, bytes })) return only(weigh(finding('office-custom-code', where)));
  if (!/\.xml$/i.test(where)) return only();
  const encoding = textEncoding(bytes);
  const { text, isUnderstood } = plainXml(decodeCharset(bytes, encoding ?? 'windows-1252'));
  const isPlain = facts.has('office-custom-code');
  const withClicks = text.replace(OWN_ASSISTANT, '');
  const plain = withoutLibraries(isPlain ? withoutClicks(withClicks) : withClicks, isPlain && isFlat);
  const findings = DANGEROUS_XML.filter(([pattern]) => pattern.test(plain)).map(([, id]) => finding(id, where));
  const code = isPlain && HOLDS_CODE.test(withClicks) ? [asFact(finding('office-custom-code', where))] : [];
  const objects = /<draw:object-ole[\s/>]/.test(plain) ? [weigh(finding('office-embedded-object', where))] : [];
  const isOwnData = facts.has('office-data-connection') && plain.includes(OWN_DATABASE) && !callsJava(plain);
  const database = isOwnData ? [asFact(finding('office-data-connection', where, EMBEDDED_DATABASE))] : [];
  const addresses = judgeAddresses(where, isOwnData ? plain.replaceAll(OWN_DATABASE, '') : plain);
  return {
    findings: [...findings, ...code, ...objects, ...database, ...addresses],
    understood: isUnderstood && encoding !== null,
  };
}
