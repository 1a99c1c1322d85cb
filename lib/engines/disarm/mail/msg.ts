/** Disarm of Outlook messages (MS-OXMSG): subject, people, times, texts and attachments are carried over into a disarmed email. */

import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType } from '../../../formats/file-types.ts';
import { PROPERTY, propertyStreamName, TYPE, timeOf } from '../../../formats/mapi/properties.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Mail } from '../../mime/mime-part.ts';
import { readCompound } from '../../static/compound-streams.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';
import { MAX_NESTED_CONTAINERS } from '../nested.ts';
import { removalLog } from '../removals.ts';
import { rebuildMail } from './mail-rebuild.ts';
import { charsetOf, type MapiAttachment, type MapiProperties, mailOf } from './mapi-mail.ts';

/** Attachments and recipients of one message. */
const MAX_STORAGES = 10_000;

/** Rebuilds a message as an email. Throws EngineError `unreadable` or `oversize`. */
export async function disarm(
  input: FileInput,
  _type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const streams = new Map<string, Uint8Array>();
  for (const { path, bytes } of readCompound(input.bytes, limits).streams) streams.set(path, bytes);
  const log = removalLog();
  const mail = readItem(folderOf(streams), 0, limits);
  log.note('Outlook properties', 'message', 'sanitized');
  const bytes = await rebuildMail(mail, { log, nested, password: input.password });
  return { outcome: 'disarmed', bytes, type: describeType('message/rfc822'), details: log.removals };
}

/** Streams of one storage by name, and the storages in it. */
interface Folder {
  readonly streams: Map<string, Uint8Array>;
  readonly folders: Map<string, Folder>;
}

function folderOf(paths: ReadonlyMap<string, Uint8Array>): Folder {
  const root: Folder = { streams: new Map(), folders: new Map() };
  let folders = 0;
  for (const [path, bytes] of paths) {
    const names = path.split('/');
    let folder = root;
    for (const name of names.slice(0, -1)) {
      let inner = folder.folders.get(name);
      if (inner === undefined) {
        folders += 1;
        if (folders > MAX_STORAGES) throw new EngineError('oversize', 'the message has too many parts');
        inner = { streams: new Map(), folders: new Map() };
        folder.folders.set(name, inner);
      }
      folder = inner;
    }
    folder.streams.set((names.at(-1) ?? '').toLowerCase(), bytes);
  }
  return root;
}

const PROPERTIES_STREAM = '__properties_version1.0';
/** Bytes before the first property: of the message itself, of a message within, of a recipient or attachment. */
const HEADER_BYTES = [32, 24, 8] as const;

function readItem(folder: Folder, depth: number, limits: EngineLimits): Mail {
  if (depth > MAX_NESTED_CONTAINERS) throw new EngineError('oversize', 'messages are nested too deep');
  if (!folder.streams.has(PROPERTIES_STREAM)) throw new EngineError('unreadable', 'the message has no properties');
  const properties = propertiesOf(folder, depth === 0 ? HEADER_BYTES[0] : HEADER_BYTES[1], null);
  const codePage = properties.number(PROPERTY.messageCodePage);
  const inner = (prefix: string) => [...folder.folders].filter(([name]) => name.toLowerCase().startsWith(prefix));
  const recipients = inner('__recip_version1.0_#').map(([, each]) => propertiesOf(each, HEADER_BYTES[2], codePage));
  const attachments = inner('__attach_version1.0_#').map(([, each]) => readAttachment(each, depth, codePage, limits));
  return mailOf({ properties, recipients, attachments }, limits.inflatedBytes);
}

function readAttachment(folder: Folder, depth: number, codePage: number | null, limits: EngineLimits): MapiAttachment {
  const properties = propertiesOf(folder, HEADER_BYTES[2], codePage);
  const object = [...folder.folders].find(([name]) => name.toLowerCase() === '__substg1.0_3701000d')?.[1];
  const isMessage = object?.streams.has(PROPERTIES_STREAM) === true;
  const message = object !== undefined && isMessage ? readItem(object, depth + 1, limits) : null;
  return { properties, bytes: properties.binary(PROPERTY.attachData), message };
}

function propertiesOf(folder: Folder, headerBytes: number, codePage: number | null): MapiProperties {
  const fixed = fixedProperties(folder.streams.get(PROPERTIES_STREAM) ?? new Uint8Array(), headerBytes);
  const number = (id: number) => fixed.get(id)?.readInt32LE(0) ?? null;
  const stream = (id: number, type: number) => folder.streams.get(propertyStreamName(id, type).toLowerCase()) ?? null;
  const ansi = charsetOf(codePage ?? number(PROPERTY.messageCodePage)) || 'windows-1252';
  return {
    text(id) {
      const wide = stream(id, TYPE.unicode);
      if (wide !== null) return trimmed(Buffer.from(wide).toString('utf16le'));
      const narrow = stream(id, TYPE.string8);
      return narrow === null ? null : trimmed(decodeCharset(narrow, ansi));
    },
    binary: (id) => stream(id, TYPE.binary),
    number,
    time(id) {
      const value = fixed.get(id);
      return value === undefined ? null : timeOf(value);
    },
  };
}

function trimmed(text: string): string {
  return text.replace(/\0+$/, '');
}

/** Eight value bytes of every property that is stored in place. */
function fixedProperties(bytes: Uint8Array, headerBytes: number): Map<number, Buffer> {
  const found = new Map<number, Buffer>();
  const buffer = Buffer.from(bytes);
  for (let at = headerBytes; at + 16 <= buffer.length; at += 16) {
    const id = buffer.readUInt16LE(at + 2);
    if (!found.has(id)) found.set(id, buffer.subarray(at + 8, at + 16));
  }
  return found;
}
