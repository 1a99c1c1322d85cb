/** Links, formulas and field codes that act, each alone in a file of its own, beside the ordinary ones that look like them. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, type FileType, secondLookOf } from '../../../lib/formats/file-types.ts';
import { zipOf } from '../zip-fixture.ts';

async function found(content: string | Uint8Array, type: FileType): Promise<string[]> {
  const file = { bytes: Buffer.from(content), type: describeType(type) };
  const { leftovers } = await inspectOutput(file, file, DEFAULT_ENGINE_LIMITS, { detectType, secondLookOf });
  return leftovers.map(({ id }) => id);
}

const rtfField = (code: string) => {
  const text = [...code]
    .map((sign) => (sign === '\\' ? '\\\\' : sign > '\x7f' ? `\\'${sign.charCodeAt(0).toString(16)}` : sign))
    .join('');
  return found(`{\\rtf1 a{\\field{\\*\\fldinst ${text}}{\\fldrslt b}}}`, 'application/rtf');
};

describe('a field', () => {
  test.each(
    `PAGE NUMPAGES SECTION SECTIONPAGES DATE TIME CREATEDATE SAVEDATE PRINTDATE TOC TC REF PAGEREF NOTEREF SEQ STYLEREF XE INDEX TA
    TOA CITATION BIBLIOGRAPHY FORMTEXT FORMCHECKBOX FORMDROPDOWN MERGEFIELD SYMBOL EQ ADVANCE LISTNUM AUTONUM AUTONUMLGL AUTONUMOUT
    DOCPROPERTY AUTHOR TITLE SUBJECT KEYWORDS NUMWORDS NUMCHARS REVNUM EDITTIME`
      .trim()
      .split(/\s+/),
  )('%s shows something of the document', async (name) => {
    expect(await rtfField(`${name} a`)).toEqual([]);
    expect(await rtfField(` ${name.toLowerCase()}`)).toEqual([]);
    expect(await rtfField(`${name}X a`)).toEqual(name === 'AUTONUM' || name.startsWith('AUTONUM') ? [] : ['rtf-field']);
  });

  test.each(
    `INCLUDETEXT INCLUDEPICTURE INCLUDE IMPORT DDE DDEAUTO LINK EMBED OBJECT MACROBUTTON GOTOBUTTON ASK FILLIN DATABASE AUTOTEXT
    AUTOTEXTLIST GLOSSARY PRINT QUOTE SET IF NEXT NEXTIF SKIPIF COMPARE SHAPE HTMLACTIVEX CONTROL ADDIN PRIVATE RD FILENAME USERNAME
    TEMPLATE BARCODE MERGEBARCODE DATA PAGES XPAGE 1PAGE`
      .trim()
      .split(/\s+/),
  )('%s acts, or nobody knows it', async (name) => {
    expect(await rtfField(`${name} "a"`)).toEqual(['rtf-field']);
    expect(await rtfField(`\xa0${name.toLowerCase()} "a"`)).toEqual(['rtf-field']);
  });

  test('without a code does nothing, and a sum is a sum', async () => {
    for (const code of ['', ' ', '= 1 + 1', ' =SUM(A1)']) expect(await rtfField(code)).toEqual([]);
  });

  test.each([
    'HYPERLINK "https://a.example/"',
    'HYPERLINK https://a.example/',
    'hyperlink "HTTP://a.example/"',
    'HYPERLINK "mailto:a@b.example"',
    'HYPERLINK "mailto:a@b.example?subject=attachment"',
    'HYPERLINK "tel:1"',
    'HYPERLINK ""',
    'HYPERLINK "#place"',
    'HYPERLINK \\l "place"',
    'HYPERLINK',
  ])('leads to the web, to mail, to a telephone, or nowhere: %s', async (code) => {
    expect(await rtfField(code)).toEqual([]);
  });

  test.each([
    'HYPERLINK "file:///c:/a.exe"',
    'HYPERLINK file:///c:/a.exe',
    'HYPERLINK "c:\\\\a.exe"',
    'HYPERLINK "\\\\\\\\server\\\\a"',
    'HYPERLINK "a.exe"',
    'HYPERLINK "javascript:a()"',
    'HYPERLINK "ms-word:ofe|u|https://a.example/"',
    'HYPERLINK "xhttp://a.example/"',
    'HYPERLINK "http:/a.example/"',
    'HYPERLINK "ftp://a.example/"',
    'HYPERLINK "mailto:a@b.example?attach=c:\\\\a"',
    'HYPERLINK "mailto:a@b.example?subject=a&Attachment=c:\\\\a"',
    'HYPERLINK "mailto:a@b.example?%61ttach=a"',
    'HYPERLINK "mailto:a@b.example?%2561ttach=a"',
    'HYPERLINK "mailto:a@b.example;attach=a"',
    'HYPERLINK "mailto:?x-attach=a"',
  ])('leads elsewhere: %s', async (code) => {
    expect(await rtfField(code)).toEqual(['rtf-field']);
  });
});

const XLSX: FileType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const workbook = (formula: string) =>
  found(
    zipOf({
      '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData><c><f>${escaped(formula)}</f></c></sheetData></worksheet>`,
    }),
    XLSX,
  );

describe('a formula', () => {
  test.each(
    `CALL REGISTER REGISTER.ID EXEC EXECUTE WEBSERVICE FILTERXML RTD SQL.REQUEST IMAGE PY IMPORTTEXT IMPORTCSV DDE DDEINITIATE INITIATE
    POKE FOPEN FWRITE FWRITELN EVALUATE RUN ON.TIME HALT GET.WORKSPACE STOCKHISTORY UNREGISTER
    SEND.KEYS VBA.INSERT.FILE COPILOT REQUEST TERMINATE FCLOSE FREAD FREADLN FSIZE FPOS FILES FILE.DELETE DIRECTORY SAVE.AS CUBEVALUE
    CUBEMEMBER CUBESET CUBERANKEDMEMBER CUBEKPIMEMBER CUBEMEMBERPROPERTY CUBESETCOUNT
    IMPORTXML IMPORTHTML IMPORTDATA IMPORTFEED IMPORTRANGE GOOGLEFINANCE GOOGLETRANSLATE TRANSLATE DETECTLANGUAGE`
      .trim()
      .split(/\s+/),
  )('with %s acts', async (name) => {
    for (const call of [
      `${name}(1)`,
      `${name.toLowerCase()} (1)`,
      `1+${name}(1)`,
      `_xlfn.${name}(1)`,
      `_xlfn._xlws.${name}(1)`,
    ])
      expect(await workbook(call), call).toEqual(['excel-formula']);
    for (const call of [`"${name}(1)"`, `X${name}(1)`, `${name}X(1)`, `A.${name}(1)`, name])
      expect(await workbook(call), call).toEqual([]);
  });

  test.each([
    "cmd|'/c a'!A1",
    '\\\\server\\a',
    'file:///a',
    '[a.xlsx]Sheet1!A1',
    "'[a.xlsx]Sheet 1'!A1",
    "'C:\\[a.xlsx]Sheet ''1'''!A1",
    '[1]!Name',
    'SUM([1]Sheet1!$A$1:$B$2)',
    '[1]Größe!A1',
    'HYPERLINK("file:///c:/a.exe")',
    'hyperlink ( "a.exe","open")',
    'HYPERLINK("https://a.example/")+HYPERLINK("a.exe")',
    'HYPERLINK("a"" b")',
    'HYPERLINK(A1)',
    'HYPERLINK("https://a.example/"&A1)',
    `INDIRECT("'file:///a.ods'#$S.A1")`,
    `indirect ("'C:\\a\\["&A1&".xlsx]S'!A1")`,
    `INDIRECT("'["&A1&"]Sheet'!B2")`,
    'LET(f,_xlfn.WEBSERVICE,f("https://a.example"))',
    'IFERROR(__xludf.DUMMYFUNCTION("IMPORTXML(""https://a.example"",""//a"")"),1)',
    '__xludf.DUMMYFUNCTION("IMPORT"&"RANGE(""a"",""b"")")',
  ])('leads out of the workbook: %s', async (formula) => {
    expect(await workbook(formula)).toEqual(['excel-formula']);
  });

  test.each([
    'SUM(A1:B2)',
    'Sheet1!A1',
    "'Sheet 1'!A1",
    'Table1[Sum]',
    'Table1[[#Headers],[a]]+Sheet1!A1',
    '"a|b"',
    '"\\\\server"',
    '"a ""|"" b"',
    '"[a.xlsx]Sheet1!A1"',
    'HYPERLINK("https://a.example/")',
    'HYPERLINK("#A1","a")',
    `INDIRECT("'"&A1&"'!B2")`,
    'INDIRECT("Table1["&A1&"]")',
    '"file:///a"&A1',
    'IFERROR(__xludf.DUMMYFUNCTION("UNIQUE(A1:A9)"),1)',
    '__xludf.DUMMYFUNCTION("""COMPUTED_VALUE""")',
  ])('stays in it: %s', async (formula) => {
    expect(await workbook(formula)).toEqual([]);
  });
});

describe('an address of a page', () => {
  const page = (address: string) => found(`<a href="${address}">a</a>`, 'text/html');

  test.each(
    `javascript vbscript livescript jscript data file smb mhtml its mk ms-word ms-msdt search-ms search shell script x-usc ldap res jar
    view-source blob filesystem`
      .trim()
      .split(/\s+/),
  )('of the scheme %s acts, in any case and with signs in it that programs drop', async (scheme) => {
    for (const written of [scheme, scheme.toUpperCase(), ` \t${scheme}`, `${scheme[0]}&#8203;\n${scheme.slice(1)}`])
      expect(await page(`${written}:a`)).toContain('html-active-address');
    expect(await page(`https://a.example/${scheme}:a`)).toEqual([]);
    expect(await page(`x${scheme}:a`)).not.toContain('html-active-address');
  });

  test.each(['\\\\a\\b', '\\/a/b', '//a/b', '/\\a/b'])('of a share acts: %s', async (address) => {
    expect(await page(address)).toContain('html-active-address');
  });

  test.each(['png', 'jpg', 'jpeg', 'gif', 'webp', 'bmp'])('may be a picture of the page itself: %s', async (kind) => {
    for (const sign of [',', ';'])
      expect(await found(`<img src="data:image/${kind}${sign}a">`, 'text/html')).toEqual([]);
    expect(await found(`<img src="data:image/${kind}2,a">`, 'text/html')).toContain('html-active-address');
  });
});
