/** Outlook messages as files (.msg, MS-OXMSG): bodies, attachments, and messages attached to them. */
import { type Collector, collectMembers } from './budget.ts';
import { openCompoundFile, type Storage } from './compound-file.ts';
import { decompressRtf } from './compressed-rtf.ts';
import { type Candidate, type Container, type OpenContext, type Opened, opened } from './container.ts';
import { PROPERTY, TYPE, textOf } from './mapi.ts';

const NAME = /\.(?:msg|oft)\s*$/i;
const MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** A message in a message in a message: each is a storage of the same file. */
const MAX_NESTING = 16;

export const outlookMessage: Container = {
  name: 'outlook-message',
  accepts: ({ bytes, untrustedNames, detectedType }) =>
    MAGIC.equals(bytes.subarray(0, 8)) &&
    (detectedType === 'application/vnd.ms-outlook' || untrustedNames.some((name) => NAME.test(name))),
  open,
};

async function open({ bytes }: Candidate, context: OpenContext): Promise<Opened> {
  const root = openCompoundFile(bytes);
  if (root === null) return opened({ outcome: 'damaged', detail: 'an Outlook message whose tables cannot be read' });
  const collector = collectMembers(context.budget.allowance(), bytes.length);
  const state: Reading = { collector, rtfBytes: context.budget.allowance().memberBytes, subjects: [], isDeep: false };
  readMessageStorage(state, root, 0);
  const found = collector.result({ untrustedTexts: state.subjects });
  if (found.outcome !== 'opened' || !state.isDeep) return found;
  return { ...found, outcome: 'over_budget', detail: 'messages nested too deeply' };
}

interface Reading {
  readonly collector: Collector;
  readonly rtfBytes: number;
  readonly subjects: string[];
  isDeep: boolean;
}

function readMessageStorage(state: Reading, storage: Storage, depth: number): void {
  if (depth > MAX_NESTING) {
    state.isDeep = true;
    return;
  }
  state.subjects.push(textProperty(storage, PROPERTY.subject) ?? '');
  addBodies(state, storage);
  for (const [name, attachment] of storage.storages)
    if (/^__attach_version1\.0_/i.test(name) && !state.collector.isOver()) readAttachment(state, attachment, depth);
}

/** Property streams are named after their id and type (MS-OXMSG 2.1.3). */
function property(storage: Storage, id: number, type: number): Uint8Array | null {
  const tag = `${id.toString(16).padStart(4, '0')}${type.toString(16).padStart(4, '0')}`.toUpperCase();
  return storage.streams.get(`__substg1.0_${tag}`)?.read() ?? null;
}

function textProperty(storage: Storage, id: number): string | null {
  for (const type of [TYPE.unicode, TYPE.string8]) {
    const bytes = property(storage, id, type);
    if (bytes !== null) return textOf(bytes, type);
  }
  return null;
}

function addBodies({ collector, rtfBytes }: Reading, storage: Storage): void {
  const unicode = property(storage, PROPERTY.body, TYPE.unicode);
  const body = unicode === null ? property(storage, PROPERTY.body, TYPE.string8) : Buffer.from(textBytes(unicode));
  const html = property(storage, PROPERTY.html, TYPE.binary) ?? property(storage, PROPERTY.html, TYPE.string8);
  const packed = property(storage, PROPERTY.compressedRtf, TYPE.binary);
  const rtf = packed === null ? null : decompressRtf(packed, rtfBytes);
  if (body !== null) collector.add({ ...BODY, declaredType: 'text/plain', bytes: body });
  if (html !== null) collector.add({ ...BODY, declaredType: 'text/html', bytes: html });
  if (rtf !== null) collector.add({ ...BODY, role: 'attachment', declaredType: 'application/rtf', bytes: rtf });
}

const BODY = { untrustedNames: [], charset: null, role: 'body' as const };

/** As UTF-8, which every reader of texts knows. */
function textBytes(utf16: Uint8Array): Uint8Array {
  return new TextEncoder().encode(new TextDecoder('utf-16le').decode(utf16));
}

function readAttachment(state: Reading, storage: Storage, depth: number): void {
  const names = [PROPERTY.attachLongFilename, PROPERTY.attachFilename, PROPERTY.displayName]
    .map((id) => textProperty(storage, id))
    .filter((name): name is string => name !== null && name !== '');
  const data = property(storage, PROPERTY.attachData, TYPE.binary);
  if (data !== null)
    state.collector.add({
      untrustedNames: [...new Set(names)],
      declaredType: textProperty(storage, PROPERTY.attachMimeTag)?.toLowerCase() ?? 'application/octet-stream',
      charset: null,
      role: 'attachment',
      bytes: data,
    });
  for (const [name, inner] of storage.storages) readObject(state, name, inner, depth);
}

/** An attached message is a storage like the file itself; any other object is opened as what its streams hold. */
function readObject(state: Reading, name: string, storage: Storage, depth: number): void {
  if (!/^__substg1\.0_3701000d$/i.test(name)) return;
  if (storage.streams.has('__properties_version1.0')) {
    readMessageStorage(state, storage, depth + 1);
    return;
  }
  for (const stream of storage.streams.values()) {
    if (state.collector.isOver()) return;
    state.collector.add({
      untrustedNames: [stream.name],
      declaredType: 'application/octet-stream',
      charset: null,
      role: 'attachment',
      bytes: stream.read(),
    });
  }
}
