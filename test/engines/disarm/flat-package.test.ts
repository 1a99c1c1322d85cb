import { describe, expect, test } from 'vitest';
import { buildPng } from '../../fixtures/build-image.ts';
import { buildDocm, buildDocx, buildOleDocx } from '../../fixtures/build-office.ts';
import { flatPackageOf } from '../../fixtures/flat-package.ts';
import { ooxmlFile } from '../../hostile/attack/ooxml-file.ts';
import { officeParts } from './contents.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

const WORDS = ['minutes', 'of', 'the', 'meeting'];
const OD = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/';

describe.each([
  ['word', 'document', 'docx'],
  ['xl', 'sheet', 'xlsx'],
  ['ppt', 'presentation', 'pptx'],
] as const)('a package of %s in one XML file', (folder, kind, extension) => {
  const flat = async () => flatPackageOf(await ooxmlFile(folder, kind, WORDS));

  test('comes back as the package, with its words', async () => {
    const { extension: found, quality, kinds, bytes } = await disarmed(await flat(), 'report.xml');
    expect(found).toBe(extension);
    expect(quality.words).toEqual({ before: 4, kept: 4 });
    expect(kinds).toEqual(['package in XML']);
    expect((await disarmed(bytes, `report.${extension}`)).outcome).toBe('already_safe');
  });

  test('is told by its root in UTF-16, without a name, and under the name of a document', async () => {
    const text = await flat();
    const wide = Buffer.from(`\ufeff${text.replace('encoding="UTF-8"', 'encoding="UTF-16"')}`, 'utf16le');
    for (const [bytes, name] of [
      [wide, 'a.xml'],
      [text, ''],
      [text, 'a.doc'],
      [text, 'a.xls'],
      [text, 'a.ppt'],
    ] as const)
      expect([name, (await disarmed(bytes, name)).extension]).toEqual([name, extension]);
  });
});

test('pictures of the package stay, and are counted', async () => {
  const drawing = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="9" cy="9"/><wp:docPr id="1" name="p"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:nvPicPr><pic:cNvPr id="0" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rId9" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/></pic:blipFill><pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;
  const docx = await buildDocx({
    body: drawing,
    parts: [{ name: 'word/media/a.png', content: buildPng() }],
    links: [{ id: 'rId9', type: `${OD}image`, target: 'media/a.png' }],
  });
  const { bytes, quality } = await disarmed(flatPackageOf(docx), 'a.xml');
  expect((await officeParts(bytes)).has('word/media/a.png')).toBe(true);
  expect(quality.checks).toContain('pictures');
});

test('name spaces that a part takes from around it stay with it', async () => {
  const flat = flatPackageOf(await ooxmlFile('word', 'document', WORDS));
  const space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  expect(flat).toContain(space);
  const moved = flat.replaceAll(space, '').replace('<pkg:package ', `<pkg:package ${space} `);
  expect((await disarmed(moved, 'a.xml')).quality.words).toEqual({ before: 4, kept: 4 });
});

test.each([
  ['macros', buildDocm, 'macro'],
  ['an embedded object', () => buildOleDocx(Buffer.from('MZ evil')), 'embedded object'],
])('%s are removed', async (_what, build, kind) => {
  const { kinds, bytes } = await disarmed(flatPackageOf(await build()), 'a.xml');
  expect(kinds.some((each) => each.includes(kind))).toBe(true);
  expect([...(await officeParts(bytes)).keys()].join()).not.toMatch(/vba|embeddings/);
});

describe('a package in XML is refused', () => {
  const part = (name: string) =>
    `<pkg:part pkg:name="${name}" pkg:contentType="application/xml"><pkg:xmlData><a/></pkg:xmlData></pkg:part>`;
  const open = '<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">';

  test.each([
    [
      'with a document type declaration',
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${open}${part('/a.xml')}</pkg:package>`,
      'unreadable',
    ],
    ['that uses an entity of its own', `${open}<pkg:part pkg:name="&x;"/></pkg:package>`, 'unreadable'],
    ['that is not well-formed', `${open}${part('/a.xml')}`, 'unreadable'],
    ['with two parts of one name', `${open}${part('/a.xml')}${part('/A.xml')}</pkg:package>`, 'unreadable'],
    [
      'with two contents of one part',
      `${open}<pkg:part pkg:name="/a.xml" pkg:contentType="application/xml"><pkg:xmlData><a/></pkg:xmlData><pkg:xmlData><b/></pkg:xmlData></pkg:part></pkg:package>`,
      'unreadable',
    ],
    ['without a main document', `${open}${part('/a.xml')}</pkg:package>`, 'unreadable'],
    ['with more parts than the limit', `${open}${part('/a.xml').repeat(21_000)}</pkg:package>`, 'unreadable'],
    [
      'with elements that are nested too deep',
      `${open}${'<a>'.repeat(3_000)}${'</a>'.repeat(3_000)}</pkg:package>`,
      'unreadable',
    ],
  ])('%s', async (_what, xml, code) => {
    expect(await refusalCode(xml, 'a.xml')).toBe(code);
  });

  test('when parts that have the same name in another case could show another document', async () => {
    const flat = flatPackageOf(await ooxmlFile('word', 'document', WORDS));
    const twice = flat.replace('</pkg:package>', `${part('/WORD/document.xml')}</pkg:package>`);
    expect(await refusalCode(twice, 'a.xml')).toBe('unreadable');
  });

  test.each(['/../../a.xml', '/C:/a.xml', '/a\\b.xml'])('never: a part called %s is left out', async (name) => {
    const flat = flatPackageOf(await ooxmlFile('word', 'document', WORDS));
    const { kinds, bytes } = await disarmed(flat.replace('</pkg:package>', `${part(name)}</pkg:package>`), 'a.xml');
    expect(kinds).toContain('unsafe part name');
    expect([...(await officeParts(bytes)).keys()].join()).not.toContain('a.xml,');
  });
});
