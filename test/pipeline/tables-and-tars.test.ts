/** Tables with blocked links, and archives of documents that stand in them as they are: nothing goes as a whole. */
import PostalMime from 'postal-mime';
import { afterAll, describe, expect, test } from 'vitest';
import { readZipDirectory } from '../../lib/formats/archives/zip-directory.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { buildTnef, tnefAttribute, zeroEnded } from '../fixtures/build-tnef.ts';
import { storedZip } from '../fixtures/stored-zip.ts';
import { openAirlock } from '../hostile/attack/airlock-run.ts';
import { filePart, lines, mailOf, multipart, textPart } from '../ordinary/ordinary-mail.ts';
import { readTar, tarOf } from './tar-file.ts';

const airlock = openAirlock();
afterAll(async () => (await airlock).close());

const HEAD = { from: 'Ann <ann@sender.example>', subject: 'The file' };

/** What arrives of one attachment, by its name; empty when a notice took its place. */
async function arrivalOf(name: string, type: string, content: string | Uint8Array) {
  const parts = [textPart('Hello Bob'), filePart(name, type, content)];
  const { message, why, ledger } = await (await airlock).scan(mailOf(HEAD, multipart('mixed', 'm', parts)), 'a.eml');
  const { attachments } = await PostalMime.parse(message ?? '', { attachmentEncoding: 'arraybuffer' });
  const [file] = attachments;
  const bytes = new Uint8Array((file?.content as ArrayBuffer | undefined) ?? new ArrayBuffer(0));
  return { name: file?.filename ?? '', bytes, text: Buffer.from(bytes).toString(), why, ledger };
}

/** The host of such a link is not what it looks like, so it is blocked. */
const BLOCKED = 'https://bank.example@pay.sender.example/x';
const GOOD = 'https://www.sender.example/shop';

describe('a table with a blocked link', () => {
  const TABLE = lines('name,site,sum', `Zoë,"${BLOCKED}",5.50`, `Ann,${GOOD},7`, 'Bob,=1+1,8', '');

  test('keeps its cells and its other links, and the link is switched off', async () => {
    const { name, text } = await arrivalOf('sites.csv', 'text/csv; charset=utf-8', TABLE);
    expect(name).toBe('sites.csv');
    expect(text).not.toContain(BLOCKED);
    expect(text).toContain(`Ann,${GOOD},7`);
    expect(text).toContain("Bob,'=1+1,8");
    const [, row = ''] = text.split('\r\n');
    expect(row).toMatch(/^Zoë,"hxxps:\/\/bank\[\.\]example.*",5\.50$/);
  });

  test.each([
    ['windows-1252', Buffer.from(TABLE, 'latin1')],
    ['utf-16', Buffer.from(`\ufeff${TABLE}`, 'utf16le')],
    ['utf-8 with a mark', Buffer.from(`\ufeff${TABLE}`)],
  ])('in %s keeps its letters, in UTF-8 with the mark by which Excel knows it', async (_charset, bytes) => {
    const { text } = await arrivalOf('sites.csv', 'text/csv', bytes);
    expect(text.startsWith('\ufeffname,site')).toBe(true);
    expect(text).toContain('Zoë');
    expect(text).not.toContain(BLOCKED);
  });

  test('and more links than are judged keeps its cells', async () => {
    const many = Array.from({ length: 400 }, (_, at) => `row${at},https://host${at}.example/`);
    const { name, text } = await arrivalOf('sites.csv', 'text/csv', lines(...many, ''));
    expect(name).toBe('sites.csv');
    expect(text.split('\r\n')).toHaveLength(401);
  });

  test('without one keeps every byte, in its own charset', async () => {
    const bytes = Buffer.from(lines('name,site', `Zoë,${GOOD}`, ''), 'latin1');
    expect(Buffer.from((await arrivalOf('sites.csv', 'text/csv', bytes)).bytes)).toEqual(bytes);
  });
});

describe('a tar with a document that stands in it as it is', () => {
  const files = { 'offer/minutes.pdf': buildPdf({ text: 'Minutes' }), 'offer/readme.txt': Buffer.from('hello\n') };

  test('arrives as a zip', async () => {
    const { name, ledger } = await arrivalOf('offer.tar', 'application/x-tar', tarOf(files));
    expect(name).toBe('offer.zip');
    expect(ledger?.parts.map(({ disposition }) => disposition)).not.toContain('remove');
  });

  test('that is a PDF from its first byte loses that reading: only its members arrive', async () => {
    const polyglot = tarOf({ '%PDF-1.4\n1 0 obj<</OpenAction 2 0 R>>': Buffer.from('x'), ...files });
    expect(readTar(polyglot)).toHaveLength(3);
    const { name, text } = await arrivalOf('offer.tar', 'application/x-tar', polyglot);
    expect(name).toMatch(/^offer\.(?:zip|tar \(withheld\)\.html)$/);
    expect(text).not.toContain('/OpenAction');
    const called = await arrivalOf('offer.pdf', 'application/pdf', polyglot);
    expect(called.text).not.toContain('/OpenAction');
  });
});

describe('an archive that begins with a PDF that stands in it as it is', () => {
  const minutes = Buffer.from(buildPdf({ text: 'Minutes' }));
  const note = Buffer.from('hello\n');

  test('arrives whole as a zip', async () => {
    const sent = storedZip(['minutes.pdf', minutes], ['note.txt', note]);
    const { name, bytes, ledger } = await arrivalOf('offer.zip', 'application/zip', sent);
    expect(name).toBe('offer.zip');
    expect(ledger?.parts.map(({ disposition }) => disposition)).not.toContain('remove');
    expect(readZipDirectory(bytes, 9)?.members.map(({ untrustedName }) => untrustedName)).toEqual([
      'minutes.pdf',
      'note.txt',
    ]);
  });

  test.each(['offer.pdf', 'offer.dat'])('does not arrive under the name %s', async (name) => {
    const { bytes } = await arrivalOf(name, 'application/octet-stream', storedZip(['minutes.pdf', minutes]));
    expect(Buffer.from(bytes).includes('PK\x03\x04')).toBe(false);
  });

  test('arrives as winmail.dat', async () => {
    const rendering = Buffer.from('0100ffffffff200020000000000000', 'hex').subarray(0, 14);
    const file = [tnefAttribute(2, 0x69002, rendering), tnefAttribute(2, 0x18010, zeroEnded('minutes.pdf'))];
    const sent = buildTnef(...file, tnefAttribute(2, 0x6800f, minutes));
    const { why, ledger } = await arrivalOf('winmail.dat', 'application/ms-tnef', sent);
    expect(why).toBe('');
    expect(ledger?.parts.map(({ disposition }) => disposition)).not.toContain('remove');
  });
});
