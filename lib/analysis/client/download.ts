/** A file that a service sends: its head is there, its bytes are read once, in the way the caller chooses. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { dispositionFilename, safeFileName } from './content-disposition.ts';
import { AnalysisError, DownloadConsumedError } from './errors.ts';
import { type ExchangeAnswer, type ExchangeRequest, labelOf } from './exchange.ts';
import { boundedBytes, type Transport } from './transport.ts';

/**
 * A download. Read it with one of `save`, `buffer`, `stream` or `for await`; a second read throws DownloadConsumedError.
 * `save` and `buffer` begin again when the connection breaks on the way; a stream cannot, and throws. One that is not
 * wanted is let go with `discard`.
 */
export class Download implements AsyncIterable<Uint8Array> {
  /** Safe as one segment of a path; `download` when the service gives no name. */
  readonly filename: string;
  /** As the service says it. Data, never a path. */
  readonly untrustedFilename: string | null;
  readonly contentType: string | null;
  /** As announced; null when the service does not say. */
  readonly size: number | null;
  readonly #transport: Transport;
  readonly #request: ExchangeRequest;
  #answer: ExchangeAnswer | null;

  constructor(transport: Transport, request: ExchangeRequest, answer: ExchangeAnswer) {
    const { headers } = answer;
    this.untrustedFilename = dispositionFilename(headers.get('content-disposition'));
    this.filename = safeFileName(this.untrustedFilename);
    this.contentType = headers.get('content-type');
    const size = headers.get('content-length');
    this.size = size !== null && /^\d{1,15}$/.test(size) ? Number(size) : null;
    this.#transport = transport;
    this.#request = request;
    this.#answer = answer;
  }

  /** The whole file. Throws ResponseTooLargeError for one of more bytes. */
  async buffer(maxBytes: number): Promise<Uint8Array> {
    return await this.#again((body) => boundedBytes(body, maxBytes, labelOf(this.#request)));
  }

  /**
   * Writes the file to a path, missing folders included; an existing file is replaced when all bytes are there, and left
   * alone when they do not come. Returns the absolute path. The bytes are hostile: nothing here opens them.
   */
  async save(path: string): Promise<string> {
    const target = resolve(path);
    const partial = `${target}.${randomBytes(6).toString('hex')}.part`;
    try {
      await mkdir(dirname(target), { recursive: true });
      await this.#again((body) =>
        pipeline(Readable.from(body, { objectMode: false }), createWriteStream(partial, { mode: 0o600 })),
      );
      await rename(partial, target);
    } finally {
      this.discard();
      await rm(partial, { force: true });
    }
    return target;
  }

  /** The bytes as a Node stream. */
  stream(): Readable {
    return Readable.from(this.#take().body, { objectMode: false });
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.#take().body[Symbol.asyncIterator]();
  }

  /** Lets go of a download that is not wanted; nothing happens when it was read. */
  discard(): void {
    this.#answer?.discard();
    this.#answer = null;
  }

  #take(): ExchangeAnswer {
    const answer = this.#answer;
    if (!answer) throw new DownloadConsumedError(labelOf(this.#request));
    this.#answer = null;
    return answer;
  }

  async #again<T>(read: (body: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    let answer: ExchangeAnswer | null = this.#take();
    const { value } = await this.#transport.repeated(this.#request, async () => {
      try {
        const opened: ExchangeAnswer | AnalysisError = answer ?? (await this.#transport.openOnce(this.#request));
        answer = null;
        return opened instanceof AnalysisError ? opened : { value: await read(opened.body) };
      } catch (error) {
        this.#request.signal?.throwIfAborted();
        if (error instanceof AnalysisError) return error;
        throw error;
      }
    });
    return value;
  }
}
