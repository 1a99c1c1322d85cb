/** Disarm of TNEF containers (`winmail.dat`, MS-OXTNEF): subject, texts and attachments are carried over into a disarmed email. */

import { describeType } from '../../../../formats/file-types.ts';
import { decodeCharset } from '../../../../unpacking/decode-charset.ts';
import { type DetectedType, EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';
import { MAX_NESTED_CONTAINERS } from '../nested.ts';
import { removalLog } from '../removals.ts';
import { rebuildMail } from './mail-rebuild.ts';
import { charsetOf, type MapiAttachment, type MapiProperties, mailOf, PROPERTY } from './mapi-mail.ts';
import type { Mail } from './mime-part.ts';
import { EMPTY_PROPERTIES, readMapiProperties, type TnefProperties } from './tnef-properties.ts';

/** True for TNEF containers. */
export function accepts(type: DetectedType): boolean {
  return type.type === 'application/vnd.ms-tnef';
}

/** Rebuilds a container as an email. Throws EngineError `unreadable` or `oversize`. */
export async function disarm(
  input: FileInput,
  _type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const log = removalLog();
  const mail = readTnef(input.bytes, 0, limits);
  log.note('Outlook properties', 'message', 'sanitized');
  const bytes = await rebuildMail(mail, { log, nested, password: input.password });
  return { outcome: 'disarmed', bytes, type: describeType('message/rfc822'), details: log.removals };
}

const SIGNATURE = 0x223e9f78;
const ATTRIBUTE = {
  subject: 0x8004,
  body: 0x800c,
  attachData: 0x800f,
  attachTitle: 0x8010,
  renderData: 0x9002,
  messageProperties: 0x9003,
  attachment: 0x9005,
  codePage: 0x9007,
} as const;
/** Attributes of one container: two per attachment and some thirty. */
const MAX_ATTRIBUTES = 20_000;

interface OpenAttachment {
  title: string | null;
  data: Uint8Array | null;
  properties: TnefProperties;
}

interface Container {
  subject: string | null;
  body: string | null;
  charset: string;
  properties: TnefProperties;
  readonly attachments: OpenAttachment[];
}

function readTnef(bytes: Uint8Array, depth: number, limits: EngineLimits): Mail {
  if (depth > MAX_NESTED_CONTAINERS) throw new EngineError('oversize', 'messages are nested too deep');
  const container: Container = {
    subject: null,
    body: null,
    charset: 'windows-1252',
    properties: EMPTY_PROPERTIES,
    attachments: [],
  };
  for (const { id, data } of attributesOf(bytes)) take(container, id, data);
  const attachments = container.attachments.map((attachment) => attachmentOf(attachment, depth, limits));
  const properties = withFallbacks(container.properties, {
    [PROPERTY.subject]: container.subject,
    [PROPERTY.body]: container.body,
  });
  return mailOf({ properties, recipients: [], attachments }, limits.inflatedBytes);
}

interface Attribute {
  readonly id: number;
  readonly data: Buffer;
}

function* attributesOf(bytes: Uint8Array): Generator<Attribute> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 6 || buffer.readUInt32LE(0) !== SIGNATURE) {
    throw new EngineError('unreadable', 'the container does not start as one');
  }
  let at = 6;
  for (let count = 0; at + 9 <= buffer.length; count++) {
    if (count > MAX_ATTRIBUTES) throw new EngineError('oversize', 'the container has too many attributes');
    const length = buffer.readUInt32LE(at + 5);
    const end = at + 9 + length;
    if (end + 2 > buffer.length) throw new EngineError('unreadable', 'the container is cut off');
    yield { id: buffer.readUInt16LE(at + 1), data: buffer.subarray(at + 9, end) };
    at = end + 2;
  }
}

function take(container: Container, id: number, data: Buffer): void {
  const current = container.attachments.at(-1);
  const text = () => decodeCharset(data, container.charset).replace(/\0[\s\S]*$/, '');
  switch (id) {
    case ATTRIBUTE.codePage:
      container.charset = (data.length >= 4 && charsetOf(data.readUInt32LE(0))) || container.charset;
      break;
    case ATTRIBUTE.subject:
      container.subject = text();
      break;
    case ATTRIBUTE.body:
      container.body = text();
      break;
    case ATTRIBUTE.messageProperties:
      container.properties = readMapiProperties(data, container.charset);
      break;
    case ATTRIBUTE.renderData:
      container.attachments.push({ title: null, data: null, properties: EMPTY_PROPERTIES });
      break;
    case ATTRIBUTE.attachTitle:
      if (current !== undefined) current.title = text();
      break;
    case ATTRIBUTE.attachData:
      if (current !== undefined) current.data = data;
      break;
    case ATTRIBUTE.attachment:
      if (current !== undefined) current.properties = readMapiProperties(data, container.charset);
      break;
    default:
      break;
  }
}

function attachmentOf(
  { title, data, properties }: OpenAttachment,
  depth: number,
  limits: EngineLimits,
): MapiAttachment {
  const object = properties.object(PROPERTY.attachData);
  const isMessage = object !== null && object.length > 4 && object.readUInt32LE(0) === SIGNATURE;
  const message = isMessage ? readTnef(object, depth + 1, limits) : null;
  const named = withFallbacks(properties, { [PROPERTY.attachLongFilename]: title });
  return { properties: named, bytes: data ?? properties.binary(PROPERTY.attachData), message };
}

/** Older attributes say the same as properties; they count where the property is missing. */
function withFallbacks(properties: TnefProperties, texts: Readonly<Record<number, string | null>>): MapiProperties {
  return { ...properties, text: (id) => properties.text(id) ?? texts[id] ?? null };
}
