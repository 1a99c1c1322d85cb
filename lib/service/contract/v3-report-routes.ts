/** The routes of v3 that show the reports of one submission, and those for configuration and the user. */
import * as z from 'zod';
import type { RouteDefinition } from './common.ts';
import {
  EnvironmentOptions,
  Me,
  MetafieldOptions,
  MetafieldsByScanType,
  NetworkConfigs,
  SCAN_TYPES,
} from './v3-config.ts';
import {
  BehaviourPage,
  Connections,
  DnsQueries,
  HttpRequests,
  NetworkSummary,
  NetworkThreats,
  Processes,
  ProcessTree,
  Syscalls,
} from './v3-dynamic.ts';
import {
  CdrReport,
  EmlAnalyses,
  ExtractedConfigs,
  IndicatorPage,
  IocPage,
  MitreTechniques,
  SignatureChecks,
  StaticScan,
  StaticStrings,
  SubmissionArtifacts,
  Summary,
  YaraMatchPage,
} from './v3-reports.ts';
import { BehaviourQuery, IndicatorQuery, IocQuery, OffsetQuery, SyscallQuery, YaraRuleQuery } from './v3-requests.ts';
import { ofSubmission, SubmissionId } from './v3-submission-routes.ts';
import { UrlAnalysis } from './v3-url-report.ts';

const json = <S extends z.ZodType>(schema: S) => ({ 200: { kind: 'json', schema } }) as const;

/** Defines a report of one submission at `/submissions/:uuid/…`, which always exists. */
const report = <const N extends string, S extends z.ZodType>(name: N, path: string, summary: string, schema: S) =>
  ({
    name,
    summary,
    method: 'GET',
    paths: [`/submissions/:uuid/${path}`],
    auth: 'bearer',
    request: { params: SubmissionId },
    responses: json(schema),
    errors: ofSubmission,
  }) as const;

/** Returns the same with a query. */
const queried = <const N extends string, Q extends z.ZodObject, S extends z.ZodType>(
  name: N,
  path: string,
  summary: string,
  query: Q,
  schema: S,
) =>
  ({
    ...report(name, path, summary, schema),
    request: { params: SubmissionId, query },
    errors: [...ofSubmission, 'INVALID_QUERY_PARAM'],
  }) as const;

/** Defines a part of the dynamic report, which answers 409 until there is one. */
const dynamic = <const N extends string, S extends z.ZodType>(name: N, path: string, summary: string, schema: S) =>
  ({
    ...report(name, path, summary, schema),
    requires: 'dynamic',
    errors: [...ofSubmission, 'DYNAMIC_REPORT_UNAVAILABLE'],
  }) as const;

const dynamicQueried = <const N extends string, Q extends z.ZodObject, S extends z.ZodType>(
  name: N,
  path: string,
  summary: string,
  query: Q,
  schema: S,
) =>
  ({
    ...dynamic(name, path, summary, schema),
    request: { params: SubmissionId, query },
    errors: [...ofSubmission, 'DYNAMIC_REPORT_UNAVAILABLE', 'INVALID_QUERY_PARAM'],
  }) as const;

const staticReport = <const N extends string, S extends z.ZodType>(name: N, path: string, summary: string, schema: S) =>
  ({
    ...report(name, path, summary, schema),
    requires: 'static',
    errors: [...ofSubmission, 'STATIC_REPORT_UNAVAILABLE'],
  }) as const;

export const V3_REPORT_ROUTES = [
  report('getSummary', 'summary', 'What was found, in numbers', Summary),
  queried('listIndicators', 'indicators', 'Rules that matched, the worst first', IndicatorQuery, IndicatorPage),
  queried('listIocs', 'iocs', 'Values to search for in other systems', IocQuery, IocPage),
  queried('listYaraRules', 'yara-rules', 'YARA rules that matched', YaraRuleQuery, YaraMatchPage),
  report('listExtractedConfigs', 'extracted-configs', 'Configurations extracted from malware', ExtractedConfigs),
  report('listArtifacts', 'artifacts', 'The sample and the files found in its analysis', SubmissionArtifacts),
  {
    ...report('getEmlAnalysis', 'eml-analysis', 'The headers and attachments of a submitted email', EmlAnalyses),
    errors: [...ofSubmission, 'DYNAMIC_REPORT_UNAVAILABLE'],
  },
  report('getMitre', 'mitre', 'ATT&CK techniques of the indicators', MitreTechniques),
  staticReport('getStaticScan', 'static-scan', 'The static report', StaticScan),
  staticReport('getStaticScanStrings', 'static-scan/strings', 'Printable texts of the file', StaticStrings),
  {
    ...report('getCdrReport', 'cdr', 'What the disarm removed and rewrote', CdrReport),
    requires: 'cdr',
    errors: [...ofSubmission, 'CDR_REPORT_UNAVAILABLE'],
  },
  staticReport('listSignatureChecks', 'signature-check', 'Signatures of programs in the submission', SignatureChecks),
  {
    ...report('getUrlAnalysis', 'url-analysis', 'The report of a URL analysis', UrlAnalysis),
    requires: 'url_analysis',
    errors: [...ofSubmission, 'URL_ANALYSIS_REPORT_UNAVAILABLE'],
  },
] as const satisfies readonly RouteDefinition[];

export const V3_DYNAMIC_ROUTES = [
  dynamic('listProcesses', 'processes', 'Processes that ran', Processes),
  dynamic('getProcessTree', 'processes/tree', 'Processes as a tree, below their parents', ProcessTree),
  dynamicQueried('listBehaviours', 'behaviours', 'What the processes did', BehaviourQuery, BehaviourPage),
  dynamicQueried('listSyscalls', 'syscalls', 'System calls, line by line', SyscallQuery, Syscalls),
  dynamic('getNetworkSummary', 'network/summary', 'The network, in numbers', NetworkSummary),
  dynamicQueried('listDnsQueries', 'network/dns', 'Names that were looked up', OffsetQuery, DnsQueries),
  dynamicQueried('listHttpRequests', 'network/http', 'HTTP requests', OffsetQuery, HttpRequests),
  dynamicQueried('listTcpConnections', 'network/tcp', 'TCP connections', OffsetQuery, Connections),
  dynamicQueried('listUdpConnections', 'network/udp', 'UDP exchanges', OffsetQuery, Connections),
  dynamicQueried('listNetworkThreats', 'network/threats', 'Network rules that matched', OffsetQuery, NetworkThreats),
] as const satisfies readonly RouteDefinition[];

const metafields = <const N extends string>(name: N, path: string, summary: string) =>
  ({
    name,
    summary,
    method: 'GET',
    paths: [`/config/metafields/${path}`],
    auth: 'bearer',
    request: {},
    responses: json(MetafieldOptions),
    errors: [],
  }) as const;

export const V3_CONFIG_ROUTES = [
  {
    name: 'getMetafields',
    summary: 'All metafields, grouped by the kind of scan',
    method: 'GET',
    paths: ['/config/metafields'],
    auth: 'bearer',
    request: {},
    responses: json(MetafieldsByScanType),
    errors: [],
  },
  metafields('getSandboxMetafields', 'sandbox', 'Metafields of a sandbox submission'),
  metafields('getStaticMetafields', 'static', 'Metafields of a static submission'),
  metafields('getCdrMetafields', 'cdr', 'Metafields of a cdr submission'),
  metafields('getUrlMetafields', 'url', 'Metafields of a URL submission'),
  metafields('getOpenInBrowserMetafields', 'open_in_browser', 'Metafields of an open-in-browser submission'),
  {
    name: 'getMetafieldsOf',
    summary: 'Metafields of one kind of scan, by its name',
    method: 'GET',
    paths: ['/config/metafields/:scan_type'],
    auth: 'bearer',
    request: { params: z.object({ scan_type: z.enum(SCAN_TYPES).describe('Kind of scan.') }) },
    responses: json(MetafieldOptions),
    errors: ['INVALID_QUERY_PARAM'],
  },
  {
    name: 'getEnvironments',
    summary: 'Operating systems that a file can be run in',
    method: 'GET',
    paths: ['/config/environments'],
    auth: 'bearer',
    request: {},
    responses: json(EnvironmentOptions),
    errors: [],
  },
  {
    name: 'listNetworkConfigs',
    summary: 'Network configurations of the workspace, without their secrets',
    method: 'GET',
    paths: ['/v1/network-configs'],
    auth: 'bearer',
    request: {},
    responses: json(NetworkConfigs),
    errors: [],
  },
  {
    name: 'me',
    summary: 'The current user, plan and limits',
    method: 'GET',
    paths: ['/me'],
    auth: 'bearer',
    request: {},
    responses: json(Me),
    errors: [],
  },
] as const satisfies readonly RouteDefinition[];
