/** A typed client of the CDR service: start, listen, download. */
import { CDR_ROUTES, CDR_TOKEN_HEADER, CdrRecord, type CdrRouteName, CdrStarted } from '../contract/cdr.ts';
import type { RouteDefinition } from '../contract/common.ts';
import { type CallOptions, type DownloadOptions, type FileToAnalyse, formOf } from './analysis-client.ts';
import { parseAnswer } from './answer.ts';
import { fillPath, normalizeBaseUrl } from './base-url.ts';
import { ClientConfigError } from './errors.ts';
import { Transport, type TransportOptions, type TransportRequest } from './transport.ts';

export interface CdrClientOptions extends TransportOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** Accept plain http to other machines. @default false */
  readonly allowInsecureHttp?: boolean;
}

/** A service that answers JSON without end. */
const MAX_JSON_BYTES = 8 * 1024 * 1024;

/** Every method rejects with an AnalysisError (errors.ts), or with the reason of the caller's own signal. */
export class CdrClient implements Readonly<Record<CdrRouteName, unknown>> {
  /** Normalised. */
  readonly baseUrl: string;
  readonly #transport: Transport;
  readonly #headers: Readonly<Record<string, string>>;

  /** Throws ClientConfigError for an empty token or a base URL that cannot be used. */
  constructor(options: CdrClientOptions) {
    if (!/^[\x21-\x7e]+$/.test(options.token)) throw new ClientConfigError('the CDR token is empty or not plain ASCII');
    this.baseUrl = normalizeBaseUrl(options.baseUrl, options.allowInsecureHttp ?? false);
    this.#transport = new Transport(options);
    this.#headers = { [CDR_TOKEN_HEADER]: options.token };
  }

  /** The service has no search, so a failure that may have come too late is the caller's. */
  async start(file: FileToAnalyse, options: CallOptions = {}): Promise<CdrStarted> {
    const request = this.#request('start', {}, options);
    const answer = await this.#transport.create<never>({ ...request, body: () => formOf(file, {}) }, null);
    return 'found' in answer ? answer.found : parseAnswer(CdrStarted, answer.bytes, labelOf(request));
  }

  /** The record of a submission: status 1 until it is finished. */
  async listen(resultId: string, options: CallOptions = {}): Promise<CdrRecord> {
    const request = this.#request('listen', { resultId }, options);
    return parseAnswer(CdrRecord, (await this.#transport.read(request)).bytes, labelOf(request));
  }

  /** One of the files that the record lists. */
  async download(fileId: string, options: DownloadOptions): Promise<Uint8Array> {
    const request = this.#request('download', { fileId }, options);
    return (await this.#transport.read({ ...request, maxBytes: options.maxBytes })).bytes;
  }

  #request(name: CdrRouteName, params: Readonly<Record<string, string>>, { signal }: CallOptions): TransportRequest {
    const route: RouteDefinition | undefined = CDR_ROUTES.find((entry) => entry.name === name);
    if (!route) throw new TypeError(`no route ${name}`);
    const url = this.baseUrl + fillPath(route.paths[0], params);
    return { method: route.method, url, headers: this.#headers, maxBytes: MAX_JSON_BYTES, signal };
  }
}

const labelOf = ({ method, url }: TransportRequest) => `${method} ${url}`;
