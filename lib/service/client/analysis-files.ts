/** The routes of v3 that answer with a file, and the lists of v3, each as one stream of items. */
import type { V3_ROUTES } from '../contract/v3.ts';
import { AnalysisReports, type V3Query } from './analysis-reports.ts';
import type { Download } from './download.ts';
import { eachByOffset, eachOfPages } from './paging.ts';
import type { CallOptions } from './route-caller.ts';

/** A query without the fields that the iteration sets. */
type Filter<N extends (typeof V3_ROUTES)[number]['name']> = Omit<V3Query<N>, 'page' | 'skip'>;

/** Items per request: the most that the contract allows, so that a long list needs few requests. */
const PAGE = { submissions: 100, behaviours: 500, syscalls: 2_000, network: 1_000 } as const;

/** A download resolves when its first bytes have arrived. Read it with `save`, `buffer`, `stream` or `for await`. */
export abstract class AnalysisFiles extends AnalysisReports {
  /** Returns the submitted file, in a ZIP with the password `infected`. Hostile. */
  downloadSample(uuid: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadSample', { uuid }, options);
  }

  /** Returns the reports as one page. */
  downloadHtmlReport(uuid: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadHtmlReport', { uuid }, options);
  }

  /** Returns the network traffic of a dynamic analysis. */
  downloadPcap(uuid: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadPcap', { uuid }, options);
  }

  /** Returns a YARA rule made for the file. Rejects with YaraRulePendingError while it is being made. */
  downloadYaraRule(uuid: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadYaraRule', { uuid }, options);
  }

  /** Returns one artifact of the artifact list. Hostile. */
  downloadArtifact(uuid: string, artifactId: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadArtifact', { uuid, artifactId }, options);
  }

  /** Returns the sanitized file. Rejects with ReportNotReadyError while there is none. */
  downloadCdrSanitized(uuid: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadCdrSanitized', { uuid }, options);
  }

  /** Returns the screenshot of a URL analysis. */
  getScreenshot(uuid: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('getScreenshot', { uuid }, options);
  }

  /** Returns one screenshot or video of the media list. */
  getMediaFile(uuid: string, fileId: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('getMediaFile', { uuid, fileId }, options);
  }

  /** Returns every submission that passes the filters, page after page. */
  eachSubmission(filter: Filter<'listSubmissions'> = {}, options?: CallOptions) {
    const query = { limit: PAGE.submissions, ...filter };
    return eachOfPages((page) => this.listSubmissions({ ...query, page }, options));
  }

  /** Returns every rule that matched. */
  eachIndicator(uuid: string, filter: Filter<'listIndicators'> = {}, options?: CallOptions) {
    const query = { limit: PAGE.submissions, ...filter };
    return eachOfPages((page) => this.listIndicators(uuid, { ...query, page }, options));
  }

  /** Returns every value to search for in other systems. */
  eachIoc(uuid: string, filter: Filter<'listIocs'> = {}, options?: CallOptions) {
    const query = { limit: PAGE.submissions, ...filter };
    return eachOfPages((page) => this.listIocs(uuid, { ...query, page }, options));
  }

  /** Returns every YARA rule that matched. */
  eachYaraRule(uuid: string, filter: Filter<'listYaraRules'> = {}, options?: CallOptions) {
    const query = { limit: PAGE.submissions, ...filter };
    return eachOfPages((page) => this.listYaraRules(uuid, { ...query, page }, options));
  }

  /** Everything that the processes did. */
  eachBehaviour(uuid: string, filter: Filter<'listBehaviours'> = {}, options?: CallOptions) {
    const query = { limit: PAGE.behaviours, ...filter };
    return eachOfPages((page) => this.listBehaviours(uuid, { ...query, page }, options));
  }

  /** Returns every system call, line by line. */
  eachSyscall(uuid: string, filter: Filter<'listSyscalls'> = {}, options?: CallOptions) {
    const query = { limit: PAGE.syscalls, ...filter };
    return eachOfPages((page) => this.listSyscalls(uuid, { ...query, page }, options));
  }

  /** Returns every name that was looked up. */
  eachDnsQuery(uuid: string, options?: CallOptions) {
    return eachByOffset((window) => this.listDnsQueries(uuid, window, options), PAGE.network);
  }

  /** Returns every HTTP request. */
  eachHttpRequest(uuid: string, options?: CallOptions) {
    return eachByOffset((window) => this.listHttpRequests(uuid, window, options), PAGE.network);
  }

  /** Returns every TCP connection. */
  eachTcpConnection(uuid: string, options?: CallOptions) {
    return eachByOffset((window) => this.listTcpConnections(uuid, window, options), PAGE.network);
  }

  /** Returns every UDP exchange. */
  eachUdpConnection(uuid: string, options?: CallOptions) {
    return eachByOffset((window) => this.listUdpConnections(uuid, window, options), PAGE.network);
  }

  /** Returns every network rule that matched. */
  eachNetworkThreat(uuid: string, options?: CallOptions) {
    return eachByOffset((window) => this.listNetworkThreats(uuid, window, options), PAGE.network);
  }
}
