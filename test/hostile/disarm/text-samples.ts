/** Samples in pages, drawings, tables, calendars and address cards, and links of every scheme in every format. */
import { legacyLink } from './legacy-samples.ts';
import { OD, type OfficeFormat, pack } from './office-draft.ts';
import { pdfLink } from './pdf-samples.ts';
import type { Format } from './row.ts';
import { odtLink, rtfLink } from './rtf-odf-samples.ts';
import { type Draft, type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';

const page = (markup: string): string =>
  `<!DOCTYPE html><html><head><title>a</title></head><body><p>${KEEP} invoice</p>${markup}</body></html>`;
const email = (markup: string, type = 'text/html'): string =>
  `From: a@sender.example\r\nSubject: ${KEEP}\r\nMIME-Version: 1.0\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${markup}\r\n`;
const archivedPage = (markup: string, more = ''): string =>
  `From: <saved>\r\nSubject: a\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; type="text/html"; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Location: file:///C:/a.htm\r\n\r\n${markup}\r\n${more}--b--\r\n`;

function inPage(markup: string, format: Format): string | null {
  if (format === 'html') return page(markup);
  if (format === 'eml') return email(page(markup));
  return format === 'mht' ? archivedPage(page(markup)) : null;
}

const ELEMENTS: Readonly<Record<string, string>> = {
  'meta-refresh': `<meta http-equiv="refresh" content="0;url=${LIVE_URL}">`,
  link: `<link rel="stylesheet" href="${LIVE_URL}">`,
  base: `<base href="${LIVE_URL}">`,
  comment: `<!-- ${LIVE} --><!--[if mso]>${LIVE}<![endif]-->`,
  form: `<form action="${LIVE_URL}"><input name="${LIVE}"><button>a</button></form>`,
  frame: `<frameset><frame src="${LIVE_URL}"></frameset>`,
  plaintext: `<plaintext data-a="${LIVE}">`,
};

const htmlElement: Generator = (line, format) => {
  const markup =
    ELEMENTS[line] ??
    `<${line} src="${LIVE_URL}" data="${LIVE_URL}" href="${LIVE_URL}" onload="${LIVE}" title="${LIVE}">${line === 'script' || line === 'style' ? LIVE : ''}</${line}>`;
  const ways = {
    plain: markup,
    'odd casing': markup.replace(
      /<(\/?)(\w)(\w*)/g,
      (_, slash: string, first: string, rest: string) => `<${slash}${first.toUpperCase()}${rest}`,
    ),
    'slash for space': markup.replace(/^<(\w+) /, '<$1/'),
    'in foreign content': `<svg><desc>${markup}</desc></svg><math><mtext>${markup}</mtext></math>`,
    'in a table': `<table><tr>${markup}<td>a</td></tr></table>`,
    'for one program': `<!--[if mso]>${markup}<![endif]--><![if !mso]>${markup}<![endif]>`,
    'in broken markup': `<b><p title='<'>${markup}</i></b><td>`,
  };
  return Object.entries(ways).flatMap(([encoding, way]): Draft[] =>
    inPage(way, format) === null ? [] : [{ encoding, content: inPage(way, format) ?? '' }],
  );
};

const ATTRIBUTES: Readonly<Record<string, string>> = {
  onclick: `<p onclick="${LIVE}" ONmouseover='${LIVE}' x/onfocus=${LIVE}>a</p>`,
  style: `<p style="background:url(${LIVE_URL});behavior:url(#${LIVE})">a</p>`,
  srcset: `<img srcset="${LIVE_URL} 2x">`,
  src: `<img src="${LIVE_URL}"><img src=//${LIVE}.example/x><input type=image src=${LIVE_URL}>`,
  'data-html': `<img src="data:text/html,${LIVE}"><img src="data:image/svg+xml,${LIVE}">`,
  share: `<a href="//${LIVE}.example/x">a</a><a href="/\\${LIVE}.example/x">a</a><img src="&#47;/${LIVE}.example/x" alt=a>`,
  background: `<table background="${LIVE_URL}"><tr><td background="${LIVE_URL}">a</td></tr></table>`,
};

const htmlAttribute: Generator = (line, format) => {
  const markup =
    ATTRIBUTES[line] ?? `<p ${line}="${LIVE_URL}">a</p><a href="https://a.example" ${line}="${LIVE_URL}">a</a>`;
  const ways = {
    plain: markup,
    'character references': markup.replaceAll(LIVE, `&#x61;${LIVE.slice(1)}`),
    'odd casing': markup.replace(/ (\w[\w-]*)=/g, (_, name: string) => ` ${name.toUpperCase()} =`),
    'slash for space': markup.replace(/ (\w[\w-]*)=/g, '/$1='),
    'in a table': `<table><tr><td>${markup}</td></tr></table>`,
  };
  return Object.entries(ways).flatMap(([encoding, way]): Draft[] =>
    inPage(way, format) === null ? [] : [{ encoding, content: inPage(way, format) ?? '' }],
  );
};

const svg = (markup: string, head = ''): string =>
  `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"><rect width="9" height="9"/><text y="5">${KEEP}</text>${markup}</svg>`;
const SVG: Readonly<Record<string, string>> = {
  onload: `<g onload="${LIVE}" oNclick="${LIVE}"/>`,
  'use-href': `<use href="${LIVE_URL}#a"/><use xlink:href="data:image/svg+xml,${LIVE}"/>`,
  'image-href': `<image href="${LIVE_URL}"/><image xlink:href="data:image/svg+xml;base64,${Buffer.from(LIVE).toString('base64')}"/>`,
  'css-url': `<rect style="fill:url(${LIVE_URL}#a)" fill="url(${LIVE_URL}#a)" filter="url('${LIVE_URL}')"/>`,
  import: `<style>@import "${LIVE_URL}";@\\69mport url(${LIVE_URL});</style>`,
  font: `<style>@font-face{font-family:a;src:url("${LIVE_URL}")}</style><font-face><font-face-src><font-face-uri href="${LIVE_URL}"/></font-face-src></font-face>`,
  cursor: `<cursor xlink:href="${LIVE_URL}"/><rect style="cursor:url(${LIVE_URL})" cursor="url(${LIVE_URL})"/>`,
  base: `<g xml:base="${LIVE_URL}"><image href="x.png"/></g>`,
  sheet: `<?xml-stylesheet href="${LIVE_URL}" type="text/xsl"?>`,
  paint: `<linearGradient id="p" xlink:href="${LIVE_URL}#a"/><pattern id="q" href="${LIVE_URL}#a"/><tref xlink:href="${LIVE_URL}#a"/><textPath href="${LIVE_URL}#a">b</textPath>`,
  effect: `<filter id="f" xlink:href="${LIVE_URL}#a"><feImage xlink:href="${LIVE_URL}"/></filter><rect filter="\\75rl(${LIVE_URL}#a)"/>`,
  'a-href': `<a href="java&#x09;script:${LIVE}"><text>a</text></a><a xlink:href="data:text/html,${LIVE}"><text>a</text></a>`,
};

const svgElement: Generator = (line) => {
  const markup = `<${line} href="${LIVE_URL}" src="${LIVE_URL}" attributeName="href" to="${LIVE}" values="javascript:${LIVE}">${LIVE}</${line}>`;
  const other = markup
    .replace(`<${line}`, `<z:${line} xmlns:z="http://www.w3.org/2000/svg"`)
    .replace(`</${line}`, `</z:${line}`);
  return [
    { encoding: 'plain', content: svg(markup) },
    { encoding: 'other prefix', content: svg(other) },
    { encoding: 'deeper', content: svg(`<g><defs><symbol>${markup}</symbol></defs></g>`) },
  ];
};
const svgAttribute: Generator = (line) => {
  const doctype = `<!DOCTYPE svg [<!ENTITY a SYSTEM "${LIVE_URL}"><!ENTITY b "<script>${LIVE}</script>">]>`;
  return line === 'doctype'
    ? [
        { encoding: 'plain', content: svg('', doctype) },
        { encoding: 'used', content: svg('<text>&b;</text>', doctype) },
      ]
    : [
        { encoding: 'plain', content: svg(SVG[line] ?? '') },
        { encoding: 'deeper', content: svg(`<g><g>${SVG[line] ?? ''}</g></g>`) },
      ];
};

/** A page of an Office document whose macros hide in a part with a meaningless name. */
const activeMime: Generator = (line) => {
  const data = Buffer.from(`ActiveMime\0\0${LIVE} payload payload payload payload`).toString('base64');
  const type = line === 'x-mso' ? 'application/x-mso' : 'image/png';
  const part = `--b\r\nContent-Type: ${type}\r\nContent-Location: file:///C:/editdata.mso\r\nContent-Transfer-Encoding: base64\r\n\r\n${data}\r\n`;
  const link = page('<link rel=Edit-Time-Data href="editdata.mso">');
  return [
    { encoding: 'plain', content: archivedPage(link, part) },
    {
      encoding: 'odd casing',
      content: archivedPage(link, part.replace('base64', 'BaSe64').replace('Content-Type', 'CONTENT-TYPE')),
    },
  ];
};

const CELLS: Readonly<Record<string, string>> = { tab: '\t=', return: '\r=', space: '\u00a0 =', dde: '=' };
const csv: Generator = (line) => {
  const cell = `${CELLS[line] ?? line}cmd|'/c ${LIVE}'!A1`;
  const quoted = (delimiter: string) => `name${delimiter}amount\n${KEEP}${delimiter}"${cell}"\n`;
  return [
    { encoding: 'comma', content: quoted(',') },
    { encoding: 'semicolon', content: quoted(';') },
    { encoding: 'tabulator', content: quoted('\t') },
    { encoding: 'bare', content: `name,amount\n${KEEP},${cell.replace('\r', ' ')}\n` },
    { encoding: 'UTF-16', content: Buffer.from(`\ufeff${quoted(',')}`, 'utf16le') },
  ];
};

const calendar = (rows: string): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:a\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260101T000000Z\r\nSUMMARY:${KEEP}\r\n${rows}END:VEVENT\r\nEND:VCALENDAR\r\n`;
const card = (rows: string): string => `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${KEEP}\r\nN:a;;;;\r\n${rows}END:VCARD\r\n`;
function property(line: string): string {
  if (line.startsWith('VALARM'))
    return `BEGIN:VALARM\r\nACTION:${line.slice(7)}\r\nTRIGGER:-PT5M\r\nATTACH:file://${LIVE}/x.exe\r\nDESCRIPTION:${LIVE}\r\nEND:VALARM\r\n`;
  return `${line};VALUE=URI:file://${LIVE}/x\r\n`;
}
const folded = (rows: string): string => rows.replace(/(.{3})(.*)\r\n/g, '$1\r\n $2\r\n');
const lines =
  (frame: (rows: string) => string): Generator =>
  (line) => [
    { encoding: 'plain', content: frame(property(line)) },
    {
      encoding: 'odd casing',
      content: frame(
        property(line).replace(/^[\w-]+/gm, (name) => (name === 'BEGIN' || name === 'END' ? name : name.toLowerCase())),
      ),
    },
    { encoding: 'folded', content: frame(folded(property(line))) },
    { encoding: 'line feeds', content: frame(property(line)).replaceAll('\r\n', '\n') },
  ];

const addressOf = (scheme: string): string =>
  scheme === 'unc'
    ? `\\\\${LIVE}\\share`
    : scheme === 'file' || scheme === 'smb' || scheme === 'ldap'
      ? `${scheme}://${LIVE}/x`
      : `${scheme}:${LIVE}`;
const marked = (address: string): string =>
  address.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function linkIn(format: Format, address: string): Draft['content'] | Promise<Draft['content']> | null {
  const anchor = `<a href="${marked(address)}">a</a>`;
  if (format === 'html' || format === 'mht' || format === 'eml') return inPage(anchor, format);
  if (format === 'svg') return svg(anchor);
  if (format === 'pdf') return pdfLink(address);
  if (format === 'rtf') return rtfLink(address);
  if (format === 'odt') return odtLink(address);
  if (format === 'ics') return calendar(`URL:${address.replace(/[\t\n]/g, '')}\r\n`);
  if (format === 'vcf') return card(`URL:${address.replace(/[\t\n]/g, '')}\r\n`);
  if (format === 'doc' || format === 'xls' || format === 'ppt') return legacyLink(address, format);
  const body = {
    docx: '<w:p><w:hyperlink r:id="x1"><w:r><w:t>a</w:t></w:r></w:hyperlink></w:p>',
    xlsx: '<hyperlinks><hyperlink ref="A1" r:id="x1"/></hyperlinks>',
    pptx: '',
  }[format as OfficeFormat];
  return pack(format as OfficeFormat, {
    body,
    links: [{ type: `${OD}hyperlink`, target: marked(address), isExternal: true, id: 'x1' }],
  });
}

const scheme: Generator = async (line, format) => {
  const address = addressOf(line);
  const ways = {
    plain: address,
    'odd casing':
      line === 'unc' ? address.replace('\\\\', '\\/') : address.replace(/^./, (first) => first.toUpperCase()),
    'leading space': ` ${address}`,
    'soft hyphen': `\u00ad${address.slice(0, 2)}\u00ad${address.slice(2)}`,
    tabulator: `${address.slice(0, 2)}\t${address.slice(2)}`,
  };
  const isText = !/^(pdf|doc|ppt|xls|rtf)$/.test(format);
  const rows = Object.entries(ways).filter(
    ([encoding]) => isText || encoding === 'plain' || encoding === 'odd casing' || encoding === 'leading space',
  );
  return Promise.all(rows.map(async ([encoding, way]) => ({ encoding, content: (await linkIn(format, way)) ?? '' })));
};

export const textSamples: Readonly<Record<string, Generator>> = {
  'html/element': htmlElement,
  'html/attribute': htmlAttribute,
  'svg/element': svgElement,
  'svg/attribute': svgAttribute,
  'mht/part': activeMime,
  'csv/cell': csv,
  'calendar/property': lines(calendar),
  'card/property': lines(card),
  scheme,
  people: (_, format) =>
    format === 'svg'
      ? [{ encoding: 'plain', content: svg(`<metadata><a>${LIVE}</a></metadata><!-- ${LIVE} -->`) }]
      : [],
  'mail/header': (line) =>
    line === 'external-body'
      ? [
          {
            encoding: 'plain',
            content: `From: a@sender.example\r\nSubject: ${KEEP}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${KEEP}\r\n--b\r\nContent-Type: message/external-body; access-type=URL; URL="${LIVE_URL}"\r\n\r\nContent-Type: text/plain\r\n\r\n--b--\r\n`,
          },
        ]
      : [
          { encoding: 'plain', content: `X-${LIVE}: ${LIVE_URL}\r\n${email(KEEP, 'text/plain')}` },
          { encoding: 'folded', content: `X-Unsubscribe:\r\n ${LIVE_URL}\r\n${email(KEEP, 'text/plain')}` },
        ],
};
