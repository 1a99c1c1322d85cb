/** What a mail costs without us: the popular parser with its defaults, and the least anybody can do with a file. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type AttachmentStream, MailParser, type MessageText, simpleParser } from 'mailparser';
import PostalMime from 'postal-mime';
import { timed } from './statistics.ts';

export const SIMPLE_PARSER = "mailparser's simpleParser";
export const READ_AND_HASH = 'reading and hashing the file';

/** Milliseconds that simpleParser takes for the mail, with its defaults. */
export function simpleParserMs(email: Buffer): Promise<number> {
  return timed(() => simpleParser(email));
}

/** Milliseconds for reading a file (from the page cache) and its SHA-256. */
export function readAndHashMs(path: string): Promise<number> {
  return timed(async () =>
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  );
}

const CHUNK_BYTES = 64 * 1024;

/** mailparser in its fastest way: a stream, every conversion off, every leaf hashed and nothing kept. Nothing of ours around it. */
export function mailparserStream(email: Buffer): Promise<void> {
  const skips = { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true, skipImageLinks: true };
  const parser = new MailParser({ ...skips, keepCidLinks: true, checksumAlgo: 'sha256' });
  (parser as unknown as { textTypes: string[] }).textTypes = [];
  return new Promise((resolve, reject) => {
    parser.on('data', (data: AttachmentStream | MessageText) => {
      if (data.type !== 'attachment') return;
      data.content.on('data', () => {});
      data.content.on('end', () => data.release());
    });
    parser.on('error', reject);
    parser.on('end', () => resolve());
    const chunks = Array.from({ length: Math.ceil(email.length / CHUNK_BYTES) }, (_, at) => {
      return email.subarray(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES);
    });
    Readable.from(chunks).pipe(parser);
  });
}

/** postal-mime with its defaults. */
export async function postalMime(email: Buffer): Promise<void> {
  const { attachments } = await PostalMime.parse(email);
  for (const { content } of attachments)
    createHash('sha256')
      .update(new Uint8Array(content as ArrayBuffer))
      .digest();
}

/** The least that anybody can do: decode what follows the header that says base64, in pieces that stay in the cache, and hash them. */
export function decodeAndHash(email: Buffer): void {
  const start = email.indexOf('\r\n\r\n', email.indexOf('base64')) + 4;
  const hash = createHash('sha256');
  const piece = Buffer.allocUnsafe(CHUNK_BYTES);
  const step = 78 * 800;
  for (let at = start; at < email.length; at += step) {
    const written = piece.write(email.toString('latin1', at, Math.min(at + step, email.length)), 'base64');
    hash.update(piece.subarray(0, written));
  }
  hash.digest();
}

/** Runs `work` with a folder that is gone afterwards. */
export async function withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'airlock-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs `work` with the path of a file that holds these bytes. */
export function withFile<T>(bytes: Uint8Array, work: (path: string) => Promise<T>): Promise<T> {
  return withScratch(async (folder) => {
    const path = join(folder, 'mail.eml');
    await writeFile(path, bytes);
    return work(path);
  });
}
