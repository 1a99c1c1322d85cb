/** From Outlook's properties (MS-OXPROPS) to a message: the part that MSG files and TNEF containers share. */

import { PROPERTY } from '../../../formats/mapi/properties.ts';
import { leafOf, type Mail, type MailHeader, type MimePart } from '../../mime/part.ts';
import { inflateRtf } from '../rtf/compressed.ts';
import { encodedText } from './headers.ts';

/** The properties of one object. Null for a missing one. */
export interface MapiProperties {
  text(id: number): string | null;
  binary(id: number): Uint8Array | null;
  number(id: number): number | null;
  /** Returns milliseconds since 1970. */
  time(id: number): number | null;
}

export interface MapiAttachment {
  readonly properties: MapiProperties;
  /** Null when it is a message, or something without bytes. */
  readonly bytes: Uint8Array | null;
  /** An item within the item. */
  readonly message: Mail | null;
}

export interface MapiItem {
  readonly properties: MapiProperties;
  readonly recipients: readonly MapiProperties[];
  readonly attachments: readonly MapiAttachment[];
}

/** Returns the message in an item. Throws EngineError when its compressed text is damaged or too long. */
export function mailOf(item: MapiItem, maxBytes: number): Mail {
  const body = bodyOf(item.properties, maxBytes);
  const files = item.attachments.map(attachmentPart);
  const inline = files.some((part) => part.kind === 'leaf' && part.contentId !== null && !part.isAttachment);
  const parts = [body, ...files];
  const whole: MimePart = { kind: 'group', subtype: inline ? 'related' : 'mixed', parts };
  return { headers: headersOf(item), body: files.length === 0 ? body : whole };
}

function headersOf({ properties, recipients }: MapiItem): MailHeader[] {
  const headers: MailHeader[] = [];
  const add = (name: string, value: string | null) => {
    if (value !== null && value !== '') headers.push({ name, value });
  };
  const sender =
    properties.text(PROPERTY.senderSmtp) ??
    properties.text(PROPERTY.senderEmail) ??
    properties.text(PROPERTY.senderAddress);
  add('From', mailbox(properties.text(PROPERTY.senderName), sender));
  for (const [name, type, display] of [
    ['To', 1, PROPERTY.displayTo],
    ['Cc', 2, PROPERTY.displayCc],
  ] as const) {
    const named = recipients.filter((each) => (each.number(PROPERTY.recipientType) ?? 1) === type);
    const list = named.map((each) =>
      mailbox(each.text(PROPERTY.displayName), each.text(PROPERTY.smtpAddress) ?? each.text(PROPERTY.email)),
    );
    add(name, list.filter((each) => each !== null).join(', ') || mailbox(properties.text(display), null));
  }
  headers.push({ name: 'Subject', value: encodedText(properties.text(PROPERTY.subject) ?? '(no subject)') });
  const time = properties.time(PROPERTY.submitTime) ?? properties.time(PROPERTY.deliveryTime);
  if (time !== null) add('Date', new Date(time).toUTCString().replace('GMT', '+0000'));
  for (const [name, id] of [
    ['Message-ID', PROPERTY.messageId],
    ['In-Reply-To', PROPERTY.inReplyTo],
    ['References', PROPERTY.references],
  ] as const)
    add(name, properties.text(id));
  return headers;
}

/** Writes `Name <address>`. An internal address of Exchange (`/O=…`) is left out, because nobody else can use it. */
function mailbox(name: string | null, address: string | null): string | null {
  const safe = /^[\w.!#$%&'*+/=?^{|}~-]{1,100}@[\w.-]{1,200}$/.exec(address ?? '')?.[0] ?? null;
  const words = (name ?? '').replace(/[\p{Cc}"<>()\\]/gu, ' ').trim();
  if (words === '' || words === safe) return safe;
  const phrase = /^[\w .-]*$/.test(words) ? words : /^[ -~]*$/.test(words) ? `"${words}"` : encodedText(words);
  return safe === null ? phrase : `${phrase} <${safe}>`;
}

function bodyOf(properties: MapiProperties, maxBytes: number): MimePart {
  const parts: MimePart[] = [];
  const text = properties.text(PROPERTY.body);
  if (text !== null)
    parts.push(leafOf({ untrustedType: 'text/plain', charset: 'utf-8', bytes: Buffer.from(text, 'utf8') }));
  const html = htmlOf(properties);
  if (html !== null) parts.push(html);
  const rtf = properties.binary(PROPERTY.compressedRtf);
  if (parts.length === 0 && rtf !== null) {
    const bytes = inflateRtf(rtf, maxBytes);
    return leafOf({ untrustedType: 'application/rtf', untrustedName: 'message.rtf', bytes });
  }
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  if (parts.length === 0) return leafOf({ untrustedType: 'text/plain', bytes: new Uint8Array() });
  return { kind: 'group', subtype: 'alternative', parts };
}

function htmlOf(properties: MapiProperties): MimePart | null {
  const bytes = properties.binary(PROPERTY.html);
  if (bytes !== null) {
    return leafOf({
      untrustedType: 'text/html',
      charset: charsetOf(properties.number(PROPERTY.internetCodePage)),
      bytes,
    });
  }
  const text = properties.text(PROPERTY.html);
  return text === null
    ? null
    : leafOf({ untrustedType: 'text/html', charset: 'utf-8', bytes: Buffer.from(text, 'utf8') });
}

/** Returns the charset label of a Windows code page; empty for one without a label. */
export function charsetOf(codePage: number | null): string {
  const known: Readonly<Record<number, string>> = {
    65001: 'utf-8',
    20127: 'us-ascii',
    932: 'shift_jis',
    936: 'gbk',
    949: 'euc-kr',
    950: 'big5',
    20866: 'koi8-r',
    21866: 'koi8-u',
    50220: 'iso-2022-jp',
    50221: 'iso-2022-jp',
    51932: 'euc-jp',
    51949: 'euc-kr',
    54936: 'gb18030',
    874: 'windows-874',
  };
  if (codePage === null) return '';
  if (codePage >= 1250 && codePage <= 1258) return `windows-${codePage}`;
  if (codePage > 28590 && codePage <= 28606) return `iso-8859-${codePage - 28590}`;
  return known[codePage] ?? '';
}

function attachmentPart({ properties, bytes, message }: MapiAttachment): MimePart {
  const untrustedName =
    properties.text(PROPERTY.attachLongFilename) ??
    properties.text(PROPERTY.attachFilename) ??
    properties.text(PROPERTY.displayName);
  if (message !== null)
    return {
      kind: 'message',
      untrustedName: untrustedName ?? message.headers.find(({ name }) => name === 'Subject')?.value ?? null,
      message,
    };
  const contentId = /^[\w.@$+-]{1,200}$/.exec(properties.text(PROPERTY.attachContentId) ?? '')?.[0] ?? null;
  const declared = properties.text(PROPERTY.attachMimeTag)?.toLowerCase() ?? '';
  return leafOf({
    untrustedType: /^[\w.+-]{1,80}\/[\w.+-]{1,120}$/.test(declared) ? declared : 'application/octet-stream',
    untrustedName: untrustedName ?? 'attachment',
    contentId,
    isAttachment: contentId === null || !declared.startsWith('image/'),
    bytes: bytes ?? new Uint8Array(),
  });
}
