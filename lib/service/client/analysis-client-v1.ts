/** A typed client of the earlier interface (v1), for services that have only that: one method for each route. */
import type { RouteDefinition } from '../contract/common.ts';
import { V1_ROUTES, type V1RouteName } from '../contract/v1.ts';
import type { V1Created, V1ListItem, V1Submission } from '../contract/v1-bodies.ts';
import { V1_COOKIE, V1_REPORT_KEYS, type V1ReportKey } from '../contract/v1-words.ts';
import { withoutPublicApi } from './base-url.ts';
import { type Dialect, RouteNames } from './dialect.ts';
import { ClientConfigError } from './errors.ts';
import { type FilePart, type FormFields, jsonBody, multipartBody } from './multipart.ts';
import { baseUrlOf, checkedCredential, type ServiceOptions } from './options.ts';
import { type CallOptions, RouteCaller } from './route-caller.ts';
import { Transport } from './transport.ts';
import { type FileToAnalyse, type UploadSource, uploadSource } from './upload-source.ts';
import { V1Reads } from './v1-reads.ts';
import { type WaitOptions, waitForReports } from './wait.ts';

/** Options of a client of the earlier interface. */
export interface AnalysisClientV1Options extends ServiceOptions {
  readonly apiKey: string;
  /** Sent in the cookie that the interface document names for downloads. @default only the key is sent */
  readonly accessToken?: string;
  /** The names of routes that the service knows. @default learned at the first refusal of a name */
  readonly dialect?: Dialect;
}

interface V1FileOptions extends CallOptions {
  /** Read the type from the bytes and assign the extension. @default left to the service */
  readonly extensionCheck?: boolean | undefined;
  readonly entrypoint?: string | undefined;
  readonly password?: string | undefined;
}

/** Options of a submission for static analysis or disarming. */
export interface V1ScanOptions extends V1FileOptions {
  /** Whether other workspaces may see the results. @default left to the service */
  readonly isPublic?: boolean | undefined;
}

/** Options of a submission for the sandbox. */
export interface V1SandboxOptions extends V1FileOptions {
  /** Let the service set metafields and environment. */
  readonly auto?: boolean | undefined;
  /** Values by metafield id. On v1, environment and privacy are among them: `{ environment: 'w10_x64', private: true }`. */
  readonly analyzeConfig?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** For example `['cdr']`. */
  readonly modules?: readonly string[] | undefined;
}

const CLOCK_SKEW_MS = 5 * 60_000;

/**
 * Every method rejects with an AnalysisError (errors.ts), or with the reason of the caller's own signal.
 *
 * @example
 * ```ts
 * import { AnalysisClientV1 } from '@mail-airlock/client';
 *
 * const client = new AnalysisClientV1({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'ma_key' });
 * for await (const { uuid, level } of client.eachByHash('44d88612fea8a8f36de82e1278abb02f')) console.log(uuid, level);
 * ```
 */
export class AnalysisClientV1 extends V1Reads implements Readonly<Record<V1RouteName, unknown>> {
  /** Normalised, without `/public-api`, which the paths of v1 contain if needed. */
  readonly baseUrl: string;
  protected readonly routes: RouteCaller<typeof V1_ROUTES>;
  readonly #filePart: FilePart;

  /** Throws ClientConfigError for a credential or a base URL that cannot be used. */
  constructor(options: AnalysisClientV1Options) {
    super();
    const bearer = { authorization: `Bearer ${checkedCredential('API key', options.apiKey)}` };
    const cookie =
      options.accessToken === undefined ? {} : { cookie: `${V1_COOKIE}=${cookieValue(options.accessToken)}` };
    this.baseUrl = withoutPublicApi(baseUrlOf(options));
    this.#filePart = options.filePart ?? 'last';
    this.routes = new RouteCaller(V1_ROUTES, {
      baseUrl: this.baseUrl,
      headersOf: ({ auth }: RouteDefinition) => (auth === 'bearer-or-cookie' ? { ...bearer, ...cookie } : bearer),
      transport: new Transport(options),
      listForm: options.listForm,
      names: new RouteNames(options.dialect),
    });
  }

  /** Submits a URL. A URL has no hash to find an earlier attempt by, so a failure after which it may have arrived goes to the caller. */
  scanUrl(url: string, options: CallOptions & { readonly private?: boolean } = {}): Promise<V1Created> {
    const { signal, ...fields } = options;
    return this.routes.create('scanUrl', { body: jsonBody({ url, ...fields }) }, { signal });
  }

  /** Requests dynamic and static analysis of a file. */
  scanSandbox(file: FileToAnalyse, options: V1SandboxOptions = {}): Promise<V1Created> {
    const { analyzeConfig = {}, modules, auto } = options;
    const config = Object.entries(analyzeConfig).map(([metafieldId, value]) => ({ metafieldId, value }));
    const fields = { analyzeConfig: JSON.stringify(config), modules: modules && JSON.stringify(modules) };
    return this.#scan('scanSandbox', 'dynamic', file, options, fields, { auto });
  }

  /** Requests static analysis of a file. */
  scanStatic(file: FileToAnalyse, options: V1ScanOptions = {}): Promise<V1Created> {
    return this.#scan('scanStatic', 'static', file, options, { isPublic: options.isPublic?.toString() });
  }

  /** Requests content disarm and reconstruction of a file. */
  scanCdr(file: FileToAnalyse, options: V1ScanOptions = {}): Promise<V1Created> {
    return this.#scan('scanCdr', 'cdr', file, options, { isPublic: options.isPublic?.toString() });
  }

  /** Waits until the reports have ended. Look at their `status`: 0 is an error and 5 is finished. */
  waitForCompletion(uuid: string, options: WaitOptions<V1Submission> = {}): Promise<V1Submission> {
    const { sleep, now, random } = this.routes.transport;
    const poll = (signal: AbortSignal) => this.routes.jsonOnce('getSubmission', { uuid }, { signal });
    return waitForReports(uuid, { poll, reportsOf, sleep, now, random }, options);
  }

  async #scan(
    name: 'scanSandbox' | 'scanStatic' | 'scanCdr',
    proof: V1ReportKey,
    file: FileToAnalyse,
    { extensionCheck, entrypoint, password, signal }: V1FileOptions,
    more: FormFields,
    query: object = {},
  ): Promise<V1Created> {
    const source = await uploadSource(file);
    const fields = { extensionCheck: extensionCheck?.toString(), entrypoint, password, ...more };
    const body = multipartBody(source, fields, this.#filePart);
    const lookup = (sentAtMs: number) => this.#lookup(proof, source, sentAtMs, signal);
    return this.routes.create(name, { body, query, lookup, canResend: source.canOpen, isTransfer: true }, { signal });
  }

  /** Finds the submission that an upload has made when its answer was lost. */
  async #lookup(
    proof: V1ReportKey,
    source: UploadSource,
    sentAtMs: number,
    signal: AbortSignal | undefined,
  ): Promise<V1Created | null> {
    const sha256 = await source.sha256();
    if (sha256 === null) return null;
    const { submissions } = await this.searchByHash(sha256, 0, 100, { signal });
    const made = submissions.find((item) => isProof(item, proof, sentAtMs - CLOCK_SKEW_MS));
    return made ? { uuid: made.uuid, message: 'found by its hash after an answer was lost' } : null;
  }
}

/** Compares times. An item without a time counts as new: the same file need not be submitted twice for the same analysis. */
function isProof({ reports, createdAt }: V1ListItem, proof: V1ReportKey, sinceMs: number): boolean {
  const report = reports[proof];
  const isRecent = createdAt === undefined || Date.parse(createdAt) >= sinceMs;
  return isRecent && report?.enabled === true && report.status !== 0;
}

function reportsOf({ reports }: V1Submission) {
  return Object.entries(V1_REPORT_KEYS).flatMap(([type, key]) => {
    const report = reports[key];
    return report?.enabled ? [{ type, isEnded: report.status === 0 || report.status === 5 }] : [];
  });
}

/** Checks the token. With a semicolon it would contain a second cookie (RFC 6265 §4.1.1). */
function cookieValue(token: string): string {
  if (/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/.test(token)) return token;
  throw new ClientConfigError('the access token is empty or has a character that a cookie cannot hold');
}
