/** Visio drawings keep their pages, shapes, texts, pictures and links, and calculate only with what they hold. */
import { expect, test } from 'vitest';
import { isSafeDrawingFormula } from '../../../lib/engines/disarm/office/visio.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import { box, buildVisio, type VisioOptions } from '../../fixtures/build-visio.ts';
import { zipMembersOf } from '../../hostile/disarm/layers.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

const IMAGE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/image';

async function drawing(options: VisioOptions, name = 'a.vsdx') {
  const { bytes, kinds, extension, outcome } = await disarmed(await buildVisio(options), name);
  const members = new Map(zipMembersOf(bytes).map(([path, content]) => [path, content.toString()]));
  return { kinds, extension, outcome, part: (path: string) => members.get(path) ?? '', bytes };
}

test('an ordinary drawing comes back byte for byte', async () => {
  expect((await drawing({ pages: [box('A box'), box('Another')] })).outcome).toBe('already_safe');
});

test('a cell loses a formula that acts, and keeps its value and its other cells', async () => {
  const { part, kinds } = await drawing({
    pages: [
      box('A box', `<Cell N='EventDblClick' V='7' F='RUNADDON("x")'/><Cell N='Height' V='1' F='GUARD(Width*0.5)'/>`),
    ],
  });
  expect(part('visio/pages/page1.xml')).toMatch(/<Cell N=["']EventDblClick["'] V=["']7["']\/>/);
  expect(part('visio/pages/page1.xml')).toContain('GUARD(Width*0.5)');
  expect(kinds).toEqual(['live formula']);
});

test.each([
  'Inh',
  'Width*0.5',
  'IF(AND(Width>1,Height<2),"a","b ""c""")',
  'THEMEGUARD(RGB(1,2,3))',
  'Sheet.5!Width+Pages[Page-2]!Sheet.1!Width',
  '_WALKGLUE(BegTrigger,EndTrigger,WalkPreference)',
  'SETATREF(Controls.Row_1)',
])('the formula %s stays, unless it names a cell elsewhere', (formula) => {
  expect(isSafeDrawingFormula(formula)).toBe(!formula.includes('['));
});

test.each([
  'RUNADDON("a")',
  'runmacro ("a")',
  'IF(1,CALLTHIS("a"),0)',
  '[b.vsdx]Page-1!Width',
  'EVALTEXT(TheText)',
  `'a"b'!X+RUNADDON(1)+'a"b'!X`,
  'NEW("a")',
  `${'('.repeat(9_000)}1`,
])('the formula %.20s goes', (formula) => {
  expect(isSafeDrawingFormula(formula)).toBe(false);
});

test.each(['Inh', 'OPENTEXTWIN()', 'DEFAULTEVENT()', 'No Formula'])(
  'a drawing whose shapes only do %s at a double click comes back byte for byte',
  async (formula) => {
    const cells = `<Cell N='EventDblClick' V='0' F='${formula}'/><Cell N='TheText' V='0' F='Inh'/>`;
    expect((await drawing({ pages: [box('A box', cells)] })).outcome).toBe('already_safe');
  },
);

test('an address stays with the formula that says the same, and loses any other', async () => {
  const row = (formula: string) =>
    `<Section N='Hyperlink'><Row N='r'><Cell N='Address' V='https://a.example/' F='${formula}'/></Row></Section>`;
  expect((await drawing({ pages: [box('a', row('"https://a.example/"'))] })).outcome).toBe('already_safe');
  const { part, kinds } = await drawing({ pages: [box('a', row('"file:///c:/x.exe"'))] });
  expect(part('visio/pages/page1.xml')).toMatch(/<Cell N=["']Address["'] V=["']https:\/\/a\.example\/["']\/>/);
  expect(kinds).toEqual(['live formula']);
});

test('white space in cells and pictures is no data', async () => {
  const cells = `<Cell N='Height' V='1'>\n  <RefBy T='Page' ID='0'/>\n</Cell>`;
  expect((await drawing({ pages: [box('A box', cells)] })).outcome).toBe('already_safe');
});

test('links to the web and to pages stay, and others lose their address', async () => {
  const row = (address: string, place = '') =>
    `<Section N='Hyperlink'><Row N='r'><Cell N='Address' V='${address}'/><Cell N='SubAddress' V='${place}'/></Row></Section>`;
  const { part, kinds } = await drawing({
    pages: [box('a', row('https://www.example.com/')), box('b', row('', 'Page-1')), box('c', row('file:///c:/x.exe'))],
  });
  expect(part('visio/pages/page1.xml')).toContain('https://www.example.com/');
  expect(part('visio/pages/page2.xml')).toContain('Page-1');
  expect(part('visio/pages/page3.xml')).not.toContain('x.exe');
  expect(kinds).toEqual(['unsafe link']);
});

test('a picture stays, and parts name each other as all programs understand it', async () => {
  const { part } = await drawing({
    pages: [
      `${box('a')}<Shape ID='7' Type='Foreign'><ForeignData ForeignType='Bitmap'><Rel r:id='rId9'/></ForeignData></Shape>`,
    ],
    parts: [{ name: 'visio/media/image1.png', content: buildPng({ comment: 'who' }) }],
    pageLinks: [{ id: 'rId9', type: IMAGE, target: '../media/image1.png' }],
  });
  expect(part('visio/media/image1.png')).toContain('PNG');
  expect(part('visio/pages/_rels/page1.xml.rels')).toContain('Target="../media/image1.png"');
  expect(part('visio/_rels/document.xml.rels')).toContain('Target="pages/pages.xml"');
});

test('the preview of an embedded object stays as a picture', async () => {
  const { part, kinds } = await drawing({
    pages: [
      `${box('a')}<Shape ID='7' Type='Foreign'><ForeignData ForeignType='Object' ObjectType='33280'><Rel r:id='rId9'/></ForeignData></Shape>`,
    ],
    parts: [{ name: 'visio/media/image1.png', content: buildPng() }],
    pageLinks: [{ id: 'rId9', type: IMAGE, target: '../media/image1.png' }],
  });
  expect(part('visio/pages/page1.xml')).toMatch(/<ForeignData ForeignType="EnhMetaFile">/);
  expect(kinds).toEqual(['embedded object']);
});

test('a drawing with macros comes out as one without', async () => {
  const options = { mainType: 'application/vnd.ms-visio.drawing.macroEnabled.main+xml' };
  expect(await drawing(options, 'a.vsdm')).toMatchObject({ extension: 'vsdx', kinds: ['macro file type'] });
});

test('a stencil, and a drawing without its pages, are refused', async () => {
  expect(await refusalCode(await buildVisio({ mainType: 'application/vnd.ms-visio.stencil.main+xml' }), 'a.vsdx')).toBe(
    'unsupported',
  );
  expect(await refusalCode(Buffer.from((await buildVisio()).subarray(0, 900)), 'a.vsdx')).not.toBeNull();
});
