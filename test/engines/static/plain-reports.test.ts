/**
 * Macros that write a report line by line, as macros for tests and forms do. They are a fact. The same macros are suspicious when what they write may
 * begin like a formula, also where a line end or a word of the language is only pretended.
 */
import { describe, expect, test } from 'vitest';
import { ARGS_CALL, compiledProject, LIT_STR, OFFICES } from '../../hostile/static/compiled-fixture.ts';
import { wordDocument } from '../office-fixture.ts';
import { zipOf } from '../zip-fixture.ts';
import { verdictOn } from './analyse.ts';

const OFFICE = Object.values(OFFICES).at(-1) ?? { number: 0xd7, is64: true, claims64: true };

/** A document with a macro of VBA. Its compiled code only shows a text. */
function withMacro(...lines: readonly string[]) {
  const source = `Dim a, b, c\r\nSub Report()\r\nMsgBox "Total"\r\nEnd Sub\r\n${lines.join('\r\n')}\r\n`;
  const shows = [[[LIT_STR, { text: 'Total' }] as const, [ARGS_CALL, 'MsgBox', 1] as const]];
  const parts = { 'word/vbaProject.bin': compiledProject(OFFICE, source, 'Report', shows) };
  return verdictOn(wordDocument({ parts }), 'a.docm');
}

const REPORT = ['Function Line(label As String, seen As String) As String', 'Dim r As String'];
const ADDED = 'r = r & Chr$(10) & label & " failed: " & seen';
const BEHIND = ['Line = r', 'End Function', 'Sub Check()'];

describe('a macro that reports', () => {
  test.each<[string, ...string[]]>([
    ['writes the lines into a cell', ...REPORT, ADDED, ...BEHIND, 'Range("A1") = Line("sum", a)', 'End Sub'],
    [
      'ends lines by a constant',
      ...REPORT,
      'r = r & vbCrLf & label',
      ...BEHIND,
      'Range("A1") = Line("sum", a)',
      'End Sub',
    ],
    [
      'sets a box',
      ...REPORT,
      ADDED,
      ...BEHIND,
      'CheckBox1.Value = False',
      'b = Line("box", CheckBox1.Value)',
      'End Sub',
    ],
    ['names a cell of a sheet', 'Sub Check()', 'b = Sheets("data").[A1]', 'End Sub'],
    ['has a pattern with a choice', 'Sub Check()', 'a = Array("possib(le|ilit(y|ies))", "bor(ed|ing)?")', 'End Sub'],
    [
      'says where a new row takes its looks',
      'Sub Check()',
      'Rows(2).Insert CopyOrigin:=xlFormatFromLeftOrAbove',
      'End Sub',
    ],
  ])('and %s is a fact', async (_, ...lines) => {
    expect(await withMacro(...lines)).toMatch(/^unknown .*office-macro/);
  });

  test.each<[string, ...string[]]>([
    ['writes what it cut out', ...REPORT, 'r = Mid(label, 2)', ...BEHIND, 'Range("A1") = Line(b, a)', 'End Sub'],
    ['joins without a line end', ...REPORT, 'r = label & seen', ...BEHIND, 'Range("A1") = Line(b, a)', 'End Sub'],
    [
      'calls a sign of a formula a line end',
      'Const vbLf = "("',
      ...REPORT,
      'r = label & vbLf & seen',
      ...BEHIND,
      'Range("A1") = Line(b, a)',
      'End Sub',
    ],
    [
      'makes the line end itself',
      'Function Chr(n)',
      'Chr = "("',
      'End Function',
      ...REPORT,
      'r = label & Chr(10) & seen',
      ...BEHIND,
      'Range("A1") = Line(b, a)',
      'End Sub',
    ],
    ['calls a variable like a constant', 'Sub Check()', 'xlOld = Mid(b, 2)', 'Range("A1").Value = xlOld', 'End Sub'],
    ['calls a variable like a word', 'Sub Check()', 'Text = Mid(b, 2)', 'Range("A1").Value = Text', 'End Sub'],
    [
      'gives it to a parameter of a type',
      'Sub Put1(v As Range)',
      'End Sub',
      'Sub Check()',
      'v = Mid(b, 2)',
      'Range("A1") = v',
      'End Sub',
    ],
    ['calculates between brackets behind a dot', 'Sub Check()', 'b = Sheets(1).[EXEC("calc")]', 'End Sub'],
    ['hides a program in a choice', 'Sub Check()', 'a = "(cmd|\'/c calc\'!A0)"', 'End Sub'],
    ['hides a program behind a choice', 'Sub Check()', 'a = "(a|b)cmd|x"', 'End Sub'],
    [
      'begins a formula behind a plus',
      'Sub Check()',
      'Range("A1").Value = "+/-" & Mid(b, 2) & "=" & c',
      'a = "+cmd"',
      'a = a & b',
      'End Sub',
    ],
  ])('and %s is suspicious', async (_, ...lines) => {
    expect(await withMacro(...lines)).toMatch(/^(?:suspicious|malicious) .*office-macro/);
  });
});

describe('a file beside the modules of LibreOffice', () => {
  const withFile = (name: string, content: string) =>
    verdictOn(
      zipOf({
        mimetype: 'application/vnd.oasis.opendocument.text',
        'content.xml':
          '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:body/></office:document-content>',
        [name]: content,
      }),
      'a.odt',
    );

  test('is a fact when it is only a note', async () => {
    expect(await withFile('Basic/notes.txt', 'Remember to sign.\n')).toMatch(/^(?:benign|unknown)/);
  });

  test.each([
    ['has elements', 'Basic/Standard/a.txt', '<script:module>Shell("a")</script:module>'],
    ['is compiled code', 'Basic/Standard/a.txt', 'SB\0\x01Shell'],
    ['is a module without elements', 'Basic/Standard/Module1.xml', 'Shell("a")'],
    ['is a program of another language', 'Scripts/python/a.txt', 'import os'],
  ])('is suspicious when it %s', async (_, name, content) => {
    expect(await withFile(name, content)).toMatch(/^suspicious .*office-custom-code/);
  });
});
