/** Words between engineers: versions, addresses, names of files and of classes, in texts and in pages, and old charsets. */
import { lines, mailOf, multipart, type OrdinaryMail, textPart } from './ordinary-mail.ts';

const SENTENCES: Readonly<Record<string, string>> = {
  'a version': 'The server runs Exchange 15.1.2.3, and the client is version 16.0.4.8 (build 1.2.3.4).',
  'an address': 'The printer has 192.168.1.20, the gateway is 10.0.0.1. Ping 8.8.8.8 and 1.1.1.1, please.',
  'an address in brackets': 'Received from mx (mx [192.0.2.1]) by in ([198.51.100.2]) at 10:00',
  networks: 'Allow 10.0.0.0/8, 192.168.0.0/16 and 172.16.0.0/12 in the firewall; ip4:192.0.2.0/24 in SPF.',
  'ports of mail': 'dial tcp 192.0.2.25:587: i/o timeout; 192.0.2.25:25 answers, and so does 192.0.2.25:22.',
  'a range': 'DHCP hands out 192.168.1.100-192.168.1.200 (192.168.1.1,192.168.1.2;192.168.1.3).',
  files: 'Send me auth.log, error_log, config.json, a.tar.gz and the Makefile; app.config is fine.',
  code: 'It throws java.lang.NullPointerException in Foo.java:12, see System.out.println and node_modules/x/index.js.',
  'a decimal number': 'The sum is 1.234.567,89 and 3.14 of 12.5; the date is 20.11.2026 at 10.30.',
  'an object identifier': 'The OID 1.3.6.1.4.1.311.21.8 and 2.5.29.17 stand in the certificate.',
  'six and four': 'fe80::1, 2001:db8::192.0.2.33 and ::ffff:192.0.2.1 are the same to us.',
  quoted: lines('On Fri, 20 Nov 2026, Bob wrote:', '> the host 192.0.2.4 is down', '> > as 192.0.2.5 was', 'It is up.'),
  command: 'Run ssh root@192.0.2.7 and then scp dump.sql root@192.0.2.7:/tmp, or nslookup sender.example 192.0.2.53',
};

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r\n', '<br>\r\n');
const page = (text: string) => `<html><body><p>Hello Bob,</p><p>${escaped(text)}</p></body></html>`;
const head = (subject: string) => ({ from: 'Ann <ann@sender.example>', subject });
const tech = (id: string, bytes: Uint8Array): OrdinaryMail => ({ id: `tech ${id}`, group: 'tech', bytes });

/** A quoted report within a text: to a lenient reader it looks like parts of the message. */
const FORWARDED = lines(
  'Hello Bob, this came back:',
  '',
  '----------- Forwarded message -----------',
  'From: Ann <ann@sender.example>',
  'Subject: old news',
  'Content-Type: text/plain; charset=us-ascii',
  '',
  'The text of old.',
  '',
  '----------- End of forwarded message -----------',
);

/** Every sentence as a text, as a page and as both; texts in charsets of old programs; texts with parts of others in them. */
export function* techMail(): Generator<OrdinaryMail> {
  for (const [name, text] of Object.entries(SENTENCES)) {
    const plain = textPart(text);
    const html = textPart(page(text), 'text/html; charset=utf-8');
    yield tech(`${name}, text`, mailOf(head(`About ${name}: 15.1.2.3`), plain));
    yield tech(`${name}, page`, mailOf(head(`About ${name}`), html));
    yield tech(`${name}, both`, mailOf(head(`About ${name}`), multipart('alternative', 't1', [plain, html])));
  }
  for (const label of ['unicode-1-1-utf-7', 'UNICODE-1-1-UTF-8', 'utf-7', 'x-unknown', 'iso-8859-8-i'])
    yield tech(
      `charset ${label}`,
      mailOf(head('Old'), textPart('Hello Bob, all is well. Ann', `text/plain; charset=${label}`)),
    );
  yield {
    ...tech(
      'charset unicode-1-1-utf-7 with letters',
      mailOf(head('Old'), textPart('Gr+APwA3w-e aus M+APw-nchen', 'text/plain; charset=unicode-1-1-utf-7')),
    ),
    words: 'Gr\u00fc\u00dfe aus M\u00fcnchen',
  };
  yield tech('a forwarded text', mailOf(head('Fwd: old news'), textPart(FORWARDED)));
  const cut = multipart('mixed', 'm1', [textPart(FORWARDED)], false);
  yield tech('a forwarded text without the last boundary', mailOf(head('Fwd: old news'), cut));
  for (const [end, rest] of Object.entries({ 'no boundary': '', 'half a boundary': '--m1', 'a blank line': '\r\n' }))
    yield tech(
      `ends in ${end}`,
      mailOf(
        head('End'),
        `${multipart('mixed', 'm1', [textPart('Hello Bob'), textPart('<p>Hello</p>', 'text/html')], false)}${rest}`,
      ),
    );
}
