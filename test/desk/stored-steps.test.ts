import { expect, test } from 'vitest';
import { storedSteps } from '../../lib/desk/cloud/stored-steps.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { createRig, emailWith } from '../pipeline/rig.ts';
import { runUpTo, WAY } from '../pipeline/way.ts';

/** The stages that the page has for a run that was taken to the front of this stage. */
async function stepsBefore(stage: Parameters<typeof runUpTo>[2]): Promise<string[]> {
  const rig = createRig();
  const begun = await parse(rig.ctx, await rig.intake(emailWith({ text: 'see https://a.example' })));
  const { runId } = await runUpTo(rig.ctx, begun, stage);
  return [...storedSteps(runId, 'a.eml', await rig.ledger(runId)).steps.keys()];
}

test('the page shows the next stage of the state machine as under way; after submit and poll it shows the wait', async () => {
  const way = [...WAY, 'deliver'] as const;
  for (const [index, stage] of way.entries()) {
    const before = way.slice(0, index);
    const isWaiting = before.at(-1) === 'submit' || before.at(-1) === 'poll';
    expect(await stepsBefore(stage)).toEqual(['parse', ...before, ...(isWaiting ? [] : [stage])]);
  }
});
