/** The reports of a submission as one page: no script, nothing fetched, every text of a stranger escaped. */
import { shownName } from './filename.ts';
import { artifactsOf, indicatorsOf, iocsOf, mitreTechniquesOf, yaraMatchesOf } from './report-views.ts';
import { levelOf, scoreOf } from './submission-facts.ts';
import { submissionListItem } from './submission-view.ts';
import type { StoredReport, StoredSubmission } from './submissions.ts';

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
  h2 { font-size: 1.1rem; margin-top: 2rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884; }
  td { overflow-wrap: anywhere; }
  .level { font-weight: 600; }
  .malicious { color: #c1121f; } .suspicious { color: #b35900; } .benign { color: #2a7d2e; } .unknown { color: #666; }
`;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may stand in an element or a quoted attribute. Direction marks are dropped: they would turn what follows. */
const escaped = (text: string) => text.replace(/\p{Cf}/gu, '').replace(/[&<>"']/g, (char) => ESCAPES[char] ?? '');

/** The page. */
export function htmlReport(submission: StoredSubmission): string {
  const { subject } = submission;
  const title = subject.type === 'file' ? shownName(subject.untrustedName) : subject.url;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Analysis of ${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p>${levelMark(levelOf(submission))}${scoreText(scoreOf(submission))}</p>
${table('Submission', factsOf(submission))}
${submission.reports.map(reportSection).join('\n')}
${list(
  'Indicators',
  indicatorsOf(submission).map(({ level, name, description }) => [
    levelMark(level),
    escaped(name),
    escaped(description),
  ]),
)}
${list(
  'Indicators of compromise',
  iocsOf(submission).map(({ type, value }) => [escaped(type), `<code>${escaped(value)}</code>`]),
)}
${list(
  'YARA rules',
  yaraMatchesOf(submission).map(({ rule, category }) => [levelMark(category), escaped(rule)]),
)}
${list(
  'ATT&amp;CK techniques',
  mitreTechniquesOf(submission).map((technique) => [escaped(technique)]),
)}
${list(
  'Artifacts',
  artifactsOf(submission).map(({ filename, size, type }) => [escaped(filename), `${size} bytes`, escaped(type)]),
)}
</body>
</html>
`;
}

const levelMark = (level: string) => `<span class="level ${escaped(level)}">${escaped(level)}</span>`;
const scoreText = (score: number | null) => (score === null ? '' : `, score ${score}`);

function factsOf(submission: StoredSubmission): [string, string][] {
  const { subject } = submission;
  const { mimetype, overview } = submissionListItem(submission);
  const ofFile: [string, string][] =
    subject.type === 'file'
      ? [
          ['Size', `${subject.size} bytes`],
          ['Type', mimetype ?? ''],
          ['SHA-256', subject.hashes.sha256],
          ['SHA-1', subject.hashes.sha1],
          ['MD5', subject.hashes.md5],
        ]
      : [['URL', subject.url]];
  return [
    ['Id', submission.uuid],
    ['Created', new Date(submission.createdAtMs).toISOString()],
    ['Status', overview?.status ?? ''],
    ...ofFile,
  ];
}

function reportSection(report: StoredReport): string {
  const rows: [string, string][] = [['Status', report.status]];
  if (report.error) rows.push(['Reason', `${report.error.code}: ${report.error.message}`]);
  if (report.level) rows.push(['Level', report.level]);
  if (report.durationSeconds !== null) rows.push(['Duration', `${report.durationSeconds.toFixed(3)} seconds`]);
  if (report.engineVersion !== null) rows.push(['Engine', report.engineVersion]);
  if (report.removed.length > 0) rows.push(['Removed', report.removed.join(', ')]);
  if (report.sanitized.length > 0) rows.push(['Sanitized', report.sanitized.join(', ')]);
  return table(`Report: ${report.type}`, rows);
}

/** A heading and rows of a name and a value, both still to be escaped. */
function table(heading: string, rows: readonly (readonly [string, string])[]): string {
  const body = rows.map(([name, value]) => `<tr><th>${escaped(name)}</th><td>${escaped(value)}</td></tr>`);
  return `<h2>${escaped(heading)}</h2>\n<table>\n${body.join('\n')}\n</table>`;
}

/** A heading and rows of cells that are markup already; says so when there are none. */
function list(heading: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return `<h2>${heading}</h2>\n<p>None.</p>`;
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<h2>${heading}</h2>\n<table>\n${body.join('\n')}\n</table>`;
}
