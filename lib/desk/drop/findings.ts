/**
 * The findings of each stage about a dropped file, in short lines. They come from its signed ledger, and every text of a sender in them is
 * inert.
 */
import type { Artifact, Submission } from '../../pipeline/ledger/artifact.ts';
import type { Ledger } from '../../pipeline/ledger/ledger.ts';
import type { StageName } from '../../pipeline/model.ts';
import { artifactName } from '../../pipeline/runs/sentence.ts';
import { inertText, safeText } from '../../pipeline/safe-text.ts';
import { sizeText } from '../../service/server/report-page/elements.tsx';
import { type DeskLanguage, type DeskWords, oddWords } from '../desk-words.ts';
import { signedIn } from '../findings/signed-text.tsx';
import { ROLE_WORDS } from '../mail/tree.tsx';
import { policyRow } from '../policy-row.ts';
import { runWords, sentenceIn } from '../sentence.ts';
import { verdictWord } from '../verdict-badge.ts';

/** A mail of a thousand parts is not reported part by part while it is analysed. */
const MAX_LINES = 8;
const LINE_CHARS = 300;

/** Stages as a person sees them: the polls of the state machine are one wait. */
export type ShownStage = Exclude<StageName, 'poll'> | 'wait';

/** The language of the lines. */
export interface ViewContext {
  readonly words: DeskWords;
  readonly language: DeskLanguage;
}

type Found = (ledger: Ledger, context: ViewContext) => readonly string[];

const inert = (untrusted: string) => inertText(untrusted, LINE_CHARS);

const FOUND: Readonly<Record<ShownStage, Found>> = {
  parse: ({ kind, parts, urls, warnings, failure }, { words, language }) => [
    `${kind === 'email' ? words.foundMail : words.foundFile}: ${parts.length} ${words.foundParts}, ${urls.length} ${words.foundLinks}`,
    ...(failure === null ? [] : [`${failure.class}: ${inert(failure.detail)}`]),
    ...parts
      .filter(({ sha256 }) => sha256 !== null)
      .map(({ role, untrustedNames, detectedType, declaredType, size }) =>
        [inert(untrustedNames[0] || words[ROLE_WORDS[role]]), inert(detectedType ?? declaredType), sizeText(size)].join(
          ' · ',
        ),
      ),
    ...warnings.map(({ code }) => oddWords(language)[code]),
  ],
  submit: ({ artifacts }) => counted(artifacts.flatMap(({ submissions }) => submissions).map(({ kind }) => kind)),
  wait: ({ polls }, { words }) => (polls === 0 ? [words.nothingOutstanding] : [`${words.askedTimes} ${polls}`]),
  fetch: (ledger, { words, language }) =>
    ledger.artifacts.flatMap((artifact) =>
      artifact.submissions.map(
        (submission) =>
          `${artifactName(ledger, artifact, runWords(language))} · ${submission.kind}: ${answerOf(submission, words, language)}`,
      ),
    ),
  decide: (ledger, { words, language }) => [
    ledger.disposition === 'deliver' ? words.mayDeliver : words.mustHold,
    ...ledger.artifacts
      .filter(({ disposition }) => disposition !== null)
      .map((artifact) => `${artifactName(ledger, artifact, runWords(language))}: ${becomes(artifact, words)}`),
  ],
  rebuild: ({ rebuilt, parts }, { words }) => [
    ...(rebuilt === null ? [] : [`${words.writtenAnew}: ${sizeText(rebuilt.size)}`]),
    ...counted(parts.flatMap(({ disposition }) => (disposition === null ? [] : [words[disposition]]))),
  ],
  deliver: (ledger, { language }) => [sentenceIn(language, ledger)],
  quarantine: (ledger, { language }) => [sentenceIn(language, ledger)],
};

/** Returns the lines of one stage that is done. */
export function foundBy(stage: ShownStage, ledger: Ledger, context: ViewContext): string[] {
  const lines = FOUND[stage](ledger, context).map((line) => safeText(line, LINE_CHARS));
  const rest = lines.length - MAX_LINES;
  return rest > 0 ? [...lines.slice(0, MAX_LINES), `+ ${rest}`] : lines;
}

/** Returns a text such as `3 static`, the most frequent first. */
function counted(names: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((one, other) => other[1] - one[1]).map(([name, count]) => `${count} ${name}`);
}

/** Makes names of findings inert. They come from the service, so they are untrusted. */
function answerOf(submission: Submission, words: DeskWords, language: DeskLanguage): string {
  const { kind, status, verdict, untrustedReasons, untrustedRemoved, disarmed, failure } = submission;
  if (failure !== null) return `${failure.class}: ${inert(failure.detail)}`;
  if (status !== 'completed') return status;
  const found = untrustedReasons.map((reason) => inert(signedIn(language, reason) ?? reason));
  if (kind !== 'cdr') return [...(verdict === null ? [] : [verdictWord(words, verdict)]), ...found].join('; ');
  const removed = untrustedRemoved.length === 0 ? [] : [`${words.remove}: ${untrustedRemoved.map(inert).join(', ')}`];
  return [...(disarmed === null ? [] : [words.writtenAnew]), ...found, ...removed].join('; ');
}

function becomes(artifact: Artifact, words: DeskWords): string {
  const what = artifact.disposition === null ? words.undecided : words[artifact.disposition];
  return `${verdictWord(words, artifact.verdict)}, ${what} (${policyRow(artifact)})`;
}
