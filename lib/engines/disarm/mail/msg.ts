/** Disarm of Outlook messages (MS-OXMSG). Subject, people, times, texts and attachments become a disarmed email. */

import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import type { CompoundFile } from '../../../formats/compound/compound-file.ts';
import { type CompoundEntry, KIND } from '../../../formats/compound/directory.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType } from '../../../formats/file-types.ts';
import { LIST_START, type MessageStorage, readMessageStorage } from '../../../formats/mapi/message-storage.ts';
import { PROPERTY, TYPE, timeOf } from '../../../formats/mapi/properties.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Mail } from '../../mime/part.ts';
import { openWholeCompound, refuseSameName } from '../compound/read.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';
import { MAX_NESTED_CONTAINERS } from '../nested.ts';
import { removalLog } from '../removals.ts';
import { charsetOf, type MapiAttachment, type MapiProperties, mailOf } from './mapi-mail.ts';
import { rebuildMail } from './rebuild.ts';

/** Attachments and recipients of one message. */
const MAX_STORAGES = 10_000;

/** Rebuilds a message as an email. Throws EngineError `unreadable` or `oversize`. */
export async function disarm(
  input: FileInput,
  _type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const file = openWholeCompound(input.bytes);
  const storages = file.entries.filter(({ kind }) => kind === KIND.storage);
  if (storages.length > MAX_STORAGES || file.entries.length > limits.entries)
    throw new EngineError('oversize', 'the message has too many parts');
  const log = removalLog();
  const mail = readItem({ file, limits }, file.root, 0);
  log.note('Outlook properties', 'message', 'sanitized');
  const bytes = await rebuildMail(mail, { log, nested, password: input.password });
  return { outcome: 'disarmed', bytes, type: describeType('message/rfc822'), details: log.removals };
}

interface Reading {
  readonly file: CompoundFile;
  readonly limits: EngineLimits;
}

function readItem(reading: Reading, storage: CompoundEntry, depth: number): Mail {
  const { file, limits } = reading;
  if (depth > MAX_NESTED_CONTAINERS) throw new EngineError('oversize', 'messages are nested too deep');
  const listStart = depth === 0 ? LIST_START.message : LIST_START.inner;
  const item = readMessageStorage(file, storage, listStart, refuseSameName);
  if (!item.hasProperties) throw new EngineError('unreadable', 'the message has no properties');
  const properties = propertiesOf(item, null);
  const codePage = properties.number(PROPERTY.messageCodePage);
  const recipients = item.recipients.map((each) => propertiesOf(readPart(file, each), codePage));
  const attachments = item.attachments.map((each) => readAttachment(reading, each, depth, codePage));
  return mailOf({ properties, recipients, attachments }, limits.inflatedBytes);
}

/** Reads the storage of a recipient or of an attachment. */
function readPart(file: CompoundFile, storage: CompoundEntry): MessageStorage {
  return readMessageStorage(file, storage, LIST_START.part, refuseSameName);
}

function readAttachment(
  reading: Reading,
  storage: CompoundEntry,
  depth: number,
  codePage: number | null,
): MapiAttachment {
  const attachment = readPart(reading.file, storage);
  const [object] = attachment.objects;
  const isMessage = object !== undefined && readPart(reading.file, object).hasProperties;
  const message = isMessage ? readItem(reading, object, depth + 1) : null;
  const properties = propertiesOf(attachment, codePage);
  return { properties, bytes: properties.binary(PROPERTY.attachData), message };
}

function propertiesOf(storage: MessageStorage, codePage: number | null): MapiProperties {
  const number = (id: number) => storage.inPlace(id)?.readInt32LE(0) ?? null;
  const ansi = charsetOf(codePage ?? number(PROPERTY.messageCodePage)) || 'windows-1252';
  return {
    text(id) {
      const wide = storage.stream(id, TYPE.unicode);
      if (wide !== null) return trimmed(wide.toString('utf16le'));
      const narrow = storage.stream(id, TYPE.string8);
      return narrow === null ? null : trimmed(decodeCharset(narrow, ansi));
    },
    binary: (id) => storage.stream(id, TYPE.binary),
    number,
    time(id) {
      const value = storage.inPlace(id);
      return value === null ? null : timeOf(value);
    },
  };
}

function trimmed(text: string): string {
  return text.replace(/\0+$/, '');
}
