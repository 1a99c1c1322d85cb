/** Formats of everyday office mail through the command line and the real engines: they come back, safe and useful. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodePart } from '../../lib/message/encodings/decode-part.ts';
import { readMessage } from '../../lib/message/reading/read.ts';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { airlock } from '../local/console.ts';
import { emailWith } from '../pipeline/rig.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-formats-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function scan(email: string) {
  const path = join(folder, 'mail.eml');
  await writeFile(path, email);
  const { stdout } = await airlock(['scan', '--json', '--out', join(folder, 'out'), path]);
  const { ledger, written } = JSON.parse(stdout) as { ledger: Ledger; written: { message: string } | null };
  const clean = written === null ? null : await readFile(written.message);
  return { ledger, clean };
}

/** What came out of one attached file: its bytes as text, the name it has now, and what was decided. */
async function scanFile(name: string, type: string, content: string) {
  const { ledger, clean } = await scan(emailWith({ text: 'see the file', files: [{ name, type, bytes: content }] }));
  if (clean === null) throw new Error(JSON.stringify(ledger.reasons));
  const { parts } = await readMessage(clean, DEFAULT_LIMITS);
  const part = parts.find(({ role }) => role === 'attachment');
  if (part === undefined) throw new Error('the file is not in the clean message');
  const { disposition } = ledger.parts.find(({ role }) => role === 'attachment') ?? {};
  return { disposition, name: part.untrustedNames[0], text: Buffer.from(decodePart(clean, part)).toString() };
}

const calendar = (...lines: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//x//y//EN',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    'UID:1@sender.example',
    'DTSTAMP:20261120T100000Z',
    'DTSTART:20261121T100000Z',
    'SUMMARY:Meeting',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');

test('a table comes back with its formulas as text', async () => {
  const { disposition, name, text } = await scanFile(
    't.csv',
    'text/csv',
    'a,b\r\n1,"=HYPERLINK(""http://x.example"")"\r\n',
  );
  expect([disposition, name]).toEqual(['disarm', 't.csv']);
  expect(text).toMatch(/^a,b\r\n1,"'=HYPERLINK/);
});

test('a table of plain numbers comes back byte for byte', async () => {
  const { disposition, text } = await scanFile('t.csv', 'text/csv', 'a,b\r\n1,-2\r\n');
  expect([disposition, text]).toEqual(['keep', 'a,b\r\n1,-2\r\n']);
});

test('a drawing comes back without its script', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script><rect width="1" height="1"/></svg>';
  const { disposition, name, text } = await scanFile('a.svg', 'image/svg+xml', svg);
  expect([disposition, name]).toEqual(['disarm', 'a.svg']);
  expect(text).toMatch(/<rect/);
  expect(text).not.toMatch(/script/);
});

test('an invitation stays one: body, method and charset are in its header', async () => {
  const invitation = calendar('X-ALT-DESC;FMTTYPE=text/html:<b onclick=x()>Meeting</b>', 'DESCRIPTION:Gr\u00fc\u00dfe');
  const text = 'Content-Type: text/plain; charset=utf-8\r\n\r\nplease come\r\n';
  const body = `Content-Type: text/calendar; method=REQUEST; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(
    invitation,
  )
    .toString('base64')
    .replace(/.{76}/g, '$&\r\n')}\r\n`;
  const head =
    'From: a@sender.example\r\nTo: b@rcpt.example\r\nSubject: Meeting\r\nDate: Fri, 20 Nov 2026 10:00:00 +0000\r\n';
  const rest =
    'Message-ID: <1@sender.example>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n';
  const { clean, ledger } = await scan(`${head}${rest}--b\r\n${text}--b\r\n${body}--b--\r\n`);
  if (clean === null) throw new Error(JSON.stringify(ledger.reasons));
  const { parts } = await readMessage(clean, DEFAULT_LIMITS);
  const part = parts.find(({ declaredType }) => declaredType === 'text/calendar');
  if (part === undefined) throw new Error('there is no invitation');
  const header = clean.subarray(part.header.start, part.header.end).toString().replace(/\r\n /g, ' ');
  expect(header).toMatch(/Content-Type: text\/calendar;\s+charset=utf-8;\s+method=REQUEST/);
  const kept = Buffer.from(decodePart(clean, part)).toString();
  expect(kept).toContain('SUMMARY:Meeting');
  expect(kept).toContain('Gr\u00fc\u00dfe');
  expect(kept).not.toContain('ALT-DESC');
});

test('an attached email comes back with its page disarmed', async () => {
  const inner = emailWith({ text: 'inner', html: '<p>inner<script>x()</script></p>' });
  const { name, text } = await scanFile('fwd.eml', 'application/octet-stream', inner);
  expect(name).toBe('fwd.eml');
  expect(text).toContain('inner');
  const { parts } = await readMessage(Buffer.from(text), DEFAULT_LIMITS);
  const pages = parts.filter(({ declaredType }) => declaredType === 'text/html');
  expect(pages.map((part) => Buffer.from(decodePart(Buffer.from(text), part)).toString()).join()).not.toMatch(/script/);
});

test('a bounce comes back with the header of the returned message, its bare addresses defanged', async () => {
  const header =
    'Received: from [192.0.2.1] by mx.sender.example\r\nFrom: a@sender.example\r\nTo: b@rcpt.example\r\nSubject: x\r\n';
  const { name, text } = await scanFile('headers.txt', 'text/rfc822-headers', header);
  expect(name).toBe('headers.txt');
  expect(text).toContain('Subject: x');
});
