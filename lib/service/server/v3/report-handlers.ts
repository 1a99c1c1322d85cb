/** The handlers of the v3 routes that show findings. */

import { SCRIPT_ENVIRONMENT } from '../../../engines/script/environment.ts';
import type { V3_DYNAMIC_ROUTES, V3_REPORT_ROUTES } from '../../contract/v3-report-routes.ts';
import type { Indicator } from '../../contract/v3-reports.ts';
import type { IndicatorQuery } from '../../contract/v3-requests.ts';
import { reportUnavailable } from '../call.ts';
import type { HandlerContext } from '../context.ts';
import { pageOf } from '../http/paging.ts';
import type { Handlers } from '../routing.ts';
import { readDynamic } from '../store/dynamic-record.ts';
import { readVisit } from '../store/visit-record.ts';
import { behavioursOf, dnsQueriesOf, httpRequestsOf, processesOf, processTreeOf } from '../views/dynamic.ts';
import { emlAnalysesOf } from '../views/eml.ts';
import {
  artifactsOf,
  indicatorsOf,
  iocsOf,
  levelCounts,
  mitreTechniquesOf,
  networkCountsOf,
  summaryOf,
  yaraMatchesOf,
} from '../views/report.ts';
import { cdrReportOf, staticScanOf } from '../views/scan.ts';
import { urlAnalysisOf } from '../views/url.ts';
import { printableStrings } from './printable-strings.ts';

/** Returns the handlers of the report routes. */
export function v3ReportHandlers(ctx: HandlerContext): Handlers<typeof V3_REPORT_ROUTES> {
  return {
    getSummary: async (_, { submission }) => summaryOf(submission),
    listIndicators: async ({ query }, { submission, untrustedUserAgent }) => {
      const matches = indicatorsOf(submission).filter((indicator) => isAsked(indicator, query));
      const { items, ...counts } = pageOf(matches, query);
      // The contract has a list here. The first generation of the public SDK fails on a list, so it gets a text.
      const shown = items.map((item) => (readsTextCategory(untrustedUserAgent) ? withTextCategory(item) : item));
      return { items: shown, levels: levelCounts(matches), ...counts };
    },
    listIocs: async ({ query }, { submission }) => {
      const { type } = query;
      return pageOf(
        iocsOf(submission).filter((ioc) => type === undefined || ioc.type === type),
        query,
      );
    },
    listYaraRules: async ({ query }, { submission }) => {
      const { category } = query;
      return pageOf(
        yaraMatchesOf(submission).filter((match) => category === undefined || match.category === category),
        query,
      );
    },
    // No engine here extracts configurations from malware.
    listExtractedConfigs: async () => ({ items: [], total: 0 }),
    listArtifacts: async (_, { submission }) => counted(artifactsOf(submission)),
    getEmlAnalysis: async (_, { submission }) => {
      const analyses = await emlAnalysesOf(ctx.blobs, submission);
      // Public clients read this code as "no email".
      if (analyses.length === 0) throw reportUnavailable(submission, 'dynamic', NO_EMAIL);
      return analyses;
    },
    getMitre: async (_, { submission }) => {
      const techniques = mitreTechniquesOf(submission);
      return { techniques, total: techniques.length };
    },
    getStaticScan: async (_, { submission }) => staticScanOf(submission),
    getStaticScanStrings: async (_, { submission }) => {
      const { subject } = submission;
      const sample = subject.type === 'file' ? await ctx.blobs.open(subject.hashes.sha256) : null;
      return counted(sample ? await printableStrings(sample) : []);
    },
    getCdrReport: async (_, { submission }) => cdrReportOf(submission),
    // No engine here checks the signatures of programs.
    listSignatureChecks: async () => ({ items: [], total: 0 }),
    getUrlAnalysis: async (_, { submission }) => urlAnalysisOf(submission, await readVisit(ctx.blobs, submission)),
  };
}

const NO_EMAIL = 'the submission is not an email, or is too large to be read as one';

const counted = <T>(items: T[]) => ({ items, total: items.length });

function isAsked(indicator: Indicator, { level, category, pid, attackCode }: IndicatorQuery): boolean {
  return (
    (level === undefined || indicator.level === level) &&
    (category === undefined || indicator.category.includes(category)) &&
    (pid === undefined || indicator.pids.includes(pid)) &&
    (attackCode === undefined || indicator.attackCodes.includes(attackCode))
  );
}

const readsTextCategory = (untrustedUserAgent: string) => /^threatzone-python-sdk\/1\.0\./.test(untrustedUserAgent);

/** Returns an indicator whose category is a text. The cast hides this shape from the types, because only one kind of client gets it. */
const withTextCategory = (indicator: Indicator) =>
  ({ ...indicator, category: indicator.category[0] ?? '' }) as unknown as Indicator;

/** Returns the handlers of the routes of a dynamic report. */
export function v3DynamicHandlers({ blobs }: HandlerContext): Handlers<typeof V3_DYNAMIC_ROUTES> {
  const cut = <T>(items: readonly T[], { skip, limit }: { readonly skip: number; readonly limit: number }) =>
    items.slice(skip, skip + limit);
  return {
    listProcesses: async (_, { submission }) => counted(processesOf(await readDynamic(blobs, submission))),
    getProcessTree: async (_, { submission }) => ({ nodes: processTreeOf(await readDynamic(blobs, submission)) }),
    listBehaviours: async ({ query }, { submission }) => {
      const { pid, operation, type, processName } = query;
      const matches = behavioursOf(await readDynamic(blobs, submission)).filter(
        (event) =>
          (pid === undefined || event.pid === pid) &&
          (operation === undefined || event.operation === operation) &&
          (type === undefined || event.type === type) &&
          (processName === undefined || event.processName === processName),
      );
      return { ...pageOf(matches, query), os: SCRIPT_ENVIRONMENT.platform };
    },
    // An emulation makes no system calls.
    listSyscalls: async () => ({ items: [], total: 0 }),
    getNetworkSummary: async (_, { submission }) => ({
      ...(networkCountsOf(submission) ?? NO_NETWORK),
      pcapAvailable: false,
    }),
    listDnsQueries: async ({ query }, { submission }) => cut(dnsQueriesOf(await readDynamic(blobs, submission)), query),
    listHttpRequests: async ({ query }, { submission }) =>
      cut(httpRequestsOf(await readDynamic(blobs, submission)), query),
    // Nothing was sent, so there were no connections and no traffic for network rules.
    listTcpConnections: async () => [],
    listUdpConnections: async () => [],
    listNetworkThreats: async () => [],
  };
}

const NO_NETWORK = { dnsCount: 0, httpCount: 0, tcpCount: 0, udpCount: 0, threatCount: 0 };
