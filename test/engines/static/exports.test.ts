/** What LibreOffice writes into ordinary letters and tables, and the same with something that acts. */
import { expect, test } from 'vitest';
import { zipOf } from '../zip-fixture.ts';
import { verdictOn } from './analyse.ts';

const LETTER_MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const letter = (settings: string) =>
  zipOf({
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${LETTER_MAIN}"/></Types>`,
    '_rels/.rels':
      '<Relationships><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    'word/document.xml': '<document/>',
    'word/settings.xml': `<w:settings>${settings}</w:settings>`,
  });

test.each([
  ['<w:mailMerge><w:mainDocumentType w:val="formLetters"/><w:dataType w:val="textFile"/></w:mailMerge>', 'benign'],
  ['<w:mailMerge><w:connectString w:val="a"/></w:mailMerge>', 'suspicious office-data-connection'],
  ['<w:mailMerge><w:odso><w:udl w:val="a"/></w:odso></w:mailMerge>', 'suspicious office-data-connection'],
])('a letter with %s', async (settings, expected) => {
  expect(await verdictOn(letter(settings), 'a.docx')).toBe(expected);
});

test.each([
  ['VCLMTF', 'benign'],
  ['VCLMT', 'unknown'],
])('a chart whose picture begins with %s', async (start, expected) => {
  const picture = Buffer.concat([Buffer.from(start), Buffer.from('0001fe02ff'.repeat(20), 'hex')]);
  const bytes = zipOf({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml': '<office:document-content/>',
    'ObjectReplacements/Object 1': { content: picture },
    'META-INF/manifest.xml': '<m/>',
  });
  expect(await verdictOn(bytes, 'a.ods')).toBe(expected);
});
