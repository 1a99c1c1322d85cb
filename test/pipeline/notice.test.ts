import { simpleParser } from 'mailparser';
import { describe, expect, test } from 'vitest';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { quarantine } from '../../lib/pipeline/quarantine.ts';
import { referenceOf } from '../../lib/words/reference.ts';
import { linksOrAddressesOthersMark } from '../hostile/attack/linkifiers.ts';
import { writeLedger } from './forge.ts';
import { createRig, emailWith, PDF, type Rig, type RigOptions } from './rig.ts';

const script: NonNullable<RigOptions['script']> = { answer: () => ({ verdict: 'malicious', reasons: ['bad'] }) };
const TO_RECIPIENT = { notify: 'recipient', from: 'airlock@recipient.example', domains: ['recipient.example'] };
const policyOf = (notices: object, told = {}) => parsePolicy(JSON.stringify({ notices, told }));
const rigFor = (notices: object, options: RigOptions = {}) =>
  createRig({ script, policy: policyOf(notices), ...options });
const MAIL = emailWith({ subject: 'Invoice', files: [{ name: 'a.pdf', bytes: PDF }] });

async function noticeOf(rig: Rig, mail = MAIL, name?: string) {
  const { runId, ledger } = await rig.scan(mail, name);
  const key = keys.quarantineNotice(runId, 1);
  const isThere = await rig.blobs.has('quarantine', key);
  const bytes = isThere ? await rig.blobs.get('quarantine', key, { maxBytes: 100_000 }) : null;
  return { runId, ledger, key, source: bytes === null ? null : Buffer.from(bytes).toString('latin1') };
}

describe('the notice about a held message', () => {
  test('tells the recipient what was held, why, and whom to ask', async () => {
    const { source, runId, ledger, key } = await noticeOf(rigFor(TO_RECIPIENT));
    const { text, subject, headers, to } = await simpleParser(source ?? '');
    expect(subject).toBe(`A message to you was held back (${referenceOf(runId)})`);
    expect([to].flat().map((one) => one?.text)).toEqual(['bob@recipient.example']);
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(text).toContain('From: Ana <ana[@]sender[.]example>\nSubject: Invoice\n');
    expect(text).toContain('The message holds something that can harm your computer.');
    expect(ledger.terminal?.keys).toContain(key);
  });

  test('tells the operator, with the recipient in it', async () => {
    const { source } = await noticeOf(rigFor({ notify: 'admin', from: 'a@b.example', admin: 'soc@corp.example' }));
    const { text, to } = await simpleParser(source ?? '');
    expect([to].flat().map((one) => one?.text)).toEqual(['soc@corp.example']);
    expect(text).toContain('To: bob[@]recipient[.]example\n');
  });

  test('is not written by default', async () => {
    expect((await noticeOf(createRig({ script }))).source).toBeNull();
  });

  test('speaks the language of the recipient, and every line of it is ASCII', async () => {
    const policy = policyOf(TO_RECIPIENT, { languageByDomain: { 'recipient.example': 'tr' } });
    const { source } = await noticeOf(createRig({ script, policy }));
    expect(source).toMatch(/^[\x20-\x7e\r\n]+$/);
    const { subject, text } = await simpleParser(source ?? '');
    expect(subject).toMatch(/^Size gönderilen bir ileti alıkonuldu \(/);
    expect(text).toContain('bilgisayarınıza zarar verebilecek');
  });

  test('names itself in the event', async () => {
    const details: object[] = [];
    const rig = rigFor(TO_RECIPIENT, {
      overrides: () => ({ events: { emit: async ({ detail }) => void details.push(detail) } }),
    });
    const { key } = await noticeOf(rig);
    expect(details).toEqual([expect.objectContaining({ notice: key })]);
  });
});

describe('a sender cannot choose to whom we write', () => {
  test.each([
    ['strangers', 'victim@other.example'],
    ['a domain that ends like ours', 'bob@notrecipient.example'],
    [
      'what is no plain address',
      '"bob@recipient.example"@other.example, <@recipient.example>, bob@recipient.example\\r\\nBcc:x',
    ],
    ['himself', 'ana@sender.example, Ana@Recipient.example'],
  ])('not to %s', async (_, to) => {
    const mail = MAIL.replace('To: bob@recipient.example', `To: ${to}`).replace(
      'From: Ana <ana@sender.example>',
      'From: <ana@recipient.example>',
    );
    const { source } = await noticeOf(rigFor(TO_RECIPIENT), mail);
    expect(source === null || /^To: bob@recipient\.example\r$/m.test(source)).toBe(true);
    expect(source ?? '').not.toMatch(/victim|other\.example|notrecipient|ana@recipient/);
  });

  test('nor that a recipient hears nothing, by his address in a name', async () => {
    const mail = MAIL.replace(/^From: .*\r$/m, 'From: "bob@recipient.example" <ana@sender.example>\r');
    const { source } = await noticeOf(rigFor(TO_RECIPIENT), mail);
    expect(source).toMatch(/^To: bob@recipient\.example\r$/m);
  });

  test.each([
    ['65 characters before the @', `${'b'.repeat(65)}@recipient.example`],
    ['255 characters', `bob@${'a.'.repeat(117)}recipient.example`],
    ['something else behind 255 characters', `bob@${'a.'.repeat(140)}recipient.example\0@recipient.example`],
  ])('and an address with %s is none', async (_, to) => {
    const { source } = await noticeOf(rigFor(TO_RECIPIENT), MAIL.replace('To: bob@recipient.example', `To: ${to}`));
    expect(source).toBeNull();
  });

  test('nor what stands in it: no link, no line, no letter that turns others around', async () => {
    const mail = emailWith({ subject: '=?utf-8?B?4oCuIGh0dHBzOi8vZXZpbC5leGFtcGxlLw0KQmNjOiB4QGV2aWwuZXhhbXBsZQ==?=' });
    const { source } = await noticeOf(rigFor(TO_RECIPIENT), mail);
    const { text = '', headers } = await simpleParser(source ?? '');
    expect(headers.has('bcc')).toBe(false);
    expect(text).not.toMatch(/[\u202a-\u202e]/);
    expect(linksOrAddressesOthersMark(text)).toEqual([]);
  });
});

describe('at most so many notices an hour about one sender', () => {
  const held = async (rig: Rig, index: number, from = 'ana@sender.example') =>
    (
      await noticeOf(
        rig,
        MAIL.replace('ana@sender.example', from).replace('Invoice', `Invoice ${index}`),
        `${index}.eml`,
      )
    ).source;

  test('the next one is held without a notice; another sender and the next hour have their own', async () => {
    const rig = rigFor({ ...TO_RECIPIENT, perSenderHourly: 2 });
    expect(await held(rig, 1)).not.toBeNull();
    expect(await held(rig, 2, 'ANA@sender.example')).not.toBeNull();
    expect(await held(rig, 3)).toBeNull();
    expect(await held(rig, 4, 'other@sender.example')).not.toBeNull();
    rig.advance(3_600_000);
    expect(await held(rig, 5)).not.toBeNull();
  });

  test('a run that is repeated takes no second place', async () => {
    const rig = rigFor({ ...TO_RECIPIENT, perSenderHourly: 1 });
    const { runId, ledger } = await noticeOf(rig);
    const again = { ...ledger, terminal: null };
    await writeLedger(rig, again);
    await quarantine(rig.ctx, { ...newRun(runId), disposition: 'quarantine' });
    expect((await rig.ledger(runId)).terminal?.keys).toContain(keys.quarantineNotice(runId, 1));
  });

  test('two runs never share a place', async () => {
    const rig = rigFor({ ...TO_RECIPIENT, perSenderHourly: 3 });
    const notices = await Promise.all(Array.from({ length: 6 }, (_, index) => held(rig, index)));
    expect(notices.filter((notice) => notice !== null)).toHaveLength(3);
  });
});

test('a message is held whether or not its notice can be written', async () => {
  const rig = rigFor(TO_RECIPIENT, {
    overrides: ({ blobs }) => ({
      blobs: {
        ...blobs,
        put: (bucket, key, body, options) =>
          key.startsWith('notices/')
            ? Promise.reject(new TransientError('away'))
            : blobs.put(bucket, key, body, options),
      },
    }),
  });
  const { ledger, source } = await noticeOf(rig);
  expect(ledger.terminal?.state).toBe('quarantined');
  expect(source).toBeNull();
});

test.each([
  [{ notify: 'recipient' }, 'notices.from: must be the address'],
  [{ notify: 'recipient', from: 'a@b.example' }, 'notices.domains: must name'],
  [{ notify: 'admin', from: 'a@b.example' }, 'notices.admin: must be the address'],
  [{ notify: 'sender' }, 'notices.notify'],
  [{ from: 'a@b.example\nBcc: c@d.example' }, 'notices.from'],
  [{ domains: ['*'] }, 'notices.domains'],
  [{ domains: ['*.example.org'] }, 'notices.domains'],
  [{ domains: ['..example.org'] }, 'notices.domains'],
  [{ domains: ['.'] }, 'notices.domains'],
  [{ perSenderHourly: 0 }, 'notices.perSenderHourly'],
  [{ perSenderHourly: 21 }, 'notices.perSenderHourly'],
])('the policy refuses %j', (notices, issue) => {
  expect(() => policyOf(notices)).toThrow(issue);
});
