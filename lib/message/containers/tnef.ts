/** TNEF, the winmail.dat of Outlook (MS-OXTNEF): bodies, attachments, and messages attached to them. */
import { type Collector, collectMembers } from './budget.ts';
import { decompressRtf } from './compressed-rtf.ts';
import type { Candidate, Container, OpenContext, Opened } from './container.ts';
import { PROPERTY, TYPE, textOf } from './mapi.ts';
import { type MapiProperty, readMapiProperties } from './tnef-properties.ts';

const SIGNATURE = 0x223e9f78;
const HEADER_BYTES = 6;
/** Level, attribute, length, and behind the data a checksum. */
const ATTRIBUTE_BYTES = 11;
const ATTRIBUTE = {
  subject: 0x8004,
  body: 0x800c,
  attachTitle: 0x8010,
  attachData: 0x800f,
  attachRenderData: 0x9002,
  attachProperties: 0x9005,
  messageProperties: 0x9003,
} as const;
/** An object that is a message begins with the id of its interface, IID_IMessage. */
const IID_BYTES = 16;

export const tnef: Container = {
  name: 'tnef',
  accepts: ({ bytes }) => isTnef(bytes),
  open,
};

function isTnef(bytes: Uint8Array): boolean {
  return bytes.length > HEADER_BYTES && view(bytes).readUInt32LE(0) === SIGNATURE;
}

const view = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

interface Attachment {
  names: string[];
  data: Uint8Array | null;
  mimeTag: string | null;
}

interface Reading {
  readonly collector: Collector;
  readonly rtfBytes: number;
  readonly subjects: string[];
  attachment: Attachment | null;
}

async function open({ bytes }: Candidate, context: OpenContext): Promise<Opened> {
  const allowance = context.budget.allowance();
  const collector = collectMembers(allowance, bytes.length);
  const state: Reading = { collector, rtfBytes: allowance.memberBytes, subjects: [], attachment: null };
  const isWhole = readAttributes(state, view(bytes));
  flush(state);
  const facts = { untrustedTexts: state.subjects };
  return collector.result(
    isWhole ? facts : { ...facts, outcome: 'damaged', detail: 'it ends in the middle of an attribute' },
  );
}

/** False when the stream ends inside an attribute. */
function readAttributes(state: Reading, bytes: Buffer): boolean {
  let at = HEADER_BYTES;
  while (at + ATTRIBUTE_BYTES - 2 <= bytes.length) {
    const id = bytes.readUInt16LE(at + 1);
    const length = bytes.readUInt32LE(at + 5);
    const end = at + 9 + length;
    readAttribute(state, id, bytes.subarray(at + 9, end));
    if (end > bytes.length) return false;
    at = end + 2;
  }
  return true;
}

function readAttribute(state: Reading, id: number, data: Buffer): void {
  switch (id) {
    case ATTRIBUTE.subject:
      state.subjects.push(textOf(data, TYPE.string8));
      return;
    case ATTRIBUTE.body:
      state.collector.add({ ...BODY, declaredType: 'text/plain', bytes: withoutNul(data) });
      return;
    case ATTRIBUTE.messageProperties:
      for (const property of readMapiProperties(data)) readMessageProperty(state, property);
      return;
    case ATTRIBUTE.attachRenderData:
      // Each attachment begins with it.
      flush(state);
      state.attachment = { names: [], data: null, mimeTag: null };
      return;
    case ATTRIBUTE.attachTitle:
      attachmentOf(state).names.push(textOf(data, TYPE.string8));
      return;
    case ATTRIBUTE.attachData:
      attachmentOf(state).data = data;
      return;
    case ATTRIBUTE.attachProperties:
      for (const property of readMapiProperties(data)) readAttachmentProperty(attachmentOf(state), property);
      return;
  }
}

const BODY = { untrustedNames: [], charset: null, role: 'body' as const };
const withoutNul = (data: Buffer) => data.subarray(0, data.at(-1) === 0 ? -1 : undefined);

function attachmentOf(state: Reading): Attachment {
  state.attachment ??= { names: [], data: null, mimeTag: null };
  return state.attachment;
}

function readMessageProperty({ collector, rtfBytes, subjects }: Reading, { id, type, value }: MapiProperty): void {
  if (id === PROPERTY.subject) subjects.push(textOf(value, type));
  if (id === PROPERTY.body) {
    const bytes = type === TYPE.unicode ? new TextEncoder().encode(new TextDecoder('utf-16le').decode(value)) : value;
    collector.add({ ...BODY, declaredType: 'text/plain', bytes });
  }
  if (id === PROPERTY.html) collector.add({ ...BODY, declaredType: 'text/html', bytes: value });
  const rtf = id === PROPERTY.compressedRtf ? decompressRtf(value, rtfBytes) : null;
  if (rtf !== null) collector.add({ ...BODY, role: 'attachment', declaredType: 'application/rtf', bytes: rtf });
}

function readAttachmentProperty(attachment: Attachment, { id, type, value }: MapiProperty): void {
  if (id === PROPERTY.attachLongFilename || id === PROPERTY.attachFilename)
    attachment.names.unshift(textOf(value, type));
  if (id === PROPERTY.attachMimeTag) attachment.mimeTag = textOf(value, type).toLowerCase();
  // An attached message is an object: the id of its interface, then a TNEF stream of its own, opened as any other.
  if (id === PROPERTY.attachData)
    attachment.data = isTnef(value.subarray(IID_BYTES)) ? value.subarray(IID_BYTES) : value;
}

function flush(state: Reading): void {
  const { attachment, collector } = state;
  state.attachment = null;
  if (attachment === null || attachment.data === null) return;
  collector.add({
    untrustedNames: [...new Set(attachment.names)].filter((name) => name !== ''),
    declaredType: attachment.mimeTag ?? 'application/octet-stream',
    charset: null,
    role: 'attachment',
    bytes: attachment.data,
  });
}
