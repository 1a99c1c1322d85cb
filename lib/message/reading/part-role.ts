/** Decides the role of a part in a mail program (a container, a text to show, a file), and warns of oddities in its header. */
import type { HeaderBlock } from '../../formats/mail/header-block.ts';
import { hasSafeValue } from '../headers/mime-params.ts';
import type { WarningList } from '../headers/warnings.ts';
import type { PartRole } from '../model.ts';
import { isArchiveFile } from './archive-file.ts';
import type { PartFacts } from './part-facts.ts';
import { isMessageName } from './part-names.ts';

/** Types of messages inside messages that mail programs open: RFC 2046 §5.2.1, RFC 6532 §3.7, RFC 5537 §2.3 (obsolete message/news). */
const MESSAGE_TYPES = new Set(['message/rfc822', 'message/global', 'message/news']);
/** Types whose content mail programs join from several messages or fetch later, after every scan (RFC 2046 §5.2.2, §5.2.3). */
const ELSEWHERE_TYPES = new Set(['message/partial', 'message/external-body']);
const IDENTITY = new Set(['7bit', '8bit', 'binary']);

/** Warns of everything in a part's header that programs may read differently. */
export function warnOfHeader(
  warnings: WarningList,
  part: { readonly path: string; readonly facts: PartFacts; readonly isMessageRoot: boolean },
  block: HeaderBlock,
): void {
  const { facts, path } = part;
  for (const { code, detail } of [...block.problems, ...facts.problems]) warnings.add(code, path, detail);
  if (ELSEWHERE_TYPES.has(facts.declaredType))
    warnings.add('content_elsewhere', path, 'a part whose content is not in this message');
  // A program may save it under its name, as a file that was not judged.
  if (facts.isNamed && facts.declaredType.startsWith('multipart/') && !isArchiveFile(facts))
    warnings.add('odd_header', path, 'a multipart with a file name');
  if (block.endedBy === 'boundary' || block.endedBy === 'text')
    warnings.add('missing_blank_line', path, 'a header without the blank line after it');
  if (part.isMessageRoot && block.fields.length === 0) warnings.add('odd_header', path, 'a message without a header');
}

/** Returns the role of a part. A container that cannot be opened becomes an attachment with a warning, so that its bytes are judged. */
export function roleOf(
  warnings: WarningList,
  part: { readonly facts: PartFacts; readonly path: string; readonly depth: number; readonly boundary: Buffer | null },
  context: { readonly maxDepth: number; readonly open: readonly Buffer[] },
): PartRole {
  const { facts, path, depth, boundary } = part;
  const isMultipart = facts.declaredType.startsWith('multipart/');
  const isMessage = MESSAGE_TYPES.has(facts.declaredType);
  if (!isMultipart && !isMessage) return isBody(facts) ? 'body' : 'attachment';
  if (isArchiveFile(facts)) return 'attachment';
  // RFC 2045 §6.4 allows no base64 here, but some programs decode it.
  if (!IDENTITY.has(facts.encoding)) warnings.add('encoded_container', path, 'a container with a transfer encoding');
  if (isMessage && !IDENTITY.has(facts.encoding)) return 'attachment';
  if (depth >= context.maxDepth) {
    warnings.add('limit_exceeded', path, 'parts nested too deeply: this one was not opened');
    return 'attachment';
  }
  // A program that opens such a file by its name reads the header of the message as a page or a script.
  if (isMessage && facts.isNamed && !facts.names.every(isMessageName)) return 'attachment';
  if (isMessage) return 'message';
  if (boundary === null) {
    warnings.add('broken_multipart', path, 'a multipart without a usable boundary');
    return 'attachment';
  }
  // Such a boundary cannot be written again, and each reader cuts or trims it in its own way.
  if (!hasSafeValue('boundary', boundary.toString('latin1')))
    warnings.add('broken_multipart', path, 'a boundary that is too long, or has characters that no boundary may have');
  if (context.open.some((other) => other.equals(boundary)))
    warnings.add('ambiguous_boundary', path, 'a boundary that an enclosing part uses already');
  return 'multipart';
}

/** Returns true for a part that a mail program shows as the text of the message. */
export function isBody({
  declaredType,
  isNamed,
  disposition,
}: Pick<PartFacts, 'declaredType' | 'isNamed' | 'disposition'>): boolean {
  const isText = declaredType === 'text/plain' || declaredType === 'text/html';
  return isText && !isNamed && (disposition === null || disposition === 'inline');
}
