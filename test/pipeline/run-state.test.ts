/** What the state machine hands from stage to stage. Step Functions refuses a state of more than 256 KiB. */
import { expect, test } from 'vitest';
import type { Run } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import { createRig, emailWith } from './rig.ts';
import { WAY } from './way.ts';

/** The longest state on the way of a mail, in characters of JSON. */
async function longestState(email: string): Promise<number> {
  const rig = createRig({ script: { polls: 0 } });
  const states: Run[] = [await parse(rig.ctx, await rig.intake(email))];
  for (const stage of [...WAY, 'deliver'] as const) states.push(await STAGES[stage](rig.ctx, states.at(-1) as Run));
  expect(states.at(-1)?.disposition).toBe('deliver');
  return Math.max(...states.map((state) => JSON.stringify(state).length));
}

test('the state of a run holds only counts and does not grow with its mail', async () => {
  const links = Array.from({ length: 150 }, (_, at) => `https://example.org/${at}`).join('\r\n');
  const files = Array.from({ length: 50 }, (_, at) => ({ name: `${at}.txt`, bytes: `note ${at}` }));
  const [small, large] = [await longestState(emailWith({})), await longestState(emailWith({ text: links, files }))];
  expect(large).toBeLessThan(small + 10);
  expect(large).toBeLessThan(1_000);
});
