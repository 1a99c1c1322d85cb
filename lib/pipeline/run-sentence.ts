/** Says in one sentence what became of a run, and why. Pure; every text of a sender is inert and cut. */
import { hashOf } from './artifact-id.ts';
import type { Artifact, Ledger } from './ledger.ts';
import { inertText } from './safe-text.ts';

const LONGEST_NAME = 80;
const LONGEST_REASON = 300;
const MOST_REASONS = 3;

/** One sentence in English, first for people in a hurry. */
export function sentenceOf(ledger: Ledger): string {
  const { early } = ledger;
  return early === undefined ? endOf(ledger) : `${endOf(ledger)} Its text went out without its files at ${early.at}.`;
}

function endOf(ledger: Ledger): string {
  const { terminal, attempt } = ledger;
  if (terminal === null) return 'It has not ended: it is running, or its process was killed.';
  const by = attempt.people?.map(({ name, why }) => `${inertText(name, 100)} (${inertText(why, 200)})`).join(' and ');
  if (terminal.state === 'deleted') return `It was held, and ${by} deleted it at ${terminal.at}.`;
  if (terminal.state === 'quarantined') return `Held, because: ${heldWhy(ledger)}.`;
  const { release } = attempt;
  return release === undefined
    ? 'It was delivered.'
    : `It was held, and ${by} released ${FORM_WORDS[release.form]} at ${terminal.at}.`;
}

const FORM_WORDS = { rebuilt: 'what was rebuilt of it', original: 'its original, byte for byte,' } as const;

function heldWhy(ledger: Ledger): string {
  const why = ledger.reasons.map((reason) => reasonText(ledger, reason.text));
  const more = why.length > MOST_REASONS ? [`and ${why.length - MOST_REASONS} more reasons`] : [];
  return [...why.slice(0, MOST_REASONS), ...more].join('; ') || 'no reason was written';
}

/** The text of a reason that names files and links instead of their hashes. */
export function reasonText(ledger: Ledger, text: string): string {
  const byHash = new Map(ledger.artifacts.map((artifact) => [hashOf(artifact.id).slice(0, 16), artifact]));
  // Findings are sentences, and stand one behind the other.
  const pieces = text.replaceAll('.;', ';').split(/\b((?:file|url) [0-9a-f]{16}) in part [\d.!, ]+(?=:| )/);
  // Every second piece is the short id of a file or a link.
  const named = pieces.map((piece, index) => {
    const artifact = index % 2 === 1 ? byHash.get(piece.slice(-16)) : undefined;
    return artifact === undefined ? inertText(piece, LONGEST_REASON) : artifactName(ledger, artifact);
  });
  return named.join('').replace(/\.$/, '');
}

/** What people call a file or a link: its name, its address, or its place. */
export function artifactName({ parts }: Ledger, artifact: Artifact): string {
  if (artifact.type === 'url') return inertText(artifact.untrustedUrl, LONGEST_NAME);
  const part = parts.find(({ path }) => artifact.origins.includes(path));
  const name = part?.untrustedNames[0];
  if (name !== undefined && name !== '') return inertText(name, LONGEST_NAME);
  return part?.role === 'body' ? 'the text of the message' : `part ${artifact.origins[0]} without a name`;
}
