/** Text with a few control bytes, as copies out of a PDF have them, arrives with spaces in their place. Nothing hides behind them. */
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Airlock, openAirlock } from '../hostile/attack/airlock-run.ts';

let airlock: Airlock;
beforeAll(async () => {
  airlock = await openAirlock();
});
afterAll(() => airlock.close());

const HEAD = [
  'From: Ann <ann@example.com>',
  'To: Bob <bob@example.org>',
  'Subject: Minutes',
  'Date: Fri, 20 Nov 2026 11:00:00 +0100',
  'Message-ID: <1@example.com>',
  'MIME-Version: 1.0',
];
const PLAIN = 'text/plain; charset=utf-8';
const body = (text: string, type = PLAIN) => [...HEAD, `Content-Type: ${type}`, '', text, ''].join('\r\n');
const attached = (text: string, name = 'notes.txt') =>
  [
    ...HEAD,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Hello Bob',
    '--b',
    `Content-Type: text/plain; name=${name}`,
    `Content-Disposition: attachment; filename=${name}`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(text, 'latin1').toString('base64'),
    '--b--',
    '',
  ].join('\r\n');

const scanned = async (mail: string) => {
  const { state, message, ledger } = await airlock.scan(mail, 'control-bytes.eml');
  const links = (ledger?.artifacts ?? []).flatMap((each) => (each.type === 'url' ? [each.untrustedUrl] : []));
  const { text = '', attachments = [] } = message === null ? {} : await PostalMime.parse(message);
  const files = attachments.map(({ content }) => Buffer.from(content as ArrayBuffer).toString());
  return { state, text: text.trim(), files, links, dispositions: ledger?.parts.map(({ disposition }) => disposition) };
};

const words = (control: string) => `Dear Bob, this is${control}page 4 of the report.`;

describe('a text with one control byte arrives:', () => {
  test.each([
    ['the bell', '\x07'],
    ['the end of a file of DOS', '\x1a'],
    ['STX', '\x02'],
    ['a backspace', '\b'],
    ['DEL', '\x7f'],
  ])('%s', async (_, control) => {
    const shown = await scanned(body(words(control)));
    expect(shown).toMatchObject({ state: 'delivered', text: words(' '), dispositions: ['disarm'] });
    const encoded = `=${(control.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
    const quoted = `${PLAIN}\r\nContent-Transfer-Encoding: quoted-printable`;
    expect(await scanned(body(words(encoded), quoted))).toMatchObject({ state: 'delivered', text: words(' ') });
    expect(await scanned(attached(words(control)))).toMatchObject({ state: 'delivered', files: [words(' ')] });
  });

  test('in the charset that it names', async () => {
    const { text } = await scanned(
      body('Gr\xfc\xdfe an Bob, bis\x07morgen im Garten', 'text/plain; charset=iso-8859-1'),
    );
    expect(text).toBe('Grüße an Bob, bis morgen im Garten');
  });
});

describe('a control byte hides nothing:', () => {
  test.each([
    ['in a host', 'http://evil.exam\x07ple/login'],
    ['two of them in a host', 'http://evil.exam\x07\x07ple/login'],
    ['in a host without a scheme', 'www.evil\x07.example'],
    ['in front of a user name', 'http://www.good.example\x01@evil.example/'],
    ['behind a link, where the next line may go on', 'http://evil.example/log\x07\r\nin?a=1'],
    ['in the name of a share', '\\\\evil\x02.example\\share'],
  ])('a text with a control byte at or in a link is withheld: %s', async (_, link) => {
    const long = 'and more words, so that two control bytes are few. '.repeat(10);
    const { text, dispositions } = await scanned(body(`Dear Bob, see ${link} and pay at once, ${long}`));
    expect([dispositions, text.includes('evil')]).toEqual([['remove'], false]);
  });

  test('the links of the delivered text are judged', async () => {
    const { text, links } = await scanned(body('Dear Bob, see page\x074 at http://www.good.example/login and pay'));
    expect(text).toContain('page 4 at');
    expect(links).toEqual(['http://www.good.example/login']);
  });

  test.each([
    [
      'a uuencoded file',
      body('Dear Bob, here it is.\r\nbegin\x07644 a.exe\r\n#0V%T\r\n`\r\nend\r\nMany thanks to you'),
    ],
    [
      'base64 without a label',
      body(`${Buffer.alloc(300, 'MZ hello').toString('base64').replace(/.{76}/g, '$&\r\n')}\x07`),
    ],
  ])('%s holds the message', async (_, mail) => expect((await scanned(mail)).state).toBe('quarantined'));

  test.each([
    ['the start of a program', body('MZ this is a program\x07or looks as if it were one')],
    ['the start of a program of Linux', body('\x7fELF this is a program or looks as if it were one')],
    ['two control bytes in a short text', body('Dear Bob, this is\x07page\x074')],
    ['Japanese escapes', body('Dear Bob, \x1b$B$3$l\x1b(B and a bell\x07in it', 'text/plain; charset=iso-2022-jp')],
  ])('%s is withheld', async (_, mail) => expect((await scanned(mail)).dispositions).toEqual(['remove']));

  test.each([
    ['a program', 'MZ this is a program\x07or looks as if it were one', 'notes.txt'],
    ['a script', '// \x01\nnew ActiveXObject("WScript.Shell").Run("cmd /c calc.exe");\n', 'notes.js'],
    ['a shell script', '#!/bin/sh\necho "one\x03two" and more words\n', 'notes.txt'],
    ['a page', '<html>\x07<script>alert(1)</script> some words here</html>', 'notes.txt'],
    ['a zip', 'PK\x03\x04 this is a zip of some kind, and of words', 'notes.txt'],
    ['a PDF', '%PDF-1.4 \x07 this is a PDF of some kind, and of words', 'notes.txt'],
    ['an appointment', 'BEGIN:VCALENDAR\r\nX:\x07\r\nEND:VCALENDAR and more words', 'notes.txt'],
    ['a message', 'From: a@b\r\nTo: b@c\r\nSubject: x\r\nDate: x\r\n\r\nhello\x07words', 'notes.txt'],
  ])('an attachment that is %s is withheld', async (_, text, name) => {
    expect((await scanned(attached(text, name))).dispositions).toEqual([null, 'keep', 'remove']);
  });
});
