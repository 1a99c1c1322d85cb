/** The routes of the earlier interface (v1) that change nothing. */
import type { V1_ROUTES } from '../contract/v1.ts';
import type { V1ListItem } from '../contract/v1-bodies.ts';
import type { Download } from './download.ts';
import { eachOfPages } from './paging.ts';
import type { CallOptions, RouteCaller } from './route-caller.ts';

/** Items per request of the iterators. */
const PAGE_ITEMS = 100;

/** Every method rejects with an AnalysisError (errors.ts), or with the reason of the caller's own signal. */
export abstract class V1Reads {
  protected abstract readonly routes: RouteCaller<typeof V1_ROUTES>;

  /** Returns one submission with its reports as they stand now. */
  getSubmission(uuid: string, options?: CallOptions) {
    return this.routes.json('getSubmission', { uuid }, {}, options);
  }

  /** Submissions of the own workspace. The first page is 0; `jump` is the number of items on a page. */
  listMySubmissions(page: number, jump: number, options?: CallOptions) {
    return this.routes.json('listMySubmissions', { page, jump }, {}, options);
  }

  /** Submissions that every workspace may see. */
  listPublicSubmissions(page: number, jump: number, options?: CallOptions) {
    return this.routes.json('listPublicSubmissions', { page, jump }, {}, options);
  }

  /** By MD5, SHA-1 or SHA-256, newest first. */
  searchByHash(hash: string, page: number, jump: number, options?: CallOptions) {
    return this.routes.json('searchByHash', { hash, page, jump }, {}, options);
  }

  /** Returns every submission of the own workspace, page after page. */
  eachMySubmission(options?: CallOptions): AsyncGenerator<V1ListItem> {
    return this.#each((page) => this.listMySubmissions(page, PAGE_ITEMS, options));
  }

  /** Returns every submission that all workspaces may see. */
  eachPublicSubmission(options?: CallOptions): AsyncGenerator<V1ListItem> {
    return this.#each((page) => this.listPublicSubmissions(page, PAGE_ITEMS, options));
  }

  /** Returns every submission of one file. */
  eachByHash(hash: string, options?: CallOptions): AsyncGenerator<V1ListItem> {
    return this.#each((page) => this.searchByHash(hash, page, PAGE_ITEMS, options));
  }

  /** Returns the findings of the rules. */
  getIndicators(uuid: string, options?: CallOptions) {
    return this.routes.json('getIndicators', { uuid }, {}, options);
  }

  /** Concrete values that indicate a compromise. */
  getIocs(uuid: string, options?: CallOptions) {
    return this.routes.json('getIocs', { uuid }, {}, options);
  }

  /** Returns the YARA rules that matched. */
  getMatchedYaraRules(uuid: string, options?: CallOptions) {
    return this.routes.json('getMatchedYaraRules', { uuid }, {}, options);
  }

  /** Files found during the analysis. v3 does not have this route. */
  getAnalysisArtifacts(uuid: string, options?: CallOptions) {
    return this.routes.json('getAnalysisArtifacts', { uuid }, {}, options);
  }

  /** Configurations extracted from malware. v3 does not have this route. */
  getConfigExtractorResults(uuid: string, options?: CallOptions) {
    return this.routes.json('getConfigExtractorResults', { uuid }, {}, options);
  }

  /** Returns the findings of the hybrid analyzer. v3 does not have this route. */
  getHybridAnalyzerResults(uuid: string, options?: CallOptions) {
    return this.routes.json('getHybridAnalyzerResults', { uuid }, {}, options);
  }

  /** Returns the DNS questions of a run. v3 does not have this route. */
  getDns(uuid: string, options?: CallOptions) {
    return this.routes.json('getDns', { uuid }, {}, options);
  }

  /** Returns the HTTP requests of a run. v3 does not have this route. */
  getHttp(uuid: string, options?: CallOptions) {
    return this.routes.json('getHttp', { uuid }, {}, options);
  }

  /** Returns the TCP connections of a run. v3 does not have this route. */
  getTcp(uuid: string, options?: CallOptions) {
    return this.routes.json('getTcp', { uuid }, {}, options);
  }

  /** Returns the UDP datagrams of a run. v3 does not have this route. */
  getUdp(uuid: string, options?: CallOptions) {
    return this.routes.json('getUdp', { uuid }, {}, options);
  }

  /** Threats that were seen in the traffic of a run. v3 does not have this route. */
  getThreats(uuid: string, options?: CallOptions) {
    return this.routes.json('getThreats', { uuid }, {}, options);
  }

  /** Returns the settings of analyses, by kind of scan. */
  getMetafields(options?: CallOptions) {
    return this.routes.json('getMetafields', {}, {}, options);
  }

  /** Returns the numbers of the threat levels. */
  getLevels(options?: CallOptions) {
    return this.routes.json('getLevels', {}, {}, options);
  }

  /** Returns the numbers of the statuses. */
  getStatuses(options?: CallOptions) {
    return this.routes.json('getStatuses', {}, {}, options);
  }

  /** Returns an example of a valid configuration. */
  getSampleMetafield(options?: CallOptions) {
    return this.routes.json('getSampleMetafield', {}, {}, options);
  }

  /** Returns the current user, plan and limits. */
  me(options?: CallOptions) {
    return this.routes.json('me', {}, {}, options);
  }

  /** Returns the submitted file. Hostile. */
  downloadSample(uuid: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadSample', { uuid }, options);
  }

  /** Returns the report as a page. */
  downloadHtmlReport(uuid: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadHtmlReport', { uuid }, options);
  }

  /** Returns the captured traffic. */
  downloadPcap(uuid: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadPcap', { uuid }, options);
  }

  /** Returns the rule made for the file. Rejects with YaraRulePendingError while it is being made. */
  downloadYaraRule(uuid: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadYaraRule', { uuid }, options);
  }

  /** Returns one file found during the analysis. Hostile. */
  downloadArtifact(uuid: string, artifactId: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadArtifact', { uuid, artifactId }, options);
  }

  /** Returns the screenshot of a URL analysis. */
  downloadScreenshot(uuid: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadScreenshot', { uuid }, options);
  }

  /** Returns one picture or video. */
  downloadMedia(uuid: string, fileId: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadMedia', { uuid, fileId }, options);
  }

  /** Returns the sanitized file, in a ZIP. */
  downloadCdr(uuid: string, options?: CallOptions): Promise<Download> {
    return this.routes.file('downloadCdr', { uuid }, options);
  }

  #each(read: (page: number) => ReturnType<V1Reads['listMySubmissions']>): AsyncGenerator<V1ListItem> {
    const items = async (page: number) => {
      const { submissions, ...rest } = await read(page);
      return { ...rest, items: submissions };
    };
    return eachOfPages(items, 0);
  }
}
