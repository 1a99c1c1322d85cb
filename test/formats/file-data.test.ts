/** Tables, appointments, cards, XML and drawings: data by name, declared type and beginning together, and by nothing less. */
import { expect, test } from 'vitest';
import { identifyFile } from '../../lib/formats/detection/file-type.ts';

const identify = (
  content: string,
  untrustedNames: string[],
  declaredType = '',
  role: 'body' | 'attachment' = 'attachment',
) => identifyFile(Buffer.from(content, 'latin1'), { untrustedNames, declaredType, role });

const ICS = 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR\r\n';
const VCF = 'BEGIN:VCARD\r\nFN:Bob\r\nEND:VCARD\r\n';
const SVG = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>';

test.each([
  ['a table', 'a,b\r\n1,2', ['t.csv'], '', 'csv', 'data'],
  ['a table as Windows declares it', 'a;b', ['t.csv'], 'application/vnd.ms-excel', 'csv', 'data'],
  ['a table without a name', 'a,b', [], 'text/csv', 'csv', 'data'],
  ['a table whose first column is ID', 'ID;Name\r\n1;Bob', ['t.csv'], 'text/csv', 'csv', 'data'],
  ['a table in a folder of an archive', 'a,b', ['docs/t.csv'], '', 'csv', 'data'],
  ['XML behind a comment with a bracket', '<?xml version="1.0"?><!-- a > b --><order/>', ['o.xml'], '', 'xml', 'data'],
  ['what macOS puts into archives', '\0\x05\x16\x07\0\x02', ['__MACOSX/._t.csv'], '', 'bin', 'data'],
  ['a table with tabs', 'a\tb', ['t.tsv'], 'text/plain', 'tsv', 'data'],
  ['an invitation', ICS, ['invite.ics'], 'text/calendar', 'ics', 'data'],
  ['a card', VCF, ['bob.vcf'], 'text/x-vcard', 'vcf', 'data'],
  ['XML', '<?xml version="1.0"?><order/>', ['o.xml'], 'text/xml', 'xml', 'data'],
  ['a drawing', SVG, ['a.svg'], 'image/svg+xml', 'svg', 'image'],
] as const)('identifies %s', (_, content, names, declared, extension, typeGroup) => {
  expect(identify(content, [...names], declared)).toMatchObject({ extension, typeGroup });
});

test.each([
  ['a table by one name of two', 'a,b', ['t.csv', 't.txt'], ''],
  ['a table that is declared as something else', 'a,b', ['t.csv'], 'application/x-foo'],
  ['a workbook by its type alone', 'a,b', [], 'application/vnd.ms-excel'],
  ['a symbolic link table', 'ID;PWXL\r\nC;Y1;X1;E1+1\r\nE\r\n', ['t.csv'], 'text/csv'],
  ['a page called a table', '<html><script>x</script>', ['t.csv'], 'text/csv'],
  ['binary data called a table', 'MZ\x90\0', ['t.csv'], 'text/csv'],
  ['a table with a zip behind it', `a,b\r\nPK\x05\x06${'\0'.repeat(18)}`, ['t.csv'], 'text/csv'],
  ['no calendar', 'hello', ['invite.ics'], 'text/calendar'],
  ['a drawing by its name alone', 'hello', ['a.svg'], 'image/svg+xml'],
  ['a drawing with a PDF in it', `${SVG}<!-- %PDF-1.4 -->`, ['a.svg'], 'image/svg+xml'],
  ['a drawing with entities', '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>', ['a.svg'], 'image/svg+xml'],
  ['a page in XML', '<?xml version="1.0"?><html xmlns="x"/>', ['a.xhtml'], 'application/xhtml+xml'],
  ['a library called XML', '<?xml version="1.0"?><a/>', ['a.library-ms', 'a.xml'], 'text/xml'],
])('%s is removed', (_, content, names, declared) => {
  expect(['other', 'executable']).toContain(identify(content, names, declared).typeGroup);
});

test('an invitation may be a body, and no other data', () => {
  expect(identify(ICS, [], 'text/calendar', 'body')).toMatchObject({ extension: 'ics', typeGroup: 'data' });
  for (const [content, type] of [
    ['a,b', 'text/csv'],
    [VCF, 'text/vcard'],
    [SVG, 'image/svg+xml'],
    ['hello', 'text/calendar'],
  ] as const)
    expect(identify(content, [], type, 'body').typeGroup).toBe('other');
});

test('a file that Apple Mail would make executable is a script', () => {
  const header = (mode: string) => `Content-Type: text/plain; x-unix-mode=${mode}; name=readme\r\n`;
  const groupOf = (untrustedHeader: string) =>
    identifyFile(Buffer.from('echo hello'), {
      untrustedNames: ['readme.txt'],
      declaredType: 'text/plain',
      role: 'attachment',
      untrustedHeader,
    }).typeGroup;
  expect(['0755', '"0744"', '0645'].map((mode) => groupOf(header(mode)))).toEqual(['script', 'script', 'script']);
  expect(['0644', '0666'].map((mode) => groupOf(header(mode)))).toEqual(['text', 'text']);
});
