/** What is released is what was judged: stored bytes that somebody replaced in between are not delivered, and the mail stays held. */
import { describe, expect, test } from 'vitest';
import { keys } from '../../lib/pipeline/keys.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { emailWith } from '../pipeline/rig.ts';
import { openCloudDesk } from './cloud-desk-rig.ts';
import { type Desk, HELD, openDesk } from './desk-rig.ts';

const ONE_PERSON = parsePolicy('{"release":{"malicious":"original","original":"one"}}');
const OTHER = Buffer.from(emailWith({ subject: 'Another', text: 'pay here: https://evil.example/' }));
const FORM = { why: 'the sender called', attempt: '1' };

/** Every stored object that a release reads mail from. */
const PLACES: readonly (readonly [string, (desk: Pick<Desk, 'rig'>, runId: string) => Promise<void>])[] = [
  [
    'the held original',
    async ({ rig }, runId) => void (await rig.blobs.put('quarantine', keys.quarantinedOriginal(runId), OTHER)),
  ],
  [
    'the object that came in',
    async ({ rig }) => {
      for (const key of rig.blobs.list('intake')) await rig.blobs.put('intake', key, OTHER);
    },
  ],
  [
    'both',
    async ({ rig }, runId) => {
      await rig.blobs.put('quarantine', keys.quarantinedOriginal(runId), OTHER);
      for (const key of rig.blobs.list('intake')) await rig.blobs.put('intake', key, OTHER);
    },
  ],
  [
    'every file that was stored for the run',
    async ({ rig }) => {
      for (const key of rig.blobs.list('work'))
        if (!/\.json$|^keys\/|^audit\//.test(key)) await rig.blobs.put('work', key, OTHER);
    },
  ],
];

/** The messages that went out. */
async function delivered({ rig }: Pick<Desk, 'rig'>): Promise<string[]> {
  const all = rig.blobs.list('clean').filter((key) => key.endsWith('.eml'));
  const read = (key: string) => rig.blobs.get('clean', key, { maxBytes: 1_000_000 });
  return Promise.all(all.map(async (key) => Buffer.from(await read(key)).toString()));
}

describe.each(PLACES)('when somebody replaced %s', (_, replace) => {
  test.each(['release', 'original'])(
    'a %s delivers nothing of it, and the page says what became of it',
    async (form) => {
      const desk = await openDesk('admin', ONE_PERSON);
      const runId = await desk.scan(HELD);
      await replace(desk, runId);
      await desk.post(`/mails/${runId}/${form}`, FORM);
      for (const message of await delivered(desk)) expect(message).not.toContain('evil.example');
      const { terminal } = await desk.rig.ledger(runId);
      // What was judged may still be there, in a place that was not replaced.
      if (terminal?.state !== 'delivered')
        expect([terminal?.state, await delivered(desk)]).toEqual(['quarantined', []]);
    },
  );

  test('nor does one on AWS', async () => {
    const desk = await openCloudDesk(ONE_PERSON);
    const runId = await desk.scan(HELD);
    await replace(desk, runId);
    await desk.post(`/mails/${runId}/original`, FORM, {}, { groups: ['admin'] });
    await desk.settle();
    for (const message of await delivered(desk)) expect(message).not.toContain('evil.example');
  });
});

test('an original of which no copy is as it was judged is not released', async () => {
  const desk = await openDesk('admin', ONE_PERSON);
  const runId = await desk.scan(HELD);
  await PLACES[2]?.[1](desk, runId);
  await desk.post(`/mails/${runId}/original`, FORM);
  expect((await desk.rig.ledger(runId)).terminal?.state).toBe('quarantined');
  expect(await delivered(desk)).toEqual([]);
});
