/** A file from a service. Its headers have arrived, and its bytes can be read once, in the way that the caller chooses. */
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
 * `save` and `buffer` start again when the connection breaks; a stream cannot, and throws. Call `discard` for a download
 * that is not wanted.
 *
 * @example
 * ```ts
 * import type { AnalysisClient } from '@mail-airlock/client';
 *
 * async function saveDisarmed(client: AnalysisClient, uuid: string): Promise<string> {
 *   const download = await client.downloadCdrSanitized(uuid);
 *   return await download.save(`disarmed/${download.filename}`);
 * }
 * ```
 */
export class Download implements AsyncIterable<Uint8Array> {
  /** Safe as one segment of a path; `download` when the service gives no name. */
  readonly filename: string;
  /** The name as the service gave it. It is data, never a path. */
  readonly untrustedFilename: string | null;
  readonly contentType: string | null;
  /** As announced; null when the service does not announce it. */
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

  /** Returns the whole file. Throws ResponseTooLargeError when it has more bytes. */
  async buffer(maxBytes: number): Promise<Uint8Array> {
    return await this.#again((body) => boundedBytes(body, maxBytes, labelOf(this.#request)));
  }

  /**
   * Writes the file to a path and makes missing folders. An existing file is replaced only when all bytes have arrived.
   * Returns the absolute path. The bytes are hostile: nothing here opens them.
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

  /** Returns the bytes as a Node stream. */
  stream(): Readable {
    return Readable.from(this.#take().body, { objectMode: false });
  }

  /** The bytes, one piece after the other. */
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this.#take().body[Symbol.asyncIterator]();
  }

  /** Ends a download that is not wanted. Does nothing when it was read already. */
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
