/** Disarm of calendar entries and contact cards. Only the properties that are known to be plain data are written again. */
import { isUtf8 } from 'node:buffer';
import { decodeCharset } from '../../../formats/charsets/decode-charset.ts';
import { textEncoding } from '../../../formats/charsets/text-encoding.ts';
import { utf32Order } from '../../../formats/charsets/utf32.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';
import { type RemovalLog, removalLog } from '../removals.ts';
import { isSafeLink } from '../safe-links.ts';
import {
  ALARM_ACTIONS,
  CALENDAR_PROPERTIES,
  CARD_PROPERTIES,
  COMPONENTS,
  kindOf,
  LINK_PROPERTIES,
  MEETING_PROPERTIES,
  PARAMETERS,
  PICTURE_PROPERTIES,
  PROSE_PARAMETERS,
  PROSE_PROPERTIES,
} from './calendar-rules.ts';
import { type ContentLine, hasControls, type Parameter, parameterOf, parseLines, writeLines } from './content-lines.ts';

/**
 * Rebuilds a calendar or card. `already_safe` when nothing had to be removed. Throws EngineError `unreadable` when its components do not
 * nest, `oversize` when it is over a limit.
 */
export async function disarm(
  input: FileInput,
  type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  if (input.bytes.length > limits.inputBytes) throw new EngineError('oversize', 'the file is larger than the limit');
  const log = removalLog();
  const parsed = parseLines(textOf(input.bytes));
  if (!parsed.isPlain) log.note('line that programs read differently', 'file', 'sanitized');
  const lines = withoutDangerousAlarms(balanced(parsed.lines, log), log);
  const isCard = type.type === 'text/vcard';
  const allowed = isCard ? CARD_PROPERTIES : CALENDAR_PROPERTIES;
  const kept: ContentLine[] = [];
  for (const line of lines) {
    const safe = isBoundary(line) ? line : await keptProperty(line, allowed, { log, nested });
    if (safe !== null) kept.push(safe);
  }
  if (kept.every(isBoundary)) throw new EngineError('unreadable', 'nothing in the file is calendar or contact data');
  if (utf32Order(input.bytes) !== null) log.note('text encoding', 'file', 'sanitized');
  if (log.removals.length === 0) return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  return { outcome: 'disarmed', bytes: Buffer.from(writeLines(kept), 'utf8'), type, details: log.removals };
}

function textOf(bytes: Uint8Array): string {
  const encoding = textEncoding(bytes);
  if (encoding === null) throw new EngineError('unreadable', 'the file holds bytes that text does not have');
  if (/^utf-(?:16|32)/.test(encoding)) return decodeCharset(bytes, encoding);
  return decodeCharset(bytes, isUtf8(bytes) ? 'utf-8' : 'windows-1252');
}

function isBoundary({ name }: ContentLine): boolean {
  return name === 'BEGIN' || name === 'END';
}

/** Returns lines within well-nested known components. Unknown components are removed with their content. */
function balanced(lines: readonly (ContentLine | null)[], log: RemovalLog): ContentLine[] {
  const kept: ContentLine[] = [];
  const open: { readonly name: string; readonly isKept: boolean }[] = [];
  for (const line of lines) {
    const outer = open.at(-1);
    if (line === null || (outer === undefined && line.name !== 'BEGIN')) {
      log.note('damaged line', 'file');
      continue;
    }
    const name = line.value.trim().toUpperCase();
    if (line.name === 'BEGIN') {
      if (!COMPONENTS.has(name)) log.note('unknown component', name);
      open.push({ name, isKept: COMPONENTS.has(name) && outer?.isKept !== false });
    }
    if (open.at(-1)?.isKept) kept.push(isBoundary(line) ? boundaryOf(line, name, log) : line);
    if (line.name === 'END' && open.pop()?.name !== name) {
      throw new EngineError('unreadable', 'the components of the file do not nest');
    }
  }
  if (open.length > 0) throw new EngineError('unreadable', 'a component of the file does not end');
  return kept;
}

function boundaryOf(line: ContentLine, value: string, log: RemovalLog): ContentLine {
  if (line.parameters.length > 0) log.note('unknown parameter', line.name);
  return { ...line, parameters: [], value };
}

/** Removes alarms that run a program, send an email, or do not name their action. */
function withoutDangerousAlarms(lines: readonly ContentLine[], log: RemovalLog): ContentLine[] {
  const kept: ContentLine[] = [];
  let alarm: ContentLine[] | null = null;
  for (const line of lines) {
    const isAlarm = isBoundary(line) && line.value === 'VALARM';
    if (isAlarm && line.name === 'BEGIN') alarm ??= [];
    if (alarm === null) kept.push(line);
    else alarm.push(line);
    if (alarm === null || !isAlarm || line.name !== 'END') continue;
    const actions = alarm.filter(({ name }) => name === 'ACTION').map(({ value }) => value.trim().toUpperCase());
    const [action = ''] = actions;
    if (actions.length === 1 && ALARM_ACTIONS.has(action)) for (const each of alarm) kept.push(each);
    else log.note('alarm that acts', action);
    alarm = null;
  }
  return kept;
}

interface Work {
  readonly log: RemovalLog;
  readonly nested: Nested;
}

async function keptProperty(line: ContentLine, allowed: ReadonlySet<string>, work: Work): Promise<ContentLine | null> {
  const { log } = work;
  const { name } = line;
  if (!allowed.has(name)) {
    log.note(kindOf(name), name);
    return null;
  }
  if (hasControls(line)) log.note('control characters', name, 'sanitized');
  const known = line.parameters.filter((parameter) => PARAMETERS.has(parameter.name));
  if (known.length < line.parameters.length) log.note('unknown parameter', name);
  const parameters = known.filter((parameter) => !leadsElsewhere(parameter));
  if (parameters.length < known.length) log.note('unsafe link', name);
  const plain: ContentLine = { ...line, parameters };
  if (PICTURE_PROPERTIES.has(name)) return keptPicture(plain, work);
  if (isUnsafeLink(name, readValue(plain))) {
    log.note('unsafe link', name);
    return null;
  }
  if (!PROSE_PROPERTIES.has(name) && !LINK_PROPERTIES.has(name) && !isPerson(readValue(plain))) {
    log.note('unsafe link', name);
    return null;
  }
  // The data does not fit its property, for example a file in place of a telephone number.
  if (parameterOf(plain, 'VALUE') === 'BINARY' || /^(?:BASE64|B)$/.test(parameterOf(plain, 'ENCODING'))) {
    log.note('embedded or remote data', name);
    return null;
  }
  return plain;
}

function isUnsafeLink(name: string, value: string): boolean {
  if (MEETING_PROPERTIES.has(name)) return !/^https:\/\//i.test(value) || !isSafeLink(value);
  return LINK_PROPERTIES.has(name) && !isSafeLink(value);
}

/** Addresses of people and places: mail, telephone, messengers, an id, or a plain word. No scheme that opens anything else. */
const ADDRESSES = new Set('mailto tel sms sip sips xmpp urn uuid invalid skype http https geo'.split(' '));
const SCHEME = /^[\s<"']*([a-z][a-z0-9+.-]{1,40}):(?=\S)/i;

function isPerson(value: string): boolean {
  const scheme = SCHEME.exec(value)?.[1]?.toLowerCase();
  if (scheme === undefined) return !/[\\/]{2}/.test(value);
  return ADDRESSES.has(scheme) && (scheme !== 'mailto' || isSafeLink(value.replace(/^[\s<"']+/, '')));
}

/**
 * Returns true for a parameter with an address of another kind than people have. Readable words do not count while they contain no place.
 */
function leadsElsewhere({ name, value }: Parameter): boolean {
  const parts = value.match(/"[^"]*"|[^",]+/g) ?? [];
  const read = parts.map((part) => part.replaceAll('"', '').trim());
  return read.some((part) => (PROSE_PARAMETERS.has(name) ? /:\/\/|[\\/]{2}/.test(part) : !isPerson(part)));
}

/** Returns the value as programs that decode quoted-printable read it. */
function readValue(line: ContentLine): string {
  const isQuoted = line.parameters.some(({ name, value }) => /QUOTED-PRINTABLE/i.test(`${name}=${value}`));
  if (!isQuoted) return line.value;
  return line.value.replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const DATA_URI = /^data:image\/[a-z+.-]{1,20};base64,/i;

/** Disarms a picture within the card. A picture that would be fetched is removed. */
async function keptPicture(line: ContentLine, { log, nested }: Work): Promise<ContentLine | null> {
  const isInline =
    /^(?:BASE64|B)$/.test(parameterOf(line, 'ENCODING')) || line.parameters.some(({ name }) => name === 'BASE64');
  if (!isInline && !DATA_URI.test(line.value)) {
    log.note('remote picture', line.name);
    return null;
  }
  const bytes = Buffer.from(line.value.replace(DATA_URI, ''), 'base64');
  nested.spend(0, bytes.length);
  const picture = await nested.disarm({ bytes, untrustedName: 'picture', password: null });
  if (picture.outcome === 'refused' || !/^image\/(?:png|jpeg|gif)$/.test(picture.type.type)) {
    log.note('picture that cannot be made safe', line.name);
    return null;
  }
  for (const { kind, action } of picture.details) log.note(kind, line.name, action);
  const base64 = Buffer.from(picture.bytes).toString('base64');
  const value = isInline ? base64 : `data:${picture.type.type};base64,${base64}`;
  if (value !== line.value && picture.details.length === 0) log.note('picture data', line.name, 'sanitized');
  return { ...line, value };
}
