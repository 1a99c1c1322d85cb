/**
 * What the second look must find. It is written here again and not taken from its tables, so that a test fails when a row or a word is
 * lost there. A listing is the id of the finding with everything that must lead to it.
 */

type Listing = Readonly<Record<string, string>>;
const lines = (listing: Listing) =>
  Object.entries(listing).flatMap(([id, things]) =>
    things
      .trim()
      .split(/\s+/)
      .map((thing) => [id, thing] as const),
  );

const OD = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MS = 'http://schemas.microsoft.com/office';

export const OFFICE_RELATIONSHIPS = lines({
  'office-vba': `${MS}/2006/relationships/vbaProject ${MS}/2006/relationships/vbaProjectSignature ${MS}/2006/relationships/wordVbaData
    ${MS}/2014/relationships/vbaProjectSignatureAgile ${MS}/2020/07/relationships/vbaProjectSignatureV3`,
  'office-macrosheet': `${MS}/2006/relationships/xlMacrosheet ${MS}/2006/relationships/xlIntlMacrosheet ${OD}/dialogsheet`,
  'office-toolbar': `${MS}/2006/relationships/attachedToolbars ${MS}/2006/relationships/keyMapCustomizations`,
  'office-custom-ui': `${MS}/2006/relationships/ui/extensibility ${MS}/2007/relationships/ui/extensibility
    ${MS}/2006/relationships/ui/userCustomization`,
  'office-ole-object': `${OD}/oleObject ${OD}/package http://purl.oclc.org/ooxml/officeDocument/relationships/oleObject`,
  'office-control': `${OD}/control ${OD}/ctrlProp ${MS}/2006/relationships/activeXControlBinary`,
  'office-template': `${OD}/attachedTemplate`,
  'office-foreign-chunk': `${OD}/aFChunk`,
  'office-frame': `${OD}/frame ${OD}/subDocument ${OD}/transform ${OD}/htmlPubSaveAs`,
  'office-mail-merge': `${OD}/mailMergeSource ${OD}/mailMergeHeaderSource ${OD}/recipientData`,
  'office-external-link': `${OD}/externalLink ${OD}/externalLinkPath ${MS}/2006/relationships/xlExternalLinkPath/xlPathMissing`,
  'office-connection': `${OD}/connections ${OD}/queryTable ${OD}/xmlMaps ${OD}/volatileDependencies`,
  'office-custom-property': `${OD}/customProperty ${OD}/custom-properties`,
  'office-printer': `${OD}/printerSettings`,
  'office-calc-chain': `${OD}/calcChain`,
  'office-revisions': `${OD}/revisionHeaders ${OD}/revisionLog ${OD}/usernames`,
  'office-custom-xml': `${OD}/customXml ${OD}/customXmlProps`,
  'office-signature': 'http://schemas.openxmlformats.org/package/2006/relationships/digital-signature/origin',
  'office-web-extension': `${MS}/2011/relationships/webextension ${MS}/2011/relationships/webextensiontaskpanes`,
  'office-slide-update': `${OD}/slideUpdateUrl ${OD}/slideUpdateInfo`,
  'office-legacy-text': `${MS}/2006/relationships/legacyDocTextInfo ${MS}/2006/relationships/legacyDiagramText`,
  'office-media': `${OD}/audio ${OD}/video ${MS}/2007/relationships/media`,
  'office-font': `${OD}/font`,
});

export const OFFICE_CONTENT_TYPES = lines({
  'office-macro-type': `application/vnd.ms-word.document.macroEnabled.main+xml application/vnd.ms-office.vbaProject
    application/vnd.ms-word.vbaData+xml application/vnd.ms-excel.macrosheet+xml
    application/vnd.openxmlformats-officedocument.spreadsheetml.dialogsheet+xml`,
  'office-control-type': `application/vnd.ms-office.activeX+xml application/vnd.openxmlformats-officedocument.oleObject
    application/vnd.openxmlformats-officedocument.package application/vnd.ms-word.keyMapCustomizations+xml
    application/vnd.ms-excel.attachedToolbars`,
  'office-link-type': `application/vnd.openxmlformats-officedocument.spreadsheetml.externalLink+xml
    application/vnd.openxmlformats-officedocument.spreadsheetml.connections+xml
    application/vnd.openxmlformats-officedocument.spreadsheetml.queryTable+xml application/vnd.ms-office.webextension+xml`,
  'office-foreign-type':
    'text/html application/rtf application/postscript application/pdf application/x-msdownload message/rfc822',
});

export const OFFICE_PATHS = lines({
  'office-binary-part': `word/vbaProject.bin word/oleObject1.bin word/activeX1.bin word/vbaData.bin word/attachedToolbars.bin
    word/printerSettings1.bin`,
  'office-program-part': `a.exe a.dll a.scr a.js a.vbs a.hta a.lnk a.bat a.cmd a.ps1 a.docm a.dotm a.xlsm a.xlsb a.xlam a.pptm a.ppam
    a.odttf`,
  'office-folder': `customUI/a.xml customXml/item1.xml word/embeddings/a.xml word/activeX/a.xml xl/macrosheets/a.xml
    xl/externalLinks/a.xml word/webextensions/a.xml _xmlsignatures/a.xml`,
});

export const OFFICE_ELEMENTS = lines({
  'word-foreign-chunk': 'altChunk',
  'office-ole-element': 'OLEObject oleObj oleObjects',
  'office-control-element': 'control controls',
  'word-template': 'attachedTemplate',
  'word-mail-merge': 'mailMerge',
  'word-subdocument': 'subDoc frameset',
  'word-variables': 'docVars',
  'word-xslt': 'saveThroughXslt',
  'word-web-film': 'webVideoPr',
  'word-form-macro': 'entryMacro exitMacro',
  'word-field-data': 'fldData binData',
  'word-data-binding': 'dataBinding attachedSchema',
  'excel-external-references': 'externalReferences ddeLink oleLink',
  'excel-function-groups': 'functionGroups',
  'excel-web-publishing': 'webPublishing webPublishItems webPublishObjects htmlPubPr',
  'excel-smart-tags': 'smartTags smartTagPr smartTagType smartTagTypes cellSmartTags',
  'excel-custom-properties': 'customProperties',
  'excel-vml-formula': 'FmlaMacro FmlaLink FmlaRange FmlaPict FmlaTxbx FmlaGroup ScriptText ScriptLocation MapOCX',
  'vml-script': 'script',
  'slide-command': 'cmd custDataLst',
  'slide-media': 'audioFile videoFile quickTimeFile audioCd wavAudioFile',
  'chart-external-data': 'externalData',
});

/** Finding, names of the attribute, values that act. */
export const OFFICE_ATTRIBUTES: readonly (readonly [string, string, readonly string[]])[] = [
  ['excel-shape-macro', 'macro', ['[0]!Module1.Run']],
  ['excel-name-macro', 'vbProcedure xlm', ['1', 'true']],
  [
    'slide-action',
    'action',
    ['ppaction://program', 'ppaction://macro?name=a', 'ppaction://ole', 'ppaction://hlinkfile'],
  ],
  ['vml-live-address', 'href', ['file:///c:/a.exe', 'a.exe', 'javascript:run()']],
  ['vml-event', 'onclick onload onmouseover onmouseout onerror onfocus', ['run()']],
  ['office-linked-picture', 'link pict', ['rId1']],
  ['vml-live-style', 'style', ['a:url(b)', 'a:expression(run())', '@import a', 'behavior:a', '\\75 rl']],
  ['vml-signature-address', 'sigprovurl addlxml', ['https://a.example']],
  ['excel-cache-source', 'sourceType', ['external']],
  ['excel-cache-source', 'connectionId', ['1']],
];

export const OFFICE_TEXTS = [
  ['office-properties', 'creator lastModifiedBy company manager hyperlinkBase', 'A. Person'],
  [
    'excel-formula',
    'f nf formula formula1 formula2 calculatedColumnFormula totalsRowFormula',
    'WEBSERVICE("https://a.example")',
  ],
] as const;

export const PDF_NAMES = lines({
  'pdf-javascript': 'JS JavaScript OnInstantiate',
  'pdf-automatic-action': 'AA PA PresSteps',
  'pdf-embedded-file': 'EmbeddedFiles EmbeddedFile EF RF AF Collection',
  'pdf-xfa': 'XFA NeedsRendering',
  'pdf-rich-media': 'RichMediaContent RichMediaSettings RichMediaExecute 3DD 3DA 3DV',
  'pdf-media': 'Movie Sound Rendition Renditions AlternatePresentations',
  'pdf-signature': 'Perms Legal DSS SigFlags ByteRange SV Lock',
  'pdf-private-data': 'PieceInfo LastModified SpiderInfo Metadata Thumb',
  'pdf-properties': 'Author PTEX.FileName PTEX.InfoDict',
  'pdf-requirements': 'Requirements',
  'pdf-external-content': 'OPI Ref FFilter FDecodeParms DestOutputProfileRef',
  'pdf-postscript': 'Level1',
  'pdf-alternate-image': 'Alternates',
  'pdf-threads': 'Threads',
  'pdf-encryption': 'Encrypt',
});

/** Key and value. */
export const PDF_PAIRS = lines({
  'pdf-javascript': 'S/JavaScript',
  'pdf-launch': 'S/Launch',
  'pdf-link-to-file': 'S/GoToR S/GoToE S/GoToDp',
  'pdf-form-submission': 'S/SubmitForm S/ImportData',
  'pdf-media': 'S/Rendition S/Sound S/Movie S/GoTo3DView S/RichMediaExecute Subtype/Movie Subtype/Sound',
  'pdf-threads': 'S/Thread',
  'pdf-embedded-file': 'Subtype/FileAttachment Type/Filespec Type/EmbeddedFile Type/F',
  'pdf-rich-media': 'Subtype/RichMedia Subtype/Screen Subtype/3D Subtype/Projection',
  'pdf-production-mark': 'Subtype/PrinterMark Subtype/TrapNet Subtype/Redact',
  'pdf-postscript': 'Subtype/PS Subtype2/PS',
  'pdf-signature': 'Type/Sig Type/DocTimeStamp',
  'pdf-packed-objects': 'Type/ObjStm Type/XRef',
});

export const PAGE_ELEMENTS = lines({
  'html-script': 'script noscript',
  'html-frame': 'iframe frame frameset noframes portal fencedframe',
  'html-object': 'object embed applet param noembed',
  'html-media': 'bgsound audio video source track',
  'html-form': 'form input button select textarea keygen isindex',
  'html-base': 'base',
  'html-template': 'template',
  'html-foreign-markup': 'svg math',
  'html-unparsed-markup': 'xmp plaintext listing',
  'html-style-sheet': 'link',
});

export const PAGE_ATTRIBUTES: typeof OFFICE_ATTRIBUTES = [
  ['html-refresh', 'http-equiv', ['refresh', 'set-cookie']],
  ['html-inline-document', 'srcdoc formaction action ping attributionsrc', ['https://a.example/', '']],
  [
    'html-load',
    'srcset imagesrcset poster lowsrc dynsrc data codebase archive manifest longdesc classid',
    ['https://a.example/x', ''],
  ],
  [
    'html-remote-source',
    'src background',
    ['https://a.example/x', 'x.png', 'data:text/html,x', 'data:image/svg+xml,x'],
  ],
  ['html-held-picture', 'airlock-src airlock-background', ['https://a.example/b', 'cid:a', '0'.repeat(63)]],
  [
    'html-strange-style',
    'style',
    [
      'mso-data: a',
      'position: fixed',
      'background: url("https://a.example/x")',
      'background: url(cid:a)',
      'background: url("cid:a b")',
      'background: url("data:image/svg+xml;base64,AA")',
      'background: url("data:image/png;base64,+ADw")',
      'list-style: url("cid:a")',
      'cursor: url("cid:a")',
      'z-index: 9',
      'transform: none',
      'margin: -9px 0 0',
      'margin-top: calc(0px - 9px)',
      'content: attr(x)',
      'animation: a 1s',
      'color: red; top: 0',
      'color: r\\65 d',
      'color: red /* a',
      'color: +1',
      'color: rgb(1',
      'color: a:b',
    ],
  ],
  [
    'html-live-style',
    'style',
    [
      'width: expression(run())',
      '-moz-binding: a',
      'background: javascript:run()',
      'background: vbscript:run',
      'behavior: a',
      'behaviour : a',
      '@import "a"',
      'background: url(a)',
      'background: src(a)',
      'background: image(a)',
      'background: image-set(a)',
      'background: cross-fade(a)',
      'background: element(#a)',
    ],
  ],
];

export const DRAWING_ELEMENTS = lines({
  'svg-script': 'script handler listener',
  'svg-foreign-markup': 'foreignObject iframe object embed audio video html',
  'svg-style-sheet': 'style',
  'svg-animation': 'set animate animateColor animateMotion animateTransform discard mpath',
});

export const DRAWING_ATTRIBUTES: typeof OFFICE_ATTRIBUTES = [
  [
    'svg-address',
    'href src',
    ['javascript:run()', ' file:///a', 'a.svg', 'data:image/svg+xml;base64,AA', 'data:text/html,a'],
  ],
  [
    'svg-loaded-style',
    'style fill stroke filter mask clip-path marker cursor',
    ['fill: url(https://a.example/x.svg#a)', 'url("a.svg")', 'a: expression(run())', '@import "a"', '\\75 rl(a)'],
  ],
];

export const OPEN_DOCUMENT_ELEMENTS = lines({
  'odf-script':
    'scripts script libraries library-embedded source-code event-listener event-listeners execute-macro error-macro',
  'odf-object': 'object object-ole plugin applet floating-frame',
  'odf-dde': 'dde-connection dde-connection-decl dde-connection-decls dde-link dde-source dde-links',
  'odf-database': `database-display database-next database-row-select database-name database-row-number table-source
    cell-range-source`,
  'odf-form-data': 'model instance submission forms control',
  'odf-linked-content': 'section-source alphabetical-index-auto-mark-file connection-resource template auto-reload',
  'odf-sound': 'sound audio command',
  'odf-field-code': 'fieldmark fieldmark-start',
  'odf-font': 'font-face-src font-face-uri definition-src',
  'odf-encrypted': 'encryption-data',
});

export const OPEN_DOCUMENT_ATTRIBUTES: typeof OFFICE_ATTRIBUTES = [
  [
    'odf-live-formula',
    'formula',
    [
      'of:=WEBSERVICE("https://a.example")',
      'of:=DDE("a";"b";"c")',
      'of:=FILTERXML("a";"b")',
      "of:='file:///a'#b",
      'of:=\\\\a\\b',
      'of:=HYPERLINK("https://a.example/"&[.A1];"a")',
      'of:=HYPERLINK([.A1])',
    ],
  ],
  ['odf-script', 'message-type', ['macro']],
  ['odf-live-formula', 'expression', ['of:=WEBSERVICE(1)']],
  ['odf-external-reference', 'data-range', ["'file:///a.ods'#S.A1"]],
  ['odf-unsafe-link', 'url', ['javascript:a']],
  ['odf-shape-engine', 'engine', ['com.sun.star.a']],
  ['odf-form-command', 'command', ['SELECT * FROM a']],
  ['odf-external-address', 'href', ['file:///etc/passwd', '/a', '\\a', '../a', 'vnd.sun.star.script:a']],
];

export const OPEN_DOCUMENT_PATHS = lines({
  'odf-basic': `Basic/Standard/Module1.xml Scripts/python/a.py Configurations2/accelerator/current.xml Thumbnails/thumbnail.png
    Object1/content.xml ObjectReplacements/a`,
  'odf-signature': 'META-INF/macrosignatures.xml META-INF/documentsignatures.xml META-INF/manifest.xml.rdf',
});

export const RICH_TEXT_WORDS = lines({
  'rtf-object': 'object objdata objclass objname objalias objupdate objocx objhtml objautlink objlink objemb objsub',
  'rtf-template': 'template',
  'rtf-data': 'datastore xmlopen mailmerge filetbl docvar userprops passwordhash hlinkbase linkval nextfile',
  'rtf-font': 'fontemb fontfile',
  'rtf-generator': 'generator',
  'rtf-html': 'htmltag',
  'rtf-drawing-property': 'sp sn sv',
  'rtf-properties': 'author operator manager company doccomm',
  'rtf-binary': 'bin',
  'rtf-metafile': 'wmetafile emfblip dibitmap wbitmap macpict pmmetafile',
});

/** Finding, property, value. */
export const CALENDAR_PROPERTIES = [
  ['ics-attachment', 'ATTACH', 'a'],
  ['ics-html', 'X-ALT-DESC', 'a'],
  ['ics-html', 'STYLED-DESCRIPTION', 'a'],
  ['ics-remote-data', 'IMAGE', 'a'],
  ['ics-remote-data', 'SOUND', 'a'],
  ['ics-remote-data', 'KEY', 'a'],
  ['ics-remote-data', 'STRUCTURED-DATA', 'a'],
  ['ics-remote-data', 'SOURCE', 'a'],
  ['ics-unsafe-link', 'URL', 'file://server/share'],
  ['ics-unsafe-link', 'CONFERENCE', 'file://server/share'],
  ['ics-remote-picture', 'PHOTO', 'https://a.example/a.png'],
  ['ics-remote-picture', 'LOGO', 'https://a.example/a.png'],
  ['ics-remote-picture', 'LOGO', '\\\\server\\a.png'],
  ['ics-remote-picture', 'LOGO', '//server/a.png'],
  ['ics-alarm', 'ACTION', 'PROCEDURE'],
  ['ics-alarm', 'ACTION', 'EMAIL'],
] as const;

export const COMPOUND_STREAMS: readonly (readonly [string, string])[] = [
  ['ole-macro', 'Macros/VBA/dir'],
  ['ole-macro', 'Macros/Module1'],
  ['ole-macro', '_VBA_PROJECT_CUR/Module1'],
  ['ole-macro', 'VBA/Module1'],
  ['ole-macro', '_VBA_PROJECT'],
  ['ole-macro', 'PROJECT'],
  ['ole-macro', 'PROJECTwm'],
  ['ole-macro', 'dir'],
  ['ole-object', 'ObjectPool/_1/contents'],
  ['ole-object', 'MBD0001/contents'],
  ['ole-object', 'Ole10Native'],
  ['ole-object', '\u0001Ole10Native'],
  ['ole-object', '\u0001Ole10ItemName'],
  ['ole-object', '\u0001Ole'],
  ['ole-object', 'Package'],
  ['ole-control', '\u0003OCXNAME'],
  ['ole-control', 'Ctls'],
  ['ole-equation', 'Equation Native'],
  ['ole-data-store', 'MsoDataStore/a/Item'],
  ['ole-signature', '_xmlsignatures/a'],
  ['ole-signature', '_signatures'],
  ['ole-properties', '\u0005SummaryInformation'],
  ['ole-properties', '\u0005DocumentSummaryInformation'],
  ['ole-encryption', 'EncryptedPackage'],
  ['ole-encryption', 'EncryptionInfo'],
  ['ole-encryption', '\u0006DataSpaces/Version'],
];
