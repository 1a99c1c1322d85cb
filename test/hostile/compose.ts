/**
 * Hostile mail by the thousand: boundary × encoding × header × container tricks, the same bytes for the same number. Every
 * mail hides one payload that some mail program would show or some lenient reader would find.
 */
import { BOUNDARY_TRICKS, type Draft, ENCODING_TRICKS, HEADER_TRICKS, type Trick } from './tricks.ts';

export interface HostileMail {
  readonly number: number;
  /** One of each kind: the classes that a score is kept by. */
  readonly tricks: readonly string[];
  readonly email: Buffer;
  readonly payload: Buffer;
}

interface Wrapping {
  readonly name: string;
  wrap(entity: string, next: () => number): string;
}

const MESSAGE = 'From: a@example.com\r\nTo: b@example.org\r\nSubject: t\r\nMIME-Version: 1.0\r\n';
const deep = (depth: number) => (entity: string) => {
  let inner = entity;
  for (let level = 0; level < depth; level++)
    inner = `Content-Type: multipart/mixed; boundary=lv${level}\r\n\r\n--lv${level}\r\n${inner}\r\n--lv${level}--\r\n`;
  return inner;
};

/** Writes what stands around the multipart. The entity has its own header. */
const WRAPPINGS: readonly Wrapping[] = [
  { name: 'no container', wrap: (entity) => entity },
  { name: 'no container again', wrap: (entity) => entity },
  { name: 'a message in the message', wrap: (entity) => `Content-Type: message/rfc822\r\n\r\n${MESSAGE}${entity}` },
  {
    name: 'a digest',
    wrap: (entity) =>
      `Content-Type: multipart/digest; boundary=dig\r\n\r\n--dig\r\n\r\n${MESSAGE}${entity}\r\n--dig--\r\n`,
  },
  { name: 'five multiparts deep', wrap: deep(5) },
  { name: 'forty multiparts deep', wrap: deep(40) },
  {
    name: 'an unclosed multipart before it',
    wrap: (entity) =>
      `Content-Type: multipart/mixed; boundary=out\r\n\r\n--out\r\nContent-Type: multipart/alternative; boundary=alt\r\n\r\n--alt\r\nContent-Type: text/plain\r\n\r\nhello\r\n--out\r\n${entity}\r\n--out--\r\n`,
  },
  {
    name: 'behind the closing delimiter',
    wrap: (entity) =>
      `Content-Type: multipart/mixed; boundary=out\r\n\r\n--out\r\nContent-Type: text/plain\r\n\r\nhello\r\n--out--\r\n--out\r\n${entity}\r\n--out--\r\n`,
  },
  { name: 'a multipart in base64', wrap: encodedMultipart },
];

function encodedMultipart(entity: string): string {
  const at = entity.indexOf('\r\n\r\n');
  const body = Buffer.from(entity.slice(at + 4), 'latin1')
    .toString('base64')
    .replace(/.{76}/g, '$&\r\n');
  return `${entity.slice(0, at)}\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n`;
}

const TRANSPORTS: readonly { readonly name: string; carry(email: string): Buffer }[] = [
  ...Array.from({ length: 7 }, () => ({ name: 'CRLF', carry: (email: string) => Buffer.from(email, 'latin1') })),
  { name: 'bare LF', carry: (email) => Buffer.from(email.replaceAll('\r\n', '\n'), 'latin1') },
  { name: 'bare CR', carry: (email) => Buffer.from(email.replaceAll('\r\n', '\r'), 'latin1') },
  { name: 'UTF-16', carry: (email) => Buffer.from(`\ufeff${email}`, 'utf16le') },
];

/** The hostile mail with this number. */
export function hostileMail(number: number): HostileMail {
  const next = sequence(number);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const payload = payloadOf(next);
  const tricks: Trick[] = [pick(BOUNDARY_TRICKS), pick(ENCODING_TRICKS), pick(HEADER_TRICKS)];
  const draft = plainDraft(payload);
  for (const { apply } of tricks) apply(draft, payload, next);
  const wrapping = pick(WRAPPINGS);
  const transport = pick(TRANSPORTS);
  const names = [...tricks.map(({ name }) => name), wrapping.name, transport.name];
  return { number, tricks: names, payload, email: transport.carry(written(draft, wrapping, next)) };
}

function plainDraft(payload: Buffer): Draft {
  const boundary = 'fooBar';
  return {
    rootHeader: MESSAGE,
    boundary,
    boundaryParam: `; boundary="${boundary}"`,
    delimiter: `--${boundary}`,
    closing: `--${boundary}--`,
    separator: '\r\n',
    text: '',
    partHeader:
      'Content-Type: application/octet-stream; name="payload.exe"\r\nContent-Disposition: attachment; filename="payload.exe"\r\n',
    encodingLines: 'Content-Transfer-Encoding: base64\r\n',
    body: payload.toString('base64').replace(/.{76}/g, '$&\r\n'),
  };
}

function written(draft: Draft, wrapping: Wrapping, next: () => number): string {
  const part =
    draft.text === ''
      ? `${draft.partHeader}${draft.encodingLines}${draft.separator}${draft.body}`
      : `Content-Type: text/plain\r\n\r\n${draft.text}`;
  const entity = [
    `Content-Type: multipart/mixed${draft.boundaryParam}`,
    '',
    draft.delimiter,
    'Content-Type: text/plain',
    '',
    'Hello',
    draft.delimiter,
    part,
    ...(draft.closing === '' ? [] : [draft.closing, '']),
  ].join('\r\n');
  return `${draft.rootHeader}${wrapping.wrap(entity, next)}`;
}

/** 200 to 900 bytes: binary, or lines of text. */
function payloadOf(next: () => number): Buffer {
  const length = 200 + Math.floor(next() * 700);
  return Buffer.concat([
    Buffer.from('MZ\x90\0payload '),
    Buffer.from(Array.from({ length }, () => Math.floor(next() * 256))),
  ]);
}

/** Numbers from 0 to 1, the same for the same seed (a 32-bit xorshift). */
function sequence(seed: number): () => number {
  let state = Math.imul(seed + 1, 2_654_435_761) | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
