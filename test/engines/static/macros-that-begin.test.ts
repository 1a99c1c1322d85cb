/**
 * Macros that begin by themselves. They are a fact when all of them touch only their own document, by names on closed lists. The same macros with
 * one name that reaches further are suspicious, however they hide it.
 */
import { describe, expect, test } from 'vitest';
import { ARGS_CALL, type Code, compiledProject, LIT_STR, OFFICES } from '../../hostile/static/compiled-fixture.ts';
import { wordDocument } from '../office-fixture.ts';
import { zipOf } from '../zip-fixture.ts';
import { verdictOn } from './analyse.ts';

const OFFICE = Object.values(OFFICES).at(-1) ?? { number: 0xd7, is64: true, claims64: true };
const SHOWS: Code[][] = [
  [
    [LIT_STR, { text: 'Total' }],
    [ARGS_CALL, 'MsgBox', 1],
  ],
];

/** A workbook whose macro begins when it is opened. `cells` are texts of its cells. */
function opened(body: readonly string[], cells: readonly string[] = [], head = 'Private Sub Workbook_Open()') {
  const source = `Dim a, b, c\r\nSub Report()\r\nMsgBox "Total"\r\nEnd Sub\r\n${head}\r\n${body.join('\r\n')}\r\nEnd Sub\r\n`;
  const texts = cells.map((text) => `<si>${text}</si>`).join('');
  return verdictOn(
    wordDocument({
      parts: {
        'word/vbaProject.bin': compiledProject(OFFICE, source, 'Report', SHOWS),
        'xl/sharedStrings.xml': `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${texts}</sst>`,
      },
    }),
    'a.docm',
  );
}

describe('a macro that begins by itself', () => {
  test.each<[string, ...string[]]>([
    ['selects a sheet', 'Worksheets("Start").Activate', 'Range("A1").Select'],
    ['calculates', 'Application.Calculate', 'Range("B1").Value = Now'],
    ['empties cells and saves its workbook', 'Range("B2:B3").Formula = ""', 'ThisWorkbook.Save'],
    ['hides a column when a cell says so', 'If Range("A1").Value = "x" Then', 'Columns(2).Hidden = True', 'End If'],
    ['copies cells within the workbook', 'Range("A1").Copy Range("B1")'],
    ['greets the reader', 'MsgBox "Hello " & Application.UserName'],
    ['calls its own procedure', 'Report'],
    ['has its own procedure called', 'Application.Run "Report"'],
    ['compares a formula', 'a = (Range("A1").Formula = "=SUM(A2:A3)")'],
    ['reads a name that nothing declares', 'If a > limit Then b = 1'],
    ['makes one text of two cells', 'Range("A1").Value = Range("B1").Value & ", " & Range("B2").Value'],
    ['numbers the rows', 'For a = 1 To 9', 'Cells(a, 1).Value = "No. " & a', 'Next a'],
  ])('and %s is a fact', async (_, ...body) => {
    expect(await opened(body, ['<t>Smith</t>', '<t>- none</t>'])).toMatch(/^unknown .*office-macro/);
  });

  test.each<[string, ...string[]]>([
    ['calls by a computed name', 'CallByName Application, a & b, 1, c'],
    ['calls a computed macro', 'Application.Run a & b'],
    ['calls a macro of another workbook', 'Application.Run "Other.xlsm!Report"'],
    ['calls a macro that nobody declared', 'Application.Run "Elsewhere"'],
    ['calls its own procedure by a variable', 'a = "Report"', 'Application.Run a'],
    ['calls a macro of an unknown module', 'Application.Run "Elsewhere.Report"'],
    ['calls with arguments', 'Application.Run "Report", a'],
    ['evaluates', 'a = Evaluate(Range("A1").Value)'],
    ['evaluates between brackets', 'a = [CALL(A1)]'],
    ['has a name evaluated', 'ActiveWorkbook.Names.Add Name:="x", RefersTo:=a & b', 'Application.Calculate'],
    ['starts a program', 'Shell a'],
    ['starts a program whose name comes from a cell', 'Shell Range("A1").Value'],
    ['declares a function of a library', 'End Sub', 'Private Declare PtrSafe Function f Lib "k" () As Long', 'Sub d()'],
    ['makes an object', 'Set a = CreateObject(Range("A1"))'],
    ['makes an object of a class', 'Set a = New WshShell'],
    ['asks the object of all for an unknown member', 'a = Application.Blaze'],
    ['opens a workbook', 'Workbooks.Open a'],
    ['writes into another open workbook', 'Workbooks(1).Sheets(1).Range("A1").Value = 1'],
    ['goes to the window of another', 'Windows(2).Activate'],
    ['puts a text into the clipboard', 'Range("A1").Copy', 'MsgBox "Press Win+R"'],
    ['puts a sheet into a new workbook', 'Sheets(1).Copy'],
    ['cuts', 'Range("A1").Cut'],
    ['prints', 'ActiveSheet.PrintOut'],
    ['closes', 'ActiveWorkbook.Close False'],
    ['starts itself again later', 'Application.OnTime Now, "Report"'],
    ['types keys', 'Application.SendKeys "^v"'],
    ['follows a link', 'ThisWorkbook.FollowHyperlink a'],
    ['saves elsewhere', 'ThisWorkbook.SaveAs a'],
    ['changes menus', 'Application.CommandBars("Cell").Controls(1).OnAction = "Report"'],
    ['changes code', 'a = ThisWorkbook.VBProject.VBComponents(1)'],
    ['listens to other workbooks', 'End Sub', 'Private WithEvents app As Application', 'Sub d()'],
    ['calls a name that nothing declares', 'Blaze'],
    ['calls it with brackets', 'a = Blaze(b)'],
    ['uses a member of it', 'a = Blaze.Value'],
    ['reads a file', 'Open a For Input As #1'],
    ['reads what is in a folder', 'a = Dir'],
    ['takes a link by the shape of a picture', 'ActiveSheet.Shapes.AddPicture a, True, False, 1, 1, 1, 1'],
    ['does it in the next line', 'Application. _', 'Run a'],
    ['does it behind a colon', 'b = 1: Shell a'],
  ])('and %s is suspicious', async (_, ...body) => {
    expect(await opened(body)).toMatch(/^(?:suspicious|malicious) .*office-macro/);
  });
});

describe('a macro that writes texts of cells', () => {
  const click = (body: readonly string[], cells: readonly string[] = []) => opened(body, cells, 'Sub Button1_Click()');

  test.each<[string, ...string[]]>([
    ['joined', 'Range("A3").Value = Range("A1").Value & Range("A2").Value', 'Application.Calculate'],
    ['joined without a member', 'Range("A3") = Range("A1") & Range("A2")'],
    ['joined into a cell by its place', 'Cells(3, 1) = Cells(1, 1) & Cells(2, 1)'],
    ['joined into a cell in brackets', '[A3] = Range("A1") & Range("A2")'],
    ['joined in a variable', 'c = Range("A1") & Range("A2")', 'Range("A3").Value = c'],
    ['joined in two variables', 'c = Range("A1") & Range("A2")', 'a = c', 'Range("A3").Value2 = a'],
    ['joined into a cell that a variable holds', 'Set a = Range("A3")', 'a = Range("A1") & Range("A2")'],
    [
      'joined by a function',
      'Range("A3") = F(1)',
      'End Sub',
      'Function F(ByVal n)',
      'F = Cells(1, n) & Cells(2, n)',
      'End Function',
      'Sub d()',
    ],
    ['joined for a procedure', 'W Range("A1") & Range("A2")', 'End Sub', 'Sub W(ByVal t)', 'Range("A3") = t'],
    ['joined behind a condition', 'If a Then Range("A3") = Range("A1") & Range("A2")'],
    ['joined into the text of a control', 'Label1.Caption = Range("A1") & Range("A2")'],
    ['joined into several cells', 'Range("A3:A9").Value = Range("A1") & b'],
    ['joined in a loop', 'For Each a In Range("A1:A9")', 'c = c & a', 'Next', 'Range("B1").Value = c'],
    ['joined by a list', 'Range("A3") = Join(a, "")'],
    ['cut out', 'Range("A3") = Mid(Range("A1"), 2)'],
    ['cut out from the end', 'Range("A3") = Right(Range("A1"), 20)'],
    ['cut into a list', 'a = Split(Range("A1"), "#")', 'Range("A3") = a(1)'],
    ['with a sign replaced', 'Range("A3") = Replace(Range("A1"), Range("A2"), b)'],
    ['with a sign replaced in the cells', 'Cells.Replace Range("A1"), Mid(b, 2)'],
    ['behind a sign', 'Range("A3") = "-" & Range("A1")'],
    ['into the next line of a text', 'LSet a = Range("A1") & Range("A2")', 'Range("A3") = a'],
    ['with its first sign replaced', 'a = Range("A1")', 'Mid(a, 1, 1) = Range("A2")', 'Range("A3") = a'],
    ['cut and one by one', 'For Each a In Split(Range("A1"), "#")', 'Range("A3") = a', 'Next'],
    ['joined in a list', 'Dim d As New Collection', 'd.Add Range("A1") & Range("A2")', 'Range("A3") = d(1)'],
    ['joined into what is given', 'J a', 'Range("A3") = a', 'End Sub', 'Sub J(t)', 't = Range("A1") & Range("A2")'],
    [
      'joined for a property',
      'P = Range("A1") & Range("A2")',
      'End Sub',
      'Property Let P(t)',
      'Range("A3") = t',
      'End Property',
      'Sub d()',
    ],
    ['in a pattern of a cell', 'Range("A3") = Format(a, Range("A1"))'],
    ['changed by a function of sheets', 'Range("A3") = WorksheetFunction.Substitute(Range("A1"), "#", Range("A2"))'],
    ['with a sign of another cell in its place', 'Cells.Replace "#", Range("A2").Value'],
    ['joined into a column', 'Range("A3:B9").Columns(1) = Range("A1") & Range("A2")'],
    ['joined behind an empty text', 'Range("A3") = "" & Range("A1") & Range("A2")'],
    ['joined in a block', 'With Range("A3")', '.Value = Range("A1") & Range("A2")', 'End With'],
  ])('%s is suspicious', async (_, ...body) => {
    expect(await click(body)).toMatch(/^suspicious .*office-macro/);
  });

  test.each<[string, ...string[]]>([
    ['copied', 'Range("A3").Value = Range("A1").Value'],
    ['joined with a separator', 'Range("A3") = Range("A1") & " " & Range("A2")'],
    ['joined behind a word', 'Range("A3") = "Total " & Range("A1") & Range("A2")'],
    ['joined to be shown', 'MsgBox Range("A1") & Range("A2")'],
    ['joined to name a cell', 'Range("A" & a).Value = 1', 'Range(b & a).Value = 2'],
    ['joined to be compared', 'If Range("A1") & Range("A2") = b Then c = 1'],
    ['searched', 'If InStr(Range("A1") & Range("A2"), "x") > 0 Then Range("A3") = 1'],
  ])('%s is a fact', async (_, ...body) => {
    expect(await click(body, ['<t>=SUM(A1:A2)</t>', '<t>please call (555) 0100</t>'])).toMatch(
      /^unknown .*office-macro/,
    );
  });

  test.each([
    '<t>=WEBSERVICE("https://threat.example/")</t>',
    '<t> =IF(A1,WEBSERVICE(A2))</t>',
    '<t>&#61;WEBSERVICE(A2)</t>',
    '<r><t>=WEB</t></r><r><rPr><b/></rPr><t>SERVICE(A2)</t></r>',
    '<t>+RTD("a",,"b")</t>',
    "<t>@cmd|'/c calc'!A1</t>",
  ])('copied, of which one is the text of a formula that reaches out, %s, is suspicious', async (cell) => {
    const copies = ['Range("A3").Value = Range("A1").Value'];
    expect(await click(copies, [cell])).toMatch(/^suspicious .*office-macro/);
  });
});

describe('a macro of LibreOffice', () => {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
  const withMacro = (body: readonly string[], content = '') =>
    verdictOn(
      zipOf({
        mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
        'content.xml': `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0">${content}</office:document-content>`,
        'Basic/Standard/Module1.xml': `<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">Sub Main\nDim a, b, c, d, f, n, p, r\n${escaped(body.join('\n'))}\nEnd Sub</script:module>`,
        'META-INF/manifest.xml': '<m/>',
      }),
      'a.ods',
    );
  const DISPATCHER = 'd = createUnoService("com.sun.star.frame.DispatchHelper")';

  test.each<[string, ...string[]]>([
    ['makes a structure', 'Dim r As New com.sun.star.awt.Rectangle', 'r.Width = 100'],
    ['makes a structure by its name', 'r = createUnoStruct("com.sun.star.table.CellRangeAddress")'],
    ['uses a constant', 'a = c.computeFunction(com.sun.star.sheet.GeneralFunction.MAX)'],
    ['draws a chart', 'c = ThisComponent.Sheets(0).Charts', 'If c.hasByName("a") Then c.removeByName("a")'],
    [
      'replaces words',
      'r = ThisComponent.createReplaceDescriptor',
      'r.SearchString = "a"',
      'r.ReplaceString = "b"',
      'ThisComponent.replaceAll(r)',
    ],
    ['makes a bookmark', 'b = ThisComponent.createInstance("com.sun.star.text.Bookmark")'],
    [
      'was recorded',
      'f = ThisComponent.CurrentController.Frame',
      DISPATCHER,
      'Dim p(0) As New com.sun.star.beans.PropertyValue',
      'p(0).Name = "ToPoint"',
      'p(0).Value = "$A$1"',
      'd.executeDispatch(f, ".uno:GoToCell", "", 0, p())',
    ],
    [
      'calculates by a function of sheets',
      'f = createUnoService("com.sun.star.sheet.FunctionAccess")',
      'a = f.callFunction("SUM", Array(1, 2))',
    ],
    ['sets a formula', 'ThisComponent.Sheets(0).getCellByPosition(1, 1).setFormula("=B2+B3")'],
    ['sets a property by its name', 'c.setPropertyValue("CharHeight", 12)'],
  ])('that %s is a fact', async (_, ...body) => {
    expect(await withMacro(body)).toBe('unknown office-custom-code');
  });

  test.each<[string, ...string[]]>([
    ['makes a service of a computed name', 'a = createUnoService("com.sun." & b)'],
    ['makes a service in two steps', 'n = "com.sun.star.system.SystemShellExecute"', 'a = createUnoService(n)'],
    ['starts a program', 'a = createUnoService("com.sun.star.system.SystemShellExecute")'],
    ['makes a service by its constructor', 'a = com.sun.star.frame.Desktop.create(b)'],
    ['makes a service of a list of constants', 'a = com.sun.star.awt.FontWeight.create(b)'],
    ['makes a new service', 'Dim a As New com.sun.star.system.SystemShellExecute'],
    ['takes a service from the context', 'a = getProcessServiceManager().createInstance("com.sun.star.text.Bookmark")'],
    ['makes a field that runs', 'a = ThisComponent.createInstance("com.sun.star.text.TextField.DDE")'],
    ['makes an object', 'a = ThisComponent.createInstance("com.sun.star.drawing.OLE2Shape")'],
    ['sends a command of a computed name', DISPATCHER, 'd.executeDispatch(f, a, "", 0, p())'],
    ['opens by a command', DISPATCHER, 'd.executeDispatch(f, ".uno:Open", "", 0, p())'],
    ['runs by a command', DISPATCHER, 'd.executeDispatch(f, ".uno:RunMacro", "", 0, p())'],
    ['joins a command', DISPATCHER, 'd.executeDispatch(f, ".uno:GoToCell" & a, "", 0, p())'],
    ['sends an address', DISPATCHER, 'd.executeDispatch(f, "vnd.sun.star.script:a", "", 0, p())'],
    ['sends into another window', DISPATCHER, 'd.executeDispatch(f, ".uno:GoToCell", "_blank", 0, p())'],
    ['enters what it joins', 'p(0).Value = a & b', DISPATCHER, 'd.executeDispatch(f, ".uno:EnterString", "", 0, p())'],
    [
      'enters a formula that loads',
      'p(0).Value = "=WEBSERVICE(A1)"',
      DISPATCHER,
      'd.executeDispatch(f, ".uno:EnterString", "", 0, p())',
    ],
    [
      'calls a function of sheets that loads',
      'f = createUnoService("com.sun.star.sheet.FunctionAccess")',
      'a = f.callFunction("WEBSERVICE", b)',
    ],
    ['sets a formula by the name of the property', 'c.setPropertyValue("Formula", a)'],
    ['sets any property', 'c.setPropertyValue(a, b)'],
    ['sets a computed formula', 'c.setFormula("=B2" & a)'],
    ['sets a formula that loads', 'c.setFormula("=WEBSERVICE(A1)")'],
    ['listens', 'a = createUnoListener("L_", "com.sun.star.awt.XActionListener")'],
    ['shows a dialogue', 'a = createUnoDialog(DialogLibraries.Standard.Dialog1)'],
  ])('that %s is suspicious', async (_, ...body) => {
    expect(await withMacro(body)).toMatch(/^(?:suspicious|malicious) .*office-custom-code/);
  });

  const listener = (event: string, place = 'document') =>
    `<script:event-listener script:language="ooo:script" script:event-name="${event}" xlink:href="vnd.sun.star.script:Standard.Module1.Main?language=Basic&amp;location=${place}" xlink:type="simple"/>`;
  const link = (language: string, place: string) =>
    `<text:a xlink:type="simple" xlink:href="vnd.sun.star.script:Standard.Module1.Main?language=${language}&amp;location=${place}">a</text:a>`;

  test('is started by a button and a link, which are facts', async () => {
    const old =
      '<script:event-listener script:language="ooo:StarBasic" script:event-name="form:performaction" script:macro-name="Standard.Module1.Main"/>';
    for (const one of [listener('dom:click'), link('Basic', 'document'), old]) {
      expect(await withMacro(['Print 1'], one), one).toBe('unknown office-custom-code');
      expect(await withMacro(['Shell "a"'], one), one).toMatch(/^suspicious /);
    }
  });

  test('of another place or language, or that begins with the document, is suspicious', async () => {
    const old =
      '<script:event-listener script:language="ooo:StarBasic" script:event-name="form:performaction" script:macro-name="application:Standard.Module1.Main"/>';
    for (const one of [
      listener('dom:load'),
      listener('dom:click', 'application'),
      link('Python', 'document'),
      link('Basic', 'share'),
      old,
    ])
      expect(await withMacro(['Print 1'], one), one).toMatch(/^suspicious /);
  });

  const flat = (source: string, more = '') =>
    verdictOn(
      Buffer.from(
        `<?xml version="1.0" encoding="UTF-8"?>\n<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0" office:mimetype="application/vnd.oasis.opendocument.text"><office:scripts><office:script script:language="ooo:Basic"><ooo:libraries xmlns:ooo="http://openoffice.org/2004/office" xmlns:xlink="http://www.w3.org/1999/xlink"><ooo:library-embedded ooo:name="Standard"><ooo:module ooo:name="Module1"><ooo:source-code>${escaped(source)}</ooo:source-code></ooo:module>${more}</ooo:library-embedded></ooo:libraries></office:script></office:scripts><office:body><office:text/></office:body></office:document>`,
      ),
      'a.fodt',
    );

  test('in a flat document is read as in a package', async () => {
    expect(await flat('Sub Main\nPrint 1\nEnd Sub')).toBe('unknown office-custom-code');
    expect(await flat('Sub Main\nShell "a"\nEnd Sub')).toMatch(/^suspicious .*office-custom-code/);
    const second = '<ooo:module ooo:name="B"><ooo:source-code>Shell &quot;a&quot;</ooo:source-code></ooo:module>';
    expect(await flat('Sub Main\nPrint 1\nEnd Sub', second)).toMatch(/^suspicious .*office-custom-code/);
    const other = '<ooo:module ooo:name="B" ooo:src="a"><ooo:source-code>Print 1</ooo:source-code></ooo:module>';
    expect(await flat('Sub Main\nPrint 1\nEnd Sub', other)).toMatch(/^suspicious .*office-custom-code/);
  });

  test('in a package is not taken for one of a flat document', async () => {
    const inContent =
      '<office:scripts><office:script script:language="ooo:Basic"><ooo:libraries xmlns:ooo="http://openoffice.org/2004/office"><ooo:library-embedded ooo:name="Standard"><ooo:module ooo:name="M"><ooo:source-code>Shell &quot;a&quot;</ooo:source-code></ooo:module></ooo:library-embedded></ooo:libraries></office:script></office:scripts>';
    expect(await withMacro(['Print 1'], inContent)).toMatch(/^suspicious .*office-custom-code/);
  });
});
