import { describe, expect, test } from 'vitest';
import { disarmed, refusalCode } from './run-disarm.ts';

const table = async (text: string | Uint8Array, name = 'a.csv') => (await disarmed(text, name)).text;

describe('cells that would be calculated become text', () => {
  test.each([
    ['an equals sign', 'a,=1+1', "a,'=1+1"],
    ['a plus sign', 'a,+SUM(1)', "a,'+SUM(1)"],
    ['a minus sign', 'a,-SUM(1)', "a,'-SUM(1)"],
    ['an at sign', 'a,@SUM(1)', "a,'@SUM(1)"],
    ['in quotes', 'a,"=1+1,2"', 'a,"\'=1+1,2"'],
    ['behind blanks', 'a, =1+1', "a,' =1+1"],
    ['behind a tab in quotes, twice, since a tab may be a delimiter', 'a,"\t=1+1"', 'a,"\'\t\'=1+1"'],
    ['behind a no-break space', 'a,\u00a0=1+1', "a,'\u00a0=1+1"],
    ['in full width', 'a,＝1+1', "a,'＝1+1"],
    ['behind an empty quoted start', '""=1+1,a', '"\'"=1+1,a'],
    ['at the start behind a byte order mark', '\ufeff=1+1,a', "\ufeff'=1+1,a"],
    ['with semicolons', 'a;=1+1;b', "a;'=1+1;b"],
    ['with tabs', 'a\t=1+1', "a\t'=1+1"],
    ['for a program that splits at semicolons', 'a,b;=A1(1),c', "a,b;'=A1(1),c"],
    ['for a program that ignores quotes', 'a,"x\n=HYPERLINK(1)"', 'a,"x\n\'=HYPERLINK(1)"'],
    ['with a named separator', 'sep=|\na|=1+1', "sep=|\na|'=1+1"],
    ['behind the command of a terminal', 'a,\x1b=1+1,\x1b[31mb', "a,' =1+1, [31mb"],
    ['when it is nearly a number', '-5+cmd(1),x', "'-5+cmd(1),x"],
  ])('%s', async (_, before, after) => {
    expect(await table(before)).toBe(after);
    expect(await disarmed(after, 'a.csv')).toMatchObject({ outcome: 'already_safe' });
  });

  const command = "-2+3+cmd|' /C calc'!A0";
  test.each([
    ['a semicolon', `1,2,3,4;${command},5`],
    ['a tab', `1,2,3,4\t${command},5`],
    ['a plus sign', "1,2;+1*cmd|' /C calc'!A0,3"],
    ['an at sign', "1,2;@1+cmd|' /C calc'!A0,3"],
    ['a named separator', `\ufeffsep=~\r\n1~2;${command}~3`],
    ['a line break in quotes', `a,"x\n${command}"`],
    ['a line break in a cell of quotes', `1,2,3;"-2+\n3+cmd|' /C calc'!A0",4`],
    ['blanks', `1,2,3;${' '.repeat(50)}${command}`],
    ['a function call behind terms', '1,2,3;-2+3+HYPERLINK("x"),4'],
    ['a letter of another script', '1,2,3;=É(1),4'],
  ])('in another reading, behind %s', async (_, before) => {
    for (const content of [before, Buffer.from(`\ufeff${before.replace('\ufeff', '')}`, 'utf16le')]) {
      const { outcome, bytes } = await disarmed(content, 'a.csv');
      expect(outcome).toBe('disarmed');
      const after = Buffer.from(bytes).toString(typeof content === 'string' ? 'utf8' : 'utf16le');
      expect(after).not.toMatch(/(?:^|[,;~\t\n"|]) *(?:[-+@]|=É)/);
    }
  });

  test('a command is removed, and its row keeps its cells', async () => {
    const { text, kinds } = await disarmed("a,b\n=cmd|'/C LIVE'!A0,1\n@x|'LIVE'!A,2\n", 'a.csv');
    expect(text).toBe('a,b\ncommand removed,1\ncommand removed,2\n');
    expect(kinds).toEqual(['DDE command']);
  });
});

test('numbers, amounts, dates, times, telephone numbers and dashes stay as they are', async () => {
  const cells = [
    '-5',
    '+5',
    '-1,5',
    '"-1.234,56"',
    '-5%',
    '-€ 5.00',
    '-$5',
    '-1e-5',
    '+44 20 7946 0000',
    '+1 (555) 010-0100',
    '-01:30',
    '-',
    '--',
    '2026-11-20',
    'a=b',
    'a@b.example',
  ];
  expect(await disarmed(`n\n${cells.join('\n')}\n`, 'a.csv')).toMatchObject({ outcome: 'already_safe' });
});

test.each([
  ['of a country with decimal commas', '-1;-2,5;-3,5\n-1,5;-2;3\n'],
  ['with pipes', '-5|John|Great!|x\n-5|foo|bar\n'],
  ['beside prose', 'n,t\n-5,"this | that! is fine; - and more"\n'],
])('negative numbers %s stay', async (_, content) => {
  expect(await disarmed(content, 'a.csv')).toMatchObject({ outcome: 'already_safe' });
});

test('keeps encoding, byte order mark, line ends and quoting', async () => {
  const utf16 = Buffer.from('\ufeffä;"b ""c"""\r\n=1;2\r\n', 'utf16le');
  const { bytes } = await disarmed(utf16, 'a.csv');
  expect(Buffer.from(bytes).toString('utf16le')).toBe('\ufeffä;"b ""c"""\r\n\'=1;2\r\n');
  const latin = Buffer.from('n\xe4me;x\n=1;2\n', 'latin1');
  expect(Buffer.from((await disarmed(latin, 'a.csv')).bytes).toString('latin1')).toBe("n\xe4me;x\n'=1;2\n");
});

test('bytes that are not text are refused', async () => {
  expect(await refusalCode(Buffer.from('a,\0\x01b'), 'a.csv')).not.toBeNull();
});

test('a table of a million cells and tables of only quotes or blanks are disarmed', async () => {
  const { outcome, kinds } = await disarmed('1,=2,x\n'.repeat(300_000), 'a.csv');
  expect({ outcome, kinds }).toEqual({ outcome: 'disarmed', kinds: ['formula'] });
  for (const sign of ['"', ' ']) {
    expect((await disarmed(`a,b\n${sign.repeat(500_000)}`, 'a.csv')).outcome).toBe('already_safe');
  }
});

describe('a table that Excel reads as SYLK', () => {
  test.each([
    ['a formula', 'ID;N;E\r\nC;X1;Y1;K"x";EEXEC("calc")\r\nE\r\n'],
    ['a formula in tabs of nothing else', 'ID;x\nB;Y1;X1\nC;Y1;X1;K0;EHALT()\n'],
    ['a macro that starts by itself', 'ID;name\nNN;NAuto_open;ER1C1\n'],
  ])('is refused with %s', async (_, text) => {
    expect(await refusalCode(text, 'a.csv')).toBe('unsupported');
    expect(await refusalCode(text, 'a.xls')).toBe('unsupported');
  });

  test('stays when it is only a table', async () => {
    const text = 'ID;Name;Country\r\n1;Ann;Estonia\r\nC;Cees;NL\r\n';
    expect(await disarmed(text, 'a.csv')).toMatchObject({ outcome: 'already_safe' });
  });
});
