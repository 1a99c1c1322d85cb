/** Pieces of hostile documents: macros, objects, fields, messages. All are inert. */
import { compoundFile, vbaCompress, vbaProject, wordDocument } from '../../engines/office-fixture.ts';
import { zipOf } from '../../engines/zip-fixture.ts';
import { base64 } from './sample.ts';

export const macro = (source: string) => wordDocument({ parts: { 'word/vbaProject.bin': vbaProject(source) } });
export const field = (text: string) =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>${text}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;

/** Label, path, temporary path and the file ([MS-OLEDS] 2.3.6). */
export function packageOf(name: string, content: Uint8Array): Buffer {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const text = (value: string) => Buffer.from(`${value}\0`, 'latin1');
  const temporary = text(`C:\\tmp\\${name}`);
  const body = Buffer.concat([
    Buffer.from([2, 0]),
    text(name),
    text(`C:\\${name}`),
    Buffer.from([0, 0, 3, 0]),
    number(temporary.length),
    temporary,
    number(content.length),
    content,
  ]);
  return Buffer.concat([number(body.length), body]);
}

/** An object of an RTF document ([MS-OLEDS] 2.2.5), in hexadecimal digits. */
export function objectOf(className: string, data: Uint8Array): string {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
  };
  const name = Buffer.from(`${className}\0`);
  return Buffer.concat([
    number(0x501),
    number(2),
    number(name.length),
    name,
    number(0),
    number(0),
    number(data.length),
    data,
  ]).toString('hex');
}

export const equation = Buffer.concat([
  Buffer.alloc(28),
  Buffer.from([3, 1, 1, 3, 10]),
  Buffer.from([8, 0x5a, 0x5a]),
  Buffer.alloc(80, 0x41),
]);
export const strewn = (hex: string) => (hex.match(/.{1,6}/g) ?? []).join('{\\*\\x1}');

export const pdf = (catalog: string, objects: string) =>
  `%PDF-1.7\n1 0 obj <</Type /Catalog /Pages 2 0 R ${catalog}>> endobj\n2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n3 0 obj <</Type /Page /Parent 2 0 R>> endobj\n${objects}\ntrailer <</Root 1 0 R>>\n%%EOF\n`;

export const workbook = (sheet: string) =>
  zipOf({
    '[Content_Types].xml':
      '<Types><Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>',
    '_rels/.rels':
      '<Relationships><Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="a" sheetId="1" state="veryHidden"/></sheets><definedNames><definedName name="_xlnm.Auto_Open">a!$A$1</definedName></definedNames></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r" Type="http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet" Target="macrosheets/sheet1.xml"/></Relationships>',
    'xl/macrosheets/sheet1.xml': sheet,
  });

export const mail = (name: string, content: Uint8Array) =>
  `From: a@example.org\r\nTo: b@example.org\r\nSubject: bill\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nsee attached\r\n--b\r\nContent-Type: application/octet-stream; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(content).replace(/.{76}/g, '$&\r\n')}\r\n--b--\r\n`;

/** A module with much compiled code and an empty source. */
export function stomped(): Buffer {
  const record = (id: number, data: Buffer) => {
    const head = Buffer.alloc(6);
    head.writeUInt16LE(id, 0);
    head.writeUInt32LE(data.length, 2);
    return Buffer.concat([head, data]);
  };
  const offset = Buffer.alloc(4);
  offset.writeUInt32LE(12_000);
  const dir = Buffer.concat([record(0x1a, Buffer.from('Module1')), record(0x31, offset)]).toString('latin1');
  const source = vbaCompress('Attribute VB_Name = "Module1"\r\n');
  return compoundFile({
    'VBA/dir': vbaCompress(dir),
    'VBA/Module1': Buffer.concat([Buffer.alloc(12_000, 3), source]),
    'VBA/_VBA_PROJECT': Buffer.alloc(8),
  });
}
