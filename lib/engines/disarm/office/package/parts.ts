/**
 * The parts that an Office document may have: for each relationship type, the allowed content types of its target. This is the allow-list
 * of the format (ECMA-376, [MS-DOCX], [MS-XLSX], [MS-PPTX]). Macros, OLE objects, controls, templates, connections, custom XML, web
 * extensions, embedded fonts and media have no row, so they cannot be reached.
 */
import type { FileType } from '../../../../formats/file-types.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument';
const WML = `${OOXML}.wordprocessingml.`;
const SML = `${OOXML}.spreadsheetml.`;
const PML = `${OOXML}.presentationml.`;
const DML = `${OOXML}.drawingml.`;

/** Relationship types of ECMA-376, transitional and strict, by the name behind the common prefix. */
const STANDARD_TYPE =
  /^http:\/\/(?:schemas\.openxmlformats\.org\/officeDocument\/2006|purl\.oclc\.org\/ooxml\/officeDocument)\/relationships\/(.+)$/;
const MICROSOFT_TYPE = /^http:\/\/schemas\.microsoft\.com\/office\/(.+)$/;
const VISIO_TYPE = /^http:\/\/schemas\.microsoft\.com\/(visio\/2010\/relationships\/.+)$/;
const VISIO = 'visio/2010/relationships/';

export type PartRule =
  | { readonly form: 'picture' }
  | { readonly form: 'vml' | 'xml'; readonly contentTypes: readonly string[] };

const xml = (...contentTypes: readonly string[]): PartRule => ({ form: 'xml', contentTypes });

const RULES: Readonly<Record<string, PartRule>> = {
  image: { form: 'picture' },
  vmlDrawing: { form: 'vml', contentTypes: [`${OOXML}.vmlDrawing`] },
  styles: xml(`${WML}styles+xml`, `${SML}styles+xml`),
  theme: xml(`${OOXML}.theme+xml`),
  themeOverride: xml(`${OOXML}.themeOverride+xml`),
  comments: xml(`${WML}comments+xml`, `${SML}comments+xml`, `${PML}comments+xml`),
  // Word
  '2007/relationships/stylesWithEffects': xml('application/vnd.ms-word.stylesWithEffects+xml'),
  settings: xml(`${WML}settings+xml`),
  webSettings: xml(`${WML}webSettings+xml`),
  fontTable: xml(`${WML}fontTable+xml`),
  numbering: xml(`${WML}numbering+xml`),
  footnotes: xml(`${WML}footnotes+xml`),
  endnotes: xml(`${WML}endnotes+xml`),
  header: xml(`${WML}header+xml`),
  footer: xml(`${WML}footer+xml`),
  glossaryDocument: xml(`${WML}document.glossary+xml`),
  '2011/relationships/commentsExtended': xml(`${WML}commentsExtended+xml`),
  '2016/09/relationships/commentsIds': xml(`${WML}commentsIds+xml`),
  '2018/08/relationships/commentsExtensible': xml(`${WML}commentsExtensible+xml`),
  '2011/relationships/people': xml(`${WML}people+xml`),
  // Drawings and charts
  drawing: xml(`${OOXML}.drawing+xml`),
  chart: xml(`${DML}chart+xml`),
  chartUserShapes: xml(`${DML}chartshapes+xml`),
  '2011/relationships/chartStyle': xml('application/vnd.ms-office.chartstyle+xml'),
  '2011/relationships/chartColorStyle': xml('application/vnd.ms-office.chartcolorstyle+xml'),
  '2014/relationships/chartEx': xml('application/vnd.ms-office.chartex+xml'),
  diagramData: xml(`${DML}diagramData+xml`),
  diagramLayout: xml(`${DML}diagramLayout+xml`),
  diagramQuickStyle: xml(`${DML}diagramStyle+xml`),
  diagramColors: xml(`${DML}diagramColors+xml`),
  '2007/relationships/diagramDrawing': xml('application/vnd.ms-office.drawingml.diagramDrawing+xml'),
  // Excel
  worksheet: xml(`${SML}worksheet+xml`),
  chartsheet: xml(`${SML}chartsheet+xml`),
  sharedStrings: xml(`${SML}sharedStrings+xml`),
  sheetMetadata: xml(`${SML}sheetMetadata+xml`),
  table: xml(`${SML}table+xml`),
  pivotTable: xml(`${SML}pivotTable+xml`),
  pivotCacheDefinition: xml(`${SML}pivotCacheDefinition+xml`),
  pivotCacheRecords: xml(`${SML}pivotCacheRecords+xml`),
  '2007/relationships/slicer': xml('application/vnd.ms-excel.slicer+xml'),
  '2007/relationships/slicerCache': xml('application/vnd.ms-excel.slicerCache+xml'),
  '2011/relationships/timeline': xml('application/vnd.ms-excel.timeline+xml'),
  '2011/relationships/timelineCache': xml('application/vnd.ms-excel.timelineCache+xml'),
  '2017/10/relationships/threadedComment': xml('application/vnd.ms-excel.threadedcomments+xml'),
  '2017/10/relationships/person': xml('application/vnd.ms-excel.person+xml'),
  '2019/04/relationships/namedSheetView': xml('application/vnd.ms-excel.namedsheetviews+xml'),
  '2022/11/relationships/FeaturePropertyBag': xml('application/vnd.ms-excel.featurepropertybag+xml'),
  // PowerPoint
  slide: xml(`${PML}slide+xml`),
  slideLayout: xml(`${PML}slideLayout+xml`),
  slideMaster: xml(`${PML}slideMaster+xml`),
  notesSlide: xml(`${PML}notesSlide+xml`),
  notesMaster: xml(`${PML}notesMaster+xml`),
  handoutMaster: xml(`${PML}handoutMaster+xml`),
  presProps: xml(`${PML}presProps+xml`),
  viewProps: xml(`${PML}viewProps+xml`),
  tableStyles: xml(`${PML}tableStyles+xml`),
  commentAuthors: xml(`${PML}commentAuthors+xml`),
  '2018/10/relationships/comments': xml('application/vnd.ms-powerpoint.comments+xml'),
  '2018/10/relationships/authors': xml('application/vnd.ms-powerpoint.authors+xml'),
  // Visio
  [`${VISIO}pages`]: xml('application/vnd.ms-visio.pages+xml'),
  [`${VISIO}page`]: xml('application/vnd.ms-visio.page+xml'),
  [`${VISIO}masters`]: xml('application/vnd.ms-visio.masters+xml'),
  [`${VISIO}master`]: xml('application/vnd.ms-visio.master+xml'),
  // The sensitivity label an organisation put on the document
  '2020/02/relationships/classificationlabels': xml('application/vnd.ms-office.classificationlabels+xml'),
};

/** The report's words for a relationship type without a rule. Matched in order against the short name. */
const DROPPED_KINDS: readonly (readonly [RegExp, string])[] = [
  [/vbaProject|wordVbaData/i, 'macro'],
  [/Macrosheet|dialogsheet/i, 'macro sheet'],
  [/oleObject|package$/i, 'embedded object'],
  [/control|ctrlProp|activeX/i, 'ActiveX control'],
  [/attachedTemplate/i, 'external template'],
  [/aFChunk/i, 'embedded foreign document'],
  [/subDocument|frame$/i, 'linked document'],
  [/externalLink|xlPathMissing|xlStartup|xlLibrary|xlAlternateStartup/i, 'external workbook link'],
  [/connections|recordsets?$|solutions?$|queryTable|xmlMaps|volatileDependencies|model/i, 'data connection'],
  [/mailMerge|recipientData/i, 'mail merge source'],
  [/extensibility|userCustomization|attachedToolbars|keyMapCustomizations/i, 'custom user interface'],
  [/webextension/i, 'web extension'],
  [/customXml/i, 'custom XML data'],
  [/digital-signature/i, 'digital signature'],
  [/custom-properties|customProperty|tags$/i, 'custom properties'],
  [/printerSettings/i, 'printer settings'],
  [/font$/i, 'embedded font'],
  [/audio|video|media/i, 'embedded media'],
  [/thumbnail/i, 'thumbnail'],
  [/visio\/2010\/relationships\/(?:windows|validation)$|revisionInfo|changesInfo|documenttasks/i, 'editing metadata'],
  [/hdphoto|model3d/i, 'source of a picture'],
  [/rdRich|richValue|rdArray|rdSupporting|richStyles/i, 'rich data type'],
];

/** The relationship of the package to its main part. */
export const isMainType = (short: string): boolean => short === 'officeDocument' || short === `${VISIO}document`;

/** Relationship types that only have data about the document. A rebuilt document does not need them, and none of them is live. */
const METADATA =
  /^(http:\/\/schemas\.openxmlformats\.org\/package\/2006\/relationships\/metadata\/core-properties|calcChain|extended-?properties)$/i;

/** Returns the meaningful part of a relationship type, which is equal for strict, transitional and Microsoft's own types. */
export function shortType(type: string): string {
  return STANDARD_TYPE.exec(type)?.[1] ?? MICROSOFT_TYPE.exec(type)?.[1] ?? VISIO_TYPE.exec(type)?.[1] ?? type;
}

/** Returns the rule for a relationship type's target, or null when such parts do not exist in a disarmed document. */
export function ruleFor(short: string): PartRule | null {
  return Object.hasOwn(RULES, short) ? (RULES[short] ?? null) : null;
}

/** Returns the report's words for the target of a relationship without a rule; null for plain metadata, which is not reported. */
export function droppedKind(short: string): string | null {
  if (METADATA.test(short)) return null;
  return DROPPED_KINDS.find(([pattern]) => pattern.test(short))?.[1] ?? 'unknown part';
}

/** A main part: the type of its output, and the folder of its family. */
export interface MainPart {
  /** The type of the output's main part. */
  readonly contentType: string;
  /** The type of the output file. */
  readonly fileType: FileType;
  readonly hadMacroType: boolean;
}

const twin = (contentType: string, fileType: FileType): MainPart => ({ contentType, fileType, hadMacroType: false });
const DOCX = twin(`${WML}document.main+xml`, `${OOXML}.wordprocessingml.document`);
const DOTX = twin(`${WML}template.main+xml`, `${OOXML}.wordprocessingml.template`);
const XLSX = twin(`${SML}sheet.main+xml`, `${OOXML}.spreadsheetml.sheet`);
const XLTX = twin(`${SML}template.main+xml`, `${OOXML}.spreadsheetml.template`);
const PPTX = twin(`${PML}presentation.main+xml`, `${OOXML}.presentationml.presentation`);
const PPSX = twin(`${PML}slideshow.main+xml`, `${OOXML}.presentationml.slideshow`);
const POTX = twin(`${PML}template.main+xml`, `${OOXML}.presentationml.template`);
const VISIO_FILE = 'application/vnd.ms-visio';
const VSDX = twin(`${VISIO_FILE}.drawing.main+xml`, `${VISIO_FILE}.drawing`);
const VSTX = twin(`${VISIO_FILE}.template.main+xml`, `${VISIO_FILE}.template`);
const macro = (plain: MainPart): MainPart => ({ ...plain, hadMacroType: true });

const MAIN_PARTS = new Map<string, MainPart>([
  ...[DOCX, DOTX, XLSX, XLTX, PPTX, PPSX, POTX, VSDX, VSTX].map((main): [string, MainPart] => [
    main.contentType.toLowerCase(),
    main,
  ]),
  ['application/vnd.ms-word.document.macroenabled.main+xml', macro(DOCX)],
  ['application/vnd.ms-word.template.macroenabledtemplate.main+xml', macro(DOTX)],
  ['application/vnd.ms-excel.sheet.macroenabled.main+xml', macro(XLSX)],
  ['application/vnd.ms-excel.template.macroenabled.main+xml', macro(XLTX)],
  ['application/vnd.ms-powerpoint.presentation.macroenabled.main+xml', macro(PPTX)],
  ['application/vnd.ms-powerpoint.slideshow.macroenabled.main+xml', macro(PPSX)],
  ['application/vnd.ms-powerpoint.template.macroenabled.main+xml', macro(POTX)],
  ['application/vnd.ms-visio.drawing.macroenabled.main+xml', macro(VSDX)],
  ['application/vnd.ms-visio.template.macroenabled.main+xml', macro(VSTX)],
]);

/** Returns the row for a main part's content type; null for add-ins, binary workbooks and every other type that is not rebuilt. */
export function mainPart(contentType: string): MainPart | null {
  return MAIN_PARTS.get(contentType.toLowerCase()) ?? null;
}
