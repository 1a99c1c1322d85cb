/** PDFs as the second look sees them: nothing between the objects, nothing twice, nothing unused; their pages, words and pictures. */
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, secondLookOf } from '../../../lib/formats/file-types.ts';

const PDF = describeType('application/pdf');
const latin1 = (text: string) => Buffer.from(text, 'latin1');

async function look(output: string, original = output) {
  const [before, after] = [original, output].map((text) => ({ bytes: latin1(text), type: PDF }));
  if (before === undefined || after === undefined) throw new Error('two files');
  const found = await inspectOutput(before, after, DEFAULT_ENGINE_LIMITS, { detectType, secondLookOf });
  return { ...found, ids: found.leftovers.map(({ id }) => id) };
}

const packed = (text: string) => deflateSync(latin1(text)).toString('latin1');
const stream = (data: string, entries = '/Filter /FlateDecode') =>
  `<< /Length ${data.length} ${entries} >>\nstream\n${data}\nendstream`;
const objects = (bodies: Readonly<Record<number, string>>) =>
  Object.entries(bodies).map(([number, body]) => `${number} 0 obj\n${body}\nendobj\n`);
const END = 'xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 9 /Root 1 0 R >>\nstartxref\n99\n%%EOF\n';

interface Parts {
  readonly catalog?: string;
  readonly page?: string;
  readonly content?: string;
  readonly more?: Readonly<Record<number, string>>;
}
/** A document of one page. */
function document({ catalog = '', page = '', content = '(one two) Tj', more = {} }: Parts = {}): string {
  const all = {
    1: `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: `<< /Type /Page /Parent 2 0 R /Contents 4 0 R ${page} >>`,
    4: stream(packed(content)),
    ...more,
  };
  return `%PDF-1.7\n${objects(all).join('')}${END}`;
}

describe('the structure of a document', () => {
  test('that is sound has nothing in it', async () => {
    expect(await look(document())).toMatchObject({
      leftovers: [],
      words: { before: 2, kept: 2 },
      units: { kind: 'pages', before: 1, after: 1 },
      pictures: { before: 0, after: 0 },
    });
  });

  test.each<[string, string, readonly string[]]>([
    ['a comment of binary signs behind the header', document().replace('1.7\n', '1.7\n%\xe2\xe3\xcf\xd3\n'), []],
    ['a blank in front', ` ${document()}`, ['pdf-data-before', 'pdf-hidden-data']],
    ['bytes behind the header', document().replace('1.7\n', '1.7\nPK\x03\x04\n'), ['pdf-hidden-data']],
    ['a long comment behind the header', document().replace('1.7\n', `1.7\n%${'x'.repeat(41)}\n`), ['pdf-hidden-data']],
    ['bytes behind the end', `${document()}x`, ['pdf-data-behind', 'pdf-hidden-data']],
    ['line breaks behind the end', `${document()}\n`, []],
    ['bytes between objects', document().replace('2 0 obj', 'x\n2 0 obj'), ['pdf-hidden-data']],
    ['a comment in the trailer', document().replace('trailer', '% x\ntrailer'), ['pdf-hidden-data']],
    ['bytes in the table', document().replace('trailer', 'x\ntrailer'), ['pdf-hidden-data']],
    ['no table', document().replace('xref\n0 1', ''), ['pdf-hidden-data']],
    ['two revisions', `${document()}${document()}`, ['pdf-hidden-data', 'pdf-superseded-object']],
    [
      'an object that is there twice',
      document().replace('xref\n0', '4 0 obj\n<< >>\nendobj\nxref\n0'),
      ['pdf-superseded-object'],
    ],
    ['an object that nothing names', document({ more: { 7: '<< >>' } }), ['pdf-unused-object']],
    ['a stream in plain bytes', document({ page: '/A 5 0 R', more: { 5: stream('abc', '') } }), ['pdf-plain-stream']],
    [
      'a stream that stands elsewhere',
      document({ page: '/A 5 0 R', more: { 5: stream('a', '/Filter /FlateDecode /F (b)') } }),
      ['pdf-external-stream'],
    ],
    [
      'an unknown filter',
      document({ page: '/A 5 0 R', more: { 5: stream('a', '/Filter [/FlateDecode /My]') } }),
      ['pdf-unknown-filter'],
    ],
  ])('with %s', async (_, text, ids) => {
    expect([...new Set((await look(text)).ids)].sort()).toEqual(ids);
  });
});

describe('what a document does', () => {
  test.each<[string, Parts, readonly string[]]>([
    ['opens at a page', { catalog: '/OpenAction << /S /GoTo /D [3 0 R /Fit] >>' }, []],
    ['opens at a place', { catalog: '/OpenAction [3 0 R /Fit]' }, []],
    [
      'opens at a page that is named elsewhere',
      { catalog: '/OpenAction 5 0 R', more: { 5: '<< /S /GoTo /D [3 0 R] >>' } },
      [],
    ],
    ['opens an address', { catalog: '/OpenAction << /S /URI /URI (https://a.example/) >>' }, ['pdf-open-action']],
    [
      'opens an address that is named elsewhere',
      { catalog: '/OpenAction 5 0 R', more: { 5: '<< /S /URI /URI (https://a.example/) >>' } },
      ['pdf-open-action'],
    ],
    [
      'does nothing by a named object without a kind',
      { catalog: '/OpenAction 5 0 R', more: { 5: '<< /D [3 0 R] >>' } },
      [],
    ],
    ['leads to the web', { page: '/A << /S /URI /URI (https://a.example/) >>' }, []],
    ['leads to a file', { page: '/A << /S /URI /URI (file:///a) >>' }, ['pdf-unsafe-link']],
    ['leads to a file, in escapes', { page: '/A << /S /URI /URI (\\file:///a\\)) >>' }, ['pdf-unsafe-link']],
    ['leads to the web, in digits', { page: `/A << /URI <${latin1('https://a').toString('hex')}> >>` }, []],
    [
      'leads to a file, in digits',
      { page: `/A << /URI <${latin1('file:///a').toString('hex')}> >>` },
      ['pdf-unsafe-link'],
    ],
    ['has a string that is no address', { page: '/T (file:///a) /L [(file:///a)]' }, []],
    [
      'has an address that is named elsewhere',
      { page: '/A << /URI 5 0 R >>', more: { 5: '(https://a.example/)' } },
      [],
    ],
    ['completes addresses', { catalog: '/URI << /Base (https://a.example/) >>' }, ['pdf-base-address']],
  ])('%s', async (_, parts, ids) => expect((await look(document(parts))).ids).toEqual(ids));
});

describe('the words of a page', () => {
  test.each([
    ['(one two) Tj (three) Tj', 3],
    ['(one) Tj\n(two) Tj', 2],
    ['[(o)-10(n)20(e)] TJ', 1],
    ['[(one)-180(two)] TJ', 1],
    ['[(one)-181(two)] TJ', 2],
    ['[(one)] TJ [(two)] TJ', 2],
    ['[(one) (two)] TJ', 1],
    ['(one \\(two\\) (three)) Tj (four) Tj', 4],
    ['<0041> Tj <0042> Tj', 2],
    ['[<0041><0042>] TJ', 1],
    ['<< /A (one) >> BDC one', 1],
    ['one two', 0],
    ['(one', 1],
    ['(one\\) two) Tj', 2],
    ['(one (two) three) Tj', 3],
    ['(a\\\\) Tj (b) Tj', 2],
    ['<41', 1],
  ])('%j: %i', async (content, count) => {
    expect((await look(document(), document({ content }))).words?.before).toBe(count);
  });

  test('that are lost are missed, and a stream that stays counts as it is', async () => {
    const two = (content: string, other: string) =>
      document({ page: '/B1 5 0 R', content, more: { 5: stream(packed(other)) } });
    expect((await look(two('(one) Tj', '(three) Tj'), two('(one two) Tj', '(three) Tj'))).words).toEqual({
      before: 3,
      kept: 2,
      after: 2,
    });
    expect((await look(two('(one) Tj', '(three) Tj'), two('(one) Tj', '(three) Tj'))).words).toEqual({
      before: 2,
      kept: 2,
      after: 2,
    });
  });

  test.each<[string, Parts, number]>([
    [
      'of a form',
      { page: '/X << /F 5 0 R >>', more: { 5: stream(packed('(a) Tj'), '/Filter/FlateDecode /Subtype /Form') } },
      3,
    ],
    ['in an array of streams', { page: '/X [5 0 R]', more: { 5: stream(packed('(a) Tj'), '/Filter [/Fl]') } }, 3],
    ['in plain bytes', { page: '/X 5 0 R', more: { 5: stream('(a) Tj', '') } }, 3],
    [
      'of a picture',
      { page: '/X 5 0 R', more: { 5: stream(packed('(a) Tj'), '/Filter /FlateDecode /Subtype /Image') } },
      2,
    ],
    ['of a font', { page: '/X 5 0 R', more: { 5: stream(packed('(a) Tj'), '/Filter /FlateDecode /Length1 9') } }, 2],
    ['of a comment', { page: '/Annots [5 0 R]', more: { 5: stream(packed('(a) Tj')) } }, 2],
    ['of metadata', { page: '/Metadata 5 0 R', more: { 5: stream(packed('(a) Tj')) } }, 2],
    [
      'of a thumbnail, and of what follows it',
      { page: '/Thumb 5 0 R /X 6 0 R', more: { 5: stream(packed('(a) Tj')), 6: stream(packed('(b c) Tj')) } },
      4,
    ],
    [
      'behind a dictionary',
      { page: '/X 5 0 R', more: { 5: '<< /Y << /Z 6 0 R >> >>', 6: stream(packed('(a) Tj')) } },
      3,
    ],
    [
      'beside the page in a dictionary',
      {
        page: '/PieceInfo << /Y << /Z 6 0 R >> >> /X 5 0 R',
        more: { 5: stream(packed('(a) Tj')), 6: stream(packed('(b c) Tj')) },
      },
      3,
    ],
    [
      'behind an action',
      { page: '/X 5 0 R', more: { 5: '<< /Type /Action /Y 6 0 R >>', 6: stream(packed('(a) Tj')) } },
      2,
    ],
    ['in an unknown filter', { page: '/X 5 0 R', more: { 5: stream(packed('(a) Tj'), '/Filter /My') } }, 2],
    [
      'in two filters',
      { page: '/X 5 0 R', more: { 5: stream(packed('(a) Tj'), '/Filter [/FlateDecode /FlateDecode]') } },
      2,
    ],
    [
      'with a predictor',
      { page: '/X 5 0 R', more: { 5: stream(packed('(a) Tj'), '/Filter /FlateDecode /Predictor 12') } },
      2,
    ],
    [
      'without a predictor',
      { page: '/X 5 0 R', more: { 5: stream(packed('(a) Tj'), '/Filter /FlateDecode /Predictor 1') } },
      3,
    ],
  ])('%s', async (_, parts, count) => {
    expect((await look(document(), document(parts))).words?.before).toBe(count);
  });
});

describe('the pages of a document', () => {
  const units = async (text: string) => (await look(document(), text)).units?.before ?? null;
  const tree = (nodes: Readonly<Record<number, string>>) => document({ more: nodes });
  const PAGE = '<< /Type /Page >>';

  test.each<[string, Readonly<Record<number, string>>, number | null]>([
    ['in a list', { 2: '<< /Type /Pages /Kids [3 0 R 5 0 R] >>', 5: PAGE }, 2],
    ['in a list that is named', { 2: '<< /Type /Pages /Kids 6 0 R >>', 5: PAGE, 6: '[3 0 R 5 0 R]' }, 2],
    [
      'in a list in a list',
      { 2: '<< /Type /Pages /Kids [3 0 R 6 0 R] >>', 5: PAGE, 6: '<< /Type /Pages /Kids [5 0 R 5 0 R] >>' },
      3,
    ],
    ['in a ring', { 2: '<< /Type /Pages /Kids [3 0 R 2 0 R] >>' }, 1],
    ['with an empty list beside', { 2: '<< /Type /Pages /Kids [3 0 R 6 0 R] >>', 6: '<< /Type /Pages >>' }, 1],
    ['none', { 2: '<< /Type /Pages /Kids [] >>' }, null],
    ['of which one is missing', { 2: '<< /Type /Pages /Kids [3 0 R 8 0 R] >>' }, 1],
  ])('%s', async (_, nodes, count) => expect(await units(tree(nodes))).toBe(count));

  test('are not counted in an encrypted document, or in one without a root', async () => {
    expect(await units(document().replace('/Root', '/Encrypt 9 0 R /Root'))).toBeNull();
    expect(await units(document().replace('/Root', '/Rooz'))).toBeNull();
    expect(await look(document(), document().replace('/Root', '/Rooz'))).toMatchObject({
      words: null,
      isEmptyOfUnknown: false,
    });
  });

  test('in object streams are counted', async () => {
    const table = '2 0 3 42 ';
    const nodes = '<< /Type /Pages /Kids [3 0 R 3 0 R] >>'.padEnd(42) + PAGE;
    const objectStream = stream(
      packed(table + nodes),
      `/Type /ObjStm /N 2 /First ${table.length} /Filter /FlateDecode`,
    );
    const text = `%PDF-1.7\n${objects({ 1: '<< /Type /Catalog /Pages 2 0 R >>', 6: objectStream }).join('')}${END}`;
    expect(await units(text)).toBe(2);
  });

  test('and its pictures are counted as there or not', async () => {
    const picture = document({ page: '/X 5 0 R', more: { 5: stream('x', '/Subtype /Image /Filter /DCTDecode') } });
    expect((await look(document(), picture)).pictures).toEqual({ before: 1, after: 0 });
    expect((await look(picture, picture)).pictures).toEqual({ before: 1, after: 1 });
    expect((await look(picture, picture.replace('Image', 'Imagery'))).pictures).toEqual({ before: 0, after: 1 });
  });
});
