/** TNEF, the winmail.dat of Outlook (MS-OXTNEF): bodies, attachments, and messages attached to them. */

import { decompressRtf } from '../../formats/mapi/compressed-rtf.ts';
import { PROPERTY, TYPE } from '../../formats/mapi/properties.ts';
import { type MapiProperty, readPropertyList } from '../../formats/mapi/property-list.ts';
import { ATTRIBUTE, INTERFACE_ID_BYTES, isTnef, readTnefAttributes, type TnefFault } from '../../formats/mapi/tnef.ts';
import { type Collector, collectMembers } from './budget.ts';
import type { Candidate, Container, OpenContext, Opened } from './container.ts';
import { textOf } from './mapi.ts';

export const tnef: Container = {
  name: 'tnef',
  accepts: ({ bytes }) => isTnef(bytes),
  open,
};

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
  // One byte more than a member may have. A longer member is then over the allowance, and is not cut off silently.
  const state: Reading = { collector, rtfBytes: allowance.memberBytes + 1, subjects: [], attachment: null };
  const faults = new Set<TnefFault>();
  for (const { id, data } of readTnefAttributes(bytes, (fault) => faults.add(fault))) readAttribute(state, id, data);
  flush(state);
  const facts = { untrustedTexts: state.subjects };
  return collector.result(
    faults.has('cut-off') ? { ...facts, outcome: 'damaged', detail: 'it ends in the middle of an attribute' } : facts,
  );
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
      for (const property of propertiesOf(data)) readMessageProperty(state, property);
      return;
    case ATTRIBUTE.attachRenderData:
      // Each attachment begins with this attribute.
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
      for (const property of propertiesOf(data)) readAttachmentProperty(attachmentOf(state), property);
      return;
  }
}

const BODY = { untrustedNames: [], charset: null, role: 'body' as const };
const withoutNul = (data: Buffer) => data.subarray(0, data.at(-1) === 0 ? -1 : undefined);

function attachmentOf(state: Reading): Attachment {
  state.attachment ??= { names: [], data: null, mimeTag: null };
  return state.attachment;
}

type Value = Pick<MapiProperty, 'id' | 'type'> & { readonly value: Buffer };

/** Returns every readable value, up to the first damage. */
function* propertiesOf(data: Buffer): Generator<Value> {
  for (const { id, type, values } of readPropertyList(data, () => undefined))
    for (const value of values) yield { id, type, value };
}

function readMessageProperty({ collector, rtfBytes, subjects }: Reading, { id, type, value }: Value): void {
  if (id === PROPERTY.subject) subjects.push(textOf(value, type));
  if (id === PROPERTY.body) {
    const bytes = type === TYPE.unicode ? new TextEncoder().encode(new TextDecoder('utf-16le').decode(value)) : value;
    collector.add({ ...BODY, declaredType: 'text/plain', bytes });
  }
  if (id === PROPERTY.html) collector.add({ ...BODY, declaredType: 'text/html', bytes: value });
  const rtf = id === PROPERTY.compressedRtf ? decompressRtf(value, rtfBytes) : null;
  if (rtf !== null) collector.add({ ...BODY, role: 'attachment', declaredType: 'application/rtf', bytes: rtf });
}

function readAttachmentProperty(attachment: Attachment, { id, type, value }: Value): void {
  if (id === PROPERTY.attachLongFilename || id === PROPERTY.attachFilename)
    attachment.names.unshift(textOf(value, type));
  if (id === PROPERTY.attachMimeTag) attachment.mimeTag = textOf(value, type).toLowerCase();
  // Opens an attached message. It is the id of its interface and then its own TNEF stream, which is opened like any other.
  if (id === PROPERTY.attachData)
    attachment.data = isTnef(value.subarray(INTERFACE_ID_BYTES)) ? value.subarray(INTERFACE_ID_BYTES) : value;
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
