/** Samples in rich text and OpenDocument. */
import { buildOdf, type OdfOptions, PRESENTATION, SPREADSHEET, TEXT } from '../../engines/disarm/odf-fixture.ts';
import type { Format } from './row.ts';
import { type Draft, type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';

const hex = Buffer.from(`${LIVE} payload`).toString('hex');
const rtf = (inner: string, head = '{\\rtf1\\ansi '): string =>
  `${head}${KEEP} before\\par ${inner}\\par ${KEEP} after}`;

const DESTINATIONS: Readonly<Record<string, string>> = {
  object: `{\\object\\objemb\\objw9\\objh9{\\*\\objdata ${hex}}{\\result ${KEEP} shown}}`,
  objdata: `{\\*\\objdata ${hex}}`,
  objclass: `{\\object\\objocx{\\*\\objclass ${LIVE}}{\\*\\objdata ${hex}}}`,
  objupdate: `{\\object\\objautlink\\objupdate{\\*\\objdata ${hex}}}`,
  unknown: `{\\*\\neverheardof{\\*\\objdata ${hex}}}`,
  bin: `{\\pict\\pngblip\\bin${LIVE.length} ${LIVE}}`,
  sp: `{\\shp{\\*\\shpinst{\\sp{\\sn pFragments}{\\sv ${LIVE}}}}}`,
  linkval: `{\\*\\userprops{\\propname a}\\proptype30{\\staticval a}{\\linkval ${LIVE}}}`,
  xmlopen: `{\\*\\xmlopen\\xmlns1{\\xmlname ${LIVE}}}`,
  filetbl: `{\\*\\filetbl{\\file\\fid0\\fnetwork \\\\\\\\${LIVE}\\\\x}}`,
  hlinkbase: `{\\info{\\hlinkbase ${LIVE_URL}}}`,
  objocx: `{\\object\\objocx{\\*\\objdata ${hex}}}`,
  objhtml: `{\\object\\objhtml{\\*\\objdata ${hex}}}`,
  objautlink: `{\\object\\objautlink{\\*\\objdata ${hex}}}`,
  objlink: `{\\object\\objlink{\\*\\objdata ${hex}}}`,
  objemb: `{\\object\\objemb{\\*\\objdata ${hex}}}`,
};

function destination(line: string): string {
  const known = DESTINATIONS[line];
  if (known !== undefined) return known;
  if (/wmetafile|emfblip|dibitmap|wbitmap|macpict|pmmetafile/.test(line))
    return `{\\pict\\${line}${line === 'emfblip' || line === 'macpict' ? '' : '1'} ${hex}}`;
  return `{\\*\\${line} ${LIVE}{\\*\\objdata ${hex}}}`;
}

/** White space and harmless groups between the digits, and names that only look different. */
function obscured(markup: string): string {
  return markup
    .replaceAll(
      hex,
      [...hex]
        .map((digit, at) =>
          at % 6 === 0 ? `{\\*\\foo}${digit.toUpperCase()}\r\n` : at % 5 === 0 ? `${digit} ` : digit,
        )
        .join(''),
    )
    .replace(/\\\*\\/g, '\\*\r\n\\');
}

const rtfDestination: Generator = (line) => {
  const markup = destination(line);
  return [
    { encoding: 'plain', content: rtf(markup) },
    { encoding: 'obscured', content: rtf(obscured(markup)) },
    { encoding: 'nested groups', content: rtf(`{\\*\\ignored{{{${markup}}}}}{\\pard{{${markup}}}}`) },
    { encoding: 'without a star', content: rtf(markup.replaceAll('\\*', '')) },
    { encoding: 'inside a result', content: rtf(`{\\field{\\*\\fldinst PAGE}{\\fldrslt ${KEEP}${markup}}}`) },
    { encoding: 'empty binary', content: rtf(markup.replaceAll(hex, `\\bin0 ${hex}`)) },
    { encoding: 'numbered names', content: rtf(markup.replace(/\\obj(data|ect)/g, '\\obj$199999999999')) },
  ];
};

const rtfField: Generator = (line, format) => {
  if (format !== 'rtf') return [];
  const field = (code: string): string => rtf(`{\\field{\\*\\fldinst ${code}}{\\fldrslt ${KEEP} result}}`);
  const escaped = [...line].map((letter) => `\\'${letter.charCodeAt(0).toString(16)}`).join('');
  return [
    { encoding: 'plain', content: field(` ${line} ${LIVE} "${LIVE_URL}" `) },
    { encoding: 'escaped letters', content: field(` ${escaped} ${LIVE}`) },
    {
      encoding: 'split groups',
      content: field(`{\\b ${line.slice(0, 2)}}{\\i ${line.slice(2)} }{${LIVE.slice(0, 4)}}{${LIVE.slice(4)}}`),
    },
    { encoding: 'odd casing', content: field(`${line.toLowerCase()}\t${LIVE}`) },
    { encoding: 'nested', content: field(`IF 1 = 1 "{\\field{\\*\\fldinst ${line} ${LIVE}}{\\fldrslt x}}"`) },
  ];
};

const rtfFrame: Generator = (line): Draft[] =>
  line === 'loose-data'
    ? [
        { encoding: 'in the document itself', content: rtf(`\\objdata ${hex}\r\n${hex}`) },
        { encoding: 'in a group of text', content: rtf(`{\\b bold \\objdata ${hex}}`) },
      ]
    : line === 'after-end'
      ? [
          { encoding: 'script', content: `${rtf('x')}<script>${LIVE}</script>` },
          { encoding: 'object', content: `${rtf('x')}{\\object{\\*\\objdata ${hex}}}` },
        ]
      : [
          { encoding: 'no version', content: rtf(destination('object'), '{\\rt\\ansi ') },
          { encoding: 'odd version', content: rtf(destination('object'), '{\\rtf9999\\ansi ') },
        ];

const TYPES: Partial<Record<Format, string>> = { odt: TEXT, ods: SPREADSHEET, odp: PRESENTATION };

/** The kept text in the place where this type has text, with markup next to it. */
function odf(format: Format, markup: string, more: Omit<OdfOptions, 'body' | 'type'> = {}): Promise<Uint8Array> {
  const text = `<text:p>${KEEP} invoice</text:p>`;
  const body =
    format === 'odt'
      ? text + markup
      : format === 'ods'
        ? `<table:table table:name="a"><table:shapes>${markup}</table:shapes><table:table-row><table:table-cell>${text}</table:table-cell></table:table-row></table:table>${markup}`
        : `<draw:page draw:name="a"><draw:frame svg:width="9cm" svg:height="9cm"><draw:text-box>${text}</draw:text-box></draw:frame>${markup}</draw:page>`;
  return buildOdf({ ...more, type: TYPES[format] ?? TEXT, body });
}

const href = `xlink:href="${LIVE_URL}" xlink:type="simple" xlink:actuate="onLoad"`;
const MARKUP: Readonly<Record<string, string>> = {
  'office:scripts': `<office:scripts><office:script script:language="ooo:Basic">${LIVE}</office:script></office:scripts>`,
  'script:event-listener': `<office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" ${href.replace(LIVE_URL, `vnd.sun.star.script:${LIVE}`)}/></office:event-listeners>`,
  'office:event-listeners': `<office:event-listeners><presentation:event-listener presentation:action="execute-macro" ${href}/></office:event-listeners>`,
  'presentation:event-listener': `<draw:frame><office:event-listeners><presentation:event-listener script:event-name="dom:click" presentation:action="run-program" ${href}/></office:event-listeners></draw:frame>`,
  'text:dde-connection': `<text:p><text:dde-connection-decls><text:dde-connection-decl office:name="a" office:dde-application="cmd" office:dde-topic="${LIVE}" office:dde-item="x"/></text:dde-connection-decls><text:dde-connection text:connection-name="${LIVE}">x</text:dde-connection></text:p>`,
  'table:dde-link': `<table:dde-links><table:dde-link><office:dde-source office:dde-application="cmd" office:dde-topic="${LIVE}"/></table:dde-link></table:dde-links>`,
  'office:dde-source': `<text:section text:name="a"><office:dde-source office:dde-application="cmd" office:dde-topic="${LIVE}" office:automatic-update="true"/></text:section>`,
  'table:error-macro': `<table:content-validations><table:content-validation table:name="a"><table:error-message table:message-type="macro" table:title="a"/><table:error-macro table:name="${LIVE}" table:execute="true"/></table:content-validation></table:content-validations>`,
  'table:table-source': `<table:table table:name="b"><table:table-source ${href} table:mode="copy-all"/></table:table>`,
  'table:cell-range-source': `<table:table table:name="b"><table:table-row><table:table-cell><table:cell-range-source table:name="x" ${href}/></table:table-cell></table:table-row></table:table>`,
};

const generic = (name: string): string => {
  const inner = `<${name} ${href} script:language="x" text:name="${LIVE}" draw:code="${LIVE}">${name === 'text:script' ? LIVE : KEEP}</${name}>`;
  return name.startsWith('draw:')
    ? `<text:p><draw:frame>${inner}</draw:frame></text:p>${`<draw:frame>${inner}</draw:frame>`}`
    : `<text:p>${inner}</text:p>`;
};

const odfElement: Generator = async (line, format) => {
  const markup = MARKUP[line] ?? generic(line);
  const prefix = line.split(':')[0] ?? '';
  const deep = `<text:p><text:span>${markup}</text:span></text:p>`;
  const other = markup
    .replaceAll(`</${prefix}:`, '</zz:')
    .replaceAll(
      new RegExp(`<${prefix}:([\\w-]+)`, 'g'),
      `<zz:$1 xmlns:zz="urn:oasis:names:tc:opendocument:xmlns:${prefix === 'draw' ? 'drawing' : prefix}:1.0"`,
    );
  return [
    { encoding: 'plain', content: await odf(format, markup) },
    { encoding: 'deeper', content: await odf(format, deep) },
    { encoding: 'other prefix', content: await odf(format, other) },
    {
      encoding: 'styles part',
      content: await odf(format, '', {
        styles: `<office:master-styles><style:master-page style:name="a"><style:header>${markup}</style:header></style:master-page></office:master-styles>`,
      }),
    },
    { encoding: 'before the body', content: await odf(format, '', { before: markup }) },
  ];
};

/** A cell with a formula, in a table that any of the formats can hold. */
const linkCell = `<table:table table:name="c"><table:table-row><table:table-cell table:formula="of:=HYPERLINK(&quot;fi&quot;&amp;&quot;le://${LIVE}/x&quot;;&quot;a&quot;)" office:value-type="string"><text:p>a</text:p></table:table-cell></table:table-row></table:table>`;

const REFERENCES: Readonly<Record<string, string>> = {
  image: `<text:p><draw:frame><draw:image ${href}/></draw:frame></text:p><draw:frame><draw:image ${href}/></draw:frame>`,
  link: `<text:p><text:a ${href.replace(LIVE_URL, `file://${LIVE}/x`)}>a</text:a></text:p><draw:a ${href.replace(LIVE_URL, `file://${LIVE}/x`)}><draw:frame/></draw:a>`,
  'form-command': `<office:forms><form:form form:name="a" form:command="SELECT ${LIVE}" form:datasource="${LIVE}"/></office:forms>`,
  'form-href': `<office:forms><form:form form:name="a" ${href}><form:button form:name="b" xlink:href="${LIVE_URL}"/></form:form></office:forms>`,
  'form-picture': `<office:forms><form:form form:name="a"><form:image-frame form:name="b" form:image-data="${LIVE_URL}"/><form:image form:image-data="${LIVE_URL}" ${href}/></form:form></office:forms>`,
  'form-data': `<office:forms><xforms:model xmlns:xforms="http://www.w3.org/2002/xforms" schema="${LIVE_URL}"><xforms:instance src="${LIVE_URL}"/><xforms:submission action="${LIVE_URL}" resource="${LIVE_URL}"/></xforms:model></office:forms>`,
  'joined-link': linkCell,
  area: `<text:p><draw:frame><draw:image-map><draw:area-circle ${href.replace(LIVE_URL, `file://${LIVE}/x`)}/><draw:area-polygon ${href.replace(LIVE_URL, `smb://${LIVE}/x`)}/></draw:image-map></draw:frame></text:p>`,
  font: `<style:font-face style:name="a"><svg:font-face-src><svg:font-face-uri ${href}/></svg:font-face-src></style:font-face>`,
  webdav: `<text:p><draw:frame><draw:image ${href.replace(LIVE_URL, `vnd.sun.star.webdav://${LIVE}/x`)}/></draw:frame></text:p>`,
  background: `<text:p><draw:fill-image draw:name="a" ${href}/></text:p>`,
  sound: `<anim:par><anim:audio ${href}/></anim:par><style:style style:name="a"><style:drawing-page-properties><presentation:sound ${href}/></style:drawing-page-properties></style:style>`,
  command: `<text:p><text:a xlink:href=".uno:${LIVE}">a</text:a><text:a xlink:href="slot:${LIVE}">a</text:a></text:p>`,
  section: `<text:section text:name="a"><text:section-source ${href} text:filter-name="x"/></text:section>`,
  condition: `<style:style style:name="a" style:family="table-cell"><style:map style:condition="is-true-formula(WEBSERVICE(&quot;${LIVE_URL}&quot;))" style:apply-style-name="b"/></style:style>`,
  name: `<table:named-expressions><table:named-expression table:name="a" table:expression="of:=WEBSERVICE(&quot;${LIVE_URL}&quot;)"/></table:named-expressions>`,
  'data-mapping': `<calcext:data-mappings xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"><calcext:data-mapping ${href} calcext:provider="x"/></calcext:data-mappings>`,
  'database-range': `<table:database-ranges><table:database-range table:name="a" table:target-range-address="S.A1"><table:database-source-sql table:database-name="${LIVE}" table:sql-statement="a"/></table:database-range></table:database-ranges>`,
  'data-pilot': `<table:data-pilot-tables><table:data-pilot-table table:name="a"><table:source-service table:name="${LIVE}" table:source-name="a"/></table:data-pilot-table></table:data-pilot-tables>`,
  consolidation: `<table:consolidation table:function="sum" table:source-cell-range-addresses="'file:///${LIVE}/x.ods'#$S.A1"/>`,
  'field-mark': `<text:p><f:fieldmark-start xmlns:f="urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0" f:type="vnd.oasis.opendocument.field.UNHANDLED"><f:param f:name="a" f:value="DDEAUTO ${LIVE}"/></f:fieldmark-start></text:p>`,
  'shape-engine': `<text:p><draw:custom-shape draw:engine="com.${LIVE}" draw:data="${LIVE}"/></text:p>`,
  bibliography: `<text:p><text:bibliography-mark text:identifier="a" text:url="javascript:${LIVE}">a</text:bibliography-mark></text:p>`,
  'file-as-picture': `<text:p><draw:frame><draw:image><office:binary-data>\n${Buffer.from(`MZ ${LIVE}`.repeat(3)).toString('base64')}\n</office:binary-data></draw:image></draw:frame></text:p>`,
  setting: `<config:config-item-set config:name="a"><config:config-item config:name="ColorTableURL" config:type="string">${LIVE_URL}</config:config-item></config:config-item-set>`,
};

const odfReference: Generator = async (line, format) => {
  const markup = REFERENCES[line] ?? '';
  const spellings = {
    plain: markup,
    share: markup.replaceAll(LIVE_URL, `//${LIVE}/share/x`),
    'out of the package': markup.replaceAll(LIVE_URL, `../../${LIVE}`),
    'character references': markup.replaceAll(LIVE_URL, `&#x68;ttp://${LIVE}`),
  };
  const write = (spelling: string) =>
    line === 'setting' ? odf(format, '', { settings: spelling }) : odf(format, spelling);
  return Promise.all(
    Object.entries(spellings).map(async ([encoding, spelling]) => ({ encoding, content: await write(spelling) })),
  );
};

const odfPart: Generator = async (line, format) => {
  const content = line.endsWith('.xml') ? `<?xml version="1.0"?><x>${LIVE}</x>` : LIVE;
  return [
    { encoding: 'plain', content: await odf(format, '', { parts: [[line, content]] }) },
    { encoding: 'odd casing', content: await odf(format, '', { parts: [[line.toUpperCase(), content]] }) },
    { encoding: 'deeper', content: await odf(format, '', { parts: [[`Pictures/../${line}`, content]] }) },
  ];
};

const ODF_FORMULAS: Readonly<Record<string, string>> = {
  dde: `DDE("cmd";"/c ${LIVE}";"x")`,
  'external-book': `'file:///${LIVE}/x.ods'#$Sheet1.A1`,
  'unc-path': `'\\\\${LIVE}\\x.ods'#$A.A1`,
  indirect: `INDIRECT("'file:///${LIVE}/x.ods'#$S.A1")`,
  'joined-indirect': `INDIRECT("'fi"&"le:///${LIVE}/x.ods'#$S.A1")`,
};
const odsFunction: Generator = async (line, format) => {
  if (format !== 'ods') return [];
  const code = (ODF_FORMULAS[line] ?? `${line}("${LIVE}";"${LIVE_URL}")`).replaceAll('"', '&quot;');
  const book = (formula: string) =>
    buildOdf({
      type: SPREADSHEET,
      body: `<table:table table:name="a"><table:table-row><table:table-cell><text:p>${KEEP} invoice</text:p></table:table-cell><table:table-cell table:formula="${formula}" office:value-type="float" office:value="42"><text:p>42</text:p></table:table-cell></table:table-row></table:table>`,
    });
  return [
    { encoding: 'plain', content: await book(`of:=${code}`) },
    { encoding: 'inside another call', content: await book(`of:=IF(1;SUM(${code});2)`) },
    { encoding: 'other grammar', content: await book(`msoxl:=${code.toLowerCase()}`) },
  ];
};

export const odtLink = (address: string): Promise<Uint8Array> =>
  odf(
    'odt',
    `<text:p><text:a xlink:type="simple" xlink:href="${address.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}">a</text:a></text:p>`,
  );
export const rtfLink = (address: string): string =>
  rtf(`{\\field{\\*\\fldinst HYPERLINK "${address.replace(/[\\{}]/g, '\\$&')}"}{\\fldrslt ${KEEP} shown}}`);

const people: Generator = async (line, format) => {
  if (format === 'rtf')
    return [{ encoding: 'plain', content: rtf('x', `{\\rtf1\\ansi{\\info{\\${line} ${LIVE}}{\\operator ${LIVE}}} `) }];
  if (format !== 'odt') return [];
  return [
    {
      encoding: 'plain',
      content: await odf(format, '', {
        meta:
          line === 'author'
            ? `<meta:initial-creator>${LIVE}</meta:initial-creator><dc:creator>${LIVE}</dc:creator>`
            : `<meta:user-defined meta:name="Company">${LIVE}</meta:user-defined>`,
      }),
    },
  ];
};

export const rtfOdfSamples: Readonly<Record<string, Generator>> = {
  'rtf/destination': rtfDestination,
  'rtf/frame': rtfFrame,
  'word/field': rtfField,
  'odf/part': odfPart,
  'odf/element': odfElement,
  'odf/reference': odfReference,
  'sheet/function': odsFunction,
  'sheet/text-as-reference': odsFunction,
  people,
  'frame/appended': (line, format) =>
    format === 'rtf' ? [{ encoding: 'plain', content: `${rtf('x')}${line === 'zip' ? 'PK\x03\x04' : ''}${LIVE}` }] : [],
};
