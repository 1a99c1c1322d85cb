/** The emails that the bench scans, made in code: the same bytes in every run of the bench. */
import sharp from 'sharp';
import { buildDocx, buildMacroFreeDocx } from '../fixtures/build-office.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { emailWith } from '../pipeline/rig.ts';

const WORDS =
  'the minutes of our meeting are attached together with figures for this quarter please look at them before we talk again next week about what remains to be done'.split(
    ' ',
  );

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const IMAGE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/image';

/** Numbers from 0 to 1 that look random and are the same for the same seed (a 32-bit xorshift). */
export function sequence(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Plain words of at least `length` characters, in lines of at most 76. */
export function prose(length: number, seed: number): string {
  const next = sequence(seed);
  const lines: string[] = [];
  let line = '';
  let size = 0;
  while (size < length) {
    const word = WORDS[Math.floor(next() * WORDS.length)] ?? '';
    if (line.length + word.length + 1 > 76) {
      lines.push(line);
      size += line.length + 2;
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\r\n');
}

/** An email under another Message-ID: another message, so another run. */
function numbered(email: string, number: number): string {
  return email.replace('Message-ID: <1@', `Message-ID: <${number}@`);
}

const LINKS = ['minutes', 'figures', 'calendar', 'contact'].map((page) => `https://www.partner.example/${page}`);

/**
 * Emails of 10 KB that differ in Message-ID and subject only: a text and an HTML body with the same four links, and one Word
 * document. Numbers of one width, so that all have the same size.
 */
export async function smallEmails(): Promise<(number: number) => Buffer> {
  const document = await buildMacroFreeDocx();
  const text = `${prose(2_300, 1)}\r\n\r\n${LINKS.join('\r\n')}`;
  const paragraphs = LINKS.map((link, index) => `<p>${prose(820, index + 2)} <a href="${link}">${link}</a></p>`);
  const html = `<!DOCTYPE html>\r\n<html><body style="margin:0">\r\n${paragraphs.join('\r\n')}\r\n</body></html>`;
  const files = [{ name: 'minutes.docx', type: DOCX, bytes: document }];
  return (number) => {
    const name = String(number).padStart(6, '0');
    return Buffer.from(numbered(emailWith({ subject: `Minutes ${name}`, text, html, files }), number + 1_000_000));
  };
}

/** A picture of noise, which does not compress: `side` x `side` pixels of about three bytes each. */
async function noisePng(side: number, seed: number): Promise<Uint8Array> {
  const next = sequence(seed);
  const pixels = Uint8Array.from({ length: side * side * 3 }, () => next() * 256);
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** A Word document around a picture. */
function documentWith(picture: Uint8Array): Promise<Uint8Array> {
  return buildDocx({
    body: '<w:p><w:r><w:pict><v:shape id="s1" style="width:290pt;height:290pt"><v:imagedata r:id="rId20"/></v:shape></w:pict></w:r></w:p>',
    parts: [{ name: 'word/media/image1.png', content: picture }],
    links: [{ id: 'rId20', type: IMAGE, target: 'media/image1.png' }],
  });
}

/**
 * An email of 1 MB with a Word document, a PDF and a picture of about 250 KB each. Another number gives other bytes in every
 * attachment and body, so that nothing of it is known.
 */
export async function largeEmail(number: number): Promise<Buffer> {
  const seed = 100 + number * 10;
  const side = 290;
  const files = [
    { name: 'report.docx', type: DOCX, bytes: await documentWith(await noisePng(side, seed)) },
    { name: 'figures.pdf', type: 'application/pdf', bytes: buildPdf({ text: prose(250_000, seed + 1) }) },
    { name: 'picture.png', type: 'image/png', bytes: await noisePng(side, seed + 2) },
  ];
  const email = emailWith({ subject: `Report ${number}`, text: prose(2_000, seed + 3), files });
  return Buffer.from(numbered(email, number));
}

/** The attachments and URLs of an email to count requests by: PDFs and four links. */
export function countedEmail(attachments: number): Buffer {
  const files = Array.from({ length: attachments }, (_, index) => ({
    name: `statement-${index}.pdf`,
    type: 'application/pdf',
    bytes: buildPdf({ text: prose(400_000 / attachments, 50 + index) }),
  }));
  const text = `${prose(1_500, 60)}\r\n\r\n${LINKS.join('\r\n')}`;
  return Buffer.from(emailWith({ subject: 'Statement', text, files }));
}
