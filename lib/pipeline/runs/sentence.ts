/** Says in one sentence how a run ended, and why. Pure. Every text of a sender is inert and cut. */
import { referenceOf } from '../../words/reference.ts';
import type { Artifact } from '../ledger/artifact.ts';
import { hashOf } from '../ledger/artifact-id.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { inertText } from '../safe-text.ts';

const MAX_NAME_LENGTH = 80;
const MAX_REASON_LENGTH = 300;
const MAX_REASONS = 3;
const MAX_FINDINGS_LENGTH = 200;

/** The sentences about a run. `{by}` is the person with the reason, `{at}` a time, `{what}` the released form. */
export const RUN_WORDS = {
  running: 'It has not ended: it is running, or its process was killed.',
  deleted: 'It was held, and {by} deleted it at {at}.',
  delivered: 'It was delivered.',
  released: 'It was held, and {by} released {what} at {at}.',
  rebuilt: 'what was rebuilt of it',
  original: 'its original, byte for byte,',
  otherMail: 'A file in it was opened with a password from another mail ({reference}).',
  early: 'Its text went out without its files at {at}.',
  and: 'and',
  body: 'the text of the message',
  unnamed: 'part {path} without a name',
} as const;
export type RunWords = Readonly<Record<keyof typeof RUN_WORDS, string>>;

/** Returns one sentence in English, first for people in a hurry. */
export function sentenceOf(ledger: Ledger): string {
  const isHeld = ledger.terminal?.state === 'quarantined';
  return withMore(ledger, RUN_WORDS, isHeld ? heldSentence(ledger) : endOf(ledger, RUN_WORDS));
}

/** Returns the end of a run that was not held, in these words. */
export function endOf({ terminal, attempt }: Ledger, words: RunWords): string {
  if (terminal === null) return words.running;
  const people = attempt.people?.map(({ name, why }) => `${inertText(name, 100)} (${inertText(why, 200)})`) ?? [];
  const by = people.join(` ${words.and} `);
  if (terminal.state === 'deleted') return filled(words.deleted, { by, at: terminal.at });
  const { release } = attempt;
  if (release === undefined) return words.delivered;
  return filled(words.released, { by, at: terminal.at, what: words[release.form] });
}

/** Returns a sentence, with additions when the text of the mail went out before, or when another mail told a password. */
export function withMore(ledger: Ledger, words: RunWords, sentence: string): string {
  const { early } = ledger;
  const told = passwordsFrom(ledger).map((runId) => filled(words.otherMail, { reference: referenceOf(runId) }));
  return [sentence, ...told, ...(early === undefined ? [] : [filled(words.early, { at: early.at })])].join(' ');
}

/** Returns the runs of other mail that told a password which opened something, each once. */
export function passwordsFrom({ artifacts }: Pick<Ledger, 'artifacts'>): string[] {
  return [...new Set(artifacts.flatMap(({ opening }) => opening?.passwordFrom ?? []))];
}

/** Fills in the names once, so a name that looks like one of our variables is shown unchanged. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}

function heldSentence(ledger: Ledger): string {
  const causes = causesOf(ledger);
  const said = causes.slice(0, MAX_REASONS).map(({ name, why }) => (name === null ? why : `${name}: ${why}`));
  const more = causes.length > MAX_REASONS ? [`and ${causes.length - MAX_REASONS} more reasons`] : [];
  const all = [...said, ...more].join('; ') || 'no reason was written';
  const isNamed = causes.length > 0 && causes.every(({ name }) => name !== null);
  return `${isNamed ? 'Held because of' : 'Held, because:'} ${all}.`;
}

interface Cause {
  /** The file or link that the mail is held for; null when the reason is about the mail. */
  readonly name: string | null;
  readonly why: string;
}

/** The piece of a reason that names a file or a link by its hash. */
const NAMED = /^((?:file|url) [0-9a-f]{16}) in part [\d.!, ]+: (.+)$/s;

/** Returns the causes of a hold in a few words each. The page lists all findings. */
function causesOf(ledger: Ledger): Cause[] {
  return ledger.reasons.map(({ code, text }) => {
    const [file] = ledger.artifacts;
    // A file that came without a mail is all that there is.
    if (code === 'nothing_left' && ledger.kind === 'file' && file !== undefined)
      return { name: artifactName(ledger, file), why: firstFinding(file.reasons) };
    const [, piece, findings = ''] = NAMED.exec(text) ?? [];
    const artifact = ledger.artifacts.find(({ id }) => hashOf(id).slice(0, 16) === piece?.slice(-16));
    if (artifact === undefined) return { name: null, why: reasonText(ledger, cut(text)) };
    return { name: artifactName(ledger, artifact), why: firstFinding(findings.split('; ')) };
  });
}

/** Returns the names of the files and links that a mail is held for, each once. */
export const heldFor = (ledger: Ledger): string[] =>
  [...new Set(causesOf(ledger).flatMap(({ name }) => name ?? []))].slice(0, MAX_REASONS);

/** A finding of our engines: its name, a sentence, and perhaps a place in brackets. */
const OWN_FINDING = /^([^:.]{2,60}): (\p{Lu}.*)\.(?: \(.*\))?$/su;

/**
 * Returns the name of the first finding, its sentence when the name is a single word, or the text of another service. The page has the rest.
 */
function firstFinding(findings: readonly string[]): string {
  const found = findings.filter((text) => !text.startsWith('policy removes '));
  const [first = findings[0] ?? ''] = found;
  const [, name = '', own = cut(first)] = OWN_FINDING.exec(first) ?? [];
  const said = inertText(name.includes(' ') ? name : own, MAX_REASON_LENGTH).replace(/\.$/, '');
  return found.length > 1 ? `${said}, and more` : said;
}

/** Shortens a reason, which may list much. */
function cut(text: string): string {
  if (text.length <= MAX_FINDINGS_LENGTH) return text;
  const last = text.lastIndexOf('; ', MAX_FINDINGS_LENGTH);
  const end = last === -1 ? text.indexOf('; ') : last;
  return end === -1 ? text : `${text.slice(0, end).replace(/\.$/, '')}, and more`;
}

/** Returns the text of a reason with the names of files and links instead of their hashes. */
export function reasonText(ledger: Ledger, text: string): string {
  const byHash = new Map(ledger.artifacts.map((artifact) => [hashOf(artifact.id).slice(0, 16), artifact]));
  // Findings are sentences that follow each other.
  const pieces = text.replaceAll('.;', ';').split(/\b((?:file|url) [0-9a-f]{16}) in part [\d.!, ]+(?=:| )/);
  // Every second piece is the short id of a file or a link.
  const named = pieces.map((piece, index) => {
    const artifact = index % 2 === 1 ? byHash.get(piece.slice(-16)) : undefined;
    return artifact === undefined ? inertText(piece, MAX_REASON_LENGTH) : artifactName(ledger, artifact);
  });
  return named.join('').replace(/\.$/, '');
}

/** Returns the name of a file or a link for people: its name, its address, or its place. */
export function artifactName({ parts }: Ledger, artifact: Artifact, words: RunWords = RUN_WORDS): string {
  if (artifact.type === 'url') return inertText(artifact.untrustedUrl, MAX_NAME_LENGTH);
  const part = parts.find(({ path }) => artifact.origins.includes(path));
  const name = part?.untrustedNames[0];
  if (name !== undefined && name !== '') return inertText(name, MAX_NAME_LENGTH);
  return part?.role === 'body' ? words.body : filled(words.unnamed, { path: artifact.origins[0] ?? '' });
}
