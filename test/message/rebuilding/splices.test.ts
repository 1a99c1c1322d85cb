/** Where one message's bytes end and ours begin: line breaks, text outside of the parts, and what is said of it. */
import { describe, expect, test } from 'vitest';
import { readMessage } from '../../../lib/message/reading/read.ts';
import { RecoveredPartsError, rebuildMessage } from '../../../lib/message/rebuilding/rebuild.ts';
import { DEFAULT_LIMITS } from '../../../lib/pipeline/limits.ts';
import { LINK_WORDS } from '../link-words.ts';
import { rebuilt, withBytes } from './rig.ts';

const OURS =
  'Content-Type: text/plain;\n charset=utf-8\nContent-Transfer-Encoding: base64\nContent-Disposition: inline\n\n';
const plan = {
  replacements: new Map(),
  names: new Map(),
  links: { isBlocked: () => false, limits: DEFAULT_LIMITS, words: LINK_WORDS },
  headers: [],
};
/** `|` is a line break. */
const textOf = (text: string) => text.replaceAll('|', '\n');
const out = async (email: string, replaced: Readonly<Record<string, string>> = {}) => {
  const replacements = Object.entries(replaced).map(([path, text]) => [path, withBytes(text)] as const);
  return (await rebuilt(Buffer.from(textOf(email)), { replaced: Object.fromEntries(replacements) })).text;
};

describe('a whole body that is replaced', () => {
  test.each([
    ['ends with a line break', 'From: a@b.example||old'],
    ['does so when it was empty', 'From: a@b.example||'],
    ['does so when the message ends in its header', 'From: a@b.example|'],
    ['does so when not even the header has a line break', 'From: a@b.example'],
  ])('%s', async (_, email) => {
    const eol = email.includes('|') ? '\n' : '\r\n';
    const expected = `From: a@b.example\nMIME-Version: 1.0\n${OURS}bmV3\n`.replaceAll('\n', eol);
    expect(await out(email, { '1': 'new' })).toBe(expected);
  });

  test('keeps the MIME-Version where it stood', async () => {
    expect(await out('MIME-Version: 1.0|From: a@b.example||old', { '1': 'new' })).toBe(
      `MIME-Version: 1.0\nFrom: a@b.example\n${OURS}bmV3\n`,
    );
  });

  test('gives an empty message only new headers', async () => {
    expect(await out('|old', { '1': 'new' })).toBe(`MIME-Version: 1.0\n${OURS}bmV3\n`);
  });

  test('lists changes of its own fields, and not of those of its old body', async () => {
    const email = Buffer.from('X-Unsent: 1\nContent-Type: text/html; x=y\nContent-Language: ?\nComments : a\n\nold');
    const { changes } = await rebuilt(email, { replaced: { '1': withBytes('new') } });
    expect(changes).toEqual([{ path: '1', leftOut: 1, rewritten: 1 }]);
  });
});

describe('a part that is replaced', () => {
  const mixed = (parts: string) => `Content-Type: multipart/mixed; boundary=b||${parts}`;

  test.each([
    ['between others', '--b||one|--b||two|--b--|', '1.1', `--b\n${OURS}bmV3\n--b\n\ntwo\n--b--\n`],
    ['without a body', '--b||one|--b|Content-Type: text/plain||--b--|', '1.2', `--b\n\none\n--b\n${OURS}bmV3\n--b--\n`],
  ])('%s has its lines to itself', async (_, parts, path, expected) => {
    expect(await out(mixed(parts), { [path]: 'new' })).toBe(`${textOf(mixed(''))}${expected}`);
  });

  test('is not listed among the headers that changed', async () => {
    const email = Buffer.from(textOf(mixed('--b|X-Unsent: 1||one|--b|X-Unsent: 1||two|--b--|')));
    const { changes } = await rebuilt(email, { replaced: { '1.1': withBytes('new') } });
    expect(changes).toEqual([{ path: '1.2', leftOut: 1, rewritten: 0 }]);
  });
});

describe('text outside of the parts', () => {
  test.each([
    ['in front', 'a: b|--b||one|--b--|', '--b||one|--b--|'],
    ['in front, behind a blank line', '|a: b|--b||one|--b--|', '--b||one|--b--|'],
    ['behind', '--b||one|--b--|a: b', '--b||one|--b--|'],
    ['behind, after a blank line', '--b||one|--b--||a: b|', '--b||one|--b--|'],
    ['on both sides', 'a: b|--b||one|--b||two|--b--|a: b|', '--b||one|--b||two|--b--|'],
  ])('goes when it is not only words: %s', async (_, body, expected) => {
    const head = 'Content-Type: multipart/mixed; boundary=b||';
    expect(await out(head + body)).toBe(textOf(head + expected));
    const crlf = (text: string) => Buffer.from(text.replaceAll('|', '\r\n'));
    expect((await rebuilt(crlf(head + body))).text).toBe(crlf(head + expected).toString());
  });

  test.each(['||--b||one|--b--|', '--b||one|--b--||| ', ' |--b||one|--b--'])('of blanks stays: %j', async (body) => {
    const email = `Content-Type: multipart/mixed; boundary=b||${body}`;
    expect(await out(email)).toBe(textOf(email));
  });
});

describe('refuses', () => {
  test('a reading without parts', async () => {
    const reading = await readMessage(Buffer.from('a: b\n\nc'), DEFAULT_LIMITS);
    expect(() => rebuildMessage(Buffer.from('a: b\n\nc'), { ...reading, parts: [] }, plan)).toThrow(TypeError);
  });

  test('a reading with a part outside of the tree', async () => {
    const email = Buffer.from('From: a@b.example\r\nKeywords: a\rb\r\nSubject: x\r\n\r\ntext');
    const reading = await readMessage(email, DEFAULT_LIMITS);
    const rebuild = () => rebuildMessage(email, reading, plan);
    expect(rebuild).toThrow(RecoveredPartsError);
    expect(rebuild).toThrow(expect.objectContaining({ code: 'recovered_parts', name: 'RecoveredPartsError' }));
  });
});
