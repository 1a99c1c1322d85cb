/** Samples of what stands in workbooks: links to other books, names, formulas, buttons. */
import { isOffice, NAMESPACES, OD, type OfficeDraft, type PackageLink, pack } from './office-draft.ts';
import { officeGenerator, waysOf } from './office-samples.ts';
import { type Generator, LIVE, LIVE_URL } from './sample.ts';

const outside = (type: string, id = 'x1'): PackageLink => ({ type: OD + type, target: LIVE_URL, isExternal: true, id });

/** A workbook with a sheet that has a drawing. */
export const drawing = (inner: string, links: readonly PackageLink[] = []): OfficeDraft => ({
  body: '<drawing r:id="d1"/>',
  links: [{ type: `${OD}drawing`, target: '../drawings/drawing1.xml', id: 'd1' }],
  parts: [
    {
      name: 'xl/drawings/drawing1.xml',
      content: `<?xml version="1.0"?><xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" ${NAMESPACES}><xdr:absoluteAnchor><xdr:pos x="0" y="0"/><xdr:ext cx="9" cy="9"/>${inner}<xdr:clientData/></xdr:absoluteAnchor></xdr:wsDr>`,
      contentType: 'application/vnd.openxmlformats-officedocument.drawing+xml',
      links,
    },
  ],
});

const MACRO_VML = `<xml ${NAMESPACES}><v:shape id="s"><x:ClientData ObjectType="Button"><x:FmlaMacro>[0]!${LIVE}</x:FmlaMacro><x:FmlaLink>${LIVE}</x:FmlaLink></x:ClientData></v:shape></xml>`;
const bookLink = (inner: string): OfficeDraft => ({
  main: '<externalReferences><externalReference r:id="x1"/></externalReferences>',
  mainLinks: [{ type: `${OD}externalLink`, target: 'externalLinks/e1.xml', id: 'x1' }],
  parts: [
    {
      name: 'xl/externalLinks/e1.xml',
      content: `<?xml version="1.0"?><externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ${NAMESPACES}>${inner}</externalLink>`,
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.externalLink+xml',
      links: [outside('externalLinkPath', 'r1')],
    },
  ],
});

const SHEET: Readonly<Record<string, OfficeDraft>> = {
  externalReferences: bookLink('<externalBook r:id="r1"/>'),
  ddeLink: bookLink(`<ddeLink ddeService="cmd" ddeTopic="${LIVE}"><ddeItems><ddeItem name="a"/></ddeItems></ddeLink>`),
  oleLink: bookLink(`<oleLink r:id="r1" progId="${LIVE}"/>`),
  oleObjects: {
    body: `<oleObjects><oleObject progId="${LIVE}" shapeId="1" r:id="x1" link="[1]!x"/></oleObjects>`,
    links: [outside('oleObject')],
  },
  controls: {
    body: `<controls><control shapeId="1" r:id="x1" name="${LIVE}"/></controls>`,
    links: [outside('control')],
  },
  functionGroups: { main: `<functionGroups><functionGroup name="${LIVE}"/></functionGroups>` },
  webPublishing: { main: `<webPublishing codePage="1252"><${LIVE}/></webPublishing>` },
  webPublishItems: {
    body: `<webPublishItems count="1"><webPublishItem id="1" divId="a" sourceType="sheet" destinationFile="\\\\${LIVE}\\x"/></webPublishItems>`,
  },
  smartTags: {
    body: `<smartTags><cellSmartTags r="A1"><cellSmartTag type="0"><cellSmartTagPr key="a" val="${LIVE}"/></cellSmartTag></cellSmartTags></smartTags>`,
  },
  customProperties: {
    body: `<customProperties><customPr name="${LIVE}" r:id="x1"/></customProperties>`,
    links: [{ type: `${OD}customProperty`, target: '../p.bin', id: 'x1' }],
    parts: [
      {
        name: 'xl/p.bin',
        content: LIVE,
        contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.customProperty',
      },
    ],
  },
  FmlaMacro: {
    body: '<legacyDrawing r:id="x1"/>',
    links: [{ type: `${OD}vmlDrawing`, target: '../drawings/v.vml', id: 'x1' }],
    parts: [
      {
        name: 'xl/drawings/v.vml',
        content: MACRO_VML,
        contentType: 'application/vnd.openxmlformats-officedocument.vmlDrawing',
      },
    ],
  },
};

const name = (attributes: string, code = 'Sheet1!$A$1'): OfficeDraft => ({
  main: `<definedNames><definedName ${attributes}>${code}</definedName></definedNames>`,
});
const sheetName: Generator = (line, format) => {
  if (!isOffice(format)) return [];
  if (!line.startsWith('Auto_')) return waysOf(format, name(`name="${LIVE}" ${line}="1"`), line);
  const spellings = {
    'built in': `_xlnm.${line}`,
    'odd casing': `_XLNM.${line.toUpperCase()}`,
    bare: line,
    'with a suffix': `${line.toLowerCase()}${LIVE}`,
  };
  return Object.entries(spellings).map(([encoding, spelling]) => ({
    encoding,
    content: pack(format, name(`name="${spelling}" localSheetId="0" hidden="1"`, `Sheet1!$A$1+N("${LIVE}")`)),
  }));
};

const CODES: Readonly<Record<string, string>> = {
  dde: `cmd|'/c ${LIVE}'!A0`,
  'external-book': `'\\\\${LIVE}\\[x.xlsx]S'!A1`,
  'unc-path': `'file://${LIVE}/[x.xls]S'!$A$1`,
  PY: `_xlfn._xlws.PY(0,"${LIVE}")`,
  HYPERLINK: `HYPERLINK("file://${LIVE}/x","a")`,
  'joined-link': `HYPERLINK("fi"&"le://${LIVE}/x","a")`,
  FILTERXML: `_xlfn.FILTERXML("${LIVE_URL}","//a")`,
  'given-function': `_xlfn.LET(_xlpm.f,_xlfn.WEBSERVICE,_xlpm.f("${LIVE_URL}"))`,
  'exported-load': `IFERROR(__xludf.DUMMYFUNCTION("IMPORTXML(""${LIVE_URL}"",""//a"")"),"x")`,
  indirect: `INDIRECT("'file:///${LIVE}/x.ods'#$S.A1")`,
  'joined-indirect': `INDIRECT("'"&"\\\\${LIVE}"&"\\[x.xlsx]S'!A1")`,
};
const sheetFunction: Generator = (line, format) => {
  if (format !== 'xlsx') return [];
  const code = CODES[line] ?? `${line}("${LIVE}","${LIVE_URL}")`;
  const marked = code.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const cell = (formula: string): string => `<c r="B1">${formula}<v>42</v></c>`;
  const drafts: Readonly<Record<string, OfficeDraft>> = {
    cell: { cells: cell(`<f>${marked}</f>`) },
    'odd casing': { cells: cell(`<f> ${marked.replace(/[A-Z.]+\(/, (call) => call.toLowerCase())}</f>`) },
    'inside another call': { cells: cell(`<f>IF(1,SUM(${marked}),2)</f>`) },
    'newer prefix': { cells: cell(`<f>_xlfn.${marked.replace(/^_xlfn\./, '')}</f>`) },
    shared: {
      cells: `${cell(`<f t="shared" si="0" ref="B1:C1">${marked}</f>`)}<c r="C1"><f t="shared" si="0"/><v>43</v></c>`,
    },
    array: { cells: cell(`<f t="array" ref="B1">${marked}</f>`) },
    CDATA: { cells: cell(`<f><![CDATA[${code}]]></f>`) },
    validation: {
      body: `<dataValidations count="1"><dataValidation type="custom" sqref="A1"><formula1>${marked}</formula1><formula2>${marked}</formula2></dataValidation></dataValidations>`,
    },
    condition: {
      body: `<conditionalFormatting sqref="A1"><cfRule type="expression" priority="1"><formula>${marked}</formula></cfRule></conditionalFormatting>`,
    },
    'colour scale': {
      body: `<conditionalFormatting sqref="A1"><cfRule type="colorScale" priority="1"><colorScale><cfvo type="formula" val="${marked}"/><cfvo type="max"/><color rgb="FFFF0000"/><color rgb="FF00FF00"/></colorScale></cfRule></conditionalFormatting>`,
    },
    'defined name': name('name="a"', marked),
    'extension list': {
      body: `<extLst><ext uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:conditionalFormattings><x14:conditionalFormatting xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:cfRule type="expression" priority="2" id="{1}"><xm:f>${marked}</xm:f></x14:cfRule><xm:sqref>A1</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings></ext></extLst>`,
    },
  };
  return Object.entries(drafts).map(([encoding, draft]) => ({ encoding, content: pack('xlsx', draft) }));
};

/** A field or an item of a pivot table that a formula calculates. */
const calculatedField = (inner: string): OfficeDraft => ({
  main: '<pivotCaches><pivotCache cacheId="1" r:id="x1"/></pivotCaches>',
  mainLinks: [{ type: `${OD}pivotCacheDefinition`, target: 'pivotCache/p.xml', id: 'x1' }],
  parts: [
    {
      name: 'xl/pivotCache/p.xml',
      content: `<?xml version="1.0"?><pivotCacheDefinition xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ${NAMESPACES}><cacheSource type="worksheet"><worksheetSource ref="A1:B2" sheet="Sheet1"/></cacheSource>${inner}</pivotCacheDefinition>`,
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.pivotCacheDefinition+xml',
    },
  ],
});
const LIVE_CALL = `WEBSERVICE(&quot;${LIVE_URL}&quot;)`;
const CALCULATED: Readonly<Record<string, OfficeDraft>> = {
  cacheField: calculatedField(
    `<cacheFields count="1"><cacheField name="a" databaseField="0" formula="${LIVE_CALL}"/></cacheFields>`,
  ),
  calculatedItem: calculatedField(
    `<cacheFields count="0"/><calculatedItems count="1"><calculatedItem formula="${LIVE_CALL}"/></calculatedItems>`,
  ),
};

const listed = (drafts: Readonly<Record<string, OfficeDraft>>): Generator =>
  officeGenerator((line) => drafts[line] ?? {});

export const sheetSamples: Readonly<Record<string, Generator>> = {
  'sheet/element': listed(SHEET),
  'sheet/drawing': officeGenerator(() =>
    drawing(
      `<xdr:sp macro="[0]!${LIVE}" textlink=""><xdr:nvSpPr><xdr:cNvPr id="1" name="b"/><xdr:cNvSpPr/></xdr:nvSpPr><xdr:spPr/></xdr:sp>`,
    ),
  ),
  'sheet/name': sheetName,
  'sheet/cache': officeGenerator(() => ({
    main: '<pivotCaches><pivotCache cacheId="1" r:id="x1"/></pivotCaches>',
    mainLinks: [{ type: `${OD}pivotCacheDefinition`, target: 'pivotCache/p.xml', id: 'x1' }],
    parts: [
      {
        name: 'xl/pivotCache/p.xml',
        content: `<?xml version="1.0"?><pivotCacheDefinition xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ${NAMESPACES}><cacheSource type="external" connectionId="1"><!--${LIVE}--></cacheSource><cacheFields count="0"/></pivotCacheDefinition>`,
        contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.pivotCacheDefinition+xml',
      },
    ],
  })),
  'sheet/function': sheetFunction,
  'sheet/new-function': sheetFunction,
  'sheet/text-as-reference': sheetFunction,
  'sheet/calculated-field': listed(CALCULATED),
};
