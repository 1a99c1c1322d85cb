/** Outlook messages as files (.msg, MS-OXMSG): bodies, attachments, and messages attached to them. */

import { type CompoundFile, openCompoundFile } from '../../formats/compound/compound-file.ts';
import type { CompoundEntry } from '../../formats/compound/directory.ts';
import type { CompoundFault } from '../../formats/compound/faults.ts';
import { decompressRtf } from '../../formats/mapi/compressed-rtf.ts';
import { LIST_START, type MessageStorage, readMessageStorage } from '../../formats/mapi/message-storage.ts';
import { PROPERTY, TYPE } from '../../formats/mapi/properties.ts';
import { type Collector, collectMembers } from './budget.ts';
import { type Candidate, type Container, type OpenContext, type Opened, opened } from './container.ts';
import { textOf } from './mapi.ts';

const NAME = /\.(?:msg|oft)\s*$/i;
const MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** The most messages in messages. Each is a storage in the same file. */
const MAX_NESTING = 16;

export const outlookMessage: Container = {
  name: 'outlook-message',
  accepts: ({ bytes, untrustedNames, detectedType }) =>
    MAGIC.equals(bytes.subarray(0, 8)) &&
    (detectedType === 'application/vnd.ms-outlook' || untrustedNames.some((name) => NAME.test(name))),
  open,
};

async function open({ bytes }: Candidate, context: OpenContext): Promise<Opened> {
  const faults = new Set<CompoundFault>();
  const file = openCompoundFile(bytes, { onFault: (fault) => faults.add(fault) });
  if (file === null) return opened({ outcome: 'damaged', detail: 'an Outlook message whose tables cannot be read' });
  const collector = collectMembers(context.budget.allowance(), bytes.length);
  // One byte more than a member may have. A longer member is then over the allowance, and is not cut off silently.
  const rtfBytes = context.budget.allowance().memberBytes + 1;
  const state: Reading = { file, collector, rtfBytes, subjects: [], isDeep: false };
  readMessage(state, file.root, 0);
  const found = collector.result({ untrustedTexts: state.subjects });
  const isLong = faults.has('too-many-entries');
  if (found.outcome !== 'opened' || (!state.isDeep && !isLong)) return found;
  return { ...found, outcome: 'over_budget', detail: isLong ? 'too many properties' : 'messages nested too deeply' };
}

interface Reading {
  readonly file: CompoundFile;
  readonly collector: Collector;
  readonly rtfBytes: number;
  readonly subjects: string[];
  isDeep: boolean;
}

function readMessage(state: Reading, entry: CompoundEntry, depth: number): void {
  if (depth > MAX_NESTING) {
    state.isDeep = true;
    return;
  }
  const message = storageOf(state, entry);
  state.subjects.push(textProperty(message, PROPERTY.subject) ?? '');
  addBodies(state, message);
  for (const attachment of message.attachments) if (!state.collector.isOver()) readAttachment(state, attachment, depth);
}

/** Reads only properties that are streams, so the start of the list of other properties does not matter. */
const storageOf = ({ file }: Reading, entry: CompoundEntry): MessageStorage =>
  readMessageStorage(file, entry, LIST_START.message, () => undefined);

function textProperty(storage: MessageStorage, id: number): string | null {
  for (const type of [TYPE.unicode, TYPE.string8]) {
    const bytes = storage.stream(id, type);
    if (bytes !== null) return textOf(bytes, type);
  }
  return null;
}

function addBodies({ collector, rtfBytes }: Reading, message: MessageStorage): void {
  const unicode = message.stream(PROPERTY.body, TYPE.unicode);
  const body = unicode === null ? message.stream(PROPERTY.body, TYPE.string8) : Buffer.from(textBytes(unicode));
  const html = message.stream(PROPERTY.html, TYPE.binary) ?? message.stream(PROPERTY.html, TYPE.string8);
  const packed = message.stream(PROPERTY.compressedRtf, TYPE.binary);
  const rtf = packed === null ? null : decompressRtf(packed, rtfBytes);
  if (body !== null) collector.add({ ...BODY, declaredType: 'text/plain', bytes: body });
  if (html !== null) collector.add({ ...BODY, declaredType: 'text/html', bytes: html });
  if (rtf !== null) collector.add({ ...BODY, role: 'attachment', declaredType: 'application/rtf', bytes: rtf });
}

const BODY = { untrustedNames: [], charset: null, role: 'body' as const };

/** Returns the text as UTF-8, which every reader of texts knows. */
function textBytes(utf16: Uint8Array): Uint8Array {
  return new TextEncoder().encode(new TextDecoder('utf-16le').decode(utf16));
}

function readAttachment(state: Reading, entry: CompoundEntry, depth: number): void {
  const attachment = storageOf(state, entry);
  const names = [PROPERTY.attachLongFilename, PROPERTY.attachFilename, PROPERTY.displayName]
    .map((id) => textProperty(attachment, id))
    .filter((name): name is string => name !== null && name !== '');
  const data = attachment.stream(PROPERTY.attachData, TYPE.binary);
  if (data !== null)
    state.collector.add({
      untrustedNames: [...new Set(names)],
      declaredType: textProperty(attachment, PROPERTY.attachMimeTag)?.toLowerCase() ?? 'application/octet-stream',
      charset: null,
      role: 'attachment',
      bytes: data,
    });
  for (const object of attachment.objects) readObject(state, object, depth);
}

/** Opens an attached message, which is a storage like the file itself. Any other object is opened by the content of its streams. */
function readObject(state: Reading, entry: CompoundEntry, depth: number): void {
  const object = storageOf(state, entry);
  if (object.hasProperties) {
    readMessage(state, entry, depth + 1);
    return;
  }
  for (const stream of object.streams) {
    if (state.collector.isOver()) return;
    state.collector.add({
      untrustedNames: [stream.untrustedName],
      declaredType: 'application/octet-stream',
      charset: null,
      role: 'attachment',
      bytes: state.file.read(stream),
    });
  }
}
