/** @jsxRuntime automatic @jsxImportSource #markup */
/** The facts about a URL: its host, its certificate, and, when it was visited, the headers and pages of the visit. */

import type { UrlAnalysis } from '../../contract/v3-url-report.ts';
import { address, type Markup, NOTHING } from '../markup/jsx-runtime.ts';
import { ownText, pictureAddress } from '../markup/values.ts';
import { facts, part, table, timeText } from './elements.tsx';

/** Most rows of each list: a server can send any number of headers and redirects. */
const HEADERS = 60;
const PAGES = 40;
const RECORDS = 60;
/** A larger picture would make the report too large to open or to forward. It is stored, and the page says where. */
export const SCREENSHOT_BYTES = 4 * 1024 * 1024;
const PNG_START = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Returns the parts of the report without empty ones. Everything that is not a finding is a remark. */
export function urlParts(report: UrlAnalysis, png: Uint8Array | null, findingNames: ReadonlySet<string>): Markup {
  const picture = pictureOf(png);
  const { generalInfo, ipInfo, sslCertificate, responseHeaders, dnsRecords, pages, extractedFile, screenshot } = report;
  const remarks = (report.threatAnalysis?.overview ?? []).filter(({ title }) => !findingNames.has(title));
  return (
    <>
      {remarks.slice(0, RECORDS).map(({ title, description }) => (
        <p class="note">
          <strong>{title}</strong>: {description}
        </p>
      ))}
      {facts([
        ['Host', generalInfo.domain === '' ? null : address(generalInfo.domain)],
        ['Title of the page', generalInfo.websiteTitle],
        ['Address', ipInfo && address(ipInfo.ip)],
        [
          'File it leads to',
          extractedFile && `${extractedFile.threatStatus.title} (${extractedFile.threatStatus.verdict})`,
        ],
        [
          'Screenshot',
          screenshot.available && picture === NOTHING ? 'stored; the API of the service returns it' : null,
        ],
      ])}
      {part('Screenshot of the page', picture)}
      {part(
        'Redirects',
        table(
          ['URL'],
          pages.map((page) => [address(page)]),
          PAGES,
        ),
      )}
      {part('Names', namesTable(dnsRecords))}
      {part('Certificate', certificateFacts(sslCertificate))}
      {part(
        'Headers of the answer',
        table(
          ['Name', 'Value'],
          Object.entries(responseHeaders ?? {}).map(([name, value]) => [name, String(value)]),
          HEADERS,
        ),
      )}
    </>
  );
}

function certificateFacts(certificate: UrlAnalysis['sslCertificate']): Markup {
  if (certificate === null) return facts([]);
  return facts([
    ['Subject', certificate.subject],
    ['Issuer', certificate.issuer],
    ['Valid from', safeTime(certificate.renewedAt)],
    ['Valid to', safeTime(certificate.expiresAt)],
    ['Serial number', certificate.serialNumber],
    ['SHA-256', certificate.fingerprint],
  ]);
}

function namesTable(dnsRecords: UrlAnalysis['dnsRecords']): Markup {
  const rows = dnsRecords.map(({ type, records }) => [
    type,
    // The records are one below the other.
    <>{records.slice(0, RECORDS).map((record) => [address(record), <br />])}</>,
  ]);
  return table(['Type', 'Records'], rows, RECORDS);
}

/** Returns the picture in the page. It shows content of strangers, and the frame and the words beside it say so. */
function pictureOf(png: Uint8Array | null): Markup {
  if (png === null || png.length > SCREENSHOT_BYTES || PNG_START.some((byte, at) => png[at] !== byte)) return NOTHING;
  return (
    <div class="picture">
      <p class="note">
        A picture of the visited page, drawn without its scripts. Everything in it is the page's own words.
      </p>
      <img alt={ownText('The visited page')} src={pictureAddress(png)} />
    </div>
  );
}

/** A certificate can name a year that a Date cannot hold. */
const safeTime = (ms: number): string => (Math.abs(ms) < 8.64e15 ? timeText(ms) : String(ms));
