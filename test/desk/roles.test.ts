/** What each role may do, over every address that the desk has: an address that is added is in here by itself. */
import { describe, expect, test } from 'vitest';
import type { Role } from '../../lib/pipeline/model.ts';
import { HELD, openDesk } from './desk-rig.ts';
import { addressesOf } from './routes.ts';

const ROLES: readonly Role[] = ['reader', 'analyst', 'admin'];
/** Forms that decide nothing about mail. */
const OF_ALL = ['/policy', '/sign-out'];

const RUN = 'f'.repeat(32);

test('every address of the desk is looked at', async () => {
  const all = (await openDesk()).routes.flatMap(({ method, path }) =>
    addressesOf(path, 'RUN').map((address) => `${method} ${address}`),
  );
  expect(all.filter((address) => /[:{}]/.test(address))).toEqual([]);
  for (const some of ['POST /mails/RUN/release', 'POST /selected', 'POST /mails/RUN/original.zip', 'POST /drop'])
    expect(all).toContain(some);
});

describe.each(ROLES)('%s', (role) => {
  test('gets each page', async () => {
    const desk = await openDesk(role);
    const runId = await desk.scan(HELD);
    for (const { path } of desk.routes.filter(({ method }) => method === 'GET')) {
      for (const address of addressesOf(path, runId)) {
        expect([address, (await desk.get(address)).status === 403]).toEqual([address, false]);
      }
    }
  });

  test('decides what is for this role, and nothing else', async () => {
    const { routes } = await openDesk();
    const forms = routes.filter(({ method }) => method === 'POST').flatMap(({ path }) => addressesOf(path, RUN));
    for (const form of forms) {
      const desk = await openDesk(role);
      const runId = await desk.scan(HELD);
      const fields = { why: 'x', attempt: '1', decision: 'release', run: `${runId}-1` };
      const type = form === '/drop' ? { 'content-type': 'multipart/form-data; boundary=x' } : {};
      const { status } = await desk.post(form.replace(RUN, runId), fields, type);
      const isRefused = role === 'reader' ? !OF_ALL.includes(form) : role === 'analyst' && form.endsWith('/original');
      // The form of a file that is no whole form is refused for everybody.
      expect([form, status === 403]).toEqual([form, isRefused || form === '/drop']);
      if (isRefused) expect((await desk.rig.ledger(runId)).attempt.number).toBe(1);
    }
  });
});
