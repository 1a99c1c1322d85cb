/** What a process has read or searched counts again for the same bytes, and for nothing else. */
import { expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { readOpened } from '../../lib/pipeline/contents/opened-mail.ts';
import { linksNotKept } from '../../lib/pipeline/judging/kept-links.ts';
import { sha256Hex } from '../../lib/pipeline/keys.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { createRig, emailWith } from './rig.ts';

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

/** The leaves of a message with this header and body, and its warnings. */
async function leavesOf(header: string, body: string) {
  const mail = bytes(`From: a@sender.example\r\nMIME-Version: 1.0\r\n${header}\r\n\r\n${body}`);
  const { parts, warnings } = await readMessage(mail, DEFAULT_LIMITS);
  const leaves = parts.filter(({ sha256 }) => sha256 !== null);
  const found = leaves.map(({ path, role, sha256, charset }) => ({ path, role, sha256, charset }));
  return { found, warned: warnings.map(({ code, path }) => `${code} ${path}`) };
}

test('the same body under another header is decoded and judged by that header', async () => {
  const body = 'SGVsbG8gd29ybGQsIGhlbGxvIHdvcmxk\r\n';
  const plain = await leavesOf('Content-Type: text/plain; charset=utf-8', body);
  expect(await leavesOf('Content-Type: text/plain; charset=utf-8', body)).toEqual(plain);
  expect(plain).toEqual({
    found: [{ path: '1', role: 'body', sha256: sha256Hex(body), charset: 'utf-8' }],
    warned: [],
  });
  const encoded = await leavesOf('Content-Type: text/plain\r\nContent-Transfer-Encoding: base64', body);
  expect(encoded.found).toEqual([
    { path: '1', role: 'body', sha256: sha256Hex('Hello world, hello world'), charset: null },
  ]);
  const named = await leavesOf('Content-Type: text/plain; charset=utf-8; name=a.txt', body);
  expect(named.found).toEqual([{ path: '1', role: 'attachment', sha256: sha256Hex(body), charset: 'utf-8' }]);
  const wide = await leavesOf('Content-Type: text/plain; charset=utf-16', body);
  expect(wide.warned).toEqual(['odd_encoding 1']);
});

test('an odd body is odd each time, at its own place', async () => {
  const encoded = 'Content-Type: text/plain\r\nContent-Transfer-Encoding: base64';
  const body = 'SGVsbG8!gd29y=bGQ\r\n';
  const first = await leavesOf(encoded, body);
  expect(first.warned).toContain('odd_encoding 1');
  expect(await leavesOf(encoded, body)).toEqual(first);
  const inside = `--x\r\n${encoded}\r\n\r\n${body}\r\n--x--\r\n`;
  expect((await leavesOf('Content-Type: multipart/mixed; boundary=x', inside)).warned).toContain('odd_encoding 1.1');
});

test('a text that holds the header of a part is compared with the boundaries of its own message', async () => {
  const text = 'hello\r\n\r\n--inner\r\nContent-Type: application/zip\r\n\r\nabc\r\n';
  const within = (boundary: string) =>
    leavesOf(
      `Content-Type: multipart/mixed; boundary=${boundary}`,
      `--${boundary}\r\nContent-Type: text/x-log\r\n\r\n${text}\r\n--${boundary}--\r\n`,
    );
  expect((await within('other')).warned).toEqual([]);
  expect((await within('inner-one')).warned).toContain('hidden_file 1.1');
  expect((await within('other')).warned).toEqual([]);
});

test('a part without a type is a message in a digest, and a text elsewhere', async () => {
  const body = '--x\r\n\r\nSubject: inside\r\n\r\nhello\r\n--x--\r\n';
  const within = async (type: string) => (await leavesOf(`Content-Type: multipart/${type}; boundary=x`, body)).found;
  expect(await within('mixed')).toMatchObject([{ path: '1.1', role: 'body' }]);
  expect(await within('digest')).toMatchObject([{ path: '1.1.1', role: 'body' }]);
});

/** How the ledger of a mail lists its one attachment. */
async function attached(name: string, content: string) {
  const files = [{ name, bytes: content }];
  const { ledger } = await createRig().scan(emailWith({ files }));
  return ledger.parts.find(({ role }) => role === 'attachment')?.typeGroup;
}

test('the same file under another name is another kind of file', async () => {
  const text = 'a;b\r\n1;2\r\n';
  expect(await attached('a.txt', text)).toBe('text');
  expect(await attached('a.bat', text)).toBe('script');
  expect(await attached('a.txt', text)).toBe('text');
});
