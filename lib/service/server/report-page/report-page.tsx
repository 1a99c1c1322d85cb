/** @jsxRuntime automatic @jsxImportSource #markup */
/**
 * The reports of a submission as one page to read and print. It has no scripts and no links, loads nothing, and contains its
 * pictures. Its material is hostile: every text goes through inert-text.ts, and every list has a limit.
 */

import type { ReportType } from '../../contract/common.ts';
import type { UrlAnalysis } from '../../contract/v3-url-report.ts';
import { address, documentText, type Markup, NOTHING, ownStyle, shown } from '../markup/jsx-runtime.ts';
import { ownText, titleText } from '../markup/values.ts';
import type { DynamicRecord } from '../store/dynamic-record.ts';
import { findingsOf, levelOf, scoreOf } from '../store/submission-facts.ts';
import { isFinished, type StoredReport, type StoredSubmission } from '../store/submissions.ts';
import { artifactsOf, indicatorsOf, iocsOf, levelCounts } from '../views/report.ts';
import { techniqueText } from '../views/technique-names.ts';
import { dynamicParts } from './dynamic.tsx';
import { badge, code, facts, part, scoreBar, section, sizeText, table, timeText } from './elements.tsx';
import { findingCards, techniquesOfFinding } from './findings.tsx';
import { HTML_REPORT_STYLE } from './style.ts';
import { urlParts } from './url.tsx';

/** The content of the page. */
export interface HtmlReportContents {
  readonly submission: StoredSubmission;
  /** The record of the emulation; null without a completed dynamic report. */
  readonly dynamic: DynamicRecord | null;
  /** Null without a completed URL report. */
  readonly url: UrlAnalysis | null;
  /** PNG of the visited page; null when there is none, or when it is too large for the page (`SCREENSHOT_BYTES`). */
  readonly screenshot: Uint8Array | null;
}

/** Most rows of a table: an archive can have tens of thousands of files, and a disarm can remove as many things. */
const ROWS = 200;
const TITLE_CHARS = 300;

const REPORT_TITLES: Readonly<Record<ReportType, string>> = {
  dynamic: 'Behaviour in the sandbox',
  static: 'Static analysis',
  cdr: 'Disarm',
  url_analysis: 'Analysis of the URL',
  open_in_browser: 'Opened in a browser',
};

/** Makes the page. The same contents give the same page. */
export function htmlReport(contents: HtmlReportContents): string {
  const { submission } = contents;
  const { subject } = submission;
  const title = subject.type === 'file' ? subject.untrustedName : subject.url;
  return documentText(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content={ownText('width=device-width, initial-scale=1')} />
        <meta
          http-equiv="Content-Security-Policy"
          content={ownText(
            "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
          )}
        />
        <meta name="referrer" content={ownText('no-referrer')} />
        <title>{titleText(`Analysis (${levelOf(submission)}): ${title}`, TITLE_CHARS)}</title>
        {ownStyle(HTML_REPORT_STYLE)}
      </head>
      <body>
        <main>
          {verdict(submission, subject.type === 'file' ? shown(title, TITLE_CHARS) : address(title))}
          {subjectSection(submission)}
          {overview(submission)}
          {submission.reports.map((report) => reportSection(report, contents))}
          {pieces(submission)}
          {iocs(submission)}
          {techniques(submission)}
          {footer(submission)}
        </main>
      </body>
    </html>,
  );
}

function verdict(submission: StoredSubmission, title: Markup): Markup {
  const level = levelOf(submission);
  const score = scoreOf(submission);
  return (
    <header class={`verdict ${level}`}>
      <p class="brand">Mail Airlock · analysis report</p>
      <h1>{title}</h1>
      {badge(level)} {score === null ? NOTHING : scoreBar(score)}
      <p>{summary(submission)}</p>
    </header>
  );
}

/** Returns one sentence about the findings, and one for each reason not to rely on them. */
function summary(submission: StoredSubmission): string {
  const { reports } = submission;
  const { malicious, suspicious } = levelCounts(indicatorsOf(submission));
  const failed = reports.filter(({ status }) => status === 'error').length;
  const found =
    malicious + suspicious > 0
      ? `Found: ${malicious} malicious and ${suspicious} suspicious signs.`
      : 'Nothing malicious or suspicious was found.';
  const open = isFinished(submission) ? '' : ' The analysis has not ended yet.';
  const missing = failed > 0 ? ` ${failed} of ${reports.length} reports failed and say nothing about the file.` : '';
  const unknown = levelOf(submission) === 'unknown' ? ' The verdict is unknown, which does not mean harmless.' : '';
  return found + open + missing + unknown;
}

function subjectSection(submission: StoredSubmission): Markup {
  const { subject, uuid, createdAtMs, updatedAtMs } = submission;
  const times = [
    ['Submission', code(uuid)],
    ['Submitted', timeText(createdAtMs)],
    ['Last change', timeText(updatedAtMs)],
  ] as const;
  if (subject.type === 'url')
    return section('What was analysed', facts([['URL', code(address(subject.url))], ...times]));
  const { untrustedName, size, hashes, detectedType, entrypoint } = subject;
  const rows = [
    ['Name', untrustedName],
    ['Entry of the archive', entrypoint],
    [
      'Type',
      detectedType && (
        <>
          {detectedType.description} <small>{detectedType.type}</small>
        </>
      ),
    ],
    [
      'Size',
      size < 1_024 ? (
        `${size} bytes`
      ) : (
        <>
          {sizeText(size)} <small>{size} bytes</small>
        </>
      ),
    ],
    ['SHA-256', code(hashes.sha256)],
    ['SHA-1', code(hashes.sha1)],
    ['MD5', code(hashes.md5)],
  ] as const;
  return section('What was analysed', facts([...rows, ...times]));
}

function overview({ reports }: StoredSubmission): Markup {
  const rows = reports.map(({ type, status, level, score, durationSeconds, engineVersion }) => [
    REPORT_TITLES[type],
    status === 'error' ? <span class="failed">failed</span> : status.replace('_', ' '),
    level === null ? '' : badge(level),
    score === null ? '' : score,
    durationSeconds === null ? '' : `${durationSeconds.toFixed(2)} s`,
    engineVersion ?? '',
  ]);
  return section('Reports', table(['Report', 'Status', 'Level', 'Score', 'Time', 'Engine and version'], rows, ROWS));
}

function reportSection(report: StoredReport, { submission, dynamic, url, screenshot }: HtmlReportContents): Markup {
  const title = REPORT_TITLES[report.type];
  if (report.status === 'error') {
    const reason = report.error === null ? 'no reason is known' : `${report.error.message} (${report.error.code})`;
    return section(
      title,
      <p class="failure">
        <strong>This report failed</strong>: {reason}. This does not mean that the file is harmless.
      </p>,
    );
  }
  if (report.status !== 'completed') {
    return section(
      title,
      <p class="failure">
        <strong>This report is not there yet.</strong> Ask again later.
      </p>,
    );
  }
  const nothing = report.findings.length === 0 && report.type !== 'cdr' ? <p class="note">{quiet(report)}</p> : NOTHING;
  return section(
    title,
    findingCards(report),
    nothing,
    report.type === 'cdr' ? disarmParts(report, submission) : NOTHING,
    report.type === 'dynamic' && dynamic ? dynamicParts(dynamic) : NOTHING,
    report.type === 'url_analysis' && url
      ? urlParts(url, screenshot, new Set(report.findings.map(({ name }) => name)))
      : NOTHING,
  );
}

const quiet = ({ level }: StoredReport) =>
  level === 'benign'
    ? 'Every check for this type was completed, and none found anything.'
    : 'Nothing was found, but some checks could not be completed.';

function disarmParts({ details, removed, sanitized }: StoredReport, { sanitizedFile }: StoredSubmission): Markup {
  const none = details.length === 0 && removed.length === 0 && sanitized.length === 0;
  return (
    <>
      {none ? <p class="note">Nothing active was found in the file, so nothing had to be removed.</p> : NOTHING}
      {facts([
        ['Removed', removed.join(', ')],
        ['Rewritten', sanitized.join(', ')],
      ])}
      {part(
        'All changes',
        table(
          ['What', 'Change', 'Where'],
          details.map(({ kind, action, where }) => [kind, action === 'removed' ? 'removed' : 'rewritten', code(where)]),
          ROWS,
        ),
      )}
      {part(
        'Safe file',
        facts(
          sanitizedFile === null
            ? []
            : [
                ['Name', sanitizedFile.filename],
                ['Type', sanitizedFile.type],
                ['Size', sizeText(sanitizedFile.size)],
                ['SHA-256', code(sanitizedFile.sha256)],
              ],
        ),
      )}
    </>
  );
}

const PIECE_KINDS: Readonly<Record<string, string>> = {
  dropped_file: 'written by the script',
  downloaded_file: 'saved by the page',
  deobfuscated_code: 'decoded code',
  extracted_file: 'extracted from the file',
};

/** Returns the files that were found during the analysis: extracted from the file, or made by a script. */
function pieces(submission: StoredSubmission): Markup {
  const rows = artifactsOf(submission)
    .filter(({ type }) => type !== 'sample')
    .map(({ filename, type, size, hashes, id }) => [
      PIECE_KINDS[type] ?? type,
      filename,
      sizeText(size),
      <>
        {code(hashes.sha256)}
        <br />
        <small>artifact {id}</small>
      </>,
    ]);
  return section('Files found during the analysis', table(['What', 'Name', 'Size', 'SHA-256'], rows, ROWS));
}

function iocs(submission: StoredSubmission): Markup {
  const rows = iocsOf(submission).map(({ type, value }) => [
    type,
    code(type === 'path' || type === 'registry' ? value : address(value)),
  ]);
  return section('Values to search for in other systems (IoCs)', table(['Type', 'Value, defanged'], rows, ROWS));
}

function techniques(submission: StoredSubmission): Markup {
  const signs = new Map<string, Set<string>>();
  for (const finding of findingsOf(submission)) {
    for (const technique of techniquesOfFinding(finding)) {
      signs.set(technique, (signs.get(technique) ?? new Set()).add(finding.name));
    }
  }
  const rows = [...signs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([technique, names]) => [techniqueText(technique), [...names].join(', ')]);
  return section('MITRE ATT&CK techniques', table(['Technique', 'Findings'], rows, ROWS));
}

function footer({ reports }: StoredSubmission): Markup {
  const versions = [...new Set(reports.flatMap(({ engineVersion }) => engineVersion ?? []))];
  return (
    <footer>
      <p>
        Addresses on this page are defanged (<code>hxxp</code>, <code>[.]</code>, <code>[@]</code>) and nothing on it
        can be clicked. Invisible characters, and characters that reverse the text, are shown as{' '}
        <i class="mark">U+202E</i>. Where a long text or list is cut, the page says so.
      </p>
      <p>{versions.length > 0 ? `Engines: ${versions.join(', ')}.` : 'No engine has answered.'}</p>
    </footer>
  );
}
