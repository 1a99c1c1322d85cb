/**
 * An Outlook message as a file (MS-OXMSG 2.2 to 2.4): the message, its recipients, its attachments and the messages in them are storages
 * of a compound file, and their properties are streams.
 */
import type { CompoundFile } from '../compound/compound-file.ts';
import { type CompoundEntry, KIND } from '../compound/directory.ts';
import { propertyStreamName } from './properties.ts';

/** When two streams have one name, programs read different ones. Here the last one counts. */
export type StorageFault = 'same-name';

/** A message, a recipient or an attachment. */
export interface MessageStorage {
  /** Returns the bytes of a property with a stream. The stream is read once. Returns null when there is none. */
  stream(id: number, type: number): Buffer | null;
  /** Returns the eight bytes of a property in the list of properties. Returns null when there is none. */
  inPlace(id: number): Buffer | null;
  /** False for a storage that is not a message. */
  readonly hasProperties: boolean;
  readonly recipients: readonly CompoundEntry[];
  readonly attachments: readonly CompoundEntry[];
  /** The object that an attachment holds instead of bytes: a message, or the streams of another program. */
  readonly objects: readonly CompoundEntry[];
  /** All streams, under any name. */
  readonly streams: readonly CompoundEntry[];
}

/** Bytes in front of the list of properties of the message, of a message in it, and of a recipient or attachment (2.4.1). */
export const LIST_START = { message: 32, inner: 24, part: 8 } as const;

const LIST = '__properties_version1.0';
const RECIPIENT = '__recip_version1.0_';
const ATTACHMENT = '__attach_version1.0_';
const OBJECT = '__substg1.0_3701000d';
/** Bytes of a property: id, type and flags, then the value. */
const ENTRY_BYTES = 16;

/** Reads the streams and storages directly in a storage. The case of names does not matter, as in every compound file ([MS-CFB] 2.6.4). */
export function readMessageStorage(
  file: CompoundFile,
  storage: CompoundEntry,
  listStart: number,
  onFault: (fault: StorageFault) => void,
): MessageStorage {
  const streams = storage.children.filter(({ kind }) => kind === KIND.stream);
  const byName = new Map<string, CompoundEntry>();
  for (const stream of streams) {
    const name = stream.untrustedName.toLowerCase();
    if (byName.has(name)) onFault('same-name');
    byName.set(name, stream);
  }
  const folders = (start: string) =>
    storage.children.filter(
      ({ kind, untrustedName }) => kind === KIND.storage && untrustedName.toLowerCase().startsWith(start),
    );
  const list = byName.get(LIST);
  const contents = new Map<CompoundEntry, Buffer>();
  const read = (entry: CompoundEntry): Buffer => {
    const content = contents.get(entry) ?? file.read(entry);
    contents.set(entry, content);
    return content;
  };
  let inPlace: ReadonlyMap<number, Buffer> | null = null;
  return {
    stream(id, type) {
      const found = byName.get(propertyStreamName(id, type).toLowerCase());
      return found === undefined ? null : read(found);
    },
    inPlace(id) {
      inPlace ??= list === undefined ? new Map() : listOf(read(list), listStart);
      return inPlace.get(id) ?? null;
    },
    hasProperties: list !== undefined,
    recipients: folders(RECIPIENT),
    attachments: folders(ATTACHMENT),
    objects: folders(OBJECT).filter(({ untrustedName }) => untrustedName.length === OBJECT.length),
    streams,
  };
}

/** Returns the values by id. The first value of an id counts. */
function listOf(bytes: Buffer, start: number): ReadonlyMap<number, Buffer> {
  const values = new Map<number, Buffer>();
  for (let at = start; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
    const id = bytes.readUInt16LE(at + 2);
    if (!values.has(id)) values.set(id, bytes.subarray(at + 8, at + ENTRY_BYTES));
  }
  return values;
}
