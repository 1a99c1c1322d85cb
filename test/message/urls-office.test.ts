import { describe, expect, test } from 'vitest';
import { buildDocx, buildExternalTemplateDocx, buildZip } from '../fixtures/build-office.ts';
import { wordXml } from '../fixtures/build-word-xml.ts';
import { workbookXml } from '../fixtures/build-workbook-xml.ts';
import { flatPackageOf } from '../fixtures/flat-package.ts';
import { search, urlsOf } from './search-rig.ts';

describe('Office files', () => {
  const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const open = { detectedType: DOCX };
  const field = (xml: string) =>
    buildZip([
      [
        'word/document.xml',
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${xml}</w:document>`,
      ],
    ]);

  test('relationships', async () => {
    expect(await urlsOf(await buildExternalTemplateDocx('https://evil.example/t.dotm'), open)).toEqual([
      'https://evil.example/t.dotm',
    ]);
  });
  test('a package in one XML file', async () => {
    const flat = Buffer.from(flatPackageOf(await buildExternalTemplateDocx('https://evil.example/t.dotm')));
    expect(await urlsOf(flat, { detectedType: 'application/x-flat-opc' })).toContain('https://evil.example/t.dotm');
    const long = Buffer.alloc(17 * 1024 * 1024, 0x20);
    expect((await search(long, { detectedType: 'application/x-flat-opc' })).notSearched).toHaveLength(1);
  });
  test('an Excel 2003 workbook in XML', async () => {
    const xml = workbookXml({
      rows: '<Row><Cell ss:HRef="https://evil.example/h"><Data ss:Type="String">or https://words.example/x</Data></Cell></Row>',
    });
    const found = await urlsOf(Buffer.from(xml), { detectedType: 'application/x-spreadsheetml' });
    expect(found).toContain('https://evil.example/h');
    expect(found.join()).toContain('https://words.example/x');
    expect(found.join()).not.toMatch(/microsoft|w3\.org/);
  });
  test('a Word 2003 document in XML', async () => {
    const body =
      '<w:p><w:hlink w:dest="https://evil.example/h"><w:r><w:t>see https://words.example/x</w:t></w:r></w:hlink></w:p>';
    const found = await urlsOf(Buffer.from(wordXml({ body })), { detectedType: 'application/x-wordml' });
    expect([...found].sort()).toEqual(['https://evil.example/h', 'https://words.example/x']);
  });
  test('a field whose instruction is cut in pieces', async () => {
    const xml =
      '<w:r><w:instrText> HYPERLINK "https://evil.e</w:instrText></w:r><w:r><w:instrText>xample/f" </w:instrText></w:r>';
    expect(await urlsOf(await field(xml), open)).toContain('https://evil.example/f');
  });
  test('a field that is cut in pieces beside one that is whole', async () => {
    const xml = ['HYPERLINK "https://other.example/"', ' HYPERLINK "https://evil.e', 'xample/f" ']
      .map((piece) => `<w:instrText>${piece}</w:instrText>`)
      .join('');
    expect(await urlsOf(await field(xml), open)).toContain('https://evil.example/f');
  });
  test('a simple field and a formula', async () => {
    const xml =
      '<w:fldSimple w:instr=" INCLUDEPICTURE &quot;https://evil.example/i&quot; "/><f>HYPERLINK("https://evil.example/h","x")</f>';
    expect(await urlsOf(await field(xml), open)).toEqual(
      expect.arrayContaining(['https://evil.example/i', 'https://evil.example/h']),
    );
  });
  test('an OpenDocument link', async () => {
    const odt = await buildZip([
      ['content.xml', '<text:a xlink:type="simple" xlink:href="https://evil.example/o">x</text:a>'],
    ]);
    expect(await urlsOf(odt, { detectedType: 'application/vnd.oasis.opendocument.text' })).toContain(
      'https://evil.example/o',
    );
  });
  test('an ordinary document has none', async () => {
    expect(await search(await buildDocx(), open)).toEqual({ urls: [], notSearched: [] });
  });
  test('says so when it cannot be opened', async () => {
    const { notSearched } = await search(Buffer.from('PK\x03\x04 nothing'), open);
    expect(notSearched).toEqual(['all of an Office file: it could not be opened as a whole']);
  });
  test('with more links than are looked at says so', async () => {
    const links = (count: number) => Array.from({ length: count }, (_, at) => `<w:t>https://evil.example/${at}</w:t>`);
    expect((await search(await field(links(1_000).join('')), open)).notSearched).toEqual([]);
    const { urls, notSearched } = await search(await field(links(30_000).join('')), open);
    expect(urls.length).toBeLessThan(30_000);
    expect(notSearched).toEqual(['all of an Office file: it holds more links than are looked at']);
  });
  test('says so when the time is over', async () => {
    let asked = 0;
    const workLeftMs = () => (asked++ < 2 ? 1_000 : 0);
    const { notSearched } = await search(await field('<w:t>https://evil.example/</w:t>'), open, { workLeftMs });
    expect(notSearched).toEqual(['all of an Office file: the time for searching URLs was over']);
  });
  test('older formats, by their strings', async () => {
    const bytes = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(505),
      Buffer.from('\x13HYPERLINK "https://evil.example/d"\x14', 'utf16le'),
    ]);
    expect(await urlsOf(bytes)).toEqual(['https://evil.example/d']);
  });
});
