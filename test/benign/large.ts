/** Files of the sizes that mail carries, for measuring speed: the same kinds as the benign set, larger. */
import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { wordDocument } from '../engines/office-fixture.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { type BenignFile, numbers, prose } from './file.ts';

const SIZE = 100_000;

/** Documents, pictures, pages, tables, mail, archives and scripts, most of them of 100 KB to a megabyte. */
export function largeFiles(): BenignFile[] {
  return Array.from({ length: 3 }, (_, index) => round(index)).flat();
}

function round(index: number): BenignFile[] {
  const random = numbers(index + 71);
  const text = prose(random, 40_000);
  const picture = pngOf(SIZE * 4);
  const document = wordDocument({
    body:
      text
        .match(/.{1,400}/g)
        ?.map((part) => `<w:p><w:r><w:t>${part}</w:t></w:r></w:p>`)
        .join('') ?? '',
    relationships: [['image', 'media/image1.png', false]],
    parts: { 'word/media/image1.png': pngOf(40_000) },
  });
  const file = (kind: string, extension: string, content: string | Uint8Array): BenignFile => ({
    kind,
    name: `large-${index}.${extension}`,
    bytes: typeof content === 'string' ? Buffer.from(content) : content,
  });
  return [
    file('office', 'docx', document),
    file('pdf', 'pdf', pdfOf(random)),
    file('picture', 'png', picture),
    file(
      'page',
      'html',
      `<!doctype html><html><body>${text
        .match(/.{1,200}/g)
        ?.map((part) => `<p class="a">${part} <a href="https://www.example.org">x</a></p>`)
        .join('\n')}</body></html>`,
    ),
    file(
      'text',
      'csv',
      Array.from({ length: 6_000 }, () => `${prose(random, 3)},${Math.floor(random() * 1e5)}`).join('\r\n'),
    ),
    file('mail', 'eml', mailOf(document)),
    file('archive', 'zip', zipOf({ 'a.docx': { content: document }, 'picture.png': { content: picture } })),
    file(
      'script',
      'js',
      Array.from(
        { length: 2_000 },
        (_, at) => `function f${at}(a, b) { return a.value + b[${at}] * ${Math.floor(random() * 100)}; }`,
      ).join('\n'),
    ),
  ];
}

/** A picture of the given bytes of pixels that do not compress, as those of photographs do not. */
function pngOf(size: number): Buffer {
  const width = 300;
  const height = Math.round(size / (3 * width + 1));
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits of each of three colours; no row is filtered.
  header.set([8, 2], 8);
  const pixels = randomBytes(height * (3 * width + 1));
  for (let row = 0; row < height; row++) pixels[row * (3 * width + 1)] = 0;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function pdfOf(random: () => number): Buffer {
  const head =
    '%PDF-1.7\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n3 0 obj <</Type /Page /Parent 2 0 R /Contents 4 0 R>> endobj\n';
  const streams = Array.from({ length: 20 }, (_, index) => {
    const isPicture = index % 2 === 0;
    const body = deflateSync(isPicture ? randomBytes(60_000) : `BT (${prose(random, 2_000)}) Tj ET`);
    const subtype = isPicture ? '/Type /XObject /Subtype /Image ' : '';
    return Buffer.concat([
      Buffer.from(`${index + 4} 0 obj <<${subtype}/Length ${body.length} /Filter /FlateDecode>>\nstream\n`),
      body,
      Buffer.from('\nendstream endobj\n'),
    ]);
  });
  return Buffer.concat([Buffer.from(head), ...streams, Buffer.from('trailer <</Root 1 0 R>>\n%%EOF\n')]);
}

function mailOf(document: Buffer): string {
  return `From: a@example.org\r\nTo: b@example.org\r\nSubject: report\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b\r\nContent-Type: application/octet-stream; name="a.docx"\r\nContent-Disposition: attachment; filename="a.docx"\r\nContent-Transfer-Encoding: base64\r\n\r\n${document.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n--b--\r\n`;
}
