import { simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';
import { buildDocm } from '../../fixtures/build-office.ts';
import { everyLayer } from './contents.ts';
import { disarmed, disarmReport, refusalCode } from './run-disarm.ts';

interface TestPart {
  readonly head: readonly string[];
  readonly body: string;
}

const HEADERS = ['From: Ann <ann@a.example>', 'To: bob@a.example', 'Subject: Hello', 'MIME-Version: 1.0'];

function mail(parts: readonly TestPart[], subtype = 'mixed', headers: readonly string[] = HEADERS): string {
  const pieces = parts.map(({ head, body }) => `--b\r\n${head.join('\r\n')}\r\n\r\n${body}\r\n`).join('');
  return [...headers, `Content-Type: multipart/${subtype}; boundary="b"`, '', `${pieces}--b--`, ''].join('\r\n');
}

const text = (body: string): TestPart => ({ head: ['Content-Type: text/plain; charset=utf-8'], body });
const html = (body: string): TestPart => ({ head: ['Content-Type: text/html; charset=utf-8'], body });
const file = (name: string, bytes: string | Uint8Array, type = 'application/octet-stream'): TestPart => ({
  head: [
    `Content-Type: ${type}; name="${name}"`,
    'Content-Disposition: attachment',
    'Content-Transfer-Encoding: base64',
  ],
  body: (
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join('\r\n'),
});

test('keeps subject, people, date, ids and text, and a second pass changes nothing', async () => {
  const headers = [
    'Received: from LIVE by here',
    'X-Mailer: LIVE',
    'From: =?utf-8?Q?J=C3=B6rg_M=2E?= <j@a.example>',
    'To: "Doe, Jane" <jane@a.example>,\r\n bob@a.example',
    `Subject: ${'A long subject '.repeat(9)}=?iso-8859-1?Q?gr=FC=DFe?=`,
    'Date: Fri, 20 Nov 2026 10:00:00 +0000',
    'Message-ID: <1@a.example>',
    'References: <0@a.example> <00@a.example>',
    'MIME-Version: 1.0',
  ];
  const { bytes, extension } = await disarmed(
    mail([text('Grüße\r\n'), html('<p>Grüße</p>')], 'alternative', headers),
    'a.eml',
  );
  expect(extension).toBe('eml');
  const read = await simpleParser(Buffer.from(bytes));
  expect(read.from?.value).toEqual([{ name: 'Jörg M.', address: 'j@a.example' }]);
  expect(JSON.stringify(read.to)).toContain('Doe, Jane');
  expect(read.subject).toBe(`${'A long subject '.repeat(9)}grüße`);
  expect(read.date?.toISOString()).toBe('2026-11-20T10:00:00.000Z');
  expect([read.messageId, read.references]).toEqual(['<1@a.example>', ['<0@a.example>', '<00@a.example>']]);
  expect([read.text?.trim(), read.html]).toEqual(['Grüße', expect.stringContaining('Grüße')]);
  expect(Buffer.from(bytes).toString('latin1')).not.toContain('LIVE');
  expect(Buffer.from(bytes).every((byte) => byte < 0x80)).toBe(true);
  expect(await disarmed(bytes, 'a.eml')).toMatchObject({ outcome: 'already_safe' });
});

const MESSAGE = `${HEADERS.join('\n')}\n\nHello\n`;

test.each([
  'From ann@a.example Mon Jan  1 10:00:00 2024\n',
  'From ann@a.example  Mon Jan  1 10:00:00 2024\r\n',
  'From - Mon Jan  1 10:00:00 2024\n',
  'From ann@a.example Mon Jan  1 10:00:00 +0000 2024\nReturn-Path: <ann@a.example>\n',
  'From ann@a.example Mon Jan  1 10:00:00 2024 +0100\n',
])('a message that was taken out of a mailbox has kept the line %j', async (line) => {
  for (const name of ['a.eml', 'a.mbox']) {
    const { bytes, text } = await disarmed(line + MESSAGE, name);
    expect(text).not.toContain('2024');
    expect((await simpleParser(Buffer.from(bytes))).text?.trim()).toBe('Hello');
  }
});

test('a mailbox of many messages is refused, however far apart they are', async () => {
  const line = 'From ann@a.example Mon Jan  1 10:00:00 2024\n';
  for (const filler of ['', 'a line of text\n'.repeat(6_000)])
    expect(await refusalCode(`${line}${MESSAGE}${filler}\n${line}${MESSAGE}`, 'a.eml')).toBe('unsupported');
});

describe('parts', () => {
  test('an attachment is disarmed and named after its new type', async () => {
    const { bytes, kinds } = await disarmed(mail([text('x'), file('invoice.docm', await buildDocm())]), 'a.eml');
    const [attachment] = (await simpleParser(Buffer.from(bytes))).attachments;
    expect(attachment).toMatchObject({
      filename: 'invoice.docx',
      contentType: expect.stringContaining('wordprocessingml'),
    });
    expect(kinds).toContain('macro');
    expect(await everyLayer(bytes, 'eml')).not.toContain('vbaProject');
  });

  test('a program is replaced by a note that names it and says why', async () => {
    const { bytes, text: raw } = await disarmed(
      mail([text('x'), file('a.exe', Buffer.from('MZLIVE\0'.padEnd(200)))]),
      'a.eml',
    );
    const read = await simpleParser(Buffer.from(bytes));
    expect(read.attachments).toEqual([]);
    expect(read.text).toMatch(/"a\.exe" was removed: .*program/);
    expect(raw).not.toContain(Buffer.from('MZLIVE').toString('base64'));
  });

  test('a message within the message is disarmed by the same rules', async () => {
    const inner = mail([
      html('<p>Inner</p><script>LIVE</script><img src="https://LIVE.example/">'),
      file('a.js', 'LIVE'),
    ]);
    const outer = mail([
      text('Outer'),
      { head: ['Content-Type: message/rfc822'], body: inner.replaceAll('--b', '--c').replace('"b"', '"c"') },
    ]);
    const { bytes } = await disarmed(outer, 'a.eml');
    const layers = await everyLayer(bytes, 'eml');
    for (const kept of ['Outer', 'Inner']) expect(layers).toContain(kept);
    expect(layers).not.toContain('LIVE');
  });

  test('a removed alternative leaves the other text and no note', async () => {
    const broken = file('a.hta', '<hta:application>LIVE', 'text/x-amp-html');
    const { bytes } = await disarmed(mail([text('The letter'), broken], 'alternative'), 'a.eml');
    expect((await simpleParser(Buffer.from(bytes))).text?.trim()).toBe('The letter');
  });

  test('external content and a signature that no longer matches are removed', async () => {
    const elsewhere = {
      head: ['Content-Type: message/external-body; access-type=URL; URL="https://LIVE.example/"'],
      body: '',
    };
    const signature = { head: ['Content-Type: application/pkcs7-signature; name="smime.p7s"'], body: 'LIVE' };
    const { text: raw, kinds } = await disarmed(mail([text('x'), elsewhere, signature], 'signed'), 'a.eml');
    expect(raw).not.toContain('LIVE');
    expect(kinds).toContain('signature, which no changed message fulfils');
  });

  test('an invitation keeps its method', async () => {
    const ics =
      'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1\r\nATTACH:LIVE\r\nEND:VEVENT\r\nEND:VCALENDAR';
    const part = { head: ['Content-Type: text/calendar; method=REQUEST; charset=utf-8'], body: ics };
    const { text: raw } = await disarmed(mail([text('x'), part], 'alternative'), 'a.eml');
    expect(raw).toMatch(/Content-Type: text\/calendar; method=REQUEST/);
    expect(raw).not.toContain(Buffer.from('ATTACH').toString('base64').slice(0, 6));
  });

  test('a name from the sender never becomes a separate header', async () => {
    const evil = file('a=?utf-8?Q?=0D=0AX-Evil:_1?=\u202e.csv', 'a,b');
    const { text: raw } = await disarmed(mail([text('x'), evil]), 'a.eml');
    expect(raw).not.toMatch(/^X-Evil/m);
    expect(raw).not.toContain('%E2%80%AE');
  });
});

describe('refused', () => {
  test.each([
    [
      'two content types',
      [
        'From: a@a.example',
        'Subject: x',
        'To: b@a.example',
        'Content-Type: text/plain',
        'Content-Type: text/html',
        '',
        'x',
      ],
    ],
    [
      'an unknown transfer encoding',
      ['From: a@a.example', 'Subject: x', 'To: b@a.example', 'Content-Transfer-Encoding: x-uuencode', '', 'x'],
    ],
    [
      'a multipart without a boundary',
      ['From: a@a.example', 'Subject: x', 'To: b@a.example', 'Content-Type: multipart/mixed', '', 'x'],
    ],
    [
      'a multipart without parts',
      ['From: a@a.example', 'Subject: x', 'To: b@a.example', 'Content-Type: multipart/mixed; boundary=b', '', 'x'],
    ],
    ['a line that is no header', ['From: a@a.example', 'Subject: x', 'To: b@a.example', 'this is no field', '', 'x']],
  ])('%s', async (_, lines) => {
    expect(await refusalCode(lines.join('\r\n'), 'a.eml')).toBe('unreadable');
  });

  test('multiparts nested too deep, and too many parts', async () => {
    const nested = Array.from(
      { length: 60 },
      (_, level) => `Content-Type: multipart/mixed; boundary="n${level}"\r\n\r\n--n${level}\r\n`,
    );
    expect(await refusalCode(`${HEADERS.join('\r\n')}\r\n${nested.join('')}`, 'a.eml')).toBe('oversize');
    const many = `${HEADERS.join('\r\n')}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(5_000)}--b--\r\n`;
    expect(await refusalCode(many, 'a.eml')).toBe('oversize');
  });

  test('messages within messages deeper than containers may go', async () => {
    let message = mail([text('core')]);
    for (let level = 0; level < 12; level++) {
      message = [...HEADERS, 'Content-Type: message/rfc822', '', message].join('\r\n');
    }
    expect(await refusalCode(message, 'a.eml')).toBe('oversize');
  });
});

describe('web archives', () => {
  const mht = (parts: readonly TestPart[]) =>
    mail(parts, 'related', ['From: <Saved by Browser>', 'Subject: page', 'MIME-Version: 1.0']);
  test('become one page with its pictures, without what Office hides in them', async () => {
    const { buildPng } = await import('../../fixtures/build-image.ts');
    const page = html(
      '<p>Kept</p><script>LIVE</script><!--[if mso]>LIVE<![endif]--><img src="pic.png"><link rel="x" href="LIVE">',
    );
    const picture = { ...file('x', buildPng(), 'image/png') };
    const located = { ...picture, head: [...picture.head, 'Content-Location: file:///C:/a_files/pic.png'] };
    const macro = file('editdata.mso', 'ActiveMimeLIVE', 'application/x-mso');
    const { text: out, extension, kinds } = await disarmed(mht([page, located, macro]), 'a.mht');
    expect([extension, kinds]).toEqual(['html', expect.arrayContaining(['macro', 'script'])]);
    expect(out).toContain('Kept');
    expect(out).toContain('<img src="data:image/png;base64,');
    expect(out).not.toContain('LIVE');
  });

  test('without a page are refused', async () => {
    expect(await disarmReport(mht([text('x')]), 'a.mht')).toMatchObject({
      outcome: 'failed',
      failure: { code: 'unreadable' },
    });
  });
});
