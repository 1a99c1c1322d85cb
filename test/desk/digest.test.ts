/** The digest of a day: who gets one, what it says, and what a hostile mail can do in it. */
import { simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../lib/words/words.ts';
import { emailWith, PDF } from '../pipeline/rig.ts';
import { HELD, openDesk } from './desk-rig.ts';
import { PAYLOADS } from './payloads.ts';
import { DAY, openRecipients, policyFor, textOf } from './recipients-rig.ts';

const to = (mail: string, recipients: string) => mail.replace('bob@recipient.example', recipients);

test('each recipient of ours gets one mail about everything that was held, and nobody else gets one', async () => {
  const desk = await openDesk();
  await desk.scan(to(HELD, 'bob@recipient.example, Kim <kim@sub.recipient.example>, eve@elsewhere.example'));
  await desk.scan(HELD.replace('Invoice', 'The second'));
  await desk.scan(emailWith({ subject: 'A good one' }));
  const digests = await openRecipients(desk).digests();
  expect(digests.map(({ recipient, held }) => [recipient, held])).toEqual([['bob@recipient.example', 2]]);
  expect(digests.map(({ email }) => email).join()).not.toContain('kim');
  const text = textOf(digests[0]?.email ?? '');
  for (const words of [
    'held back on 2026-11-20',
    'Subject: Invoice',
    'Subject: The second',
    'From: Ana <ana[@]sender[.]example>',
  ])
    expect(text).toContain(words);
  expect(text).not.toContain('A good one');
  expect(text.match(/https:\/\/airlock\.example\/r\/[\w-]+\.[\w-]{43}/g)).toHaveLength(2);
});

test.each([
  [['recipient.example'], ['bob@recipient.example']],
  [['.recipient.example'], ['kim@sub.recipient.example']],
  [
    ['recipient.example', '.recipient.example'],
    ['bob@recipient.example', 'kim@sub.recipient.example'],
  ],
  [['sub.recipient.example'], ['kim@sub.recipient.example']],
])('domains of ours are those that are listed, and those below one with a dot: %j', async (domains, ours) => {
  const desk = await openDesk();
  await desk.scan(to(HELD, 'bob@recipient.example, kim@sub.recipient.example, eve@evilrecipient.example'));
  const policy = policyFor({ notices: { from: 'airlock@recipient.example', domains } });
  const digests = await openRecipients(desk, policy).digests();
  expect(digests.map(({ recipient }) => recipient).sort()).toEqual(ours);
});

test('a link of it leads its recipient to its message', async () => {
  const desk = await openDesk();
  const pages = openRecipients(desk);
  await desk.scan(HELD);
  const [digest] = await pages.digests();
  const path = /https:\/\/airlock\.example(\/r\/\S+)/.exec(textOf(digest?.email ?? ''))?.[1] ?? '';
  expect(await (await pages.send(path)).text()).toContain('Invoice');
});

describe('mail is in the digest of the day on which it was held', () => {
  test('and of no other', async () => {
    const desk = await openDesk();
    await desk.scan(HELD);
    const { digests } = openRecipients(desk);
    const counts = await Promise.all(['2026-11-19', DAY, '2026-11-21'].map(async (day) => (await digests(day)).length));
    expect(counts).toEqual([0, 1, 0]);
  });

  test('unless it was released or deleted since', async () => {
    const desk = await openDesk();
    const ids = [await desk.scan(HELD), await desk.scan(HELD.replace('Invoice', 'B'))];
    await desk.post(`/mails/${ids[0]}/release`, { why: 'x', attempt: '1' });
    await desk.post(`/mails/${ids[1]}/delete`, { why: 'x', attempt: '1' });
    expect(await openRecipients(desk).digests()).toEqual([]);
  });
});

describe.each(LANGUAGES)('in %s', (language) => {
  test('it is a mail that other programs read, and that nobody answers', async () => {
    const desk = await openDesk();
    await desk.scan(HELD);
    const policy = policyFor({ told: { languageByDomain: { 'recipient.example': language } } });
    const [digest] = await openRecipients(desk, policy).digests();
    const mail = await simpleParser(digest?.email ?? '');
    expect(mail.headers.get('content-language')).toBe(language);
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.from?.value[0]?.address).toBe('airlock@recipient.example');
    expect(mail.text).toContain('Invoice');
    expect(mail.text).not.toMatch(/\{\w+\}/);
    expect(mail.subject).toContain('1');
    expect(digest?.email).not.toMatch(/[^\r]\n|\P{ASCII}/u);
  });
});

test.each([...PAYLOADS, 'x\r\nBcc: eve@elsewhere.example', 'http://evil.example/path'])(
  '%j in a mail adds no field, no line and no link',
  async (payload) => {
    const desk = await openDesk();
    await desk.scan(emailWith({ subject: payload.replace(/[\r\n]+/g, ' '), files: [{ name: 'a.pdf', bytes: PDF }] }));
    const plain = await openDesk();
    await plain.scan(HELD);
    const [digest] = await openRecipients(desk).digests();
    const [other] = await openRecipients(plain).digests();
    const fields = (email = '') =>
      [...(email.split('\r\n\r\n')[0]?.matchAll(/^[\w-]+(?=:)/gm) ?? [])].map(([name]) => name);
    expect(fields(digest?.email)).toEqual(fields(other?.email));
    const lines = (email = '') => textOf(email).split('\r\n').length;
    expect(lines(digest?.email)).toBe(lines(other?.email));
    expect(textOf(digest?.email ?? '').match(/https?:\/\/\S+/g)).toEqual([
      expect.stringMatching(/^https:\/\/airlock\.example\/r\//),
    ]);
  },
);

test('a mail about 130 held messages lists 100 and counts the others', async () => {
  const desk = await openDesk();
  for (let number = 0; number < 130; number += 1) await desk.scan(HELD.replace('Invoice', `Invoice ${number}`));
  const [digest] = await openRecipients(desk).digests();
  const text = textOf(digest?.email ?? '');
  expect([digest?.held, text.match(/\/r\//g)?.length]).toEqual([130, 100]);
  expect(text).toContain('30 more messages are not listed here. Ask your IT help desk.');
});
