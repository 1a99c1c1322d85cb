/** Office Open XML: Word, Excel and PowerPoint files of 2007 and later, and Visio files of 2013 and later. */

import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import { textEncoding } from '../../../formats/charsets/text-encoding.ts';
import { isCompoundFile } from '../../../formats/compound/compound-file.ts';
import type { EngineLimits, Finding } from '../../engine.ts';
import type { Compound } from '../compound-streams.ts';
import { isProgram } from '../findings/executable-kind.ts';
import { asFact, finding } from '../findings/findings.ts';
import type { ModuleResult, Piece, StaticModule, View } from '../findings/module.ts';
import { codesInPictures, type Picture } from '../pictures/codes.ts';
import { judgeBinaryWorkbook } from './binary-workbook.ts';
import { isOfField, judgeDocuments } from './documents.ts';
import { judgeMacroSheets } from './macro-sheets.ts';
import { judgeRelationships } from './office-relationships.ts';
import { readObjects } from './ole-package.ts';
import { type CodeInPackage, judgePartText } from './open-xml-text.ts';
import { type BinaryParts, factsOf, readBinaryParts } from './ordinary-parts.ts';
import { type OpenPackage, openFlatPackage, openPackage, type Relationship } from './package-parts.ts';
import { plainXml } from './plain-xml.ts';
import { judgeMashups } from './power-query/mashup.ts';
import type { VbaProject } from './vba.ts';

const OPEN_XML =
  /^application\/vnd\.(?:openxmlformats-officedocument\.|ms-(?:word|excel|powerpoint)\..*macroenabled|ms-xpsdocument$|ms-visio\.)/;
/** A package in one XML file. */
const FLAT = 'application/x-flat-opc';
/** How deep packages may be nested. A chart holds one workbook, and ordinary documents have no more levels. */
const MAX_NESTING = 3;
/** The most binary parts and custom data that the rules get. The texts are judged here. */
const MAX_VIEWS = 60;

/** Content types that only dangerous parts have. The name of such a part and the relationship to it can be harmless. */
const DANGEROUS_CONTENT: readonly (readonly [RegExp, Parameters<typeof finding>[0]])[] = [
  [/vbaproject|vbadata/, 'office-macro'],
  [/macrosheet(?:\+xml)?$|dialogsheet(?:\+xml)?$/, 'office-xlm-macro'],
  [/activex/, 'office-activex'],
  [/keymapcustomizations|attachedtoolbars|webextension/, 'office-add-in'],
  [/^(?:text\/html|application\/rtf|message\/rfc822|application\/x-mso)/, 'office-alternative-content'],
  [/(?:connections|querytable|externallink)(?:\+xml)?$/, 'office-data-connection'],
];

export const openXmlModule: StaticModule = {
  name: 'open-xml',
  accepts: (type) => OPEN_XML.test(type) || type === FLAT,
  run: async (file) => {
    const open = file.type.type === FLAT ? openFlatPackage : openPackage;
    const opened = open(file.bytes, file.limits);
    const result = judgePackage(opened, file.limits, 0);
    const codes = await codesInPictures(picturesOf(opened));
    return {
      ...result,
      findings: [...result.findings, ...codes.findings],
      views: [...result.views, ...codes.views],
    };
  },
};

/** Returns the pictures that the document shows, in which codes are searched. */
function picturesOf({ parts }: OpenPackage): Picture[] {
  return [...parts]
    .filter(([name]) => /^(?:[^/]+\/)?media\/[^/]+\.(?:png|jpe?g|gif|bmp|webp|tiff?)$/.test(name))
    .map(([where, bytes]) => ({ where, bytes }));
}

function judgePackage(opened: OpenPackage, limits: EngineLimits, nesting: number): ModuleResult {
  const relationships = judgeRelationships(opened);
  const binaryParts = readBinaryParts(opened, limits);
  const facts: ReadonlySet<string> = factsOf(opened, binaryParts);
  const binary = judgeBinaryWorkbook(opened);
  const macros = judgeMacroSheets(opened);
  const queries = judgeMashups(opened, limits);
  const types = [...opened.contentTypes].flatMap((type) =>
    DANGEROUS_CONTENT.filter(([pattern]) => pattern.test(type)).map(([, id]) => finding(id, '[content_types].xml')),
  );
  const hasCode = mayHoldCode(opened, [...relationships.findings, ...types]);
  const formControls = idsOf(opened, ({ kind, isExternal }) => kind === 'ctrlprop' && !isExternal);
  const links = idsOf(opened, ({ kind, isExternal }) => kind === 'hyperlink' && isExternal);
  const parts = [...opened.parts].map(([name, content]) => {
    const list = listOf(name);
    const ids = { formControls: formControls.get(list) ?? NO_IDS, links: links.get(list) ?? NO_IDS };
    return judgePart(name, content, { limits, nesting, code: codeOf(hasCode, facts), binaryParts, ...ids });
  });
  // The package lists keys. A part of this kind extends Office itself.
  const extendsOffice = parts.some(({ findings }) => findings.some(({ id }) => id === 'office-add-in'));
  const isFact = ({ id }: Finding) => facts.has(id) && !(id === 'office-add-in' && extendsOffice);
  const own = [
    ...opened.findings,
    ...relationships.findings,
    ...types,
    ...macros.findings,
    ...binary.findings,
    ...parts.flatMap((part) => part.findings),
  ];
  return {
    findings: [
      ...own.map((one) => (isFact(one) ? asFact(one) : one)),
      ...queries,
      ...parts.flatMap((part) => part.inner ?? []),
    ],
    views: [...binary.views, ...macros.views, ...parts.flatMap((part) => part.views)].slice(0, MAX_VIEWS),
    pieces: parts.flatMap((part) => part.pieces ?? []),
    understood:
      relationships.understood && binary.understood && hasMainPart(opened) && parts.every((part) => part.understood),
  };
}

function codeOf(hasCode: boolean, facts: ReadonlySet<string>): CodeInPackage {
  if (!hasCode) return 'none';
  return facts.has('office-macro') ? 'plain' : 'any';
}

/**
 * Returns false when nothing in the package can be code: no dangerous kind of part, no link that loads anything, no compound file. Then a
 * button can name any macro of its own document.
 */
function mayHoldCode(opened: OpenPackage, found: readonly Finding[]): boolean {
  return found.length > 0 || [...opened.parts.values()].some(isCompoundFile);
}

function hasMainPart({ parts, relationships }: OpenPackage): boolean {
  const main = relationships.find(({ kind, from }) => /^(?:office)?document$/.test(kind) && from === '_rels/.rels');
  return main !== undefined && parts.has(main.untrustedTarget.toLowerCase().replace(/^\/+/, ''));
}

interface PartContext {
  readonly limits: EngineLimits;
  /** How many packages stand around this one. */
  readonly nesting: number;
  readonly code: CodeInPackage;
  readonly binaryParts: BinaryParts;
  /** The ids that the part has for boxes and buttons of a form, which hold a state and no code. */
  readonly formControls: ReadonlySet<string>;
  /** The ids that the part has for links, which lead anywhere. */
  readonly links: ReadonlySet<string>;
}

const NO_IDS: ReadonlySet<string> = new Set();

/** Returns the part with the relationships of a part. */
const listOf = (name: string) => name.replace(/[^/]*$/, '_rels/$&.rels');

/** Returns the ids of the relationships of a kind, by the part that lists them. */
function idsOf(
  { relationships }: OpenPackage,
  isWanted: (one: Relationship) => boolean,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const one of relationships.filter(isWanted)) found.set(one.from, (found.get(one.from) ?? new Set()).add(one.id));
  return found;
}

/** `inner`: the findings in a package or a document within the package, which is judged by its own parts. */
interface PartResult extends ModuleResult {
  readonly inner?: readonly Finding[];
}

function judgePart(name: string, content: Uint8Array, context: PartContext): PartResult {
  const { limits, nesting, binaryParts } = context;
  if (isProgram(content)) return result([finding('office-embedded-program', name)], [], [filePiece(name, content)]);
  const [object, project] = [binaryParts.objects.get(name), binaryParts.projects.get(name)];
  if (object !== undefined) return judgeObject(name, object, limits);
  if (project !== undefined) return judgeProject(name, project);
  if (content[0] === 0x50 && content[1] === 0x4b) return judgeNestedPackage(name, content, limits, nesting);
  if (/\.(?:xml|rels|vml)$/.test(name) || looksLikeXml(content)) return judgeText(name, content, context);
  return result([], /^(?:[^/]+\/)?(?:media|fonts)\//.test(name) ? [] : [{ where: name, bytes: content }]);
}

const BEFORE_XML = new Set([0x00, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff]);

/** Returns true for a part that starts like XML, behind any blanks. The content type decides what is XML, and it can belong to any name. */
function looksLikeXml(content: Uint8Array): boolean {
  const start = content.findIndex((byte) => !BEFORE_XML.has(byte));
  return content[start] === 0x3c;
}

function judgeText(name: string, content: Uint8Array, context: PartContext): ModuleResult {
  const encoding = textEncoding(content);
  const { text, isUnderstood } = plainXml(decodeCharset(content, encoding ?? 'windows-1252'));
  const findings: Finding[] = judgePartText(name, text, context);
  // Custom XML can hold data that a macro uses later.
  const views = name.startsWith('customxml/') ? [{ where: name, bytes: content }] : [];
  // A package must not hold XML in another encoding than UTF-8 and UTF-16, and programs read it differently.
  return { findings, views, understood: isUnderstood && encoding !== null && encoding !== 'windows-1252' };
}

function judgeObject(name: string, compound: Compound, limits: EngineLimits): PartResult {
  const { findings, pieces } = readObjects(compound);
  const documents = judgeDocuments(compound, limits, 'object');
  const views = compound.streams.map(({ path, bytes }) => ({ where: `${name}/${path}`, bytes }));
  return {
    findings: [finding('office-embedded-object', name), ...findings, ...documents.findings.filter(isOfField)],
    inner: documents.findings.filter((one) => !isOfField(one)),
    views: [...views, ...documents.views],
    pieces: [...pieces, ...documents.pieces],
    understood: true,
  };
}

/** Finds macros. They are in a compound file under any name and content type. */
function judgeProject(name: string, { pieces, views, findings }: VbaProject): PartResult {
  const isHidden = !/(?:^|\/)vbaproject[^/]*\.bin$/.test(name);
  const macro = [finding('office-macro', name), ...(isHidden ? [finding('office-macro-hidden', name)] : [])];
  return result([...macro, ...findings], views, pieces);
}

function filePiece(name: string, bytes: Uint8Array): Piece {
  const untrustedName = name.slice(name.lastIndexOf('/') + 1);
  return { where: name, bytes, kind: 'extracted_file', untrustedName, scope: 'file' };
}

/** Judges a package inside of a package, such as the workbook of a chart. It is harmless when it is clean like the document around it. */
function judgeNestedPackage(name: string, content: Uint8Array, limits: EngineLimits, nesting: number): PartResult {
  if (nesting >= MAX_NESTING) return { ...result([], []), inner: [finding('office-embedded-object', name)] };
  try {
    const inner = judgePackage(openPackage(content, limits), limits, nesting + 1);
    const isChartData = /\.xlsx$/.test(name) && inner.findings.length === 0;
    return isChartData
      ? inner
      : { ...inner, findings: [finding('office-embedded-object', name)], inner: inner.findings };
  } catch {
    // A zip that is no readable package is some embedded file.
    const found = finding('office-embedded-object', name);
    return { ...result([], [], [filePiece(name, content)]), inner: [found] };
  }
}

function result(findings: readonly Finding[], views: readonly View[], pieces: readonly Piece[] = []): PartResult {
  return { findings, views, pieces, understood: true };
}
