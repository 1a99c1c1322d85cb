/** Content that the disarm takes out and that ordinary documents hold: a fact. The same with something that acts is suspicious. */
import { describe, expect, test } from 'vitest';
import { writeCompoundFile } from '../../../lib/engines/disarm/compound/write.ts';
import { buildXls } from '../../fixtures/build-xls.ts';
import { ARGS_CALL, compiledDocument, LIT_STR, OFFICES } from '../../hostile/static/compiled-fixture.ts';
import { wordDocument } from '../office-fixture.ts';
import { zipOf } from '../zip-fixture.ts';
import { reportOn, verdictOn } from './analyse.ts';

const OFFICE_365 = Object.values(OFFICES).at(-1) ?? { number: 0xd7, is64: true, claims64: true };

describe('a macro', () => {
  const withSource = (body: string, name = 'Report') =>
    compiledDocument(OFFICE_365, `Sub ${name}()\r\nMsgBox "Total"\r\n${body}End Sub\r\n`, name, [
      [
        [LIT_STR, { text: 'Total' }],
        [ARGS_CALL, 'MsgBox', 1],
      ],
    ]);

  test('that only shows a sum is a fact', async () => {
    const report = await reportOn(withSource(''), 'a.docm');
    expect(report.level).toBe('unknown');
    expect(report.findings.find(({ id }) => id === 'office-macro')).toMatchObject({ level: 'benign' });
  });

  test.each([
    ['writes a file', 'Open "C:\\a.txt" For Output As #1\r\n'],
    ['saves the document elsewhere', 'ActiveDocument.SaveAs name\r\n'],
    ['makes an object', 'Set a = CreateObject(name)\r\n'],
    ['calls by a name', 'CallByName a, b, VbMethod\r\n'],
    ['calls the system', 'Declare Function f Lib "kernel32" () As Long\r\n'],
    ['runs other code', 'Application.Run name\r\n'],
    ['goes on in the next line', 'Application _\r\n.Run name\r\n'],
    ['opens another workbook', 'Workbooks.Open name\r\n'],
    ['deletes a file', 'Kill name\r\n'],
    ['names an address', 'a = "http://a.example"\r\n'],
    ['puts a word together of numbers', 'a = Chr(99) & Chr(109) & Chr(100)\r\n'],
    ['reads the environment', 'a = Environ("TEMP")\r\n'],
    ['opens a file behind a bracket', 'Open(name)For   Output As number\r\n'],
    ['gives a file another name', 'Name first As second\r\n'],
    ['saves by a newer method', 'ActiveDocument.SaveAs2 name\r\n'],
    ['makes an object of a library', 'Set a = New IWshRuntimeLibrary.WshShell\r\n'],
    ['starts a program by another method', 'a.Exec name\r\n'],
    ['leads a browser', 'a.Navigate name\r\n'],
    ['makes a document of a template', 'Workbooks.Add name\r\n'],
    ['puts in an object', 'Shapes.AddOLEObject , name\r\n'],
    ['opens an object', 'Selection.ShapeRange.OLEFormat.DoVerb\r\n'],
    ['loads XML', 'ActiveWorkbook.XmlImport name, map\r\n'],
    ['asks another program in a formula', 'Cells(1, 1).Value = "=c" & "md|x!a"\r\n'],
    ['copies macros to the template', 'Application.OrganizerCopy a, b, c, 3\r\n'],
    ['writes to the registry', 'System.PrivateProfileString("", a, b) = c\r\n'],
    ['runs a script on a Mac', 'MacScript a\r\n'],
    ['adds a sheet of older macros', 'Sheets.Add , , , xlExcel4MacroSheet\r\n'],
    ['goes on in a line that is not joined', 'Application _               \r\n.Run name\r\n'],
  ])('that %s is suspicious', async (_, body) => {
    expect(await verdictOn(withSource(body), 'a.docm')).toMatch(/^suspicious .*office-macro/);
  });

  test.each(['AutoOpen', 'Worksheet_SelectionChange', 'Workbook_SheetActivate', 'Document_ContentControlOnEnter'])(
    'that runs by itself (%s) and only shows is a fact, and is suspicious when it reaches another document',
    async (name) => {
      expect(await verdictOn(withSource('', name), 'a.docm')).toMatch(/^unknown .*office-macro/);
      expect(await verdictOn(withSource('Workbooks(2).Activate\r\n', name), 'a.docm')).toMatch(/^suspicious /);
    },
  );

  test.each([
    ['formats cells', 'Range("A1:B2").Font.Bold = True\r\nSelection.Copy\r\n'],
    ['asks and writes a cell', 'Dim Name As String\r\nName = InputBox("Who")\r\nCells(1, 1).Value = Name\r\n'],
    ['prints and makes an empty workbook', 'ActiveSheet.PrintOut\r\nWorkbooks.Add\r\nDim all As New  Collection\r\n'],
  ])('that %s is a fact', async (_, body) => {
    expect(await verdictOn(withSource(body), 'a.docm')).toMatch(/^unknown .*office-macro/);
  });
});

describe('an object in a document', () => {
  const SHEET = '2008020000000000c000000000000046';
  const BROWSER = '61f95688fbd0cf11a8a200aa0060fafb';
  const PACKAGE = '0c00030000000000c000000000000046';
  const embedded = Buffer.from('01000002000000000000000000000000', 'hex');
  const link = Buffer.from('01000002010000000000000000000000', 'hex');
  const withObject = (clsid: string, streams: Readonly<Record<string, Buffer>>) =>
    wordDocument({
      body: '<w:object><o:OLEObject Type="Embed" ProgID="Excel.Sheet.8" r:id="r0"/></w:object>',
      relationships: [['oleObject', 'embeddings/oleObject1.bin', false]],
      parts: {
        'word/embeddings/oleObject1.bin': writeCompoundFile({ clsid, streams: new Map(Object.entries(streams)) }),
      },
    });
  const data = Buffer.alloc(200, 1);

  test('that is a sheet is a fact', async () => {
    const bytes = withObject(SHEET, { Workbook: data, '\u0001Ole': embedded });
    expect(await verdictOn(bytes, 'a.docx')).toBe('unknown office-embedded-object');
  });

  test.each([
    ['of another class', withObject(BROWSER, { Workbook: data })],
    ['of a class for files', withObject(PACKAGE, { '\u0001Ole': embedded })],
    ['that is a link', withObject(SHEET, { Workbook: data, '\u0001Ole': link })],
    ['with a file for a click', withObject(SHEET, { Workbook: data, '\u0001Ole10Native': data })],
    ['with an equation', withObject(SHEET, { Workbook: data, 'Equation Native': data })],
    ['without a class and a document', withObject('0'.repeat(32), { Contents: data })],
  ])('%s is suspicious', async (_, bytes) => {
    expect(await verdictOn(bytes, 'a.docx')).toMatch(/^suspicious .*office-embedded-object/);
  });

  test.each([
    ['file:///C:\\Users\\a\\sales.xlsx', 'unknown office-embedded-object'],
    ['https://load.example/sales.xlsx', 'suspicious office-embedded-object'],
    ['file:///C:\\Users\\a\\sales.exe', 'suspicious office-embedded-object'],
    ['file:///\\\\load.example\\a\\sales.xlsx', 'suspicious office-embedded-object'],
  ])('that is a link to %s', async (target, expected) => {
    expect(await verdictOn(wordDocument({ relationships: [['oleObject', target, true]] }), 'a.docx')).toBe(expected);
  });
});

describe('a control', () => {
  const withClass = (classId: string) =>
    wordDocument({
      relationships: [['control', 'activeX/activeX1.xml', false]],
      parts: {
        'word/activeX/activeX1.xml': Buffer.from(
          `<ax:ocx xmlns:ax="http://schemas.microsoft.com/office/2006/activeX" ax:classid="${classId}" ax:persistence="persistPropertyBag"/>`,
        ),
      },
    });

  test('that is a check box is a fact', async () => {
    expect(await verdictOn(withClass('{8BD21D40-EC42-11CE-9E0D-00AA006002F3}'), 'a.docx')).toBe(
      'unknown office-activex',
    );
  });

  test.each([
    ['a browser', '{8856F961-340A-11D0-A96B-00C04FD705A2}'],
    ['a frame in which others stand', '{6E182020-F460-11CE-9BCD-00AA00608E01}'],
    ['no class', ''],
  ])('that is %s is suspicious', async (_, classId) => {
    expect(await verdictOn(withClass(classId), 'a.docx')).toBe('suspicious office-activex');
  });
});

describe('another workbook', () => {
  const book = (path: string): readonly [number, Buffer] => {
    const head = Buffer.alloc(5);
    head.writeUInt16LE(path.length, 2);
    return [0x01ae, Buffer.concat([head, Buffer.from(path, 'latin1')])];
  };

  test.each([
    ['beside the document', '\u0001sales.xls', 'unknown office-data-connection'],
    ['on a drive', '\u0001\u0001Cdata\u0003sales.xls', 'unknown office-data-connection'],
    ['in the network of the sender', '\u0001\u0001@server\u0003share\u0003sales.xls', 'unknown office-data-connection'],
    ['on a machine elsewhere', '\u0001\u0001@load.example\u0003a\u0003sales.xls', 'suspicious office-data-connection'],
    ['on the web', '\u0001\u0005\u0018https://load.example/a.xls', 'suspicious office-data-connection'],
    ['that is a program', '\u0001\u0001Cdata\u0003sales.exe', 'suspicious office-data-connection'],
    ['that is a program and what it is asked for', 'Excel\u0003System', 'suspicious office-data-connection'],
  ])('%s', async (_, path, expected) => {
    expect(await verdictOn(buildXls({ globals: [book(path)] }), 'a.xls')).toBe(expected);
  });

  test.each([
    ['../sales.ods', 'unknown office-data-connection'],
    ['file:///home/a/sales.ods', 'unknown office-data-connection'],
    ['https://load.example/sales.ods', 'suspicious office-data-connection'],
    ['../sales.exe', 'suspicious office-data-connection'],
  ])('a table of %s', async (target, expected) => {
    const content = `<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><table:table-source xlink:href="${target}"/></office:document-content>`;
    expect(await verdictOn(ods({ 'content.xml': content }), 'a.ods')).toBe(expected);
  });
});

const ods = (parts: Readonly<Record<string, string>>) =>
  zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet', ...parts, 'META-INF/manifest.xml': '<m/>' });

describe('a macro of LibreOffice', () => {
  const OFFICE = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"';
  const SCRIPT =
    'xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"';
  const withMacro = (source: string, event = '') =>
    ods({
      'content.xml': `<office:document-content ${OFFICE} ${SCRIPT}>${event}</office:document-content>`,
      'Basic/Standard/Module1.xml': `<?xml version="1.0" encoding="UTF-8"?>\n<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">${source}</script:module>`,
    });
  const listener = (name: string) =>
    `<script:event-listener script:language="ooo:script" script:event-name="${name}" xlink:href="vnd.sun.star.script:Standard.Module1.Main?language=Basic&amp;location=document" xlink:type="simple"/>`;
  const PLAIN = 'Sub Main\nMsgBox ThisComponent.Sheets(0).Name\nEnd Sub';

  test('that only shows a name is a fact, also behind a button', async () => {
    expect(await verdictOn(withMacro(PLAIN), 'a.ods')).toBe('unknown office-custom-code');
    expect(await verdictOn(withMacro(PLAIN, listener('form:performaction')), 'a.ods')).toBe(
      'unknown office-custom-code',
    );
  });

  test.each([
    ['starts a program', withMacro('Sub Main\nShell("a")\nEnd Sub')],
    ['loads another document', withMacro('Sub Main\nStarDesktop.loadComponentFromURL(a, b, 0, c)\nEnd Sub')],
    ['asks for any service', withMacro('Sub Main\na = createUnoService(b)\nEnd Sub')],
    ['runs when the document is opened', withMacro(PLAIN, listener('dom:load'))],
    ['hides an element in its module', withMacro('<a/>')],
  ])('that %s is suspicious', async (_, bytes) => {
    expect(await verdictOn(bytes, 'a.ods')).toMatch(/^suspicious .*office-custom-code/);
  });
});

describe('a name that once was a macro', () => {
  /** Flags, how long name and formula are, and both. */
  const name = (formula: Buffer): readonly [number, Buffer] => {
    const head = Buffer.alloc(15);
    head.writeUInt16LE(0x000e, 0);
    head[3] = 6;
    head.writeUInt16LE(formula.length, 4);
    return [0x0018, Buffer.concat([head, Buffer.from('Report', 'latin1'), formula])];
  };

  test('and has no formula says nothing about a workbook of Excel 97; with one, it is found', async () => {
    expect(await verdictOn(buildXls({ globals: [name(Buffer.alloc(0))] }), 'a.xls')).toBe('benign');
    expect(await verdictOn(buildXls({ globals: [name(Buffer.from('3a000000000000', 'hex'))] }), 'a.xls')).toBe(
      'suspicious office-xlm-macro',
    );
  });
});

describe('a field of Word', () => {
  const withField = (code: string) =>
    verdictOn(
      wordDocument({
        body: `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
      }),
      'a.docx',
    );

  test.each([
    ['a picture on the drive of the writer', 'INCLUDEPICTURE \\d "C:\\\\a\\\\b.gif" \\* MERGEFORMATINET', 'benign'],
    ['a picture beside the document', 'INCLUDEPICTURE "../a/b%20c.png" \\* MERGEFORMAT', 'benign'],
    ['a picture as Word 6 wrote it', 'IMPORT c:\\\\a\\\\b.TIF \\* mergeformat', 'benign'],
    [
      'a picture of a share, as Word 6',
      'IMPORT \\\\\\\\load.example\\\\b.TIF \\* mergeformat',
      'suspicious office-active-field',
    ],
    [
      'a picture of the web, as Word 6',
      'IMPORT http://load.example/b.TIF \\* mergeformat',
      'suspicious office-active-field',
    ],
    ['a name that hides slashes', 'INCLUDEPICTURE "%5c%5cload.example%5cb.png"', 'suspicious office-active-field'],
    ['a name of what is no picture', 'INCLUDEPICTURE "b.htm"', 'suspicious office-active-field'],
    [
      'a name and an address behind it',
      'INCLUDEPICTURE "b.png" "http://load.example/"',
      'suspicious office-active-field',
    ],
    ['a picture of the web', 'INCLUDEPICTURE "http://load.example/a.gif"', 'suspicious office-active-field'],
    ['a picture of a share', 'INCLUDEPICTURE "\\\\\\\\load.example\\\\a\\\\b.gif"', 'suspicious office-active-field'],
    ['a picture whose name goes on', 'INCLUDEPICTURE "C:\\\\a', 'suspicious office-active-field'],
    ['a text of the drive', 'INCLUDETEXT "C:\\\\a\\\\b.txt"', 'suspicious office-active-field'],
  ])('with %s', async (_, code, expected) => {
    expect(await withField(code)).toBe(expected);
  });
});

describe('an OpenDocument file', () => {
  const NAMES =
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"';
  const withElement = (element: string, parts: Readonly<Record<string, string | { content: Uint8Array }>> = {}) =>
    zipOf({
      mimetype: 'application/vnd.oasis.opendocument.presentation',
      'content.xml': `<office:document-content ${NAMES}>${element}</office:document-content>`,
      ...parts,
      'META-INF/manifest.xml': '<m/>',
    });
  const film = (type: string, address: string) => `<draw:plugin draw:mime-type="${type}" xlink:href="${address}"/>`;
  const MEDIA = 'application/vnd.sun.star.media';

  test.each([
    ['a film in it', film(MEDIA, 'Media/a.mp4'), 'benign'],
    ['a film of the web', film(MEDIA, 'https://load.example/a.mp4'), 'suspicious office-external-content'],
    [
      'a plugin of another kind',
      film('application/x-shockwave-flash', 'Media/a.swf'),
      'suspicious office-embedded-object',
    ],
  ])('with %s', async (_, element, expected) => {
    expect(await verdictOn(withElement(element), 'a.odp')).toBe(expected);
  });

  test('holds objects under any name', async () => {
    const element = '<draw:object-ole xlink:href="./Obj1"/>';
    const object = (clsid: string) => ({
      Obj1: { content: writeCompoundFile({ clsid, streams: new Map([['Workbook', Buffer.alloc(200, 1)]]) }) },
    });
    expect(await verdictOn(withElement(element, object('2008020000000000c000000000000046')), 'a.odp')).toBe(
      'unknown office-embedded-object',
    );
    expect(await verdictOn(withElement(element, object('61f95688fbd0cf11a8a200aa0060fafb')), 'a.odp')).toMatch(
      /^suspicious /,
    );
  });
});
