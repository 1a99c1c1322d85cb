/** The report of one scanned input for people: the input, the findings, the actions and the places of the results. */

import { notAskedOf } from '../../pipeline/analysis/not-asked.ts';
import { pathsThatLoseLinks } from '../../pipeline/judging/blocked-urls.ts';
import type { Artifact, Submission, UrlArtifact } from '../../pipeline/ledger/artifact.ts';
import { leavesOf, linksOf, membersOf } from '../../pipeline/ledger/artifacts-of.ts';
import { isLeaf, type Ledger, MEMBER_MARK, type Part } from '../../pipeline/ledger/ledger.ts';
import { summaryFor, whyHeld, whyRemoved } from '../../pipeline/rebuilding/recipient-texts.ts';
import { artifactName } from '../../pipeline/runs/sentence.ts';
import { inertText, safeText } from '../../pipeline/safe-text.ts';
import type { Outcome } from '../outcome.ts';
import { formatBytes, type Paint, paintDisposition, paintVerdict, wrap } from '../paint.ts';
import { openingWords, signatureLines, warningLines } from './ledger-tree.ts';

/** Width of the column for the part. The text after the columns is wrapped under its own beginning. */
const PART_COLUMN = 9;
const INDENT = ' '.repeat(2 + 8 + 12 + PART_COLUMN + 1);
const MAX_SHOWN = 160;

const shown = (untrusted: string, max = MAX_SHOWN) => inertText(untrusted, max);

/** Returns the lines of the report. Every text of a sender or a service is made safe for a terminal. `page` is the file of `--html`. */
export function reportLines(outcome: Outcome, paint: Paint, page: string | null = null): string[] {
  const title = paint('bold', safeText(outcome.input, 400));
  if ('ledger' in outcome) return [title, ...ledgerLines(outcome, paint), ...fileLine('page', page), ''];
  return [title, `  ${paint('red', outcome.state)}: ${wrap(shown(outcome.message, 600), paint.width, '    ')}`, ''];
}

type EndedOutcome = Extract<Outcome, { ledger: Ledger }>;

function ledgerLines(outcome: EndedOutcome, paint: Paint): string[] {
  const { ledger } = outcome;
  const inside = membersOf(ledger);
  const withoutLinks = pathsThatLoseLinks(ledger);
  return [
    ...headLines(ledger, paint),
    ...leavesOf(ledger).flatMap(({ part, artifact }) => [
      ...leafLines({ part, artifact, losesLinks: withoutLinks.has(part.path) }, paint),
      ...inside
        .filter((member) => member.part.path.startsWith(`${part.path}${MEMBER_MARK}`))
        .flatMap((member) => memberLines(member, paint)),
    ]),
    ...linksOf(ledger).flatMap((artifact) => urlLines(artifact, paint)),
    ...signatureLines(ledger, paint),
    ...notAskedOf(ledger).map(
      ({ artifact, kind, why }) =>
        `  ${paint('yellow', 'not asked')} ${artifactName(ledger, artifact)}: the ${kind} analysis; ${wrap(shown(why, 400), paint.width, '      ')}`,
    ),
    ...warningLines(ledger, paint),
    '',
    ...endLines(outcome, paint),
  ];
}

function headLines(ledger: Ledger, paint: Paint): string[] {
  const { message } = ledger;
  if (!message) return ledger.kind === 'file' ? ['  not an email: handled as a single file'] : [];
  const sender = message.untrustedFrom === '' ? 'no sender' : shown(message.untrustedFrom);
  return [`  ${shown(message.untrustedSubject) || '(no subject)'} ${paint('dim', `- from ${sender}`)}`];
}

interface Leaf {
  readonly part: Part;
  readonly artifact: Artifact;
  readonly losesLinks: boolean;
}

function leafLines(leaf: Leaf, paint: Paint): string[] {
  const { part, artifact } = leaf;
  const name = part.untrustedNames[0];
  const body = `${part.declaredType === 'text/html' ? 'HTML' : 'text'} body`;
  const what = part.role === 'body' ? body : shown(name ?? 'attachment without a name');
  const becomes = part.delivered?.untrustedName;
  const arrow = becomes && becomes !== name ? ` -> ${shown(becomes)}` : '';
  const facts = paint('dim', `(${artifact.extension}, ${formatBytes(part.size)}; ${statusOf(artifact)})`);
  const opening = openingWords(artifact.opening, paint);
  const line = `${columns(part.disposition, artifact, part.path, paint)} ${what}${arrow} ${facts}`;
  return [opening === '' ? line : `${line} ${opening}`, ...whyLines(artifact, leaf, paint)];
}

/** Shows a file inside a container, below it. It is treated like its container, so its own disposition is not shown. */
function memberLines({ part, artifact }: { part: Part; artifact: Artifact }, paint: Paint): string[] {
  const name = shown(part.untrustedNames[0] ?? `${part.declaredType} without a name`);
  const facts = paint('dim', `(${artifact.extension}, ${formatBytes(part.size)}; ${statusOf(artifact)})`);
  const opening = openingWords(artifact.opening, paint);
  const line = `  ${'inside'.padEnd(7)} ${paintVerdict(paint, artifact.verdict)}  ${part.path.padEnd(PART_COLUMN)} ${name} ${facts}`;
  return [opening === '' ? line : `${line} ${opening}`, ...whyLines(artifact, null, paint)];
}

function urlLines(artifact: UrlArtifact, paint: Paint): string[] {
  const facts = paint('dim', `(in part ${artifact.origins.join(', ')}; ${statusOf(artifact)})`);
  const line = `${columns(artifact.disposition, artifact, 'URL', paint)} ${shown(artifact.untrustedUrl, 100)} ${facts}`;
  return [line, ...whyLines(artifact, null, paint)];
}

function columns(disposition: Part['disposition'], artifact: Artifact, where: string, paint: Paint): string {
  return `  ${paintDisposition(paint, disposition)} ${paintVerdict(paint, artifact.verdict)}  ${where.padEnd(PART_COLUMN)}`;
}

function whyLines(artifact: Artifact, leaf: Leaf | null, paint: Paint): string[] {
  const part = leaf?.part;
  const isRewritten = part?.disposition === 'disarm' && artifact.disposition === 'keep';
  const rewritten = leaf !== null && isRewritten ? [howRewritten(leaf)] : [];
  const removed =
    part?.disposition === 'remove' ? [whyRemoved('en', artifact, part.role === 'body' ? 'message' : 'file')] : [];
  // The failure of an analysis is already reported, and says more.
  const hasFailed = artifact.submissions.some(({ status }) => status === 'error');
  const unknown = artifact.verdict === 'unknown' && !hasFailed ? ['nobody can tell whether it is harmless'] : [];
  const reasons = [...removed, ...unknown, ...artifact.reasons, ...rewritten].map((reason) =>
    shown(reason, 300).replace(/\.$/, ''),
  );
  return reasons.length === 0 ? [] : [paint('dim', `${INDENT}${wrap(reasons.join('; '), paint.width - 20, INDENT)}`)];
}

/** Describes the change of a text that only lost links. */
function howRewritten({ part, losesLinks }: Leaf): string {
  if (losesLinks) return 'a link in it was switched off';
  return part.role === 'body'
    ? 'written anew in UTF-8, because programs read its characters in different ways'
    : 'delivered as a text file';
}

/** Describes the progress of the analyses: `static completed, cdr error`. */
function statusOf(artifact: Artifact): string {
  const words = artifact.submissions.map(
    ({ kind, status, source }: Submission) => `${kind} ${status}${source === 'submitted' ? '' : ` (${source})`}`,
  );
  return words.join(', ') || 'not submitted';
}

/**
 * Returns the texts that the recipient reads about it, in the words of the banner, the pages and the notice. Without a notice, nobody reads
 * anything about held mail.
 */
function toldLines({ state, ledger, written }: EndedOutcome, paint: Paint): string[] {
  if (ledger.kind === 'file') return [];
  const delivered = state === 'delivered';
  const told = delivered ? [summaryFor('en', ledger)].filter((summary) => summary !== '') : whyHeld('en', ledger);
  const who = delivered ? whoIsTold(ledger) : written.notice === null ? 'in plain words' : 'the notice says';
  return told.length === 0 ? [] : [`    ${wrap(`${who}: ${told.join(' ')}`, paint.width, '      ')}`];
}

/** Says whether the recipient is told. That needs a banner: a policy may want none, and a mail of files alone has no text for one. */
function whoIsTold({ parts }: Ledger): string {
  if (parts.some(({ delivered }) => delivered?.hasBanner === true)) return 'the recipient is told';
  const hasPages = parts.some((part) => isLeaf(part) && part.disposition === 'remove');
  return hasPages ? 'done, and told only in the place of what was withheld' : 'done, and the mail does not say so';
}

function fileLine(label: string, path: string | null): string[] {
  return path === null ? [] : [`    ${label.padEnd(18)} ${path}`];
}

/**
 * Shows a reason. The path of a part at its beginning is ours, and no address, so its dots stay. Findings are sentences that follow each
 * other.
 */
function reasonShown(text: string): string {
  const [place = ''] = /^part 1(?:[.!~]\d+)*(?=: )/.exec(text) ?? [];
  return place + shown(text.slice(place.length).replaceAll('.;', ';'), 400);
}

function endLines(outcome: EndedOutcome, paint: Paint): string[] {
  const { state, ledger, written } = outcome;
  const delivered = state === 'delivered';
  return [
    `  ${paint(delivered ? 'green' : 'red', delivered ? 'DELIVERED' : 'QUARANTINED')}`,
    ...toldLines(outcome, paint),
    ...ledger.reasons.map(
      (reason) => `    ${wrap(`because: ${reason.code} - ${reasonShown(reason.text)}`, paint.width, '      ')}`,
    ),
    ...fileLine('clean message', written.message),
    ...written.files.flatMap((path) => fileLine('safe file', path)),
    ...fileLine('quarantine record', written.quarantineRecord),
    ...fileLine('original', written.original),
    ...fileLine('notice', written.notice),
    ...fileLine('ledger', written.ledger),
  ];
}
