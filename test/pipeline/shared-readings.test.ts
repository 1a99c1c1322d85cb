/** What a process has read or searched counts again for the same bytes, and for nothing else. */
import { expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { readOpened } from '../../lib/pipeline/contents/opened-mail.ts';
import { linksNotKept } from '../../lib/pipeline/judging/kept-links.ts';
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { emailWith } from './rig.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const again = (mail: Uint8Array, limits = DEFAULT_LIMITS) => readOpened(mail, limits, sha256Hex(mail));

test('the same message is read once by who has hashed it, and anew by everybody else', async () => {
  const mail = bytes(emailWith({ subject: 'once', text: 'hello' }));
  const first = await again(mail);
  expect((await again(Buffer.from(mail))).reading).toBe(first.reading);
  const anew = await readOpened(mail, DEFAULT_LIMITS);
  expect(anew.reading).not.toBe(first.reading);
  expect(anew.reading).toEqual(first.reading);
});

test('another message, other limits and an odd message are read for themselves', async () => {
  const mail = bytes(emailWith({ subject: 'one', text: 'hello' }));
  const { reading } = await again(mail);
  const other = await again(bytes(emailWith({ subject: 'two', text: 'hello' })));
  expect(other.reading.facts.untrustedSubject).toBe('two');
  const limits = { ...DEFAULT_LIMITS, parts: 1 };
  expect((await again(mail, limits)).reading).not.toBe(reading);
  const odd = bytes('From: a@sender.example\r\nFrom: b@sender.example\r\n\r\nhello\r\n');
  const first = (await again(odd)).reading;
  expect(first.warnings).not.toEqual([]);
  expect((await again(odd)).reading).not.toBe(first);
});

/** The links of a message with one page, whose header says more. */
async function linksOf(header: string, page: string): Promise<string[]> {
  const mail = bytes(`From: a@sender.example\r\nMIME-Version: 1.0\r\n${header}\r\n\r\n${page}\r\n`);
  const reading = await readMessage(mail, DEFAULT_LIMITS);
  return linksNotKept(DEFAULT_LIMITS, reading, mail, { keptIds: new Set(), isData: [false] });
}

const TYPE = 'Content-Type: text/html; charset=utf-8';

test('the same bytes under another header are searched for links by that header', async () => {
  const page = '<a href="/pay">pay</a> https://one.example/';
  const plain = await linksOf(TYPE, page);
  expect(await linksOf(TYPE, page)).toEqual(plain);
  expect(plain).toEqual(['https://one.example/']);
  const based = `Content-Base: https://base.example/\r\n${TYPE}`;
  expect(await linksOf(based, page)).toEqual(['https://base.example/pay', 'https://one.example/']);
  expect(await linksOf('Content-Type: text/plain', page)).toEqual(['https://one.example/']);
});

test('other bytes under the same header are searched for their own links', async () => {
  expect(await linksOf(TYPE, 'https://one.example/')).toEqual(['https://one.example/']);
  expect(await linksOf(TYPE, 'https://two.example/')).toEqual(['https://two.example/']);
});
