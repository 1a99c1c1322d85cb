/** Ordinary Word and Excel documents, generated. */
import { compoundFile, vbaProject, wordDocument } from '../engines/office-fixture.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { type BenignFile, numbers, prose } from './file.ts';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';

export function benignOffice(count: number): BenignFile[] {
  return Array.from({ length: count }, (_, index) => {
    const random = numbers(index + 1);
    if (index % 3 === 0) return { kind: 'office', name: `table-${index}.xlsx`, bytes: workbook(random) };
    if (index % 17 === 1) return { kind: 'office', name: `old-${index}.doc`, bytes: oldWord(random) };
    return { kind: 'office', name: `letter-${index}.docx`, bytes: letter(random) };
  });
}

function letter(random: () => number): Buffer {
  const paragraphs = Array.from(
    { length: 5 + Math.floor(random() * 60) },
    () => `<w:p><w:r><w:t>${prose(random, 40)}</w:t></w:r></w:p>`,
  );
  const page =
    '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>';
  return wordDocument({
    body: paragraphs.join('') + page,
    relationships: [
      ['styles', 'styles.xml', false],
      ['theme', 'theme/theme1.xml', false],
      ['hyperlink', `https://www.example.org/${Math.floor(random() * 1_000)}`, true],
    ],
    parts: { 'word/styles.xml': '<w:styles/>', 'word/theme/theme1.xml': '<a:theme/>' },
  });
}

function workbook(random: () => number): Buffer {
  const rows = Array.from(
    { length: 10 + Math.floor(random() * 100) },
    (_, row) =>
      `<row r="${row + 1}"><c><v>${Math.floor(random() * 1e6)}</v></c><c><f>SUM(A1:A${row + 1})</f></c><c><f>IF(B${row + 1}&gt;10,"open","closed")</f></c></row>`,
  );
  return zipOf({
    '[Content_Types].xml': `<Types><Override PartName="/xl/workbook.xml" ContentType="${SHEET}"/></Types>`,
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="a" sheetId="1"/><sheet name="b" sheetId="2" state="hidden"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
  });
}

function oldWord(random: () => number): Buffer {
  const text = Buffer.from(prose(random, 400), 'latin1');
  return compoundFile({
    WordDocument: Buffer.concat([Buffer.from('eca5c100', 'hex'), Buffer.alloc(600), text]),
    '1Table': Buffer.alloc(200),
  });
}

/** A macro that people write for themselves: suspicious at most, because it is a macro, and never malicious. */
export function ordinaryMacros(): BenignFile[] {
  const sources = [
    'Sub FormatTable()\r\nRange("A1").Select\r\nSelection.Font.Bold = True\r\nEnd Sub',
    'Function Total(a, b)\r\nTotal = a + b\r\nEnd Function',
    'Private Sub Workbook_Open()\r\nSheets("Start").Activate\r\nMsgBox "Welcome"\r\nEnd Sub',
    'Sub Export()\r\n\' writes the list for the shell script of the other team\r\nOpen "list.txt" For Output As #1\r\nPrint #1, Cells(1, 1)\r\nClose #1\r\nEnd Sub',
    'Sub Auto_Open()\r\nApplication.StatusBar = "Ready"\r\nEnd Sub',
  ];
  return sources.map((source, index) => ({
    kind: 'macro',
    name: `macro-${index}.docm`,
    bytes: wordDocument({ parts: { 'word/vbaProject.bin': vbaProject(source) } }),
  }));
}
