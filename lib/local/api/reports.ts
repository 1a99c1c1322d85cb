/** `airlock api report` and `airlock api download`: the names that people use for the reports and files of a submission. */
import type { AnalysisClient } from '../../service/client/analysis-client.ts';
import type { Download } from '../../service/client/download.ts';
import type { CallOptions } from '../../service/client/route-caller.ts';
import { UsageError } from '../console.ts';

/** One report: a list that is read item by item, or one object. */
type ReportReader = (
  client: AnalysisClient,
  uuid: string,
  options: CallOptions,
) => AsyncIterable<unknown> | Promise<unknown>;

const REPORTS: Readonly<Record<string, ReportReader>> = {
  summary: (client, uuid, options) => client.getSummary(uuid, options),
  indicators: (client, uuid, options) => client.eachIndicator(uuid, {}, options),
  iocs: (client, uuid, options) => client.eachIoc(uuid, {}, options),
  'yara-rules': (client, uuid, options) => client.eachYaraRule(uuid, {}, options),
  'extracted-configs': (client, uuid, options) => client.listExtractedConfigs(uuid, options),
  artifacts: (client, uuid, options) => client.listArtifacts(uuid, options),
  eml: (client, uuid, options) => client.getEmlAnalysis(uuid, options),
  mitre: (client, uuid, options) => client.getMitre(uuid, options),
  static: (client, uuid, options) => client.getStaticScan(uuid, options),
  strings: (client, uuid, options) => client.getStaticScanStrings(uuid, options),
  cdr: (client, uuid, options) => client.getCdrReport(uuid, options),
  signatures: (client, uuid, options) => client.listSignatureChecks(uuid, options),
  url: (client, uuid, options) => client.getUrlAnalysis(uuid, options),
  processes: (client, uuid, options) => client.listProcesses(uuid, options),
  'process-tree': (client, uuid, options) => client.getProcessTree(uuid, options),
  behaviours: (client, uuid, options) => client.eachBehaviour(uuid, {}, options),
  syscalls: (client, uuid, options) => client.eachSyscall(uuid, {}, options),
  network: (client, uuid, options) => client.getNetworkSummary(uuid, options),
  dns: (client, uuid, options) => client.eachDnsQuery(uuid, options),
  http: (client, uuid, options) => client.eachHttpRequest(uuid, options),
  tcp: (client, uuid, options) => client.eachTcpConnection(uuid, options),
  udp: (client, uuid, options) => client.eachUdpConnection(uuid, options),
  threats: (client, uuid, options) => client.eachNetworkThreat(uuid, options),
  media: (client, uuid, options) => client.listMedia(uuid, {}, options),
};

export const REPORT_NAMES = Object.keys(REPORTS);

/** The first items of a list, because millions of items would fill the screen and memory. `cut`: there are more. */
export interface ShownReport {
  readonly value: unknown;
  readonly cut: boolean;
}

/** Reads a report by its name. Throws UsageError when there is no such report. */
export async function readReport(
  client: AnalysisClient,
  uuid: string,
  name: string,
  maxItems: number,
  options: CallOptions,
): Promise<ShownReport> {
  const reader = Object.hasOwn(REPORTS, name) ? REPORTS[name] : undefined;
  if (!reader) {
    const wrong =
      name === '' ? 'Name a report, or write all with --html FILE.' : `There is no report ${JSON.stringify(name)}.`;
    throw new UsageError(`${wrong} There are: ${REPORT_NAMES.join(', ')}.`);
  }
  const answer = reader(client, uuid, options);
  if (!(Symbol.asyncIterator in answer)) return listOfItems(await answer, maxItems);
  const items: unknown[] = [];
  for await (const item of answer) {
    if (items.length === maxItems) return { value: items, cut: true };
    items.push(item);
  }
  return { value: items, cut: false };
}

/** Reads a list that comes in one answer. */
function listOfItems(answer: unknown, maxItems: number): ShownReport {
  if (!Array.isArray(answer)) return { value: answer, cut: false };
  return { value: answer.slice(0, maxItems), cut: answer.length > maxItems };
}

type Downloader = (client: AnalysisClient, uuid: string, options: CallOptions) => Promise<Download>;

const DOWNLOADS: Readonly<Record<string, Downloader>> = {
  sample: (client, uuid, options) => client.downloadSample(uuid, options),
  'html-report': (client, uuid, options) => client.downloadHtmlReport(uuid, options),
  pcap: (client, uuid, options) => client.downloadPcap(uuid, options),
  'yara-rule': (client, uuid, options) => client.downloadYaraRule(uuid, options),
  'cdr-sanitized': (client, uuid, options) => client.downloadCdrSanitized(uuid, options),
  screenshot: (client, uuid, options) => client.getScreenshot(uuid, options),
};

export const DOWNLOAD_NAMES = [...Object.keys(DOWNLOADS), 'artifact:ID', 'media:ID'];

/** Returns true for downloads with the original bytes of the sender. */
export const isHostile = (what: string) => what === 'sample' || what.startsWith('artifact:');

/** Opens a download by its name. Throws UsageError when there is no such download. */
export async function openDownload(
  client: AnalysisClient,
  uuid: string,
  what: string,
  options: CallOptions,
): Promise<Download> {
  const [, kind, id = ''] = /^(artifact|media):(.+)$/.exec(what) ?? [];
  if (kind === 'artifact') return await client.downloadArtifact(uuid, id, options);
  if (kind === 'media') return await client.getMediaFile(uuid, id, options);
  const download = Object.hasOwn(DOWNLOADS, what) ? DOWNLOADS[what] : undefined;
  if (download) return await download(client, uuid, options);
  throw new UsageError(`There is no download ${JSON.stringify(what)}. There are: ${DOWNLOAD_NAMES.join(', ')}.`);
}
