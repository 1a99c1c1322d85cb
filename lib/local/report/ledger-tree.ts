/** Shows a ledger as a tree: every part, with its claimed and its real type. */
import type { Artifact, Opening } from '../../pipeline/ledger/artifact.ts';
import { fileOf, filesById } from '../../pipeline/ledger/artifacts-of.ts';
import { isLeaf, isMember, type Ledger, type Part, type Signature } from '../../pipeline/ledger/ledger.ts';
import { inertText, safeText } from '../../pipeline/safe-text.ts';
import { referenceOf } from '../../words/reference.ts';
import { formatBytes, type Paint } from '../paint.ts';

const shown = (untrusted: string, max = 120) => inertText(untrusted, max);

/** Lines of the tree, its URLs and its warnings. */
export function treeLines(ledger: Ledger, paint: Paint): string[] {
  const files = filesById(ledger);
  return [
    ...headLines(ledger, paint),
    ...ledger.parts.flatMap((part) => partLines(part, fileOf(files, part), paint)),
    ...urlLines(ledger, paint),
    ...signatureLines(ledger, paint),
    ...warningLines(ledger, paint),
  ];
}

const SIGNATURE_WORDS: Readonly<Record<Signature['result'], string>> = {
  verified: 'the signature is valid and its signer is trusted',
  unknown_signer: 'nobody who is trusted confirms the signer',
  broken: 'the signature is not valid: the message was changed after it was signed',
  unchecked: 'the signature could not be checked',
};

/** Returns the signers of parts, and whether their signatures are trusted. */
export function signatureLines({ signatures }: Ledger, paint: Paint): string[] {
  return signatures.map(({ contentPath, untrustedSigner, result, detail, isDelivered }) => {
    const signer = untrustedSigner === null ? 'an unknown signer' : shown(untrustedSigner, 200);
    const why = detail === '' ? '' : ` (${shown(detail, 200)})`;
    const end = isDelivered === null ? '' : isDelivered ? '; delivered with it' : '; delivered without it';
    const words = `part ${contentPath}, by ${signer}: ${SIGNATURE_WORDS[result]}${why}${end}`;
    return `  ${paint(result === 'verified' ? 'cyan' : 'yellow', 'signed')}   ${words}`;
  });
}

/** Returns the oddities and the unread content: first a sentence for readers, then the code for authors of policies. */
export function warningLines(ledger: Ledger, paint: Paint): string[] {
  return ledger.warnings.map(({ code, path, detail }) => {
    const where = path === null ? '' : `part ${safeText(path, 120)}: `;
    return `  ${paint('yellow', 'warning')}  ${where}${shown(detail, 400)} ${paint('dim', `(${code})`)}`;
  });
}

const OUTCOME_WORDS: Readonly<Record<Opening['outcome'], string>> = {
  opened: 'opened',
  encrypted: 'LOCKED: nothing here opens it',
  damaged: 'DAMAGED: not all of it could be read',
  over_budget: 'TOO MUCH: not all of it was looked at',
  unsupported: 'NOT OPENED: cannot be opened here',
};

/** Says in a few words how a container was opened. Empty for a file that is no container. */
export function openingWords(opening: Opening | null, paint: Paint): string {
  if (opening === null) return '';
  const { as, outcome, untrustedPassword, passwordFrom } = opening;
  const own = untrustedPassword === null ? '' : ` with the password "${shown(untrustedPassword, 70)}"`;
  // A person who may read this mail may not be allowed to read the other one.
  const password =
    passwordFrom === undefined ? own : ` with a password from another mail (${referenceOf(passwordFrom)})`;
  const words = `${as}, ${OUTCOME_WORDS[outcome]}${password}`;
  return outcome === 'opened' ? paint('cyan', words) : paint('yellow', words);
}

function headLines(ledger: Ledger, paint: Paint): string[] {
  if (ledger.failure) return [`  ${paint('red', ledger.failure.class)}: ${ledger.failure.detail}`];
  if (ledger.kind === 'file') return ['  not an email: it has no mail headers; it would be scanned as a single file'];
  const { message } = ledger;
  if (!message) return [];
  const line = (name: string, value: string) => `  ${paint('dim', name.padEnd(8))} ${shown(value) || '-'}`;
  return [
    line('From', message.untrustedFrom),
    line('To', message.untrustedTo),
    line('Subject', message.untrustedSubject),
    line('Date', message.untrustedDate),
  ];
}

function partLines(part: Part, artifact: Artifact | undefined, paint: Paint): string[] {
  const opening = openingWords(artifact?.opening ?? null, paint);
  const line = partLine(part, paint);
  return [opening === '' ? line : `${line}  ${opening}`];
}

/** The meaning of a part that only one reading finds: not all mail programs would show it. */
const FOUND_BY: Readonly<Record<Part['readings'][number], string>> = {
  structure: 'found only by our reading',
  stream: 'found only by mailparser',
  recovery: 'hidden: only a lenient mail program finds it',
};

function partLine(part: Part, paint: Paint): string {
  const indent = '  '.repeat(part.depth + 1);
  const names = part.untrustedNames.map((name) => `"${shown(name)}"`).join(' / ');
  if (!isLeaf(part) && !isMember(part))
    return `${indent}${safeText(part.path, 120)}  ${paint('cyan', shown(part.declaredType))} ${names}`.trimEnd();
  const is =
    // An archive declares no types.
    part.detectedType === part.declaredType || (isMember(part) && part.declaredType === 'application/octet-stream')
      ? shown(part.detectedType ?? '')
      : `${shown(part.declaredType)}, is ${part.detectedType}`;
  const [reading] = part.readings;
  const isSeenTwice = part.readings.length > 1 || reading === undefined || isMember(part);
  const seen = isSeenTwice ? '' : paint('yellow', `  ${FOUND_BY[reading]}`);
  const hash = paint('dim', `${formatBytes(part.size)}  sha256 ${part.sha256?.slice(0, 16)}`);
  const role = isMember(part) ? 'inside' : part.role;
  return `${indent}${safeText(part.path, 120)}  ${role} ${names}${names ? ' ' : ''}${is}  ${hash}${seen}`;
}

function urlLines(ledger: Ledger, paint: Paint): string[] {
  const distinct = new Map(ledger.urls.map((url) => [url.artifactId, url]));
  const lines = [...distinct.values()].map(
    (url) =>
      `  URL  ${shown(url.normalised)}  ${paint('dim', `in part ${safeText(url.path, 120)}, ${url.where}`)}${shownAs(url, paint)}`,
  );
  return ledger.urlsOverLimit > 0 ? [...lines, `  ${ledger.urlsOverLimit} more URLs are over the limit`] : lines;
}

function shownAs({ untrustedShown, unwrapped }: Ledger['urls'][number], paint: Paint): string {
  const text = untrustedShown === null ? '' : `  ${paint('yellow', `shown as ${shown(untrustedShown)}`)}`;
  return unwrapped.length === 0 ? text : `${text}  ${paint('dim', `leads to ${shown(unwrapped.at(-1) ?? '')}`)}`;
}
