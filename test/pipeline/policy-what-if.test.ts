/** Another policy on what was found: the judge is a scan of the same mail under that policy. */
import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { type Policy, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { indexedRun, type RunRow } from '../../lib/pipeline/runs/row.ts';
import { counted, NO_RUNS, type TriedRun, tryPolicy } from '../../lib/pipeline/trial/policy-trial.ts';
import { decided } from './review-rig.ts';
import { createRig, emailWith, PDF, type Rig, type Script } from './rig.ts';

const pdf = (name: string) => ({ name, bytes: `${PDF}${name}` });
const MAILS = {
  plain: emailWith({ subject: 'plain' }),
  link: emailWith({ subject: 'link', text: 'see http://evil.example/x' }),
  suspicious: emailWith({ subject: 'suspicious', files: [pdf('suspicious.pdf')] }),
  malicious: emailWith({ subject: 'malicious', files: [pdf('malicious.pdf')] }),
  unread: emailWith({ subject: 'unread', files: [pdf('unread.pdf')] }),
};
type Name = keyof typeof MAILS;

const script: Script = {
  polls: 0,
  answer: (request) => {
    const name = 'bytes' in request ? Buffer.from(request.bytes).toString() : request.url;
    if (request.kind === 'cdr') return name.startsWith('%PDF') ? { disarmed: new TextEncoder().encode(PDF) } : {};
    if (name.includes('malicious')) return { verdict: 'malicious' };
    if (name.includes('suspicious') || name.includes('evil')) return { verdict: 'suspicious', reasons: ['odd'] };
    return name.includes('unread') ? { failure: { class: 'unreadable', detail: 'damaged' } } : {};
  },
};

const POLICIES = {
  'the same': '{}',
  'holds what is suspicious': '{"message":{"quarantineVerdicts":["malicious","suspicious"]}}',
  'holds nothing': '{"message":{"quarantineVerdicts":[]}}',
  'removes PDF': '{"types":{"pdf":{"verdicts":{"benign":"remove","suspicious":"remove","unknown":"remove"}}}}',
  'holds what nobody could read': '{"failures":{"unreadable":"quarantine"}}',
  'asks for less': '{"types":{"url":{"analyses":[]}}}',
};

function rigUnder(policy: Policy): Rig {
  return createRig({ policy, script });
}

async function rowsOf(rig: Rig, ids: readonly string[]): Promise<RunRow[]> {
  return Promise.all(ids.map(async (runId) => indexedRun(await rig.ledger(runId)).row));
}

/** Tries a policy on these runs, as an index would list them. */
async function trial(rig: Rig, policy: Policy, ids: readonly string[]): Promise<TriedRun[]> {
  const rows = await rowsOf(rig, ids);
  const found: TriedRun[] = [];
  const list = async () => ({ rows, next: null });
  for await (const run of tryPolicy(rig.ctx, { list }, policy, { since: 0, most: 100 })) found.push(run);
  return found;
}

const dispositions = ({ parts }: Ledger) => parts.map(({ disposition }) => disposition);

describe.each(Object.entries(POLICIES))('a policy that %s', (_, json) => {
  test.each(Object.keys(MAILS) as Name[])('is told of %s mail as a scan under it ends', async (name) => {
    const policy = parsePolicy(json);
    const rig = rigUnder(parsePolicy('{}'));
    const before = await rig.scan(MAILS[name]);
    const after = await rigUnder(policy).scan(MAILS[name]);
    const [tried] = await trial(rig, policy, [before.runId]);
    const [then, now] = [before.ledger.terminal?.state, after.ledger.terminal?.state];
    const isOther = dispositions(before.ledger).join() !== dispositions(after.ledger).join();
    const stays = then === 'delivered' && isOther ? 'parts' : 'same';
    const turn = then === now ? stays : now === 'delivered' ? 'delivered' : 'held';
    expect(tried).toMatchObject({ outcome: 'tried', result: { turn, missing: [] } });
    const codes = (ledger: Ledger) => [...new Set(ledger.reasons.map(({ code }) => code))];
    expect(tried).toMatchObject({ result: { reasons: { before: codes(before.ledger), after: codes(after.ledger) } } });
  });
});

test('the table above has every turn in it', async () => {
  const turns = new Set<string>();
  const rig = rigUnder(parsePolicy('{}'));
  const ids: string[] = [];
  for (const mail of Object.values(MAILS)) ids.push((await rig.scan(mail, `${ids.length}.eml`)).runId);
  for (const json of Object.values(POLICIES))
    for (const run of await trial(rig, parsePolicy(json), ids)) if (run.outcome === 'tried') turns.add(run.result.turn);
  expect([...turns].sort()).toEqual(['delivered', 'held', 'parts', 'same']);
});

describe('an analysis that was not made', () => {
  const asks = (more: string) => parsePolicy(`{"types":{"pdf":{"analyses":["static","cdr","sandbox"]}}${more}}`);

  test('is no reason to say that a mail would be held or delivered', async () => {
    const rig = rigUnder(parsePolicy('{}'));
    const { runId } = await rig.scan(MAILS.suspicious);
    const [run] = await trial(rig, asks(''), [runId]);
    expect(run).toMatchObject({ result: { turn: 'unknown', missing: ['sandbox'], parts: [] } });
  });

  test('matters nothing to a mail that is held whatever it finds', async () => {
    const rig = rigUnder(parsePolicy('{}'));
    const { runId } = await rig.scan(MAILS.suspicious);
    const strict = asks(',"message":{"quarantineVerdicts":["malicious","suspicious"]}');
    const [run] = await trial(rig, strict, [runId]);
    expect(run).toMatchObject({ result: { turn: 'held', reasons: { after: ['suspicious'] } } });
  });
});

test('what people released or deleted counts as it was held', async () => {
  const rig = rigUnder(parsePolicy('{}'));
  const ids = [(await rig.scan(MAILS.malicious, 'a.eml')).runId, (await rig.scan(MAILS.malicious, 'b.eml')).runId];
  await decided(rig, ids[0] as string, 'release');
  await decided(rig, ids[1] as string, 'delete');
  expect((await rig.ledger(ids[0] as string)).terminal?.state).toBe('delivered');
  const same = await trial(rig, parsePolicy('{}'), ids);
  expect(same).toMatchObject([{ result: { turn: 'same' } }, { result: { turn: 'same' } }]);
  const lax = await trial(rig, parsePolicy(POLICIES['holds nothing']), ids);
  expect(lax).toMatchObject([{ result: { turn: 'delivered' } }, { result: { turn: 'delivered' } }]);
});

test('a mail that a failed stage held, and one whose chain was changed, are left out and counted', async () => {
  const broken = createRig({ script, overrides: () => ({ submissions: null as never }) });
  const failed = await broken.scan(MAILS.plain);
  expect(failed.ledger.terminal?.state).toBe('quarantined');
  expect(await trial(broken, parsePolicy('{}'), [failed.runId])).toMatchObject([{ outcome: 'undecided' }]);

  const rig = rigUnder(parsePolicy('{}'));
  const { runId } = await rig.scan(MAILS.plain);
  const rows = await rowsOf(rig, [runId]);
  const key = `runs/${runId}/1/deliver.json`;
  const text = Buffer.from(await rig.blobs.get('work', key, { maxBytes: 1_000_000 })).toString();
  await rig.blobs.put('work', key, Buffer.from(text.replaceAll('plain', 'pl4in')));
  const list = async () => ({ rows, next: null });
  let counts = NO_RUNS;
  for await (const run of tryPolicy(rig.ctx, { list }, parsePolicy('{}'), { since: 0, most: 9 }))
    counts = counted(counts, run);
  expect(counts).toEqual({ ...NO_RUNS, unreadable: 1 });
});

test('as many as are wanted are tried, page by page', async () => {
  const rig = rigUnder(parsePolicy('{}'));
  const { runId } = await rig.scan(MAILS.plain);
  const [row] = await rowsOf(rig, [runId]);
  const asked: (number | string | null)[][] = [];
  const list = async ({ since, after, most }: { since: number | null; after: string | null; most: number }) => {
    asked.push([since, after, most]);
    return { rows: Array.from({ length: Math.min(most, 150) }, () => row as RunRow), next: `1-${runId}` };
  };
  let tried = 0;
  for await (const _ of tryPolicy(rig.ctx, { list }, parsePolicy('{}'), { since: 7, most: 160 })) tried += 1;
  expect(tried).toBe(160);
  expect(asked).toEqual([
    [7, null, 160],
    [7, `1-${runId}`, 10],
  ]);
});
