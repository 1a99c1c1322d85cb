/** A ledger as a tree for people: every part with what it claims to be and what it is. */
import type { Ledger, Part } from '../pipeline/ledger.ts';
import { isLeaf } from '../pipeline/ledger.ts';
import { safeText } from '../pipeline/safe-text.ts';
import { formatBytes, type Paint } from './paint.ts';

const shown = (untrusted: string, max = 120) => safeText(untrusted, max);

/** Lines of the tree, its URLs and its warnings. */
export function treeLines(ledger: Ledger, paint: Paint): string[] {
  return [
    ...headLines(ledger, paint),
    ...ledger.parts.map((part) => partLine(part, paint)),
    ...urlLines(ledger, paint),
    ...ledger.warnings.map(
      ({ code, path, detail }) => `  ${paint('yellow', 'warning')} ${code}${path ? ` in part ${path}` : ''}: ${detail}`,
    ),
  ];
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

function partLine(part: Part, paint: Paint): string {
  const indent = '  '.repeat(part.depth + 1);
  const names = part.untrustedNames.map((name) => `"${shown(name)}"`).join(' / ');
  if (!isLeaf(part)) return `${indent}${part.path}  ${paint('cyan', shown(part.declaredType))} ${names}`.trimEnd();
  const is =
    part.detectedType === part.declaredType
      ? shown(part.declaredType)
      : `${shown(part.declaredType)}, is ${part.detectedType}`;
  const seen = part.readings.length === 2 ? '' : paint('yellow', ` seen by the ${part.readings.join()} reading only`);
  const hash = paint('dim', `${formatBytes(part.size)}  sha256 ${part.sha256?.slice(0, 16)}`);
  return `${indent}${part.path}  ${part.role} ${names}${names ? ' ' : ''}${is}  ${hash}${seen}`;
}

function urlLines(ledger: Ledger, paint: Paint): string[] {
  const distinct = new Map(ledger.urls.map((url) => [url.artifactId, url]));
  const lines = [...distinct.values()].map(
    (url) => `  URL  ${shown(url.normalised)}  ${paint('dim', `in part ${url.path}, ${url.where}`)}`,
  );
  return ledger.urlsOverLimit > 0 ? [...lines, `  ${ledger.urlsOverLimit} more URLs are over the limit`] : lines;
}
