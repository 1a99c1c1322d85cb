/** A typed client of the analysis service (v3): one method for each route of the contract, under the route's name. */
import { createHash } from 'node:crypto';
import { FormData } from 'undici';
import type { RouteDefinition } from '../contract/common.ts';
import { Me, Submission, SubmissionCreated, SubmissionList, V3_ROUTES, type V3RouteName } from '../contract/v3.ts';
import { parseAnswer } from './answer.ts';
import { fillPath, normalizeBaseUrl } from './base-url.ts';
import { ClientConfigError } from './errors.ts';
import { type Lookup, Transport, type TransportOptions, type TransportRequest } from './transport.ts';

export interface AnalysisClientOptions extends TransportOptions {
  /** As documented, or with the `/public-api` that public clients use. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Accept plain http to other machines. @default false: the key and the files could be read on the way */
  readonly allowInsecureHttp?: boolean;
}

export interface CallOptions {
  /** Ends the call with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface FileToAnalyse {
  readonly bytes: Uint8Array;
  readonly filename: string;
}

export interface FileSubmissionOptions extends CallOptions {
  /** Hide the submission from other workspaces. @default left to the service */
  readonly private?: boolean;
  /** The file to analyse within an archive. */
  readonly entrypoint?: string;
  readonly password?: string;
}

export interface SandboxSubmissionOptions extends FileSubmissionOptions {
  /** Operating system, for example `w10_x64`. @default the service picks one */
  readonly environment?: string;
  /** Sent as documented: a list of {key, value} with text values. */
  readonly metafields?: Readonly<Record<string, string | number | boolean>>;
}

export interface DownloadOptions extends CallOptions {
  /** Refuse a larger file: ResponseTooLargeError. */
  readonly maxBytes: number;
}

/** A service that answers JSON without end. */
const MAX_JSON_BYTES = 32 * 1024 * 1024;
/** How far the service's clock may be behind ours when we look for an upload that we may have made. */
const CLOCK_SKEW_MS = 5 * 60_000;

type FileRouteName = 'createSandboxSubmission' | 'createStaticSubmission' | 'createCdrSubmission';

/** The report that proves that a submission was made for this route. */
const PROVING_REPORT: Readonly<Record<FileRouteName, string>> = {
  createSandboxSubmission: 'dynamic',
  createStaticSubmission: 'static',
  createCdrSubmission: 'cdr',
};

/** Every method rejects with an AnalysisError (errors.ts), or with the reason of the caller's own signal. */
export class AnalysisClient implements Readonly<Record<V3RouteName, unknown>> {
  /** Normalised. */
  readonly baseUrl: string;
  readonly #transport: Transport;
  readonly #headers: Readonly<Record<string, string>>;

  /** Throws ClientConfigError for an empty key or a base URL that cannot be used. */
  constructor(options: AnalysisClientOptions) {
    if (!/^[\x21-\x7e]+$/.test(options.apiKey)) throw new ClientConfigError('the API key is empty or not plain ASCII');
    this.baseUrl = normalizeBaseUrl(options.baseUrl, options.allowInsecureHttp ?? false);
    this.#transport = new Transport(options);
    this.#headers = { authorization: `Bearer ${options.apiKey}` };
  }

  /** Dynamic and static analysis of a file. */
  createSandboxSubmission(file: FileToAnalyse, options: SandboxSubmissionOptions = {}): Promise<SubmissionCreated> {
    const metafields = Object.entries(options.metafields ?? {}).map(([key, value]) => ({ key, value: String(value) }));
    return this.#createFile('createSandboxSubmission', file, options, {
      environment: options.environment,
      metafields: metafields.length > 0 ? JSON.stringify(metafields) : undefined,
    });
  }

  /** Static analysis of a file. */
  createStaticSubmission(file: FileToAnalyse, options: FileSubmissionOptions = {}): Promise<SubmissionCreated> {
    return this.#createFile('createStaticSubmission', file, options, {});
  }

  /** Content disarm and reconstruction of a file. */
  createCdrSubmission(file: FileToAnalyse, options: FileSubmissionOptions = {}): Promise<SubmissionCreated> {
    return this.#createFile('createCdrSubmission', file, options, {});
  }

  /** A URL has no hash to look an earlier attempt up by, so a failure that may have come too late is the caller's. */
  async createUrlSubmission(
    url: string,
    options: CallOptions & { readonly private?: boolean } = {},
  ): Promise<SubmissionCreated> {
    const body = JSON.stringify({ url, ...(options.private !== undefined && { private: options.private }) });
    const request = this.#request('createUrlSubmission', {}, options);
    const headers = { ...request.headers, 'content-type': 'application/json' };
    const answer = await this.#transport.create<never>({ ...request, headers, body: () => body }, null);
    if ('found' in answer) return answer.found;
    return parseAnswer(SubmissionCreated, answer.bytes, labelOf(request));
  }

  /** One submission with its reports as they stand now. */
  async getSubmission(uuid: string, options: CallOptions = {}): Promise<Submission> {
    const request = this.#request('getSubmission', { uuid }, options);
    return parseAnswer(Submission, (await this.#transport.read(request)).bytes, labelOf(request));
  }

  /** Newest first; empty when the service has never seen the file. */
  async searchBySha256(sha256: string, options: CallOptions = {}): Promise<Submission[]> {
    const request = this.#request('searchBySha256', { sha256 }, options);
    return parseAnswer(SubmissionList, (await this.#transport.read(request)).bytes, labelOf(request));
  }

  /** The sanitized file. Rejects with ReportNotReadyError while there is none. */
  async downloadCdrSanitized(uuid: string, options: DownloadOptions): Promise<Uint8Array> {
    const request = this.#request('downloadCdrSanitized', { uuid }, options);
    return (await this.#transport.read({ ...request, maxBytes: options.maxBytes })).bytes;
  }

  /** The current user, plan and limits. */
  async me(options: CallOptions = {}): Promise<Me> {
    const request = this.#request('me', {}, options);
    return parseAnswer(Me, (await this.#transport.read(request)).bytes, labelOf(request));
  }

  #request(name: V3RouteName, params: Readonly<Record<string, string>>, { signal }: CallOptions): TransportRequest {
    const route: RouteDefinition | undefined = V3_ROUTES.find((entry) => entry.name === name);
    if (!route) throw new TypeError(`no route ${name}`);
    const url = this.baseUrl + fillPath(route.paths[0], params);
    return { method: route.method, url, headers: this.#headers, maxBytes: MAX_JSON_BYTES, signal };
  }

  async #createFile(
    name: FileRouteName,
    file: FileToAnalyse,
    options: FileSubmissionOptions,
    fields: Readonly<Record<string, string | undefined>>,
  ): Promise<SubmissionCreated> {
    const request = this.#request(name, {}, options);
    const { private: isPrivate, entrypoint, password } = options;
    const body = () => formOf(file, { private: isPrivate?.toString(), entrypoint, password, ...fields });
    const answer = await this.#transport.create({ ...request, body }, this.#lookup(name, file.bytes, options));
    return 'found' in answer ? answer.found : parseAnswer(SubmissionCreated, answer.bytes, labelOf(request));
  }

  /** Finds the submission that an upload made whose answer was lost. */
  #lookup(name: FileRouteName, bytes: Uint8Array, options: CallOptions): Lookup<SubmissionCreated> {
    return async (sentAtMs) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const made = (await this.searchBySha256(sha256, options)).find(
        ({ createdAt, reports }) =>
          Date.parse(createdAt) >= sentAtMs - CLOCK_SKEW_MS &&
          reports.some(({ type, status }) => type === PROVING_REPORT[name] && status !== 'error'),
      );
      return made ? { uuid: made.uuid, message: 'found by its hash after an answer was lost', sha256 } : null;
    };
  }
}

const labelOf = ({ method, url }: TransportRequest) => `${method} ${url}`;

/** The multipart body of a file and the fields that are set. */
export function formOf(file: FileToAnalyse, fields: Readonly<Record<string, string | undefined>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, value);
  }
  // Blob copies the bytes anyway; the cast only says that nobody shares this memory with another thread.
  const bytes = file.bytes as Uint8Array<ArrayBuffer>;
  form.append('file', new Blob([bytes], { type: 'application/octet-stream' }), file.filename);
  return form;
}
