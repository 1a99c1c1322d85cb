/**
 * A typed client of the analysis service (v3). It has one method for each route of the contract, with the route's name and
 * types, and also waits for reports and reads lists as streams.
 */
import { V3_ROUTES, type V3RouteName } from '../contract/v3.ts';
import type { Submission, SubmissionCreated } from '../contract/v3-submission.ts';
import { AnalysisFiles } from './analysis-files.ts';
import { RouteNames } from './dialect.ts';
import { type FilePart, type FormFields, jsonBody, multipartBody } from './multipart.ts';
import { type AnalysisClientOptions, baseUrlOf, checkedCredential } from './options.ts';
import { type CallOptions, RouteCaller } from './route-caller.ts';
import { Transport } from './transport.ts';
import { type FileToAnalyse, type UploadSource, uploadSource } from './upload-source.ts';
import { type WaitOptions, waitForReports } from './wait.ts';

/** Configuration of an analysis by key; `getMetafields` lists the keys. */
export type MetafieldValues = Readonly<Record<string, string | number | boolean>>;

/** Options of every submission of a file. */
export interface FileSubmissionOptions extends CallOptions {
  /** Hide the submission from other workspaces. @default left to the service */
  readonly private?: boolean | undefined;
  /** The file to analyse within an archive. */
  readonly entrypoint?: string | undefined;
  readonly password?: string | undefined;
}

/** Options of a submission for static analysis. */
export interface StaticSubmissionOptions extends FileSubmissionOptions {
  /** Show the type that the bytes have, not the type that the name claims. @default left to the service */
  readonly dynamicMimetypeCheck?: boolean | undefined;
}

/** Options of a submission for disarming. */
export interface CdrSubmissionOptions extends StaticSubmissionOptions {
  /** Keep title, author, dates and the like in the sanitized file. @default false */
  readonly keepMetadata?: boolean | undefined;
}

/** Options of a submission for the sandbox. */
export interface SandboxSubmissionOptions extends FileSubmissionOptions {
  /** Operating system, for example `w10_x64`; see `getEnvironments`. @default the service picks one */
  readonly environment?: string | undefined;
  readonly autoSelectEnvironment?: boolean | undefined;
  readonly metafields?: MetafieldValues | undefined;
  /** preScript, startArguments, networkConfig. */
  readonly configurations?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of a submission of a URL. */
export interface UrlSubmissionOptions extends CallOptions {
  readonly private?: boolean | undefined;
  readonly safeBrowsing?: boolean | undefined;
  readonly metafields?: MetafieldValues | undefined;
  readonly configurations?: Readonly<Record<string, unknown>> | undefined;
}

/** Options of a submission of a URL for a browser. */
export interface OpenInBrowserOptions extends Omit<UrlSubmissionOptions, 'safeBrowsing'> {
  readonly environment?: string | undefined;
  readonly autoSelectEnvironment?: boolean | undefined;
}

/** How far the service's clock may be behind ours when we look for an upload that we may have made. */
const CLOCK_SKEW_MS = 5 * 60_000;

type FileRouteName = 'createSandboxSubmission' | 'createStaticSubmission' | 'createCdrSubmission';

/** The report that proves that a submission was made for this route. */
const PROVING_REPORT: Readonly<Record<FileRouteName, string>> = {
  createSandboxSubmission: 'dynamic',
  createStaticSubmission: 'static',
  createCdrSubmission: 'cdr',
};

/**
 * Every method rejects with an AnalysisError (errors.ts), or with the reason of the caller's own signal.
 *
 * @example
 * ```ts
 * import { AnalysisClient } from '@mail-airlock/client';
 *
 * const client = new AnalysisClient({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'ma_key' });
 * const { uuid } = await client.createStaticSubmission('invoice.docm', { private: true });
 * const { level } = await client.waitForCompletion(uuid);
 * ```
 */
export class AnalysisClient extends AnalysisFiles implements Readonly<Record<V3RouteName, unknown>> {
  /** Normalised. */
  readonly baseUrl: string;
  protected readonly routes: RouteCaller<typeof V3_ROUTES>;
  readonly #filePart: FilePart;
  readonly #metafieldsForm: 'list' | 'object' | undefined;
  readonly #names: RouteNames;

  /** Throws ClientConfigError for an empty key or a base URL that cannot be used. */
  constructor(options: AnalysisClientOptions) {
    super();
    const headers = { authorization: `Bearer ${checkedCredential('API key', options.apiKey)}` };
    this.baseUrl = baseUrlOf(options);
    this.#filePart = options.filePart ?? 'last';
    this.#metafieldsForm = options.metafieldsForm;
    this.#names = new RouteNames(options.dialect);
    this.routes = new RouteCaller(V3_ROUTES, {
      baseUrl: this.baseUrl,
      headersOf: () => headers,
      transport: new Transport(options),
      listForm: options.listForm,
      names: this.#names,
    });
  }

  /** Requests dynamic and static analysis of a file. */
  createSandboxSubmission(file: FileToAnalyse, options: SandboxSubmissionOptions = {}): Promise<SubmissionCreated> {
    const { environment, metafields, configurations, autoSelectEnvironment } = options;
    return this.#createFile('createSandboxSubmission', file, options, {
      environment,
      metafields: metafields && JSON.stringify(this.#metafieldsOf(metafields)),
      configurations: configurations && JSON.stringify(configurations),
      autoSelectEnvironment: autoSelectEnvironment?.toString(),
    });
  }

  /** Requests static analysis of a file. */
  createStaticSubmission(file: FileToAnalyse, options: StaticSubmissionOptions = {}): Promise<SubmissionCreated> {
    const fields = { dynamic_mimetype_check: options.dynamicMimetypeCheck?.toString() };
    return this.#createFile('createStaticSubmission', file, options, fields);
  }

  /** Requests content disarm and reconstruction of a file. */
  createCdrSubmission(file: FileToAnalyse, options: CdrSubmissionOptions = {}): Promise<SubmissionCreated> {
    const fields = {
      dynamic_mimetype_check: options.dynamicMimetypeCheck?.toString(),
      keep_metadata: options.keepMetadata?.toString(),
    };
    return this.#createFile('createCdrSubmission', file, options, fields);
  }

  /** Submits a URL. A URL has no hash to find an earlier attempt by, so a failure after which it may have arrived goes to the caller. */
  createUrlSubmission(url: string, options: UrlSubmissionOptions = {}): Promise<SubmissionCreated> {
    const { signal, group, ...fields } = options;
    return this.routes.create('createUrlSubmission', { body: jsonBody({ url, ...fields }) }, { signal, group });
  }

  /** Requests analysis of a URL, and opens it in the browser of an environment. Fails like `createUrlSubmission`. */
  createOpenInBrowserSubmission(url: string, options: OpenInBrowserOptions = {}): Promise<SubmissionCreated> {
    const { signal, group, ...fields } = options;
    return this.routes.create(
      'createOpenInBrowserSubmission',
      { body: jsonBody({ url, ...fields }) },
      { signal, group },
    );
  }

  /**
   * Waits until the reports have ended, in success or in error: check `reports` of the result. The wait continues through temporary outages
   * until the deadline. Rejects with WaitTimeoutError, ReportNotScheduledError, ContractError.
   */
  waitForCompletion(uuid: string, options: WaitOptions<Submission> = {}): Promise<Submission> {
    const { sleep, now, random } = this.routes.transport;
    const poll = (signal: AbortSignal) => this.routes.jsonOnce('getSubmission', { uuid }, { signal });
    const reportsOf = ({ reports }: Submission) =>
      reports.map(({ type, status }) => ({ type, isEnded: status === 'completed' || status === 'error' }));
    return waitForReports(uuid, { poll, reportsOf, sleep, now, random }, options);
  }

  #metafieldsOf(values: MetafieldValues): unknown {
    const ofDialect = this.#names.dialect === 'public' ? 'object' : 'list';
    if ((this.#metafieldsForm ?? ofDialect) === 'object') return values;
    return Object.entries(values).map(([key, value]) => ({ key, value: String(value) }));
  }

  async #createFile(
    name: FileRouteName,
    file: FileToAnalyse,
    options: FileSubmissionOptions,
    more: FormFields,
  ): Promise<SubmissionCreated> {
    const { private: isPrivate, entrypoint, password, signal, group } = options;
    const source = await uploadSource(file);
    const fields = { private: isPrivate?.toString(), entrypoint, password, ...more };
    const body = multipartBody(source, fields, this.#filePart);
    const lookup = (sentAtMs: number) => this.#lookup(name, source, options, sentAtMs);
    return this.routes.create(name, { body, lookup, canResend: source.canOpen, isTransfer: true }, { signal, group });
  }

  /** Finds the submission that an upload has made when its answer was lost. */
  async #lookup(
    name: FileRouteName,
    source: UploadSource,
    options: FileSubmissionOptions,
    sentAtMs: number,
  ): Promise<SubmissionCreated | null> {
    const sha256 = await source.sha256();
    // The stream broke half way, so the service cannot have received all of it.
    if (sha256 === null) return null;
    const made = (await this.searchBySha256(sha256, { signal: options.signal })).find(
      (submission) =>
        Date.parse(submission.createdAt) >= sentAtMs - CLOCK_SKEW_MS &&
        (options.private === undefined || submission.private === options.private) &&
        isProof(submission, PROVING_REPORT[name]),
    );
    return made ? { uuid: made.uuid, message: 'found by its hash after an answer was lost', sha256 } : null;
  }
}

/** Returns true when the submission was made for this report: it is scheduled, or no environment could make it. */
const isProof = ({ reports, skippedReports }: Submission, proof: string) =>
  reports.some(({ type, status }) => type === proof && status !== 'error') ||
  skippedReports.some(({ type }) => type === proof);
