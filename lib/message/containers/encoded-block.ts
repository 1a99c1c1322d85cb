/**
 * Files written into a text: uuencode, its base64 form, yEnc, PEM, and programs in bare digits. Old mail programs show them as attachments.
 * The reader of a message searched its own texts; this module searches the others: texts in archives, in TNEF and Outlook files, and
 * attached texts.
 */

import { asBuffer, CR, LF } from '../../formats/byte-scan.ts';
import { asText } from '../../formats/detection/file-text.ts';
import { runAsync, runSync } from '../../formats/steps.ts';
import { bareFileSteps } from '../encodings/bare-files.ts';
import { binhexFiles } from '../encodings/binhex.ts';
import { writtenFileSteps } from '../encodings/hidden-encodings.ts';
import { pemFileSteps } from '../encodings/pem-files.ts';
import { textViews } from '../encodings/text-views.ts';
import { MAX_BEGINS, MAX_FILES, uuencodedAt } from '../encodings/uuencode.ts';
import { collectMembers } from './budget.ts';
import type { Candidate, Container, OpenContext, Opened } from './container.ts';

const BEGIN = Buffer.from('begin');
const Y_BEGIN = Buffer.from('=ybegin ');

export const encodedBlock: Container = {
  name: 'encoded-block',
  accepts({ bytes, wasRead }) {
    const { isFile, isOver } = marksIn(bytes);
    return isOver || (!wasRead && (isFile || binhexFiles(bytes).length > 0 || holdsDigits(bytes)));
  },
  open,
};

/** Returns true for a text with a file in PEM or in bare digits. Other files have digits by chance, and readers of their own. */
function holdsDigits(bytes: Uint8Array): boolean {
  if (asText(bytes) === null) return false;
  const holds = (text: Uint8Array) => runSync(pemFileSteps(text)).length + runSync(bareFileSteps(text)).length > 0;
  return holds(bytes) || textViews(bytes).some(holds);
}

const TOO_MANY = { outcome: 'over_budget', detail: 'more files in a text than are looked at' } as const;

interface Marks {
  /** True when a file begins somewhere. */
  readonly isFile: boolean;
  /** True when there are more possible beginnings than the limit. */
  readonly isOver: boolean;
}

/** Looks for the lines that files begin with. */
function marksIn(bytes: Uint8Array): Marks {
  const text = asBuffer(bytes);
  const count = { words: 0, lines: 0, files: 0 };
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN, at + BEGIN.length)) {
    const isYenc = at >= 2 && text.subarray(at - 2, at + 6).equals(Y_BEGIN);
    if (!isLineStart(text, isYenc ? at - 2 : at)) continue;
    const mark = isYenc ? 'file' : uuencodedAt(text, at);
    count.words++;
    if (mark !== null) count.lines++;
    if (mark === 'file') count.files++;
    if (count.words > MAX_BEGINS || count.lines > MAX_FILES) return { isFile: true, isOver: true };
  }
  return { isFile: count.files > 0, isOver: false };
}

function isLineStart(text: Buffer, at: number): boolean {
  return at === 0 || text[at - 1] === LF || text[at - 1] === CR;
}

async function open({ bytes, wasRead }: Candidate, context: OpenContext): Promise<Opened> {
  const collector = collectMembers(context.budget.allowance(), bytes.length);
  // The files within the limit are already parts.
  if (wasRead) return collector.result(TOO_MANY);
  const files = await runAsync(writtenFileSteps(bytes));
  for (const { name, bytes: content } of files) {
    const member = {
      untrustedNames: [name],
      declaredType: 'application/octet-stream',
      charset: null,
      role: 'attachment' as const,
      bytes: content,
    };
    if (!collector.add(member)) return collector.result();
  }
  if (!marksIn(bytes).isOver) return collector.result();
  return collector.result(TOO_MANY);
}
