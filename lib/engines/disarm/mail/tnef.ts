/** Disarm of TNEF containers (`winmail.dat`, MS-OXTNEF). Subject, texts and attachments become a disarmed email. */

import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType } from '../../../formats/file-types.ts';
import { PROPERTY } from '../../../formats/mapi/properties.ts';
import { ATTRIBUTE, isTnef, readTnefAttributes, type TnefFault } from '../../../formats/mapi/tnef.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Mail } from '../../mime/part.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';
import { MAX_NESTED_CONTAINERS } from '../nested.ts';
import { removalLog } from '../removals.ts';
import { charsetOf, type MapiAttachment, type MapiProperties, mailOf } from './mapi-mail.ts';
import { rebuildMail } from './rebuild.ts';
import { EMPTY_PROPERTIES, readMapiProperties, type TnefProperties } from './tnef-properties.ts';

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

const FAILURES: Readonly<Record<TnefFault, readonly ['unreadable' | 'oversize', string]>> = {
  'no-signature': ['unreadable', 'the container does not start as one'],
  'cut-off': ['unreadable', 'the container is cut off'],
  'no-checksum': ['unreadable', 'the container is cut off'],
  'too-many': ['oversize', 'the container has too many attributes'],
};

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
  for (const { id, data } of readTnefAttributes(bytes, refuse)) take(container, id, data);
  const attachments = container.attachments.map((attachment) => attachmentOf(attachment, depth, limits));
  const properties = withFallbacks(container.properties, {
    [PROPERTY.subject]: container.subject,
    [PROPERTY.body]: container.body,
  });
  return mailOf({ properties, recipients: [], attachments }, limits.inflatedBytes);
}

function refuse(fault: TnefFault): void {
  throw new EngineError(...FAILURES[fault]);
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
    case ATTRIBUTE.attachRenderData:
      container.attachments.push({ title: null, data: null, properties: EMPTY_PROPERTIES });
      break;
    case ATTRIBUTE.attachTitle:
      if (current !== undefined) current.title = text();
      break;
    case ATTRIBUTE.attachData:
      if (current !== undefined) current.data = data;
      break;
    case ATTRIBUTE.attachProperties:
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
  const message = object !== null && isTnef(object) ? readTnef(object, depth + 1, limits) : null;
  const named = withFallbacks(properties, { [PROPERTY.attachLongFilename]: title });
  return { properties: named, bytes: data ?? properties.binary(PROPERTY.attachData), message };
}

/** Reads older attributes, which have the same facts as properties. They are used when the property is missing. */
function withFallbacks(properties: TnefProperties, texts: Readonly<Record<number, string | null>>): MapiProperties {
  return { ...properties, text: (id) => properties.text(id) ?? texts[id] ?? null };
}
