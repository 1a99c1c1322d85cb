/** The message about a held message, and the page in the place of a file: what stands in them, to the letter. */
import { simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';
import { escapedHtml, filled, linkWordsIn } from '../../lib/words/in-language.ts';
import { isPlainAddress, type NoticeFacts, noticeEmail } from '../../lib/words/notice.ts';
import { type PlaceholderFacts, placeholderPage, placeholderText } from '../../lib/words/placeholder.ts';
import { LANGUAGES } from '../../lib/words/words.ts';

const RUN = '45b977f451c98335db42c0332efd6295';
const HELP = { contact: 'the desk', deskUrl: '' };
const DESK = { contact: '', deskUrl: 'https://desk.example/?r={reference}&a=b' };

const NOTICE: NoticeFacts = {
  language: 'en',
  audience: 'recipient',
  from: 'airlock@desk.example',
  to: ['bob@recipient.example'],
  held: { from: 'Ana <ana[@]sender[.]example>', to: 'Bob', subject: 'Invoice', date: '20 Nov 2026' },
  why: ['It is too large.', 'It is encrypted.'],
  help: HELP,
  runId: RUN,
  inReplyTo: null,
  at: new Date('2026-11-20T12:00:00Z'),
};

describe('a notice', () => {
  test('to the recipient says what was held, why, and whom to ask', async () => {
    const { text } = await simpleParser(noticeEmail(NOTICE));
    expect(text?.trimEnd()).toBe(
      [
        'A message to you was held back. It is not in your mailbox.',
        '',
        'From: Ana <ana[@]sender[.]example>',
        'Subject: Invoice',
        'Date: 20 Nov 2026',
        '',
        'Why:',
        '  It is too large.',
        '  It is encrypted.',
        '',
        'If you are expecting this message, ask the desk to look at it and give this reference: 8P-WQFX.',
        '',
        'This notice was written by a program. Please do not reply to it.',
      ].join('\n'),
    );
  });

  test('to the operator also says to whom it was sent, and nothing that the message did not say', async () => {
    const held = { ...NOTICE.held, subject: '', date: '' };
    const { text, subject } = await simpleParser(noticeEmail({ ...NOTICE, audience: 'admin', held }));
    expect(subject).toBe('A message was held back (8P-WQFX)');
    expect(text).toContain(
      'A message was held back. It was not delivered.\n\nFrom: Ana <ana[@]sender[.]example>\nTo: Bob\n\nWhy:',
    );
  });

  test('names the page of the operator, and his people by the words of the language', async () => {
    const { text } = await simpleParser(noticeEmail({ ...NOTICE, help: DESK }));
    expect(text).toContain('ask your IT help desk to look');
    expect(text).toContain('Or ask for it here: https://desk.example/?r=8P-WQFX&a=b\n');
  });

  test('has the header of a message that nobody answers', () => {
    const [header = '', body = ''] = noticeEmail({ ...NOTICE, to: ['a@a.example', 'b@b.example'] }).split('\r\n\r\n');
    expect(header.split('\r\n')).toEqual([
      'From: Mail Airlock <airlock@desk.example>',
      'To: a@a.example,',
      ' b@b.example',
      `Subject: =?utf-8?B?${Buffer.from('A message to you was held back (8P-WQFX)').toString('base64')}?=`,
      'Date: Fri, 20 Nov 2026 12:00:00 +0000',
      `Message-ID: <${RUN}.notice@desk.example>`,
      'Auto-Submitted: auto-generated',
      'X-Auto-Response-Suppress: All',
      `X-Airlock-Run: ${RUN}`,
      'X-Airlock-Notice: quarantined',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      'Content-Language: en',
    ]);
    expect(body.split('\r\n').every((line) => line.length <= 76)).toBe(true);
  });

  test.each(LANGUAGES)('in %s has short words in its subject, none of which cuts a letter', async (language) => {
    const email = noticeEmail({ ...NOTICE, language });
    const words = email.match(/=\?utf-8\?B\?[^?]*\?=/g) ?? [];
    expect(words.length).toBeGreaterThan(0);
    for (const word of words) {
      expect(word.length).toBeLessThanOrEqual(75);
      expect(Buffer.from(word.slice(10, -2), 'base64').toString()).not.toContain('\ufffd');
    }
    expect((await simpleParser(email)).subject).toMatch(/ \(8P-WQFX\)$/);
  });
});

describe('an address stands in a header as it is', () => {
  test.each([
    'a@b.example',
    "o'neil+x@mail.b-c.example",
    'a.b.c@b.example',
    "!#$%&'*+/=?^_`{|}~-@b.example",
    'A@B.EXAMPLE',
  ])('%s', (address) => expect(isPlainAddress(address)).toBe(true));
  test.each([
    '',
    'a',
    '@b.example',
    'a@',
    'a@b',
    'a@b.',
    'a@.example',
    'a@b..example',
    'a@b.e',
    '.a@b.example',
    'a.@b.example',
    'a..b@b.example',
    'a b@b.example',
    '"a"@b.example',
    'a@b.example\r\nBcc: x@y.example',
    'a@b.example,c@d.example',
    '<a@b.example>',
    'a@b_c.example',
    'a@b.exämple',
    `a@${'b'.repeat(64)}.example`,
    `a@b.${'c'.repeat(64)}`,
  ])('not %j', (address) => expect(isPlainAddress(address)).toBe(false));
});

const PAPER: PlaceholderFacts = {
  language: 'en',
  file: { name: 'a & b.zip', kind: 'archive', sizeBytes: 3_400 },
  why: 'The file is "encrypted".',
  advice: 'withoutPassword',
  isLater: false,
  help: HELP,
  runId: RUN,
  sha256: 'f'.repeat(64),
};

describe('in the place of a file', () => {
  test('a text says what it was, why it is not here, and what to do', () => {
    expect(placeholderText(PAPER)).toBe(
      [
        'This file was withheld',
        '',
        'Name:',
        '  a & b.zip',
        '',
        'What it was:',
        '  An archive (such as a zip file), 3.4 kB',
        '',
        'Why it is not here:',
        '  The file is "encrypted".',
        '',
        'What you can do:',
        '  Ask the sender to send it without encryption and without a password.',
        '  If you need the original, ask the desk to release it and give this reference: 8P-WQFX.',
        '',
        `SHA-256: ${'f'.repeat(64)}`,
        '',
      ].join('\r\n'),
    );
  });

  test('a page says the same, and its only link is that of the operator', () => {
    const page = placeholderPage({ ...PAPER, help: DESK });
    expect(page).toMatch(/^<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n/);
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    );
    expect(page).toContain('<title>This file was withheld</title>');
    expect(page).toContain('<h1>This file was withheld</h1>');
    expect(page).toContain(
      [
        '<dl>',
        '<dt>Name</dt>',
        '<dd>a &amp; b.zip</dd>',
        '<dt>What it was</dt>',
        '<dd>An archive (such as a zip file), 3.4 kB</dd>',
        '<dt>Why it is not here</dt>',
        '<dd>The file is &quot;encrypted&quot;.</dd>',
        '<dt>What you can do</dt>',
        '<dd>Ask the sender to send it without encryption and without a password.</dd>',
        '<dd>If you need the original, ask your IT help desk to release it and give this reference: 8P-WQFX.</dd>',
        '<dd>Or ask for it here: <a href="https://desk.example/?r=8P-WQFX&amp;a=b">https://desk.example/?r=8P-WQFX&amp;a=b</a></dd>',
        '</dl>',
      ].join('\n'),
    );
    expect(page).toContain(`<footer>Mail Airlock · SHA-256: ${'f'.repeat(64)}</footer>\n</main>\n</body>\n</html>\n`);
    expect(page.match(/href|src=|url\(|<script/g)).toEqual(['href']);
    expect(placeholderPage(PAPER)).not.toContain('<a ');
  });

  test.each([
    ['asPdf', 'Ask the sender to send it as a PDF.'],
    ['asPicture', 'Ask the sender to send it as a JPEG or PNG picture.'],
    ['asFilm', 'Ask the sender to send it as MP4 or MP3.'],
    ['unpacked', 'Ask the sender to send the files in it one by one, preferably as PDF.'],
  ] as const)('the advice %s is given', (advice, text) => {
    expect(placeholderText({ ...PAPER, advice })).toContain(`What you can do:\r\n  ${text}\r\n  If you need`);
  });

  test('no advice is given where nothing would help, and no name where there is none', () => {
    expect(placeholderText({ ...PAPER, advice: null })).toContain('What you can do:\r\n  If you need the original');
    expect(placeholderText({ ...PAPER, file: { name: null, kind: 'pdf', sizeBytes: 1 } })).toContain(
      'Name:\r\n  a file without a name\r\n\r\nWhat it was:\r\n  A PDF document, 1 byte\r\n',
    );
  });

  test('of a text stands what it is', () => {
    expect(placeholderText({ ...PAPER, file: null })).toMatch(
      /^The text of this message was withheld\.\r\n\r\nWhy it is not here:\r\n/,
    );
  });

  test.each([
    ['en', 0, '0 bytes'],
    ['en', 999, '999 bytes'],
    ['en', 1_000, '1 kB'],
    ['en', 999_949, '999.9 kB'],
    ['en', 1_000_000, '1 MB'],
    ['en', 12_345_678, '12.3 MB'],
    ['de', 1_550, '1,6 kB'],
    ['fr', 3_400, '3,4 ko'],
  ] as const)('the size is said in %s: %i bytes are %s', (language, sizeBytes, text) => {
    const paper = placeholderText({ ...PAPER, language, file: { name: 'a', kind: 'pdf', sizeBytes } });
    expect(paper.replace(/[\u00a0\u202f]/g, ' ')).toContain(`, ${text}\r\n`);
  });
});

test('what is filled in is not looked at again, and a brace that names nothing stays', () => {
  expect(filled('{a} {b} {c} {A} {1}', { a: '{b}', b: 2 })).toBe('{b} 2 {c} {A} {1}');
});

test('signs of HTML are written as entities', () => {
  expect(escapedHtml(`<a b="c" d='e'>&amp;`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;');
});

test('beside a blocked link stands that it is one, and in the place of its text why', () => {
  expect(linkWordsIn('en')).toEqual({
    beside: 'link switched off: {url}',
    behind: 'link switched off',
    withheld:
      'The text of this message was withheld. The message holds a link to a blocked address, and the link cannot be taken out.',
  });
});
