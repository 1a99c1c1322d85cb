/** Writes a message anew: texts as UTF-8, every other part disarmed by its own type, and a note for each part that cannot be safe. */
import { describeType, isFileType } from '../../../formats/file-types.ts';
import { decodeBytes } from '../../mime/headers.ts';
import type { Mail, MimeGroup, MimeLeaf, MimePart } from '../../mime/part.ts';
import { attachmentName, runsByName } from '../archive/member-names.ts';
import type { Nested, NestedResult } from '../disarm-module.ts';
import type { RemovalLog } from '../removals.ts';
import { keptHeaders } from './headers.ts';
import { partText, type WrittenPart, writeFile, writeGroup, writeMessage, writeText } from './mime-write.ts';

export interface MailWork {
  readonly log: RemovalLog;
  readonly nested: Nested;
  readonly password: string | null;
}

/** Returns the disarmed message, ASCII. Throws EngineError only when the budget of the upload is spent or nothing is left to write. */
export async function rebuildMail(mail: Mail, work: MailWork): Promise<Uint8Array> {
  const headers = keptHeaders(mail.headers, work.log);
  const body = await writePart(mail.body, 'mixed', work);
  const part = body ?? note('This message had no content that could be made safe.');
  const text = partText({ headers: ['MIME-Version: 1.0', ...headers, ...part.headers], body: part.body });
  return Buffer.from(text, 'latin1');
}

/** Returns null for a part that is removed without a note, because a note would be shown in place of the body. */
async function writePart(part: MimePart, parent: string, work: MailWork): Promise<WrittenPart | null> {
  if (part.kind === 'group') return writeParts(part, work);
  if (part.kind === 'message') {
    const bytes = await rebuildMail(part.message, work);
    return writeMessage(bytes, attachmentName(part.untrustedName, describeType('message/rfc822'), 'message'));
  }
  work.nested.spend(0, part.bytes.length);
  const isNamed = part.isAttachment || part.untrustedName !== null;
  if (!isNamed && isReadAsText(part.untrustedType)) return writeText('plain', decodeBytes(part.bytes, part.charset));
  if (!isNamed && part.untrustedType === 'text/html') return writeHtmlBody(part, work);
  return writeLeaf(part, parent, work);
}

async function writeParts(group: MimeGroup, work: MailWork): Promise<WrittenPart | null> {
  const written: WrittenPart[] = [];
  for (const part of group.parts) {
    const one = await writePart(part, group.subtype, work);
    if (one !== null) written.push(one);
  }
  if (written.length === 0) return null;
  return writeGroup(group.subtype, written);
}

/** Returns true for the types of text that programs show unchanged. Delivery reports are among them. */
function isReadAsText(type: string): boolean {
  return /^(?:text\/(?:plain|enriched|richtext|rfc822-headers|markdown)|message\/(?:delivery|disposition)-(?:status|notification))$/.test(
    type,
  );
}

async function writeHtmlBody(part: MimeLeaf, work: MailWork): Promise<WrittenPart> {
  const bytes = Buffer.from(decodeBytes(part.bytes, part.charset), 'utf8');
  const page = await work.nested.disarm({ bytes, untrustedName: 'body.html', password: null });
  if (page.outcome === 'refused' || page.type.type !== 'text/html') {
    work.log.note('HTML text that cannot be made safe', 'body');
    return note(`The formatted text of this message was removed: ${reasonOf(page)}.`);
  }
  for (const { kind, action } of page.details) work.log.note(kind, 'body', action);
  return writeText('html', new TextDecoder().decode(page.bytes));
}

const SIGNATURE = /^application\/(?:x-)?(?:pkcs7-signature|pgp-signature)$/;
/** Parts whose content is fetched or put together when the message is read. */
const ELSEWHERE = /^message\/(?:external-body|partial|http|s-http)$/;

async function writeLeaf(part: MimeLeaf, parent: string, work: MailWork): Promise<WrittenPart | null> {
  if (SIGNATURE.test(part.untrustedType)) {
    work.log.note('signature, which no changed message fulfils', 'signature');
    return null;
  }
  const shown = shownName(part);
  if (ELSEWHERE.test(part.untrustedType)) return removed(part, parent, 'its content is somewhere else', work);
  const input = { bytes: part.bytes, untrustedName: hintOf(part), password: work.password };
  const result = await work.nested.disarm(input);
  if (result.outcome === 'refused') return removed(part, parent, result.failure.message, work);
  if (runsByName(part.untrustedName ?? '')) return removed(part, parent, 'its name makes the computer run it', work);
  for (const { kind, action, where } of result.details) work.log.note(kind, `${shown}: ${where}`, action);
  const name = attachmentName(part.untrustedName, result.type, 'attachment');
  if (result.type.type === 'message/rfc822') return writeMessage(result.bytes, name);
  const isCalendar = result.type.type === 'text/calendar' && part.untrustedType === 'text/calendar';
  return writeFile(result.bytes, {
    type: isFileType(result.type.type) ? result.type.type : 'application/octet-stream',
    name,
    contentId: part.contentId,
    isInline: !part.isAttachment,
    method: isCalendar ? part.method : '',
  });
}

/**
 * Returns the name of a part. A part without a name gets one from its type. The engine decides by the bytes and uses the name as a hint.
 */
function hintOf(part: MimeLeaf): string {
  if (part.untrustedName !== null && /\.[^.\s]{1,20}$/.test(part.untrustedName)) return part.untrustedName;
  const extension = isFileType(part.untrustedType) ? describeType(part.untrustedType).extension : 'bin';
  return `${part.untrustedName ?? 'attachment'}.${extension === 'bin' ? 'dat' : extension}`;
}

function shownName(part: MimeLeaf): string {
  const name = (part.untrustedName ?? part.untrustedType).replace(/[\p{Cc}\p{Cf}<>"]/gu, '_');
  return name.length > 100 ? `${name.slice(0, 100)}...` : name;
}

function removed(part: MimeLeaf, parent: string, reason: string, work: MailWork): WrittenPart | null {
  work.log.note('attachment that cannot be made safe', `${shownName(part)}: ${reason}`);
  const isDecoration = parent === 'related' && /^(?:image\/|text\/css)/.test(part.untrustedType);
  if (parent === 'alternative' || isDecoration) return null;
  return note(`The attachment "${shownName(part)}" was removed: ${reason}.`);
}

function reasonOf(result: NestedResult): string {
  return result.outcome === 'refused' ? result.failure.message : 'it is no HTML page';
}

function note(text: string): WrittenPart {
  return writeText('plain', `${text}\r\n`);
}
