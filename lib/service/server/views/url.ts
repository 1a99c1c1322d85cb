/**
 * The report of a URL analysis in the shape of the contract. A field that was not checked is null or empty, and a sentence gives the
 * reason.
 */
import { parseUrl } from '../../../formats/urls/parse-url.ts';
import type { ThreatLevel } from '../../contract/common.ts';
import type { UrlAnalysis } from '../../contract/v3-url-report.ts';
import type { StoredReport, StoredSubmission } from '../store/submissions.ts';
import type { VisitRecord } from '../store/visit-record.ts';
import { artifactsOf } from './report.ts';

const SOURCE = 'Mail Airlock';

const NOT_VISITED = {
  source: SOURCE,
  title: 'Page not visited',
  description: 'This service is set not to open URLs: the URL itself was judged, the page behind it was not looked at.',
  verdict: 'unknown',
} as const;

/** Returns the report of a URL analysis, which must be completed. `visit` is null when the page was not visited. */
export function urlAnalysisOf(submission: StoredSubmission, visit: VisitRecord | null): UrlAnalysis {
  const { subject } = submission;
  const report = submission.reports.find(({ type }) => type === 'url_analysis');
  if (!report) throw new TypeError('the submission has no url_analysis report');
  const url = subject.type === 'url' ? subject.url : '';
  return {
    level: report.level ?? 'unknown',
    status: report.status,
    generalInfo: {
      url,
      domain: parseUrl(url)?.hostname ?? '',
      websiteTitle: visit?.page?.title ?? null,
    },
    screenshot: { available: Boolean(submission.visit?.screenshot) },
    ...(visit ? networkOf(visit) : NO_NETWORK),
    whois: null,
    extractedFile: extractedFileOf(submission),
    threatAnalysis: threatsOf(report, visit, submission.visit !== undefined),
    pages: [...(submission.visit?.urls ?? [])],
  };
}

const NO_NETWORK = { ipInfo: null, dnsRecords: [], sslCertificate: null, responseHeaders: null };

function networkOf({ hops, certificate, headers }: VisitRecord) {
  const addresses = hops.at(-1)?.addresses ?? [];
  const [ip] = addresses;
  const recordsOf = (type: 'A' | 'AAAA') => ({
    type,
    records: addresses.filter((address) => address.includes(':') === (type === 'AAAA')),
  });
  return {
    ipInfo:
      ip === undefined
        ? null
        : { ip, asn: null, city: null, country: null, isp: null, organization: null, threatStatus: NOT_JUDGED },
    dnsRecords: [recordsOf('A'), recordsOf('AAAA')].filter(({ records }) => records.length > 0),
    sslCertificate: certificate && {
      subject: certificate.subject,
      issuer: certificate.issuer,
      renewedAt: certificate.validFromMs,
      expiresAt: certificate.validToMs,
      serialNumber: certificate.serialNumber,
      fingerprint: certificate.fingerprint,
    },
    responseHeaders: headers && { ...headers },
  };
}

const NOT_JUDGED = {
  verdict: 'unknown',
  title: 'Not judged',
  description: 'No list of addresses was asked.',
} as const;

function extractedFileOf(submission: StoredSubmission): UrlAnalysis['extractedFile'] {
  const file = artifactsOf(submission).find(({ source }) => source === 'url_analysis');
  if (!file) return null;
  const verdict: ThreatLevel = submission.visit?.fileLevel ?? 'unknown';
  const description = `The URL leads to the file ${file.filename}; download it as an artifact of this submission.`;
  return { uuid: file.id, threatStatus: { verdict, title: 'Static analysis of the file', description } };
}

function threatsOf(
  report: StoredReport,
  visit: VisitRecord | null,
  wasVisited: boolean,
): UrlAnalysis['threatAnalysis'] {
  const overview = report.findings.map(({ name, description, level }) => ({
    source: SOURCE,
    title: name,
    description,
    verdict: level,
  }));
  const details = visit && { outcome: visit.outcome, end: visit.end, hops: visit.hops.map((hop) => ({ ...hop })) };
  return {
    overview: wasVisited ? overview : [...overview, NOT_VISITED],
    blacklist: false,
    threatDetails: details ? [{ source: SOURCE, details }] : [],
  };
}
