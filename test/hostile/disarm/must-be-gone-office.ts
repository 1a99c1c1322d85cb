/** The rows of Office documents, and of what every kind of file can carry. */
import { element, type Group, literally, words } from './row.ts';

const OOXML = ['docx', 'xlsx', 'pptx'] as const;
/** What does not depend on the zip around a package. */
const PACKAGES = [...OOXML, 'flat'] as const;
const ODF = ['odt', 'ods', 'odp'] as const;
const LEGACY = ['doc', 'xls', 'ppt'] as const;
const OD = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/';
const MS = 'http://schemas.microsoft.com/office/2006/relationships/';

const relationshipTypes = [
  ...words(`vbaProject vbaProjectSignature wordVbaData xlMacrosheet xlIntlMacrosheet attachedToolbars keyMapCustomizations ui/extensibility
    ui/userCustomization activeXControlBinary xlExternalLinkPath/xlPathMissing xlExternalLinkPath/xlStartup
    xlExternalLinkPath/xlAlternateStartup xlExternalLinkPath/xlLibrary`).map((name) => MS + name),
  ...words(`dialogsheet oleObject package control ctrlProp attachedTemplate aFChunk frame subDocument transform htmlPubSaveAs
    mailMergeSource mailMergeHeaderSource recipientData externalLink externalLinkPath connections queryTable xmlMaps
    volatileDependencies customProperty printerSettings revisionHeaders revisionLog usernames customXml
    customXmlProps custom-properties slideUpdateUrl slideUpdateInfo legacyDocTextInfo legacyDiagramText font`).map(
    (name) => OD + name,
  ),
  'http://schemas.microsoft.com/office/2014/relationships/vbaProjectSignatureAgile',
  'http://schemas.microsoft.com/office/2020/07/relationships/vbaProjectSignatureV3',
  'http://schemas.microsoft.com/office/2007/relationships/ui/extensibility',
  'http://schemas.microsoft.com/office/2011/relationships/webextension',
  'http://schemas.microsoft.com/office/2011/relationships/webextensiontaskpanes',
  'http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin',
];

const contentTypes = words(`application/vnd.ms-office.vbaProject application/vnd.ms-office.vbaProjectSignature
  application/vnd.ms-word.vbaData+xml application/vnd.ms-excel.macrosheet+xml application/vnd.ms-excel.intlmacrosheet+xml
  application/vnd.ms-office.activeX application/vnd.ms-office.activeX+xml
  application/vnd.openxmlformats-officedocument.oleObject application/vnd.openxmlformats-officedocument.package
  application/vnd.ms-word.keyMapCustomizations+xml application/vnd.ms-excel.attachedToolbars
  application/vnd.openxmlformats-officedocument.spreadsheetml.externalLink+xml
  application/vnd.openxmlformats-officedocument.spreadsheetml.connections+xml
  application/vnd.openxmlformats-officedocument.spreadsheetml.queryTable+xml
  application/vnd.openxmlformats-officedocument.spreadsheetml.dialogsheet+xml
  application/vnd.ms-office.webextension+xml application/vnd.ms-office.webextensiontaskpanes+xml
  text/html application/rtf message/rfc822 application/postscript`);

const schemes = words(
  `javascript vbscript data mhtml ms-word search-ms script x-usc ldap about res its mk file smb unc`,
);

export const OFFICE_ROWS: readonly Group[] = [
  {
    group: 'ooxml/relationship',
    formats: PACKAGES,
    lines: relationshipTypes,
    marker: (type) => new RegExp(`relationships/${literally(type.split('/relationships/')[1] ?? type)}"`, 'i'),
  },
  {
    group: 'ooxml/content-type',
    formats: PACKAGES,
    lines: contentTypes,
    marker: (type) => new RegExp(`"${literally(type)}"`, 'i'),
  },
  {
    group: 'ooxml/main-type',
    formats: PACKAGES,
    lines: ['macroEnabled', 'macroEnabledTemplate'],
    marker: () => /macroEnabled/i,
  },
  { group: 'ooxml/renamed-part', formats: OOXML, lines: ['compound file', 'program', 'PDF', 'HTML'] },
  {
    group: 'ooxml/external',
    formats: PACKAGES,
    lines: words('image oleObject video audio media frame attachedTemplate externalLinkPath subDocument hyperlink'),
    marker: () => /Target="[^"]*airlocklive/i,
  },
  {
    group: 'ooxml/external-in-part',
    formats: PACKAGES,
    lines: words('main content styles header notes comments theme chart drawing properties'),
  },
  { group: 'ooxml/chart', formats: PACKAGES, lines: ['externalData'], marker: element },
  {
    group: 'ooxml/container',
    formats: OOXML,
    lines: words(
      'doctype entities encoding duplicate duplicate-casing dot-dot backslash drive absolute encrypted-entry directory-names directory-extra appended prepended comment',
    ),
  },
  {
    group: 'word/element',
    formats: ['docx', 'flat'],
    lines: words(
      'altChunk OLEObject control attachedTemplate mailMerge subDoc frameset docVars saveThroughXslt entryMacro exitMacro smartTagType',
    ),
    marker: element,
  },
  {
    group: 'word/field',
    formats: ['docx', 'rtf', 'doc', 'flat'],
    lines: words(`DDE DDEAUTO LINK EMBED IMPORT INCLUDE INCLUDETEXT INCLUDEPICTURE DATABASE MACROBUTTON GOTOBUTTON
    QUOTE AUTOTEXT AUTOTEXTLIST RD PRINT ADDIN CONTROL HTMLACTIVEX PRIVATE BARCODE FILLIN ASK SET IF`),
  },
  {
    group: 'word/vml',
    formats: ['docx', 'flat'],
    lines: words(
      'href althref src onclick script fill-src stroke-src imagedata-src imagedata-id edge-src film-page smart-document style-load textbox-style signature-address unknown-element prefixed-address',
    ),
  },
  { group: 'drawing/blip-link', formats: ['docx', 'pptx', 'xlsx'], lines: ['link'], marker: () => /\br?:?link="/ },
  {
    group: 'sheet/element',
    formats: ['xlsx'],
    lines: words(
      'externalReferences oleObjects controls functionGroups webPublishing webPublishItems smartTags customProperties ddeLink oleLink FmlaMacro',
    ),
    marker: element,
  },
  { group: 'sheet/drawing', formats: ['xlsx'], lines: ['macro'], marker: () => /\smacro="[^"]+"/ },
  {
    group: 'sheet/name',
    formats: ['xlsx'],
    lines: words('function vbProcedure xlm macro Auto_Open Auto_Close Auto_Activate Auto_Deactivate'),
    marker: (line) => new RegExp(`definedName[^>]*(${line}="|name="(_xlnm\\.)?${line})`, 'i'),
  },
  { group: 'sheet/cache', formats: ['xlsx'], lines: ['external'], marker: () => /cacheSource[^>]*type="external"/ },
  {
    group: 'sheet/function',
    formats: ['xlsx', 'xls', 'ods'],
    lines: words('CALL REGISTER REGISTER.ID EXEC WEBSERVICE RTD SQL.REQUEST dde external-book unc-path'),
  },
  {
    group: 'sheet/new-function',
    formats: ['xlsx'],
    lines: words(
      'FILTERXML IMAGE PY IMPORTTEXT IMPORTCSV HYPERLINK joined-link given-function exported-load IMPORTXML IMPORTRANGE TRANSLATE',
    ),
  },
  {
    group: 'sheet/text-as-reference',
    formats: ['xlsx', 'ods'],
    lines: words('indirect joined-indirect'),
  },
  { group: 'sheet/calculated-field', formats: ['xlsx'], lines: words('cacheField calculatedItem') },
  {
    group: 'slide/action',
    formats: ['pptx'],
    lines: words('hlinkClick hlinkHover hlinkMouseOver'),
    marker: () => /action="ppaction:\/\/(macro|program|ole|hlinkfile|hlinkpres|customshow)/i,
  },
  {
    group: 'slide/element',
    formats: ['pptx'],
    lines: words('oleObj controls videoFile audioFile quickTimeFile cmd custDataLst htmlPubPr'),
    marker: element,
  },
  {
    group: 'legacy/stream',
    formats: LEGACY,
    lines: [
      'Macros/VBA/Module1',
      '_VBA_PROJECT_CUR/VBA/Module1',
      'VBA/Module1',
      'PROJECT',
      'PROJECTwm',
      'ObjectPool/_1/Ole10Native',
      'MBD0001/Package',
      '\x01Ole10Native',
      '\x01Ole10ItemName',
      '\x03ObjInfo',
      'Equation Native',
      'MsoDataStore/Item',
      '_xmlsignatures/sig',
      'Ctls',
      'Unlisted',
      '\x05SummaryInformation',
      '\x05DocumentSummaryInformation',
    ],
  },
  { group: 'legacy/root-class', formats: LEGACY, lines: ['foreign'] },
  {
    group: 'xls/record',
    formats: ['xls'],
    lines: words(
      'macro-sheet vb-module very-hidden auto-name macro-name add-in-book external-book dde-book ObProj DConn QSI DBQueryExt WebPub Template Pls HLink inner-sheet inner-module continued-formula',
    ),
  },
  {
    group: 'xls/function',
    formats: ['xls'],
    lines: words(
      'GOTO HALT RETURN EXEC DIRECTORY FOPEN FWRITELN FWRITE REGISTER CALL FILES INITIATE REQUEST POKE EXECUTE GET.WORKSPACE UNREGISTER EVALUATE REGISTER.ID SQL.REQUEST RTD RUN FORMULA ALERT ON.TIME',
    ),
  },
  { group: 'doc/structure', formats: ['doc'], lines: words('Cmds template') },
  {
    group: 'xlsb/part',
    formats: ['xlsb'],
    lines: [
      ...words('connections'),
      ...[
        'macro project',
        'toolbars with macros',
        'other book',
        'pivot cache',
        'custom XML',
        'add-in of the web',
        'theme that is none',
      ],
    ],
  },
  {
    group: 'xlsb/sheet-part',
    formats: ['xlsb'],
    lines: [...words('object package control comments table query'), 'printer settings'],
  },
  {
    group: 'xlsb/formula',
    formats: ['xlsb'],
    lines: [...words('CALL REGISTER.ID RTD EXEC HYPERLINK'), 'a name of a function', 'another book', 'unknown token'],
  },
  {
    group: 'xlsb/book',
    formats: ['xlsb'],
    lines: ['name that runs', 'program and what it is asked', 'file that it was', 'path of the web'],
  },
  { group: 'xlsb/link', formats: ['xlsb'], lines: [...words('file share script'), 'protocol of a program'] },
  { group: 'xlsb/sheet', formats: ['xlsb'], lines: ['macro sheet', 'international macro sheet', 'dialog sheet'] },
  {
    group: 'workbook-xml/formula',
    formats: ['workbook-xml'],
    lines: [...words('CALL REGISTER EXEC WEBSERVICE RTD DDE'), 'other book', 'file by its path'],
  },
  {
    group: 'workbook-xml/link',
    formats: ['workbook-xml'],
    lines: [...words('file share script'), 'protocol of a program'],
  },
  {
    group: 'workbook-xml/element',
    formats: ['workbook-xml'],
    lines: [...words('QueryTable SupBook PivotTable MapInfo binData script object properties'), 'page header'],
  },
  { group: 'workbook-xml/frame', formats: ['workbook-xml'], lines: words('doctype entity instruction comment behind') },
  {
    group: 'word-xml/field',
    formats: ['word-xml'],
    lines: words(
      'DDE DDEAUTO LINK EMBED IMPORT INCLUDE INCLUDETEXT INCLUDEPICTURE DATABASE MACROBUTTON RD PRINT ADDIN CONTROL HTMLACTIVEX',
    ),
  },
  {
    group: 'word-xml/file',
    formats: ['word-xml'],
    lines: [
      ...words('macros objects control sound'),
      ...['macros in the text', 'object in the text', 'program called a picture', 'drawing with code called a picture'],
    ],
  },
  {
    group: 'word-xml/element',
    formats: ['word-xml'],
    lines: [
      ...words(
        'attachedTemplate saveThroughXSLT mailMerge docVars subDoc frameset scriptAnchor applet properties schemaLibrary script',
      ),
      'attribute of another vocabulary',
    ],
  },
  {
    group: 'word-xml/shape',
    formats: ['word-xml'],
    lines: words('imagedata-src imagedata-href fill-src href onclick script'),
  },
  { group: 'word-xml/link', formats: ['word-xml'], lines: [...words('file share script'), 'protocol of a program'] },
  { group: 'word-xml/frame', formats: ['word-xml'], lines: words('doctype entity instruction comment behind') },
  {
    group: 'ppt/record',
    formats: ['ppt'],
    lines: words('ExOleObjStg VBAInfo macro-action program-action ole-action file-action ExHyperlink ExControl'),
  },
  {
    group: 'odf/part',
    formats: ODF,
    lines: [
      'Basic/Standard/Module1.xml',
      'Scripts/python/x.py',
      'Object 1/content.xml',
      'Object 2',
      'Configurations2/accelerator/current.xml',
      'Thumbnails/thumbnail.png',
      'META-INF/documentsignatures.xml',
      'META-INF/macrosignatures.xml',
      'unlisted.bin',
    ],
  },
  {
    group: 'odf/element',
    formats: ODF,
    lines: words(
      'office:scripts script:event-listener office:event-listeners presentation:event-listener draw:object draw:object-ole draw:plugin draw:applet draw:floating-frame text:execute-macro text:script text:dde-connection table:dde-link office:dde-source text:database-display table:table-source table:cell-range-source table:error-macro',
    ),
    marker: (line) => new RegExp(`<${line}[\\s/>]`),
  },
  {
    group: 'odf/reference',
    formats: ODF,
    lines: words(
      `image link form-command form-href background form-picture form-data joined-link area font webdav sound command section condition
      name data-mapping database-range data-pilot consolidation field-mark shape-engine bibliography file-as-picture setting`,
    ),
  },
  {
    group: 'scheme',
    formats: [
      'docx',
      'xlsx',
      'pptx',
      'pdf',
      'rtf',
      'odt',
      'html',
      'svg',
      'mht',
      'eml',
      'ics',
      'vcf',
      'doc',
      'xls',
      'ppt',
    ],
    lines: schemes,
  },
  {
    group: 'people',
    formats: [
      'docx',
      'xlsx',
      'pptx',
      'odt',
      'pdf',
      'rtf',
      'doc',
      'xls',
      'ppt',
      'png',
      'jpg',
      'webp',
      'tiff',
      'gif',
      'svg',
    ],
    lines: ['author', 'company'],
  },
];
