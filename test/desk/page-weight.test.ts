/** The weight of the page of a mail: at most 100 kB with its style, whatever the mail is, and what is left out is said. */
import { describe, expect, test } from 'vitest';
import { mailFile } from '../../lib/desk/mail/file.ts';
import { createRig, emailWith } from '../pipeline/rig.ts';

const MAX_BYTES = 100_000;
const PARTS = 200;

/** A mail of 200 parts, with so many findings in each file. */
async function manyParts(findings: number, name: (at: number) => string, header = '') {
  const reasons = Array.from(
    { length: findings },
    (_, at) => `Finding ${at}: the document carries program code that Office can run (word/vbaProject.bin)`,
  );
  const verdictOf = (bytes: Uint8Array) => (Buffer.from(bytes).toString() === '150' ? 'malicious' : 'suspicious');
  const rig = createRig({
    script: {
      polls: 0,
      answer: (request) =>
        findings === 0 || request.kind === 'cdr' || !('bytes' in request)
          ? {}
          : { verdict: verdictOf(request.bytes), reasons },
    },
  });
  const files = Array.from({ length: PARTS - 2 }, (_, at) => ({ name: name(at), bytes: `${at}` }));
  const { ledger } = await rig.scan(emailWith({ subject: 'Notes', files }));
  return (language: 'en' | 'de') => mailFile(ledger, header, language);
}

const bytesOf = (page: string) => Buffer.byteLength(page);
const partsOn = (page: string) => page.split('<li>').length - 1;

describe('the page of a mail with 200 parts', () => {
  test('shows each of them, and of their findings the worst that there is room for', async () => {
    const page = (await manyParts(12, (at) => `note-${at}.txt`))('de');
    expect(bytesOf(page)).toBeLessThanOrEqual(MAX_BYTES);
    expect(partsOn(page)).toBe(PARTS);
    const found = page.slice(page.indexOf('<h2>Befunde'));
    expect(found.indexOf('note-150.txt')).toBeGreaterThan(-1);
    expect(found.indexOf('note-150.txt')).toBeLessThan(found.indexOf('note-0.txt'));
    expect(found).toMatch(/<p class="more">\d+ weitere/);
  });

  test('without findings has all words of each part', async () => {
    const page = (await manyParts(0, (at) => `note-${at}.txt`))('en');
    expect([bytesOf(page) <= MAX_BYTES, partsOn(page)]).toEqual([true, PARTS]);
    expect(page.split('Decided by policy').length - 1).toBeGreaterThanOrEqual(PARTS - 2);
  });

  test('with long names in letters of three bytes and a long header is no heavier, and says what it leaves out', async () => {
    const line = `X-Long: ${'<&>"'.repeat(200)}`;
    const header = Array.from({ length: 100 }, () => line).join('\r\n');
    const make = await manyParts(12, (at) => `${'名'.repeat(60)}${at}.txt`, header);
    for (const language of ['en', 'de'] as const) {
      const page = make(language);
      expect(bytesOf(page)).toBeLessThanOrEqual(MAX_BYTES);
      const left = PARTS - partsOn(page);
      expect(page.includes(`<p class="more">+ ${left}</p>`)).toBe(left > 0);
    }
  });
});

test('the page of an ordinary mail leaves out nothing', async () => {
  const rig = createRig({ script: { polls: 0 } });
  const files = Array.from({ length: 10 }, (_, at) => ({ name: `note-${at}.txt`, bytes: `${at}` }));
  const { ledger } = await rig.scan(emailWith({ subject: 'Notes', files }));
  expect(mailFile(ledger, 'From: a@b.example\r\nTo: c@d.example', 'en')).not.toContain('class="more"');
});
