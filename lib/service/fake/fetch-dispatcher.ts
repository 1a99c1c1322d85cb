/** Hands the requests of undici to a function from Request to Response. No socket is opened. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { Dispatcher } from 'undici';

/** A function like `fetch`. */
export type Fetch = (request: Request) => Promise<Response>;

/** Use it as the `dispatcher` of a client. */
export class FetchDispatcher extends Dispatcher {
  readonly #fetch: Fetch;

  constructor(fetch: Fetch) {
    super();
    this.#fetch = fetch;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    let stopped: Error | null = null;
    handler.onConnect?.((reason) => {
      stopped = reason ?? new Error('aborted');
      handler.onError?.(stopped);
    });
    void this.#answer(options, handler, () => stopped !== null).catch((error: unknown) => {
      if (!stopped) handler.onError?.(error instanceof Error ? error : new Error(String(error)));
    });
    return true;
  }

  override async close(): Promise<void> {}

  override async destroy(): Promise<void> {}

  async #answer(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    isStopped: () => boolean,
  ): Promise<void> {
    const response = await this.#fetch(requestOf(options));
    if (isStopped()) return;
    const headers = [...response.headers].flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
    handler.onHeaders?.(response.status, headers, () => undefined, response.statusText);
    const body = Buffer.from(await response.arrayBuffer());
    if (isStopped()) return;
    if (body.length > 0) handler.onData?.(body);
    handler.onComplete?.([]);
  }
}

function requestOf({ origin = '', path, method, headers, body }: Dispatcher.DispatchOptions): Request {
  const url = new URL(path, String(origin));
  const init = { method, headers: headers as Record<string, string> };
  if (body === null || body === undefined) return new Request(url, init);
  const stream = body instanceof Readable ? (Readable.toWeb(body) as ReadableStream<Uint8Array>) : body;
  return new Request(url, { ...init, body: stream, duplex: 'half' } as RequestInit);
}
