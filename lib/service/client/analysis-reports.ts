/** The routes of v3 that only read: submissions, their reports, and the configuration of the service. */
import type { V3_ROUTES } from '../contract/v3.ts';
import type { ScanType } from '../contract/v3-config.ts';
import type { CallOptions, QueryOf, RouteCaller, RouteNamed } from './route-caller.ts';

type Routes = typeof V3_ROUTES;
type Name = Routes[number]['name'];
/** The query of a v3 route. */
export type V3Query<N extends Name> = QueryOf<RouteNamed<Routes, N>>;

/** Every method rejects with an AnalysisError (errors.ts), or with the reason of the caller's own signal. */
export abstract class AnalysisReports {
  protected abstract readonly routes: RouteCaller<Routes>;

  /** Returns one submission with the present state of its reports. */
  getSubmission(uuid: string, options?: CallOptions) {
    return this.routes.json('getSubmission', { uuid }, {}, options);
  }

  /** Returns one page of the submissions that pass the filters. `eachSubmission` reads all pages. */
  listSubmissions(query: V3Query<'listSubmissions'> = {}, options?: CallOptions) {
    return this.routes.json('listSubmissions', {}, query, options);
  }

  /** Returns submissions of a file, newest first; empty when the service has never seen the file. */
  searchBySha256(sha256: string, options?: CallOptions) {
    return this.routes.json('searchBySha256', { sha256 }, {}, options);
  }

  /** Screenshots and videos. */
  listMedia(uuid: string, query: V3Query<'listMedia'> = {}, options?: CallOptions) {
    return this.routes.json('listMedia', { uuid }, query, options);
  }

  /** Returns the findings in numbers. */
  getSummary(uuid: string, options?: CallOptions) {
    return this.routes.json('getSummary', { uuid }, {}, options);
  }

  /** Returns one page of the rules that matched. */
  listIndicators(uuid: string, query: V3Query<'listIndicators'> = {}, options?: CallOptions) {
    return this.routes.json('listIndicators', { uuid }, query, options);
  }

  /** Returns one page of the values to search for in other systems. */
  listIocs(uuid: string, query: V3Query<'listIocs'> = {}, options?: CallOptions) {
    return this.routes.json('listIocs', { uuid }, query, options);
  }

  /** Returns one page of the YARA rules that matched. */
  listYaraRules(uuid: string, query: V3Query<'listYaraRules'> = {}, options?: CallOptions) {
    return this.routes.json('listYaraRules', { uuid }, query, options);
  }

  /** Configurations extracted from malware. */
  listExtractedConfigs(uuid: string, options?: CallOptions) {
    return this.routes.json('listExtractedConfigs', { uuid }, {}, options);
  }

  /** Returns the submitted file and the files found during the analysis. `downloadArtifact` takes their ids. */
  listArtifacts(uuid: string, options?: CallOptions) {
    return this.routes.json('listArtifacts', { uuid }, {}, options);
  }

  /** Returns the emails in the submission; empty when there are none. */
  getEmlAnalysis(uuid: string, options?: CallOptions) {
    return this.routes.json('getEmlAnalysis', { uuid }, {}, options);
  }

  /** ATT&CK techniques. */
  getMitre(uuid: string, options?: CallOptions) {
    return this.routes.json('getMitre', { uuid }, {}, options);
  }

  /** Returns the static report. This method and the following ones reject with ReportNotReadyError while their report is not ready. */
  getStaticScan(uuid: string, options?: CallOptions) {
    return this.routes.json('getStaticScan', { uuid }, {}, options);
  }

  /** Printable texts of the file. */
  getStaticScanStrings(uuid: string, options?: CallOptions) {
    return this.routes.json('getStaticScanStrings', { uuid }, {}, options);
  }

  /** Returns the pieces that the disarm removed and rewrote. */
  getCdrReport(uuid: string, options?: CallOptions) {
    return this.routes.json('getCdrReport', { uuid }, {}, options);
  }

  /** Signatures of the programs in the submission. */
  listSignatureChecks(uuid: string, options?: CallOptions) {
    return this.routes.json('listSignatureChecks', { uuid }, {}, options);
  }

  /** Returns the report of a URL analysis. */
  getUrlAnalysis(uuid: string, options?: CallOptions) {
    return this.routes.json('getUrlAnalysis', { uuid }, {}, options);
  }

  /** Processes that ran. */
  listProcesses(uuid: string, options?: CallOptions) {
    return this.routes.json('listProcesses', { uuid }, {}, options);
  }

  /** Processes as a tree, below their parents. */
  getProcessTree(uuid: string, options?: CallOptions) {
    return this.routes.json('getProcessTree', { uuid }, {}, options);
  }

  /** Returns one page of the actions of processes. The first generation of services needs `os`. */
  listBehaviours(uuid: string, query: V3Query<'listBehaviours'> = {}, options?: CallOptions) {
    return this.routes.json('listBehaviours', { uuid }, query, options);
  }

  /** Returns one page of the system calls, line by line. */
  listSyscalls(uuid: string, query: V3Query<'listSyscalls'> = {}, options?: CallOptions) {
    return this.routes.json('listSyscalls', { uuid }, query, options);
  }

  /** Returns the network, in numbers. */
  getNetworkSummary(uuid: string, options?: CallOptions) {
    return this.routes.json('getNetworkSummary', { uuid }, {}, options);
  }

  /** Returns names that were looked up. Paged by `limit` and `skip`, like all network lists. */
  listDnsQueries(uuid: string, query: V3Query<'listDnsQueries'> = {}, options?: CallOptions) {
    return this.routes.json('listDnsQueries', { uuid }, query, options);
  }

  /** HTTP requests. */
  listHttpRequests(uuid: string, query: V3Query<'listHttpRequests'> = {}, options?: CallOptions) {
    return this.routes.json('listHttpRequests', { uuid }, query, options);
  }

  /** TCP connections. */
  listTcpConnections(uuid: string, query: V3Query<'listTcpConnections'> = {}, options?: CallOptions) {
    return this.routes.json('listTcpConnections', { uuid }, query, options);
  }

  /** UDP exchanges. */
  listUdpConnections(uuid: string, query: V3Query<'listUdpConnections'> = {}, options?: CallOptions) {
    return this.routes.json('listUdpConnections', { uuid }, query, options);
  }

  /** Network rules that matched. */
  listNetworkThreats(uuid: string, query: V3Query<'listNetworkThreats'> = {}, options?: CallOptions) {
    return this.routes.json('listNetworkThreats', { uuid }, query, options);
  }

  /** Returns the settings of analyses, by kind of scan. */
  getMetafields(options?: CallOptions) {
    return this.routes.json('getMetafields', {}, {}, options);
  }

  /** Returns the settings of a sandbox submission. */
  getSandboxMetafields(options?: CallOptions) {
    return this.routes.json('getSandboxMetafields', {}, {}, options);
  }

  /** Returns the settings of a static submission. */
  getStaticMetafields(options?: CallOptions) {
    return this.routes.json('getStaticMetafields', {}, {}, options);
  }

  /** Returns the settings of a cdr submission. */
  getCdrMetafields(options?: CallOptions) {
    return this.routes.json('getCdrMetafields', {}, {}, options);
  }

  /** Returns the settings of a URL submission. */
  getUrlMetafields(options?: CallOptions) {
    return this.routes.json('getUrlMetafields', {}, {}, options);
  }

  /** Returns the settings of an open-in-browser submission. */
  getOpenInBrowserMetafields(options?: CallOptions) {
    return this.routes.json('getOpenInBrowserMetafields', {}, {}, options);
  }

  /** Returns the settings of one kind of scan, by its name. */
  getMetafieldsOf(scanType: ScanType, options?: CallOptions) {
    return this.routes.json('getMetafieldsOf', { scan_type: scanType }, {}, options);
  }

  /** Operating systems that a file can be run in. */
  getEnvironments(options?: CallOptions) {
    return this.routes.json('getEnvironments', {}, {}, options);
  }

  /** Network configurations of the workspace, without their secrets. */
  listNetworkConfigs(options?: CallOptions) {
    return this.routes.json('listNetworkConfigs', {}, {}, options);
  }

  /** Returns the current user, plan and limits. */
  me(options?: CallOptions) {
    return this.routes.json('me', {}, {}, options);
  }
}
