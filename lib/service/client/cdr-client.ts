/** A typed client of the CDR service: start, listen, download. */
import { CDR_ROUTES, CDR_TOKEN_HEADER, type CdrRecord, type CdrRouteName, type CdrStarted } from '../contract/cdr.ts';
import { RouteNames } from './dialect.ts';
import type { Download } from './download.ts';
import { type FilePart, multipartBody } from './multipart.ts';
import { baseUrlOf, checkedCredential, type ServiceOptions } from './options.ts';
import { type CallOptions, RouteCaller } from './route-caller.ts';
import { Transport } from './transport.ts';
import { type FileToAnalyse, uploadSource } from './upload-source.ts';
import { type WaitOptions, waitForReports } from './wait.ts';

/** Options of a client of the CDR service. */
export interface CdrClientOptions extends ServiceOptions {
  readonly token: string;
}

/** Options of a submission to the CDR service. */
export interface CdrStartOptions extends CallOptions {
  /** URL to which the service posts `{resultId}` when the submission is finished. */
  readonly webhook?: string | undefined;
  /** Forces the type, for example `docx`. @default the service reads it from the bytes */
  readonly extension?: string | undefined;
  /** Also puts the sanitized file into the record, in base64. @default false */
  readonly filedata?: boolean | undefined;
}

/**
 * Every method rejects with an AnalysisError (errors.ts), or with the reason of the caller's own signal.
 *
 * @example
 * ```ts
 * import { CdrClient } from '@mail-airlock/client';
 *
 * const client = new CdrClient({ baseUrl: 'http://127.0.0.1:8080/cdr', token: 'ma_key' });
 * const { resultId } = await client.start('invoice.docm');
 * const { files } = await client.waitForCompletion(resultId);
 * ```
 */
export class CdrClient implements Readonly<Record<CdrRouteName, unknown>> {
  /** Normalised. */
  readonly baseUrl: string;
  readonly #routes: RouteCaller<typeof CDR_ROUTES>;
  readonly #filePart: FilePart;

  /** Throws ClientConfigError for an empty token or a base URL that cannot be used. */
  constructor(options: CdrClientOptions) {
    const headers = { [CDR_TOKEN_HEADER]: checkedCredential('CDR token', options.token) };
    this.baseUrl = baseUrlOf(options);
    this.#filePart = options.filePart ?? 'last';
    this.#routes = new RouteCaller(CDR_ROUTES, {
      baseUrl: this.baseUrl,
      headersOf: () => headers,
      transport: new Transport(options),
      listForm: options.listForm,
      names: new RouteNames(),
    });
  }

  /** The service has no search, so a failure after which the file may have arrived goes to the caller. */
  async start(file: FileToAnalyse, options: CdrStartOptions = {}): Promise<CdrStarted> {
    const { webhook, extension, filedata, signal, group } = options;
    const source = await uploadSource(file);
    const body = multipartBody(source, {}, this.#filePart);
    // Any value of filedata means yes.
    const query = { webhook, extension, filedata: filedata ? 'true' : undefined };
    return this.#routes.create(
      'start',
      { body, query, canResend: source.canOpen, isTransfer: true },
      { signal, group },
    );
  }

  /** Returns the record of a submission: status 1 until it is finished. */
  listen(resultId: string, options?: CallOptions): Promise<CdrRecord> {
    return this.#routes.json('listen', { resultId }, {}, options);
  }

  /** Returns one of the files that the record lists. */
  download(fileId: string, options?: CallOptions): Promise<Download> {
    return this.#routes.file('download', { fileId }, options);
  }

  /** Waits for status 2, in success or in error: check `files` and `result`. Rejects like the method of AnalysisClient. */
  waitForCompletion(resultId: string, options: Omit<WaitOptions<CdrRecord>, 'reports'> = {}): Promise<CdrRecord> {
    const { sleep, now, random } = this.#routes.transport;
    const poll = (signal: AbortSignal) => this.#routes.jsonOnce('listen', { resultId }, { signal });
    const reportsOf = ({ status }: CdrRecord) => [{ type: 'cdr', isEnded: status === 2 }];
    return waitForReports(resultId, { poll, reportsOf, sleep, now, random }, options);
  }
}
