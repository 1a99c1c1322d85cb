/**
 * A macro is a fact only when all that it names is its own or on the closed lists of harmless names. Each of these reaches out of the document in a
 * way of its own, most of them by names that no list of dangerous words had.
 */
import { describe, expect, test } from 'vitest';
import {
  ARGS_CALL,
  ARGS_MEM_CALL,
  type Code,
  compiledDocument,
  LD,
  LIT_STR,
  OFFICES,
  type Office,
} from '../../hostile/static/compiled-fixture.ts';
import { zipOf } from '../zip-fixture.ts';
import { verdictOn } from './analyse.ts';

const OFFICE_365 = Object.values(OFFICES).at(-1) ?? { number: 0xd7, is64: true, claims64: true };
const SHOWS: readonly Code[] = [
  [LIT_STR, { text: 'Total' }],
  [ARGS_CALL, 'MsgBox', 1],
];

const withSource = (source: string, lines: readonly (readonly Code[])[] = [SHOWS]) =>
  verdictOn(compiledDocument(OFFICE_365, `Dim a, b, c\r\n' MsgBox "Total"\r\n${source}`, 'Report', lines), 'a.docm');
const withBody = (...body: string[]) =>
  withSource(`Sub Report()\r\nMsgBox "Total"\r\n${body.join('\r\n')}\r\nEnd Sub\r\n`);

describe('a macro of VBA', () => {
  test.each<[string, ...string[]]>([
    ['opens a file without a mode, in which it then writes', 'Open a As 1', 'Put 1, , b', 'Close'],
    ['gives a file another name behind a number of a line', '10 Name a As b'],
    ['gives a file another name behind a condition', 'If a Then Name (b) As (c)'],
    ['asks for a file of a machine elsewhere', 'a = Dir(String(2, 92) & "b")'],
    ['asks for the length of such a file', 'a = FileLen(b)'],
    ['asks for what a file is', 'a = GetAttr(b)'],
    ['puts in a field', 'Selection.Fields.Add Selection.Range, -1, a'],
    ['opens a file by the number of a dialogue', 'Application.Dialogs(1).Show a'],
    ['adds a sheet of older macros by its number', 'Sheets.Add , , , 3'],
    ['adds a sheet of a template', 'Sheets.Add Type:=a'],
    ['adds a workbook of older macros', 'Workbooks.Add 3'],
    ['saves under another name as it closes', 'ActiveWorkbook.Close True, a'],
    ['prints into a file', 'ActiveDocument.PrintOut False, False, 0, a'],
    ['prints into a file that has a name', 'ActiveSheet.PrintOut PrToFileName:=a'],
    ['shows a file of help', 'Application.Help a'],
    ['offers a file of help', 'MsgBox "a", 16384, "b", c, 1'],
    ['changes the folder from which Excel starts workbooks', 'Application.AltStartupPath = a'],
    ['changes the folder from which Word starts templates', 'Options.DefaultFilePath(8) = a'],
    ['switches the protection off', 'Application.AutomationSecurity = 1'],
    ['takes styles from a file', 'ActiveDocument.CopyStylesFromTemplate a'],
    ['takes a picture from the network', 'ActiveSheet.Pictures.Insert a'],
    ['takes a picture for a header', 'ActiveSheet.PageSetup.LeftHeaderPicture.Filename = a'],
    ['takes a line from a file', 'Selection.InlineShapes.AddHorizontalLine a'],
    ['compares with a file', 'ActiveDocument.Compare a'],
    ['merges a workbook', 'ThisWorkbook.MergeWorkbook a'],
    ['asks a database', 'Selection.Range.InsertDatabase 0, 0, False, a'],
    ['asks a database for a table', 'ActiveSheet.PivotTableWizard 2, a'],
    ['has a click start a program', 'a.ActionSettings(1).Action = 7'],
    ['starts an object when a slide comes', 'a.AnimationSettings.PlaySettings.ActionVerb = b'],
    ['shows a program of the system', 'System.MSInfo'],
    ['connects to a machine', 'System.Connect a'],
    ['ends Windows', 'Tasks.ExitWindows'],
    ['has another event start it', 'ActiveSheet.OnCalculate = "Report"'],
    ['names a formula', 'ActiveWorkbook.Names.Add Name:="a", RefersTo:=b'],
    ['adds a control of any class', 'Me.Controls.Add a'],
    ['asks a service of the network by a formula', 'Range("A1").Formula = a & "b"'],
    ['takes the text of a cell for a formula', 'Range("A1").Formula = Range("A2").Value'],
    ['puts a formula together', 'Range("A1").Value = "=WEB" & "SERVICE(A2)"'],
    ['puts the beginning of a formula together', 'Range("A1").Value = Chr(61) & a'],
    ['calculates the characters of a text', 'a = Chr(64 + b)'],
    ['puts a formula together in variables', 'a = "=WEB"', 'b = "SERVICE(A2)"', 'Range("A1").Value = a & b'],
    ['does so in any order', 'b = "SERVICE(A2)"', 'a = "=WEB"', 'Range("A1") = a & b'],
    ['keeps the beginning of a formula', 'Const d = "="', 'Range("A1").Value2 = d & a'],
    ['keeps it behind a condition', 'If b Then a = "=" Else a = ""', 'Range("A1").Value = a & c'],
    ['hands it over', 'Fill "=WEB"', 'End Sub', 'Sub Fill(a)', 'Range("A1").Value = a & b'],
    ['hands it over in brackets', 'a = Fill("=WEB")', 'End Sub', 'Function Fill(b)', 'Fill = b & c', 'End Function'],
    ['chooses it', 'Range("A1").Value = IIf(b, "=", "") & a'],
    ['takes it out of a list', 'a = Array("=", "b")'],
    ['takes it out of a text', 'a = Mid("b=", 2)'],
    ['makes it of another sign', 'a = Replace(b, "#", "=")'],
    ['has cells make it of another sign', 'Cells.Replace "#", "="'],
    ['does so by the names of what is given', 'Cells.Replace What:="#", Replacement:="="'],
    ['makes it of its number', 'a = String(1, 61)'],
    ['makes it of a number that it calculates', 'a = String(1, 60 + b)'],
    ['takes it from a formula', 'a = Left(Range("A1").Formula, 1)'],
    ['takes a formula into a variable', 'a = Range("A1").Formula'],
    ['begins a formula with another sign', 'Range("A1").Value = "@" & a'],
    ['begins one with a number', 'Range("A1").Value = "-" & a'],
    ['calls what a formula must not', 'Range("A1").Formula = "=IMAGE(A2)"'],
    ['gives a formula the name of another function', 'Cells.Replace "SUM", "WEBSERVICE"'],
    ['calls an unknown method', 'ActiveWorkbook.Blaze a'],
    ['uses an unknown name', 'Blaze a'],
    ['calls a member in brackets', 'Application.[Run] a'],
    ['calculates between brackets', 'a = [1+CALL(A1)]'],
    ['calls the function of a library in brackets', 'a = [Shell](b)'],
    ['uses a member by an exclamation mark', 'a = b!Shell'],
    ['calls in a block', 'With Application', '.Run a', 'End With'],
    ['has a menu do something', 'With Application.CommandBars', '.Execute', 'End With'],
    ['makes an object of another library', 'Dim a As New WshShell'],
    ['makes an object of a named library', 'Dim a As New IWshRuntimeLibrary.WshShell'],
    ['uses an object of another library', 'Dim a As WshShell', 'a.Blaze b'],
    ['opens a file as a type', 'Open a For Output As Excel.Range'],
    ['adds a sheet of older macros behind three numbers', 'Sheets.Add 1, 2, 1, b'],
    ['adds a workbook of older macros in brackets', 'Workbooks.Add(3).Activate'],
    ['adds an item by five numbers', 'a.Add 1, 2, 3, 4, 5'],
    ['gives a variable the name of a function that starts programs', 'Dim Shell', 'Shell a'],
    ['gives a variable the name of the object of all', 'Dim Application', 'Application.Blaze a'],
    ['gives something the name of a method', 'Dim AltStartupPath', 'Application.AltStartupPath = a'],
    ['calls by the full name of a library', 'VBA.Interaction.Shell a'],
    ['writes names in letters of another alphabet', 'Ѕhell a'],
    ['calls a function with a mark of its type', 'a = Environ$("b")'],
    ['goes on in two lines', 'Application. _', 'Run a'],
    ['has a text that nothing ends', 'a = "b'],
    ['hides code in a text that seems to go on in the next line', 'a = "b _', 'Blaze "a" : b = "c _', '"'],
    ['hides code behind a remark that seems to go on in the next line', "' note _", 'Blaze a'],
  ])('that %s is suspicious', async (_, ...body) => {
    expect(await withBody(...body)).toMatch(/^(?:suspicious|malicious) .*office-macro/);
  });

  test('that hides code in a text of an attribute is suspicious', async () => {
    expect(await withSource('Attribute a = "b _\r\nBlaze "\r\nSub Report()\r\nMsgBox "Total"\r\nEnd Sub\r\n')).toMatch(
      /^suspicious .*office-macro/,
    );
  });

  test('whose event only seems to be empty, because its end belongs to a remark, is suspicious', async () => {
    const event = ['Private Sub Workbook_Open()', "' note _", 'End Sub', 'Range("A1").Copy', 'End Sub'];
    expect(await withBody('End Sub', ...event, 'Sub c()')).toMatch(/^suspicious .*office-macro/);
  });

  test('that has a condition for the compiler is suspicious', async () => {
    expect(await withSource('#If Mac Then\r\nSub Report()\r\nEnd Sub\r\n#End If\r\n')).toMatch(/^suspicious /);
  });

  test.each<[string, ...string[]]>([
    [
      'formats',
      'With Selection.Font',
      '.Bold = True',
      '.Name = "Arial"',
      'End With',
      'Range("A1:B2").Interior.ColorIndex = xlNone',
    ],
    ['calculates in a loop', 'Dim a As Long, b(1 To 3) As Double', 'For a = 1 To 3: b(a) = Sqr(a) * 2 ^ a: Next a'],
    ['replaces words', 'With Selection.Find', '.Text = "a"', '.Execute Replace:=wdReplaceAll', 'End With'],
    ['writes a formula', 'ActiveCell.FormulaR1C1 = "=SUM(R[-3]C:R[-1]C)"', 'Range("A2").Formula = Range("A1").Formula'],
    ['looks for the beginning of a formula', 'If Left(Range("A1").Formula, 1) = "=" Then b = 1', 'c = InStr(a, "=")'],
    ['takes a text apart', 'a = Split(b, "=")', 'MsgBox a(0) & " - " & a(1)'],
    ['shows some rows', 'Range("A1").AutoFilter 1, "=open"', 'Range("B1").Value = "=SUM(A1:A9)"'],
    ['asks and shows', 'a = InputBox("Who?", "Name")', 'MsgBox "Hello " & a & Chr(13) & Chr$(10), vbOKOnly'],
    ['adds a sheet behind the last', 'Sheets.Add After:=Sheets(Sheets.Count)', 'ActiveSheet.Name = "New"'],
    ['keeps values in a list', 'Dim a As New Collection', 'a.Add "x", "y"', 'MsgBox a.Count'],
    ['sorts', 'Range("A1:C9").Sort Key1:=Range("A1"), Order1:=xlAscending, Header:= _', 'xlYes'],
    ['saves and prints its document', 'ActiveWorkbook.Save', 'ActiveSheet.PrintOut Copies:=1, Collate:=True'],
    ['has remarks of several lines', "' Range(1).Blaze a, _", "'   b", "MsgBox a ' shown _", "' to the user"],
    ['goes on after an error', 'On Error GoTo last', 'Exit Sub', 'last:', 'MsgBox Err.Description'],
    ['names a program only in a remark', "' cmd, Shell and https://a.example", 'Rem Kill all'],
    [
      'has an event that does nothing',
      'End Sub',
      'Private Sub Worksheet_Change(ByVal a As Range)',
      "' nothing",
      'End Sub',
      'Sub b()',
    ],
    ['names types of libraries', 'Dim a As OLEObject, b(3) As Excel.ListObject', 'Dim c As com.sun.star.table.XCell'],
    ['places charts', 'ActiveSheet.ChartObjects.Add(100, 100, 200, 200).Select', 'ChartObjects.Add 1, 2, 3, 4'],
    ['names a cell in brackets', 'a = Sheets("b").[A1]', 'a = Sheets("b").B12'],
    ['writes in bold from right to left', 'Selection.Font.BoldBi = wdToggle', 'Selection.Font.SizeBi = 12'],
    ['calls a procedure of its own', 'Show 3', 'Module1.Show 4', 'End Sub', 'Sub Show(ByVal a As Integer)', 'MsgBox a'],
  ])('that %s is a fact', async (_, ...body) => {
    expect(await withBody(...body)).toMatch(/^unknown .*office-macro/);
  });
});

describe('compiled code that runs', () => {
  const MEM_ST = 40;
  const OFFICE_2007 = OFFICES['Office 2007'] ?? OFFICE_365;
  const shown = 'Sub Report()\r\nMsgBox "Total"\r\nEnd Sub\r\n';
  const madeBy = (office: Office) => verdictOn(compiledDocument(office, shown, 'Report', [SHOWS]), 'a.docm');
  const NAME = 201;

  test.each<[string, string, readonly Code[]]>([
    [
      'sets what its source only mentions',
      "' AltStartupPath",
      [
        [LIT_STR, { text: 'a' }],
        [LD, 'Application'],
        [MEM_ST, 'AltStartupPath'],
      ],
    ],
    [
      'calls what its source only mentions',
      '\' MsgBox "Blaze"',
      [
        [LIT_STR, { text: 'a' }],
        [LD, 'Application'],
        [ARGS_MEM_CALL, 'Blaze', 1],
      ],
    ],
  ])('and %s is suspicious', async (_, source, code) => {
    expect(await withSource(`${source}\r\nSub Report()\r\nEnd Sub\r\n`, [SHOWS, code])).toMatch(/^suspicious /);
  });

  test.each([
    ['32 bits', OFFICE_2007],
    ['64 bits', OFFICE_365],
  ])('and declares a function of a library, in %s, is suspicious', async (_, office) => {
    expect(await madeBy({ ...office, isDeclared: true })).toMatch(/^suspicious .*office-macro/);
    expect(await madeBy(office)).toMatch(/^unknown /);
  });

  test('and stands behind names that were taken out of the table is read with its own names', async () => {
    expect(await madeBy({ ...OFFICE_365, emptyNames: 3 })).toMatch(/^unknown .*office-macro/);
  });

  test('and gives a file another name is suspicious', async () => {
    const code: Code[] = [[LIT_STR, { text: 'first' }], [LIT_STR, { text: 'second' }], [NAME]];
    expect(await withBody('a = "first"', 'b = "second"')).toMatch(/^unknown /);
    expect(await withSource('Sub Report()\r\na = "first"\r\nb = "second"\r\nEnd Sub\r\n', [SHOWS, code])).toMatch(
      /^suspicious /,
    );
  });
});

describe('a project of macros', () => {
  const shown = 'Sub Report()\r\nMsgBox "Total"\r\nEnd Sub\r\n';
  const withReferences = (more: Pick<Office, 'references' | 'compiledReferences'>) =>
    verdictOn(compiledDocument({ ...OFFICE_365, ...more }, shown, 'Report', [SHOWS]), 'a.docm');
  const office = (path: string) => `*\\G{2DF8D04C-5BFA-101B-BDE5-00AA0044DE52}#2.8#0#${path}#Microsoft Office 16.0`;

  test.each([
    [
      'a library that programs of the system are in',
      '*\\G{420B2830-E718-11CF-893D-00A0C9054228}#1.0#0#C:\\a.dll#Scripting',
    ],
    ['the library of Office, from a machine elsewhere', office('\\\\host.example\\a\\mso.dll')],
    ['the library of Office, from an address', office('https://host.example/mso.dll')],
    ['a template beside the document', '*\\CReport.dotm'],
    ['a template of an address', '*\\Chttps://host.example/Normal.dotm'],
    ['a template on a machine elsewhere', '*\\C\\\\host.example\\a\\Normal.dotm'],
    ['what is no reference', 'mso.dll'],
  ])('that refers to %s is suspicious', async (_, reference) => {
    expect(await withReferences({ references: [reference] })).toMatch(/^suspicious .*office-macro/);
    expect(await withReferences({ compiledReferences: [reference] })).toMatch(/^suspicious .*office-macro/);
  });

  test.each([
    ['the library of Office', office('C:\\Program Files\\Common Files\\MSO.DLL')],
    ['the same on a Macintosh', '*\\H{2DF8D04C-5BFA-101B-BDE5-00AA0044DE52}#2.0#0#Macintosh HD:Office:MSO#Office'],
    ['the template of all documents', '*\\CNormal'],
    ['the same by its path', '*\\CC:\\Users\\a\\Templates\\Normal.dotm'],
    [
      'what Office made of the library of forms',
      '*\\G{7F8B1F71-4A5B-4A0D-8E3E-0F2B2F0D9F11}#2.0#0#C:\\a\\MSForms.exd#Forms',
    ],
  ])('that refers to %s is a fact', async (_, reference) => {
    expect(await withReferences({ references: [reference], compiledReferences: [reference] })).toMatch(/^unknown /);
  });
});

describe('a macro of LibreOffice', () => {
  const withMacro = (body: string) =>
    verdictOn(
      zipOf({
        mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
        'content.xml':
          '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"></office:document-content>',
        'Basic/Standard/Module1.xml': `<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">Sub Main\n${body}\nEnd Sub</script:module>`,
        'META-INF/manifest.xml': '<m/>',
      }),
      'a.ods',
    );

  test('that writes a cell and formats it is a fact', async () => {
    const body =
      'Dim oSheet As Object\noSheet = ThisComponent.Sheets.getByIndex(0)\noSheet.getCellByPosition(0, 1).String = &quot;a&quot;\noSheet.getCellRangeByName(&quot;A1&quot;).CellBackColor = RGB(1, 2, 3)';
    expect(await withMacro(body)).toBe('unknown office-custom-code');
  });

  test.each([
    ['stores the document elsewhere', 'ThisComponent.storeAsURL(a, b)'],
    ['sets any property by its name', 'a.setPropertyValue(b, c)'],
    ['sends a form', 'ThisComponent.DrawPage.Forms(0).submit(a, b)'],
    ['loads into the frame of the window', 'ThisComponent.CurrentController.Frame.loadComponentFromURL(a, b, 0, c())'],
    ['copies a file', 'FileCopy a, b'],
    ['runs code behind a remark that does not go on there', "' note _\nBlaze(a)"],
    ['loads a library', 'GlobalScope.BasicLibraries.loadLibrary(a)'],
    ['calls an unknown method', 'ThisComponent.blaze()'],
    [
      'calls a function of sheets by its name',
      'createUnoService(&quot;com.sun.star.sheet.FunctionAccess&quot;).callFunction(a, b)',
    ],
  ])('that %s is suspicious', async (_, body) => {
    expect(await withMacro(body)).toMatch(/^suspicious .*office-custom-code/);
  });
});
