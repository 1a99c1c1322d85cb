/** Letters in code pages 437 and 850 of DOS arrive in UTF-8. Their links are judged, and files in them stay held. */
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Airlock, openAirlock } from '../hostile/attack/airlock-run.ts';

let airlock: Airlock;
beforeAll(async () => {
  airlock = await openAirlock();
});
afterAll(() => airlock.close());

const HEAD = [
  'From: Cash desk <desk@example.com>',
  'To: Bob <bob@example.org>',
  'Subject: Report of the day',
  'Date: Fri, 20 Nov 2026 11:00:00 +0100',
  'Message-ID: <1@example.com>',
  'MIME-Version: 1.0',
];
const body = (type: string, text: string) => [...HEAD, `Content-Type: ${type}`, '', text, ''].join('\r\n');
const scanned = async (mail: string) => {
  const { state, why, message, ledger } = await airlock.scan(mail, 'dos.eml');
  const links = (ledger?.artifacts ?? []).flatMap((each) => (each.type === 'url' ? [each.untrustedUrl] : []));
  const { text = '', html = '' } = message === null ? {} : await PostalMime.parse(message);
  const header = Buffer.from(message ?? [])
    .toString('latin1')
    .split('\r\n\r\n')[0];
  return { state, why, text: text.trim(), html, links, header };
};

describe('a body arrives with its letters, in UTF-8:', () => {
  test.each([
    ['ibm850', 'Gr\x81\xe1e, sch\x94n f\x81r \x84lteres K\x9bbenhavn', 'Grüße, schön für älteres København'],
    [
      'CP850',
      '\xc9\xcd\xcd\xbb\r\n\xba\xab\xba\r\n\xc8\xcd\xcd\xbc Total 12,50 \xcf',
      '╔══╗\r\n║½║\r\n╚══╝ Total 12,50 ¤',
    ],
    ['850', 'Caf\x82 \xb5\xc6\xd5', 'Café Áãı'],
    ['cp437', 'Caf\x82 \x9b5 \xe3 \xfb \xf7', 'Café ¢5 π √ ≈'],
    ['IBM437', 'only ASCII', 'only ASCII'],
  ])('%s', async (charset, text, expected) => {
    const found = await scanned(body(`text/plain; charset=${charset}`, text));
    expect(found).toMatchObject({ state: 'delivered', text: expected });
    expect(found.header).toMatch(/^Content-Type: text\/plain;\s+charset=utf-8$/m);
  });

  test('a page', async () => {
    const page = '<html><head><meta charset="ibm850"></head><body><p>Gr\x81\xe1e an Bob</p></body></html>';
    const { state, html } = await scanned(body('text/html; charset=ibm850', page));
    expect(state).toBe('delivered');
    expect(html).toContain('Grüße an Bob');
    expect(html).not.toContain('ibm850');
  });
});

test('the links are those of the letters that are shown', async () => {
  const { links, text } = await scanned(body('text/plain; charset=cp850', 'see http://m\x81ller.example/ and pay'));
  expect(text).toBe('see http://müller.example/ and pay');
  expect(links).toContain('http://xn--mller-kva.example/');
});

describe('is still held:', () => {
  const attached = [
    'text/plain; charset=cp850; name=a.txt',
    'text/plain; charset=ibm437\r\nContent-Disposition: attachment',
    'text/calendar; charset=cp850',
  ];
  test.each([
    ...attached.map((type) => [type, body(type, 'Gr\x81\xe1e')]),
    ['escapes of another charset', body('text/plain; charset=cp850', 'a \x1b$B$3$l\x1b(B b')],
    ['a code page that is not known', body('text/plain; charset=cp851', 'Gr\x81\xe1e')],
    ['quotes that some programs drop', body('text/plain; charset="\'cp850\'"', 'Gr\x81\xe1e')],
    ['two charsets', body('text/plain; charset=cp850; charset=utf-8', 'Gr\x81\xe1e')],
  ])('%s', async (_, mail) => {
    expect(await scanned(mail)).toMatchObject({ state: 'quarantined', why: expect.stringMatching(/^odd_/) });
  });
});
