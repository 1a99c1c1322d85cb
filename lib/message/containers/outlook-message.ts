/** Outlook messages as files (.msg, MS-OXMSG): bodies, attachments, and messages attached to them. */

import { type CompoundFile, openCompoundFile } from '../../formats/compound/compound-file.ts';
import { type CompoundEntry, KIND } from '../../formats/compound/directory.ts';
import type { CompoundFault } from '../../formats/compound/faults.ts';
import { decompressRtf } from '../../formats/mapi/compressed-rtf.ts';
import { PROPERTY, propertyStreamName, TYPE } from '../../formats/mapi/properties.ts';
import { type Collector, collectMembers } from './budget.ts';
import { type Candidate, type Container, type OpenContext, type Opened, opened } from './container.ts';
import { textOf } from './mapi.ts';

const NAME = /\.(?:msg|oft)\s*$/i;
const MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/** Messages in messages: each is a storage in the same file. */
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
  const rtfBytes = context.budget.allowance().memberBytes;
  const state: Reading = { file, collector, rtfBytes, subjects: [], isDeep: false };
  readMessageStorage(state, file.root, 0);
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

function readMessageStorage(state: Reading, storage: CompoundEntry, depth: number): void {
  if (depth > MAX_NESTING) {
    state.isDeep = true;
    return;
  }
  state.subjects.push(textProperty(state, storage, PROPERTY.subject) ?? '');
  addBodies(state, storage);
  for (const attachment of childrenOf(storage, KIND.storage))
    if (/^__attach_version1\.0_/i.test(attachment.untrustedName) && !state.collector.isOver())
      readAttachment(state, attachment, depth);
}

const childrenOf = ({ children }: CompoundEntry, kind: number) => children.filter((child) => child.kind === kind);

function property({ file }: Reading, storage: CompoundEntry, id: number, type: number): Uint8Array | null {
  const name = propertyStreamName(id, type);
  const stream = storage.children.findLast(({ kind, untrustedName }) => kind === KIND.stream && untrustedName === name);
  return stream === undefined ? null : file.read(stream);
}

function textProperty(state: Reading, storage: CompoundEntry, id: number): string | null {
  for (const type of [TYPE.unicode, TYPE.string8]) {
    const bytes = property(state, storage, id, type);
    if (bytes !== null) return textOf(bytes, type);
  }
  return null;
}

function addBodies(state: Reading, storage: CompoundEntry): void {
  const { collector, rtfBytes } = state;
  const unicode = property(state, storage, PROPERTY.body, TYPE.unicode);
  const body =
    unicode === null ? property(state, storage, PROPERTY.body, TYPE.string8) : Buffer.from(textBytes(unicode));
  const html =
    property(state, storage, PROPERTY.html, TYPE.binary) ?? property(state, storage, PROPERTY.html, TYPE.string8);
  const packed = property(state, storage, PROPERTY.compressedRtf, TYPE.binary);
  const rtf = packed === null ? null : decompressRtf(packed, rtfBytes);
  if (body !== null) collector.add({ ...BODY, declaredType: 'text/plain', bytes: body });
  if (html !== null) collector.add({ ...BODY, declaredType: 'text/html', bytes: html });
  if (rtf !== null) collector.add({ ...BODY, role: 'attachment', declaredType: 'application/rtf', bytes: rtf });
}

const BODY = { untrustedNames: [], charset: null, role: 'body' as const };

/** The text as UTF-8, which every reader of texts knows. */
function textBytes(utf16: Uint8Array): Uint8Array {
  return new TextEncoder().encode(new TextDecoder('utf-16le').decode(utf16));
}

function readAttachment(state: Reading, storage: CompoundEntry, depth: number): void {
  const names = [PROPERTY.attachLongFilename, PROPERTY.attachFilename, PROPERTY.displayName]
    .map((id) => textProperty(state, storage, id))
    .filter((name): name is string => name !== null && name !== '');
  const data = property(state, storage, PROPERTY.attachData, TYPE.binary);
  if (data !== null)
    state.collector.add({
      untrustedNames: [...new Set(names)],
      declaredType: textProperty(state, storage, PROPERTY.attachMimeTag)?.toLowerCase() ?? 'application/octet-stream',
      charset: null,
      role: 'attachment',
      bytes: data,
    });
  for (const object of childrenOf(storage, KIND.storage)) readObject(state, object, depth);
}

/** An attached message is a storage like the file itself. Any other object is opened by the content of its streams. */
function readObject(state: Reading, storage: CompoundEntry, depth: number): void {
  if (!/^__substg1\.0_3701000d$/i.test(storage.untrustedName)) return;
  const streams = childrenOf(storage, KIND.stream);
  if (streams.some(({ untrustedName }) => untrustedName === '__properties_version1.0')) {
    readMessageStorage(state, storage, depth + 1);
    return;
  }
  for (const stream of streams) {
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
