/** The page of one mail: what became of it in one sentence, what is in it, what was found, and what can be decided. */
import { hashOf } from '../pipeline/artifact-id.ts';
import { fileOf, filesById, linksOf } from '../pipeline/artifacts-of.ts';
import type { Ask } from '../pipeline/ask.ts';
import { FIRST_ATTEMPT } from '../pipeline/attempt.ts';
import type { Artifact, Ledger, Part } from '../pipeline/ledger.ts';
import { notAskedOf } from '../pipeline/not-asked.ts';
import { runCostUsd } from '../pipeline/run-cost.ts';
import { artifactName, passwordsFrom, reasonText } from '../pipeline/run-sentence.ts';
import { badge, code, facts, section, sizeText, table } from '../service/server/report-page/elements.ts';
import { address, html, type Markup, NOTHING, shown } from '../service/server/report-page/inert-text.ts';
import { referenceOf } from '../words/reference.ts';
import { blockForms } from './block-forms.ts';
import { decisions, type Offered } from './decisions.ts';
import type { DeskWords } from './desk-words.ts';
import { attribute } from './form-values.ts';
import { type PageContext, pageText } from './layout.ts';
import type { OtherMail } from './other-mail.ts';
import { kindOf } from './part-sides.ts';
import { policyRow } from './policy-row.ts';
import { sentenceIn } from './sentence.ts';
import { stateWord } from './state-word.ts';

export interface MailContents {
  readonly ledger: Ledger;
  /** Other mail that has something in common with this one; null when nobody looked. */
  readonly others: readonly OtherMail[] | null;
  /** The header as it came; null when it cannot be read any more. */
  readonly untrustedHeader: string | null;
  /** Who asks for it. */
  readonly asks: readonly Ask[];
  /** What can be decided here, and how the page came about. */
  readonly offered: Offered;
}

/** The page of a mail with 200 parts stays under 100 kB. */
const [PARTS, ROWS, FEW_ROWS] = [200, 80, 30];
const NAME_CHARS = 200;
const FINDINGS = 30;
const HEADER_CHARS = 16_000;

/** Makes the page. */
export function mailPage(context: PageContext, contents: MailContents): string {
  const { ledger, others, untrustedHeader, asks, offered } = contents;
  const { words, language } = context;
  const state = ledger.terminal?.state ?? 'running';
  const isHeld = state === 'quarantined';
  const sentence = sentenceIn(language, ledger);
  return pageText(
    context,
    `${referenceOf(ledger.runId)} · ${sentence}`,
    html`<header class="verdict ${{ markup: state }}"><p class="brand">Mail Airlock · ${referenceOf(ledger.runId)} · ${stateWord(words, state)}</p>
<h1>${shown(sentence, 1_200)}</h1></header>`,
    askedFor(words, asks),
    decisions(context, ledger, offered),
    messageFacts(words, ledger),
    isHeld ? reasons(words, ledger) : NOTHING,
    tree(context, ledger),
    findings(words, ledger),
    unasked(words, ledger),
    links(words, ledger),
    header(words, untrustedHeader),
    timeline(words, ledger),
    others === null ? NOTHING : otherMail(words, others),
    blockForms(context, ledger, offered.role),
  );
}

/** Who asks for the mail. What a recipient wrote is untrusted like the mail itself. */
function askedFor(words: DeskWords, asks: readonly Ask[]): Markup {
  const rows = asks.map(({ at, recipient, untrustedWhy }) => [
    at.slice(0, 16).replace('T', ' '),
    recipient,
    untrustedWhy,
  ]);
  return section(words.asks, limited(words, [words.askedAt, words.recipient, words.reason], rows, FEW_ROWS));
}

function messageFacts(words: DeskWords, ledger: Ledger): Markup {
  const { message, runId, attempt, intake, sha256, bornAt, terminal } = ledger;
  const recipients = intake.envelope?.recipients.join(', ') ?? message?.untrustedTo;
  return section(
    words.message,
    facts([
      [words.subject, message === null ? null : shown(message.untrustedSubject, NAME_CHARS)],
      [words.sender, message === null ? null : shown(message.untrustedFrom, NAME_CHARS)],
      [words.recipient, recipients === undefined ? null : shown(recipients, NAME_CHARS)],
      [words.came, bornAt],
      [words.ended, terminal?.at ?? null],
      [words.size, intake.size === null ? null : sizeText(intake.size)],
      [words.hashes, sha256 === null ? null : code(sha256)],
      [words.run, code(runId)],
      [words.attempt, attempt.reason === null ? String(attempt.number) : `${attempt.number} (${attempt.reason})`],
      [words.otherMail, otherMails(ledger)],
    ]),
  );
}

/** The mail whose password opened something in this one. */
function otherMails(ledger: Ledger): Markup | null {
  const all = passwordsFrom(ledger);
  return all.length === 0 ? null : html`${all.map((id) => html`<a href="/mails/${id}">${referenceOf(id)}</a> `)}`;
}

function reasons(words: DeskWords, ledger: Ledger): Markup {
  const rows = ledger.reasons.map(({ code: name, text }) => [code(name), reasonText(ledger, text)]);
  return section(words.reasons, limited(words, [words.reason, words.findings], rows, FEW_ROWS));
}

/** Parts as a tree: a part stands below the part or the container that it is in. */
function tree(context: PageContext, ledger: Ledger): Markup {
  const { words } = context;
  const files = filesById(ledger);
  const below = new Map<string | null, Part[]>();
  for (const part of ledger.parts.slice(0, PARTS)) {
    const over = part.container ?? part.parent;
    below.set(over, [...(below.get(over) ?? []), part]);
  }
  const branch = (parts: readonly Part[]): Markup =>
    html`<ul class="tree">${parts.map((part) => html`<li>${leaf(context, ledger.runId, part, fileOf(files, part))}${below.has(part.path) ? branch(below.get(part.path) ?? []) : NOTHING}</li>`)}</ul>`;
  const rest = ledger.parts.length - PARTS;
  return section(words.parts, branch(below.get(null) ?? []), rest > 0 ? html`<p class="more">+ ${rest}</p>` : NOTHING);
}

function leaf({ words, desk }: PageContext, runId: string, part: Part, artifact: Artifact | undefined): Markup {
  const name = part.untrustedNames[0];
  const title = name === undefined || name === '' ? html`<i>${part.role}</i>` : shown(name, NAME_CHARS);
  const type = html`<small>${part.path} · ${part.detectedType ?? part.declaredType} · ${sizeText(part.size)}</small>`;
  if (artifact === undefined) return html`${title} ${type}`;
  const what = part.disposition === null ? words.undecided : words[part.disposition];
  const row = policyRow(artifact);
  const isSeen = desk?.pages === 'all' && kindOf(part.typeGroup) !== null;
  const look = isSeen
    ? html` <a href="/mails/${{ markup: runId }}/parts/${attribute(part.path)}">${words.lookAt}</a>`
    : NOTHING;
  return html`${title} ${badge(artifact.verdict)} <b>${what}</b> ${type}${row === '' ? NOTHING : html`<br><small>${words.row} ${code(row)}</small>`}${look}<br>${code(hashOf(artifact.id))}`;
}

/** What was found in files, the worst first. Names of findings come from the service, so they are untrusted. */
function findings(words: DeskWords, ledger: Ledger): Markup {
  const rows = ledger.artifacts
    .filter(({ type, reasons: found }) => type === 'file' && found.length > 0)
    .flatMap((artifact) =>
      artifact.reasons
        .slice(0, FINDINGS)
        .map((reason) => [artifactName(ledger, artifact), badge(artifact.verdict), reason]),
    );
  const language =
    words.findingsLanguage === '' || rows.length === 0 ? NOTHING : html`<p class="note">${words.findingsLanguage}</p>`;
  return section(words.findings, language, limited(words, [words.name, words.verdict, words.findings], rows, ROWS));
}

/** What no analysis was asked about, because its budget was kept for other files. */
function unasked(words: DeskWords, ledger: Ledger): Markup {
  const rows = notAskedOf(ledger).map(({ artifact, kind, why }) => [artifactName(ledger, artifact), kind, why]);
  const columns = [words.name, words.analysis, words.reason];
  return rows.length === 0 ? NOTHING : section(words.notAsked, limited(words, columns, rows, ROWS));
}

function links(words: DeskWords, ledger: Ledger): Markup {
  const rows = linksOf(ledger).map((link) => [
    address(link.untrustedUrl),
    badge(link.verdict),
    link.disposition === null ? words.undecided : words[link.disposition],
    code(policyRow(link)),
  ]);
  return section(words.links, limited(words, [words.links, words.verdict, words.disposition, words.row], rows, ROWS));
}

function header(words: DeskWords, untrustedHeader: string | null): Markup {
  if (untrustedHeader === null) return NOTHING;
  const lines = untrustedHeader
    .slice(0, HEADER_CHARS)
    .split(/\r\n|\r|\n/)
    .filter((line) => line !== '');
  return section(words.header, html`<p>${lines.slice(0, PARTS).map((line) => html`${code(line)}<br>`)}</p>`);
}

function timeline(words: DeskWords, ledger: Ledger): Markup {
  const { stages, polls, attempt, terminal } = ledger;
  const begun = Date.parse(attempt.number === FIRST_ATTEMPT ? ledger.bornAt : attempt.begunAt);
  const working = stages
    .filter(({ startedAt }) => Date.parse(startedAt) >= begun)
    .reduce((sum, { durationMs }) => sum + durationMs, 0);
  const waited = terminal === null ? null : Math.max(0, Date.parse(terminal.at) - begun - working);
  const rows = stages.map(({ stage, startedAt, durationMs }) => [stage, startedAt, `${Math.round(durationMs)} ms`]);
  return section(
    words.timeline,
    limited(words, [words.stage, words.began, words.took], rows, ROWS),
    facts([
      [words.waited, waited === null ? null : `${Math.round(waited)} ms`],
      [words.polls, polls],
      [words.costOnAws, `$${runCostUsd(ledger).toFixed(6)}`],
    ]),
  );
}

const COMMON_WORDS = { file: 'sameFile', link: 'sameLink', sender: 'sameSender' } as const;

function otherMail(words: DeskWords, others: readonly OtherMail[]): Markup {
  if (others.length === 0) return section(words.others, html`<p>${words.noOthers}</p>`);
  const rows = others.map(({ row, common }) => [
    html`<a href="/mails/${row.runId}">${row.reference}</a>`,
    common.map((name) => words[COMMON_WORDS[name]]).join(', '),
    stateWord(words, row.state),
    row.subject,
    row.from,
  ]);
  const columns = [words.reference, words.inCommon, words.state, words.subject, words.sender];
  return section(words.others, limited(words, columns, rows, FEW_ROWS));
}

/** A table of so many rows, and how many there are beside. */
function limited(
  words: DeskWords,
  columns: readonly string[],
  rows: Parameters<typeof table>[1],
  most: number,
): Markup {
  const rest = rows.length - most;
  const shownRows = table(columns, rows.slice(0, most), most);
  return rest > 0 ? html`${shownRows}<p class="more">${rest} ${words.moreRows}</p>` : shownRows;
}
