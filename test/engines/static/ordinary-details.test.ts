/**
 * Details of ordinary documents that look like those of attacks: raw pictures in rich text, connections to a text on a drive, keys of a template,
 * buttons without macros, the history of a shared workbook, amounts in a table. Each has siblings that stay suspicious.
 */
import { describe, expect, test } from 'vitest';
import { compoundFile, wordDocument } from '../office-fixture.ts';
import { verdictOn } from './analyse.ts';

describe('raw bytes in rich text', () => {
  const PNG = Buffer.from('\x89PNG\r\n\x1a\n {\\objdata } \\bin9 ', 'latin1');
  const rich = (before: string, bytes: Buffer, behind: string, count = bytes.length) =>
    verdictOn(
      Buffer.concat([Buffer.from(`{\\rtf1 {${before}\\bin${count} `), bytes, Buffer.from(`${behind}}`)]),
      'a.rtf',
    );
  const PICTURE = '\\pict\\picw10\\pich10\\pngblip';

  test.each([
    ['of a picture', PICTURE],
    ['of a picture in a group of its own', `${PICTURE} {`],
    ['of a drawing', '\\pict\\emfblip\\picw1'],
  ])('%s are a fact', async (_, before) => {
    const bytes = before.includes('emf')
      ? Buffer.from(`\x01\0\0\0${'\0'.repeat(36)} EMF`, 'latin1')
      : PNG.subarray(0, 8);
    expect(await rich(before, bytes, before.endsWith('{') ? '}}' : '}')).toBe('unknown rtf-binary');
  });

  test.each<[string, string, Buffer, string, number?]>([
    ['that are no picture', PICTURE, Buffer.from('{\\object a}'), '}'],
    ['of no picture', '\\objdata', PNG, '}'],
    ['of a result that is not shown', '\\*\\shprslt', PNG, '}'],
    ['behind which the group goes on', PICTURE, PNG, ' 0102}'],
    ['of which there are fewer', PICTURE, PNG, '}', 900],
    ['whose number is too long', PICTURE, PNG, '}', Number(`1${'0'.repeat(10)}`)],
    ['with another word between', `${PICTURE}\\objdata`, PNG, '}'],
    ['beside others', `${PICTURE}\\bin8 \x89PNG\r\n\x1a\n}{\\other`, PNG, '}'],
  ])('%s are suspicious', async (_, before, bytes, behind, count = bytes.length) => {
    expect(await rich(before, bytes, behind, count)).toMatch(/^suspicious .*rtf-binary/);
  });

  test('hide no object behind them, and none in them', async () => {
    expect(await rich(PICTURE, PNG.subarray(0, 8), '}{\\object\\objdata 0105}')).toMatch(/^suspicious .*rtf-object/);
    const split = '}{\\ob\\bin4 ject\\bin0 ject}';
    expect(await rich(PICTURE, PNG.subarray(0, 8), split)).toMatch(/^suspicious /);
  });
});

describe('a connection of a workbook of Excel 97 to 2003', () => {
  const record = (id: number, data: Buffer) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(id);
    head.writeUInt16LE(data.length, 2);
    return Buffer.concat([head, data]);
  };
  const bof = record(0x0809, Buffer.from('000605000000000000000000000000000000', 'hex').subarray(0, 16));
  const connection = (kind: number, path: string, more: readonly Buffer[] = []) =>
    verdictOn(
      compoundFile({
        Workbook: Buffer.concat([
          bof,
          record(
            0x0876,
            Buffer.concat([Buffer.from([0x76, 8, 0, 0, kind, 0]), Buffer.alloc(30), Buffer.from(path, 'latin1')]),
          ),
          ...more,
        ]),
      }),
      'a.xls',
    );

  test('to a text on a drive is a fact', async () => {
    expect(await connection(6, '\x18D:\\report.csv\0\x01')).toBe('unknown office-data-connection');
  });

  test.each<[string, number, string, (readonly Buffer[])?]>([
    ['to a text on a share', 6, '\x18\\\\threat.example\\a\\report.csv'],
    ['to a text of the web', 6, '\x18https://threat.example/report.csv'],
    ['to both', 6, '\x18D:\\report.csv\0\x18//threat.example/a.csv'],
    [
      'to a share in two bytes a character',
      6,
      Buffer.from('D:\\a.csv \\\\threat.example\\a', 'utf16le').toString('latin1'),
    ],
    ['to a page', 4, '\x18D:\\report.htm'],
    ['to a database', 5, '\x18D:\\report.mdb'],
    ['to no file', 6, '\x18report'],
    ['that goes on', 6, '\x18D:\\report.csv', [record(0x003c, Buffer.from('\\\\threat.example'))]],
  ])('%s is suspicious', async (_, kind, path, more) => {
    expect(await connection(kind, path, more)).toMatch(/^suspicious .*office-data-connection/);
  });
});

describe('keys that a document of Word brings', () => {
  const withKeys = (
    content: string,
    more: readonly [string, string, boolean][] = [],
    parts: Readonly<Record<string, string>> = {},
  ) =>
    verdictOn(
      wordDocument({
        relationships: [['keyMapCustomizations', 'customizations.xml', false], ...more],
        parts: {
          'word/customizations.xml': `<wne:tcg xmlns:wne="http://schemas.microsoft.com/office/word/2006/wordml">${content}</wne:tcg>`,
          ...parts,
        },
      }),
      'a.docx',
    );
  const SIGN =
    '<wne:keymaps><wne:keymap wne:kcmPrimary="0641"><wne:acd wne:acdName="acd0"/></wne:keymap></wne:keymaps><wne:toolbars><wne:acdManifest><wne:acdEntry wne:acdName="acd0"/></wne:acdManifest></wne:toolbars><wne:acds><wne:acd wne:argValue="AQ==" wne:acdName="acd0" wne:fciBasedOn="Symbol"/></wne:acds>';
  const MACRO =
    '<wne:keymaps><wne:keymap wne:kcmPrimary="0231"><wne:macro wne:macroName="A.B.C"/></wne:keymap></wne:keymaps>';

  test('insert a sign, or start a macro that is not there', async () => {
    expect(await withKeys(SIGN)).toBe('unknown office-add-in');
    expect(await withKeys(MACRO)).toBe('unknown office-add-in');
  });

  test.each<[string, string, (readonly [string, string, boolean][])?, Readonly<Record<string, string>>?]>([
    ['start another command', SIGN.replace('"Symbol"', '"FileRun"')],
    ['start a command by its number', SIGN.replace('wne:fciBasedOn="Symbol"', 'wne:fciIndexBasedOn="0211"')],
    ['load a library', '<wne:keymaps><wne:keymap><wne:wll wne:macroName="a"/></wne:keymap></wne:keymaps>'],
    [
      'come with bars of tools',
      SIGN,
      [['attachedToolbars', 'attachedToolbars.bin', false]],
      { 'word/attachedToolbars.bin': 'a' },
    ],
    ['have bars of tools', `${SIGN}<wne:toolbarData r:id="rId1"/>`],
    ['come with an add-in', SIGN, [['webextension', 'w.xml', false]], { 'word/w.xml': '<we:webextension/>' }],
    ['come with buttons', SIGN, [], { 'customUI/customUI.xml': '<customUI onLoad="a"/>' }],
  ])('that %s are suspicious', async (_, content, more, parts) => {
    expect(await withKeys(content, more, parts)).toMatch(/^suspicious .*office-add-in/);
  });
});

describe('a field that names a macro', () => {
  const withField = (parts: Readonly<Record<string, string>> = {}) =>
    verdictOn(
      wordDocument({
        body: '<w:p><w:fldSimple w:instr=" MACROBUTTON AllCaps here "/></w:p>',
        parts,
      }),
      'a.docx',
    );
  test('is a fact in a document without macros', async () => {
    expect(await withField()).toBe('unknown office-active-field');
  });
});

describe('the history of a shared workbook', () => {
  const withPart = (content: string) =>
    verdictOn(wordDocument({ parts: { 'xl/revisions/revisionLog1.xml': content } }), 'a.docx');
  test('names no action of a click', async () => {
    expect(
      await withPart('<revisions><rcv guid="{A}" action="delete"/><rrc rId="1" action="insertRow"/></revisions>'),
    ).toBe('benign');
    expect(await withPart('<revisions><rcv guid="{A}" action="ppaction://program"/></revisions>')).toBe(
      'suspicious office-action',
    );
    expect(await withPart('<a:hlinkClick action="delete"/>')).toBe('suspicious office-action');
  });
});

describe('amounts in a table', () => {
  test.each(['a,b\n-$2,$0\n', 'a;b\n-\u20ac1.50;\u00a33\n', '"a","-$1,234.00"\n'])('%s are benign', async (text) => {
    expect(await verdictOn(Buffer.from(text), 'a.csv')).toMatch(/^benign/);
  });
  test.each(['a,b\n-$A$1,2\n', 'a,b\n+$2+cmd,2\n', 'a,b\n=$2,2\n', 'a,b\n-$2+A1!b,2\n'])(
    '%s are formulas',
    async (text) => {
      expect(await verdictOn(Buffer.from(text), 'a.csv')).toContain('text-formula');
    },
  );
});
