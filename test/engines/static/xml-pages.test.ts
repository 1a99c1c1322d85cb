/** What an XML parser finds in a drawing, a page or a file of data and an HTML parser does not, because it reads the same characters differently. */
import { describe, expect, test } from 'vitest';
import { verdictOn } from './analyse.ts';

const SVG = 'xmlns="http://www.w3.org/2000/svg"';
const HTML = 'http://www.w3.org/1999/xhtml';

describe.each([
  ['a script behind an element that ends at once in XML', `<title/><script xmlns="${HTML}">a()</script>`],
  ['a script behind text that does not end in HTML', `<desc><plaintext/></desc><script xmlns="${HTML}">a()</script>`],
  ['a script under a prefix in letters of Unicode', `<é:script xmlns:é="${HTML}">a()</é:script>`],
  ['a script under a prefix that is an underscore', `<_:script xmlns:_="${HTML}">a()</_:script>`],
  ['a script under a prefix of two words', `<a-b:script xmlns:a-b="${HTML}">a()</a-b:script>`],
])('%s', (_, script) => {
  test.each([
    ['drawing.svg', `<svg ${SVG}>${script}</svg>`],
    ['places.kml', `<kml xmlns="http://www.opengis.net/kml/2.2">${script}</kml>`],
    ['data.xml', `<?xml version="1.0"?><data>${script}</data>`],
    ['page.xhtml', `<html xmlns="${HTML}"><head>${script}</head><body><p>Text</p></body></html>`],
  ])('is found in %s', async (name, text) => {
    expect(await verdictOn(Buffer.from(text), name)).toContain('html-script');
  });
});

test.each([
  [
    'a handler behind an empty title',
    'page.xhtml',
    `<html xmlns="${HTML}"><head><title/></head><body onload="a()"/></html>`,
  ],
  [
    'a drawing that is all under one prefix',
    'a.svg',
    '<é:svg xmlns:é="http://www.w3.org/2000/svg"><é:set onbegin="a()"/></é:svg>',
  ],
])('%s is found', async (_, name, text) => {
  expect(await verdictOn(Buffer.from(text), name)).toContain('html-event-handler');
});

test.each([
  [
    'a link under another prefix',
    `<svg ${SVG} xmlns:q="http://www.w3.org/1999/xlink"><a q:href="javascript:a()"><text>x</text></a></svg>`,
  ],
  [
    'a link whose scheme is an entity',
    `<!DOCTYPE svg [<!ENTITY j "javascript:a()">]><svg ${SVG}><a href="&j;"><text>x</text></a></svg>`,
  ],
  [
    'a link whose scheme is a part of one',
    `<!DOCTYPE svg [<!ENTITY j "script">]><svg ${SVG}><a href="java&j;:a()"><text>x</text></a></svg>`,
  ],
])('%s is found in a drawing', async (_, text) => {
  expect(await verdictOn(Buffer.from(text), 'a.svg')).toContain('html-unsafe-link');
});

test.each([
  [
    'a default of an attribute',
    '<!DOCTYPE svg [<!ATTLIST svg onload CDATA "a()">]><svg xmlns="http://www.w3.org/2000/svg"/>',
  ],
  [
    'markup in an entity',
    `<!DOCTYPE svg [<!ENTITY ${'j'.repeat(500)} '<a href="x"/>'>]><svg xmlns="http://www.w3.org/2000/svg"/>`,
  ],
])('%s is found in a drawing', async (_, text) => {
  expect(await verdictOn(Buffer.from(text), 'a.svg')).toContain('xml-doctype');
});

test.each([
  ['a.svg', (script: string) => `<?xml version="1.0" encoding="iso-2022-jp"?><svg ${SVG}>${script}</svg>`],
  [
    'a.html',
    (script: string) => `<html><head><meta charset="iso-2022-jp"></head><body><p>Text</p>${script}</body></html>`,
  ],
])('a script between comments of another reading of ISO-2022-JP is found in %s', async (name, page) => {
  const script = '\x1b$B<!--\x1b(B<script>a()</script>\x1b$B-->!\x1b(B';
  expect(await verdictOn(Buffer.from(page(script), 'latin1'), name)).toContain('html-script');
});

test.each([
  ['a flat document', 'urn:oasis:names:tc:opendocument:xmlns:office:1.0', 'document'],
  ['a workbook of Office 2003', 'urn:schemas-microsoft-com:office:spreadsheet', 'Workbook'],
  ['a document of Office 2003', 'http://schemas.microsoft.com/office/word/2003/wordml', 'wordDocument'],
  ['a style sheet', 'http://www.w3.org/1999/XSL/Transform', 'stylesheet'],
  ['a name space that is written with references', 'urn:schemas-microsoft-com&#58;office:spreadsheet', 'Workbook'],
])('%s under another prefix is no harmless data', async (_, uri, name) => {
  const text = `<?xml version="1.0"?><é:${name} xmlns:é="${uri}"><é:body/></é:${name}>`;
  expect(await verdictOn(Buffer.from(text), 'data.xml')).not.toContain('benign');
});

test.each([
  [
    'a drawing of a program that uses entities for name spaces',
    'a.svg',
    `<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;"><title/><path d="M0 0"/></svg>`,
  ],
  [
    'a drawing with links',
    'a.svg',
    `<svg ${SVG} xmlns:xlink="http://www.w3.org/1999/xlink"><title>Map</title><a xlink:href="https://www.example.org/?a=1&amp;b;c=2"><text>x</text></a></svg>`,
  ],
  [
    'data under prefixes',
    'data.xml',
    '<?xml version="1.0"?><名前 xmlns:inv="urn:invoice"><inv:total currency="EUR">1</inv:total></名前>',
  ],
  [
    'a page written as XML',
    'page.xhtml',
    `<?xml version="1.0"?><html xmlns="${HTML}"><head><title>Text</title></head><body><p>A&nbsp;text</p></body></html>`,
  ],
])('%s is benign', async (_, name, text) => {
  expect(await verdictOn(Buffer.from(text), name)).toMatch(/^benign/);
});
