/** The list of the operator in the work bucket: the function that decides reads it, and again when a minute has passed. */
import { expect, test } from 'vitest';
import { withLists } from '../../lambdas/shared/lists.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import { urlIdOf } from '../../lib/pipeline/ledger/artifact-id.ts';
import { createRig } from '../pipeline/rig.ts';

const HEAD = 'verdict: malicious\nsource: abuse desk\nsince: 2026-11-01\nreason: seen in attacks\n';

function bucket() {
  const { ctx, blobs, advance } = createRig();
  return {
    advance,
    put: (text: string) => blobs.put('work', keys.operatorLists(), Buffer.from(text)),
    verdict: async (host: string) => {
      const untrustedUrl = `https://${host}/`;
      const { lists } = await withLists(ctx);
      return lists?.({ type: 'url', id: urlIdOf(untrustedUrl), untrustedUrl })?.verdict ?? null;
    },
  };
}

test('without a list nothing is on one, and one that is put there counts within a minute', async () => {
  const { put, verdict, advance } = bucket();
  expect(await verdict('evil.example')).toBeNull();
  await put(`${HEAD}evil.example\n`);
  expect(await verdict('evil.example')).toBeNull();
  advance(60_000);
  expect(await verdict('evil.example')).toBe('malicious');
  await put(`${HEAD}other.example\n`);
  advance(60_000);
  expect([await verdict('evil.example'), await verdict('other.example')]).toEqual([null, 'malicious']);
});

test('a list with a fault lets nothing be decided, and the log has its line', async () => {
  const { put, verdict } = bucket();
  await put(`${HEAD}evil\n`);
  await expect(verdict('evil.example')).rejects.toThrow('lists/lists.txt:5: "evil" is neither');
});
