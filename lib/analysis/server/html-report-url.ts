/** What is known of a URL: its host, its certificate, the headers and pages of a visit, as far as there was one. */
import type { UrlAnalysis } from '../contract/v3-url-report.ts';
import { facts, part, table, timeText } from './html-report-parts.ts';
import { address, html, type Markup } from './html-report-text.ts';

/** A server sends as many headers and redirects as it likes. */
const HEADERS = 60;
const PAGES = 40;
const RECORDS = 60;

/** The parts of the report; each is left out when there is nothing in it. What it says beyond the findings is a remark. */
export function urlParts(report: UrlAnalysis, findingNames: ReadonlySet<string>): Markup {
  const { generalInfo, ipInfo, sslCertificate, responseHeaders, dnsRecords, pages, extractedFile, screenshot } = report;
  const remarks = (report.threatAnalysis?.overview ?? []).filter(({ title }) => !findingNames.has(title));
  return html`${remarks.slice(0, RECORDS).map(({ title, description }) => html`<p class="note"><strong>${title}</strong>: ${description}</p>`)}
${facts([
  ['Host', generalInfo.domain === '' ? null : address(generalInfo.domain)],
  ['Title of the page', generalInfo.websiteTitle],
  ['Address', ipInfo && address(ipInfo.ip)],
  ['File it leads to', extractedFile && `${extractedFile.threatStatus.title} (${extractedFile.threatStatus.verdict})`],
  ['Screenshot', screenshot.available ? 'kept; the interface of the service has it' : null],
])}
${part(
  'Pages on the way',
  table(
    ['URL'],
    pages.map((page) => [address(page)]),
    PAGES,
  ),
)}
${part(
  'Names',
  table(
    ['Type', 'Records'],
    dnsRecords.map(({ type, records }) => [
      type,
      html`${records.slice(0, RECORDS).map((record) => html`${address(record)}<br>`)}`,
    ]),
    RECORDS,
  ),
)}
${part(
  'Certificate',
  facts(
    sslCertificate === null
      ? []
      : [
          ['Subject', sslCertificate.subject],
          ['Issuer', sslCertificate.issuer],
          ['Valid from', safeTime(sslCertificate.renewedAt)],
          ['Valid to', safeTime(sslCertificate.expiresAt)],
          ['Serial number', sslCertificate.serialNumber],
          ['SHA-256', sslCertificate.fingerprint],
        ],
  ),
)}
${part(
  'Headers of the answer',
  table(
    ['Name', 'Value'],
    Object.entries(responseHeaders ?? {}).map(([name, value]) => [name, String(value)]),
    HEADERS,
  ),
)}`;
}

/** A certificate can claim a year that no calendar has. */
const safeTime = (ms: number): string => (Math.abs(ms) < 8.64e15 ? timeText(ms) : String(ms));
