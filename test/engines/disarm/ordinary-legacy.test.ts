import { describe, expect, test } from 'vitest';
import { buildDoc, TEXT_AT } from '../../fixtures/build-doc.ts';
import { buildXls, label, words, type XlsRecord } from '../../fixtures/build-xls.ts';
import { ordinaryLegacy, RTF_DIALECTS } from '../../fixtures/ordinary-legacy.ts';
import { streamsOf, xlsRecords } from './legacy-contents.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

const rtf = (text: string) => disarmed(Buffer.from(text, 'latin1'), 'letter.rtf');
const dialect = (name: string) => rtf(RTF_DIALECTS[name] ?? '');
/** What a reader sees of text beyond ASCII. */
const shown = (text: string): string =>
  text
    .replace(/\\u(-?\d+)\?/g, (_, code) => String.fromCharCode(Number(code) & 0xffff))
    .replace(/\\'([\da-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

describe('ordinary documents of Office 97 to 2003 and in rich text', () => {
  test('are all disarmed, and a second pass finds nothing', async () => {
    for (const { name, bytes } of await ordinaryLegacy()) {
      const { bytes: output, extension } = await disarmed(bytes, name);
      const again = await disarmed(output, `again.${extension}`);
      expect([name, again.outcome]).toEqual([name, 'already_safe']);
    }
  });

  test.each<[string, string]>([
    ['wordpad.rtf', 'café €'],
    ['old-mac.rtf', 'café'],
    ['dos.rtf', 'café'],
    ['textedit.rtf', 'It’s here'],
    ['central-european.rtf', 'řěšĄ'],
    ['russian.rtf', 'Привет'],
    ['japanese.rtf', '日本語'],
    ['chinese-simplified.rtf', '中文'],
    ['korean.rtf', '한글'],
    ['chinese-traditional.rtf', '中文'],
    ['hebrew.rtf', 'שלום'],
    ['arabic.rtf', 'مرحبا'],
    ['outlook-from-html.rtf', 'Dear colleague, see the minutes\u00a0below'],
    ['crystal-reports.rtf', 'boxed total'],
    ['word-365-fields.rtf', '[Click here and type name]'],
    ['word-365-notes.rtf', 'comment words'],
    ['word-365-tables.rtf', 'inner left'],
  ])('%s keeps its text', async (name, text) => {
    expect(shown((await dialect(name)).text)).toContain(text);
  });

  test('quotes and dashes of Windows do not become control characters', async () => {
    const { text } = await rtf("{\\rtf1\\ansi\\ansicpg1252 \\'93quoted\\'94 \\'96 5 \\'80\\par}");
    expect(shown(text)).toContain('“quoted” – 5 €');
  });

  test('formulas keep their structure, empty parts included', async () => {
    const { text } = await dialect('word-365-formula.rtf');
    for (const part of ['{\\mrad{\\mradPr{\\mdegHide on}}{\\mdeg}{\\me{\\mr beta}}}', '{\\mf{\\mfPr{\\mtype lin}}'])
      expect(text).toContain(part);
  });

  test('a link to a bookmark that is written as an address stays a link', async () => {
    const { text } = await rtf('{\\rtf1 {\\field{\\*\\fldinst HYPERLINK "#chapter"}{\\fldrslt go}}\\par}');
    expect(text).toContain('{\\*\\fldinst HYPERLINK \\\\l "chapter"}');
  });

  test('a text box does not continue the sentence at which it is anchored', async () => {
    const { text } = await rtf('{\\rtf1 below{\\shp{\\*\\shpinst{\\shptxt box\\par}}} last\\par}');
    expect(text).toMatch(/below\{\{?\{?\\par\s*box/);
  });

  test('the label of a button is shown once', async () => {
    const { text } = await rtf(
      '{\\rtf1 {\\field{\\*\\fldinst MACROBUTTON Run fill}{\\fldrslt filled}}{\\field{\\*\\fldinst MACROBUTTON Run press}{\\fldrslt }}\\par}',
    );
    expect(text).not.toMatch(/fill[^e]|Run/);
    expect(text).toContain('press');
  });
});

/** One piece of the text for each pair of first character and length. All have two bytes per character. */
function pieces(...list: readonly (readonly [from: number, length: number])[]): Buffer {
  const out = Buffer.alloc(5 + 4 + list.length * 12);
  out[0] = 2;
  out.writeUInt32LE(out.length - 5, 1);
  let position = 0;
  for (const [index, [from, length]] of list.entries()) {
    position += length;
    out.writeUInt32LE(position, 5 + (index + 1) * 4);
    out.writeUInt32LE(TEXT_AT + from * 2, 5 + (list.length + 1) * 4 + index * 8 + 2);
  }
  return out;
}

describe('a document that Word saved fast', () => {
  test('may show the same characters twice', async () => {
    const bytes = buildDoc({ text: 'copied words', pieces: pieces([0, 6], [0, 7]) });
    expect((await disarmed(bytes, 'letter.doc')).extension).toBe('doc');
  });

  test('may not show them a thousand times', async () => {
    const bytes = buildDoc({ text: 'copied words', pieces: pieces(...Array(1_000).fill([0, 12] as const)) });
    expect(await refusalCode(bytes, 'letter.doc')).toBe('unreadable');
  });
});

describe('records of a sheet that belong together', () => {
  const sheet = (...records: readonly XlsRecord[]) =>
    buildXls({ sheets: [{ name: 'Data', records: [label(0, 0, 'KEEP'), ...records] }] });
  const idsOf = async (bytes: Uint8Array) => xlsRecords((await disarmed(bytes, 'book.xls')).bytes).map(({ id }) => id);

  test('conditional formats of newer versions are removed with their frame and their extension', async () => {
    const extension = Buffer.alloc(18);
    extension.writeUInt32LE(1, 12);
    const ids = await idsOf(sheet([0x0879, Buffer.alloc(20)], [0x087a, Buffer.alloc(20)], [0x087b, extension]));
    expect(ids.filter((id) => id >= 0x0879 && id <= 0x087b)).toEqual([]);
  });

  test('the extension of a format of Excel 97 stays', async () => {
    expect(await idsOf(sheet([0x087b, Buffer.alloc(18)]))).toContain(0x087b);
  });

  test('the continuation of a formula is removed with the formula', async () => {
    const code = Buffer.from('THREAT');
    const bytes = sheet([0x0006, Buffer.concat([words(1, 1, 15, 0, 0, 0, 0, 0, 0, 0, 99)])], [0x003c, code]);
    const { bytes: output } = await disarmed(bytes, 'book.xls');
    expect(streamsOf(output).get('Workbook')?.includes(code)).toBe(false);
  });

  test('a sheet inside a sheet is removed with its content', async () => {
    const begin = (kind: number): XlsRecord => [0x0809, words(0x0600, kind, 0, 0, 0, 0, 0, 0)];
    const end: XlsRecord = [0x000a, Buffer.alloc(0)];
    const bytes = sheet(
      begin(0x40),
      label(1, 1, 'THREAT'),
      begin(0x20),
      end,
      end,
      begin(0x20),
      label(2, 2, 'chart'),
      end,
    );
    const { bytes: output, kinds } = await disarmed(bytes, 'book.xls');
    const text = Buffer.from(output).toString('latin1');
    expect(kinds).toContain('macro sheet');
    expect([text.includes('THREAT'), text.includes('chart'), text.includes('KEEP')]).toEqual([false, true, true]);
  });
});
