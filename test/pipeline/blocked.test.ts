/** What people have blocked: it goes and the mail is held, whatever the analyses say. */
import { describe, expect, test } from 'vitest';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import { type Policy, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { type BlockKind, withBlocks } from '../../lib/pipeline/review/block.ts';
import { changeBlock, createBlockList } from '../../lib/pipeline/review/block-list.ts';
import { blockOf } from '../../lib/pipeline/review/block-of.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { decided, PAT } from './review-rig.ts';
import { createRig, emailWith } from './rig.ts';

const NOTES = 'just notes';
const MAIL = emailWith({
  subject: 'ordinary',
  text: 'see https://www.shop.example/a?b=1 and more',
  files: [{ name: 'notes.txt', bytes: NOTES }],
});

const blocking = (kind: BlockKind, text: string): Policy => {
  const block = blockOf(kind, text);
  if (block === null) throw new Error(`${text} is no ${kind}`);
  return withBlocks(parsePolicy('{}'), [block]);
};

async function scanned(policy: Policy, mail = MAIL) {
  const rig = createRig({ policy, script: { polls: 0 } });
  const { runId, ledger } = await rig.scan(mail);
  return {
    rig,
    runId,
    ledger,
    state: ledger.terminal?.state,
    codes: [...new Set(ledger.reasons.map(({ code }) => code))],
  };
}

test('without a block the mail is delivered', async () => {
  expect(await scanned(parsePolicy('{}'))).toMatchObject({ state: 'delivered', codes: [] });
});

describe('the mail is held for', () => {
  test.each<[BlockKind, string]>([
    ['file', sha256Hex(NOTES)],
    ['file', ` ${sha256Hex(NOTES).toUpperCase()} `],
    ['url', 'https://www.shop.example/a?b=1'],
    ['url', 'HTTPS://WWW.SHOP.EXAMPLE:443/a?b=1'],
    ['host', 'www.shop.example'],
    ['host', 'Shop.Example'],
    ['sender', 'ana@sender.example'],
    ['sender', 'ANA@Sender.example'],
    ['sender', '@sender.example'],
    ['sender', 'sender.example'],
  ])('a blocked %s: %s', async (kind, text) => {
    expect(await scanned(blocking(kind, text))).toMatchObject({ state: 'quarantined', codes: ['blocked'] });
  });

  test.each([
    'https://x@www.shop.example:8443/',
    'http://www.shop.example.',
    'ftp://www.shop.example/x',
    'https://WWW.SHOP.EXAMPLE?q',
  ])('a blocked host in %s', async (link) => {
    const held = await scanned(blocking('host', 'shop.example'), emailWith({ text: `see <${link}> now` }));
    expect(held).toMatchObject({ state: 'quarantined', codes: ['blocked'] });
  });

  test('a blocked file inside an archive in it', async () => {
    const files = [{ name: 'a.zip', bytes: zipOf({ 'notes.txt': NOTES }) }];
    const held = await scanned(blocking('file', sha256Hex(NOTES)), emailWith({ files }));
    expect(held).toMatchObject({ state: 'quarantined', codes: ['blocked'] });
  });
});

test.each(['bounces@other.example', 'other.example'])(
  'a blocked sender %s is also looked for in the envelope',
  async (sender) => {
    const rig = createRig({ policy: blocking('sender', sender), script: { polls: 0 } });
    const envelope = { sender: 'Bounces@Other.example', recipients: ['bob@rcpt.example'] };
    const { runId } = await rig.scan(MAIL, 'a.eml', { envelope });
    expect((await rig.ledger(runId)).reasons.map(({ code }) => code)).toEqual(['blocked']);
  },
);

describe('the mail is delivered with a block of', () => {
  test.each<[BlockKind, string]>([
    ['file', sha256Hex('other notes')],
    ['url', 'https://www.shop.example/a'],
    ['host', 'op.example'],
    ['host', 'x.www.shop.example'],
    ['sender', 'na@sender.example'],
    ['sender', 'nder.example'],
    ['sender', 'recipient.example'],
  ])('another %s: %s', async (kind, text) => {
    expect(await scanned(blocking(kind, text))).toMatchObject({ state: 'delivered' });
  });
});

test.each<[BlockKind, string]>([
  ['file', 'x'],
  ['file', 'a'.repeat(63)],
  ['url', 'not a link'],
  ['url', 'mailto:a@b.example'],
  ['url', ''],
  ['host', ''],
  ['host', 'a b'],
  ['host', 'localhost'],
  ['sender', 'ana'],
  ['sender', 'a@b@c.example'],
  ['sender', 'x'.repeat(400)],
])('a %s is not %j', (kind, text) => {
  expect(blockOf(kind, text)).toBeNull();
});

test('a release as rebuilt leaves the blocked file out', async () => {
  const { rig, runId } = await scanned(blocking('file', sha256Hex(NOTES)));
  expect((await decided(rig, runId, 'release')).state).toBe('delivered');
  const clean = Buffer.from(await rig.blobs.get('clean', keys.cleanMessage(runId), { maxBytes: 1e6 })).toString();
  expect(clean).not.toContain(Buffer.from(NOTES).toString('base64'));
  expect(
    (await rig.ledger(runId)).parts.find(({ untrustedNames }) => untrustedNames[0] === 'notes.txt')?.disposition,
  ).toBe('remove');
});

describe('the list', () => {
  const file = { kind: 'file' as const, value: 'ab'.repeat(32) };
  const host = { kind: 'host' as const, value: 'evil.example' };

  test('follows from the audit trail, also where another process writes to it', async () => {
    const { ctx } = createRig();
    const [mine, other] = [createBlockList(ctx), createBlockList(ctx)];
    expect(await mine.current()).toEqual([]);
    expect(await changeBlock(ctx, other, 'block', { block: file, who: PAT })).toBe(true);
    expect(await changeBlock(ctx, other, 'block', { block: host, who: PAT })).toBe(true);
    expect(await changeBlock(ctx, mine, 'block', { block: file, who: PAT })).toBe(false);
    expect((await mine.current()).map(({ block }) => block)).toEqual([file, host]);
    expect(await changeBlock(ctx, mine, 'unblock', { block: file, who: PAT })).toBe(true);
    expect(await changeBlock(ctx, mine, 'unblock', { block: file, who: PAT })).toBe(false);
    expect((await other.current()).map(({ block }) => block)).toEqual([host]);
  });

  test('is the same array while nothing changes, also for many who ask at once', async () => {
    const { ctx } = createRig();
    const list = createBlockList(ctx);
    await changeBlock(ctx, list, 'block', { block: file, who: PAT });
    const all = await Promise.all([list.current(), list.current(), list.current()]);
    expect(new Set(all).size).toBe(1);
  });

  test('is not known when a record was changed, and then nothing is passed as not blocked', async () => {
    const rig = createRig();
    await changeBlock(rig.ctx, createBlockList(rig.ctx), 'block', { block: file, who: PAT });
    const text = Buffer.from(await rig.blobs.get('work', keys.audit(1), { maxBytes: 1e6 })).toString();
    await rig.blobs.put('work', keys.audit(1), Buffer.from(text.replace('abab', 'abac')));
    await expect(createBlockList(rig.ctx).current()).rejects.toThrow('record 1 of the audit trail');
  });
});
