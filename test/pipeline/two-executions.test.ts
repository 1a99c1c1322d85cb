/**
 * A run whose Express execution goes on after the Standard one has heard no more of it: the stages of the one attempt are then done twice, each
 * execution from its own start. However they interleave, the run ends once, as it would have ended.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { newRun } from '../../lib/pipeline/chain/new-run.ts';
import { PipelineError } from '../../lib/pipeline/errors.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { Run } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import { createRig, emailWith, type Rig, type Scanned } from './rig.ts';
import { WAY } from './way.ts';

const PDF = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';
const MAIL = emailWith({ text: 'See https://shop.example/one', files: [{ name: 'a.pdf', bytes: PDF }] });
/** Two polls, because a submission is pending for one. */
const SHARED = WAY.flatMap((stage) => (stage === 'poll' ? [stage, stage] : [stage]));

/** One execution, which knows only what its own stages told it. */
class Execution {
  private run: Run;
  private next = 0;

  constructor(
    private readonly rig: Rig,
    runId: string,
  ) {
    this.run = newRun(runId);
  }

  /** Does so many of the shared stages. A stage that fails is the last. */
  async stages(count: number): Promise<void> {
    for (const stage of SHARED.slice(this.next, this.next + count)) {
      this.run = await STAGES[stage](this.rig.ctx, this.run);
      this.next += 1;
    }
  }

  async end(stage: 'deliver' | 'quarantine', failure?: { Error: string; Cause: string }): Promise<void> {
    await STAGES[stage](this.rig.ctx, { ...this.run, ...(failure && { failure }) });
  }
}

async function started(rig: Rig): Promise<string> {
  return (await parse(rig.ctx, await rig.intake(MAIL))).runId;
}

/** Does what is left of an execution. It may only fail with an error of the pipeline, which its state machine takes. */
async function goesOn(execution: Execution): Promise<void> {
  await execution.stages(SHARED.length).catch((error: unknown) => {
    if (!(error instanceof PipelineError)) throw error;
  });
}

async function cleanObjects(rig: Rig, runId: string): Promise<Map<string, string>> {
  const { terminal } = await rig.ledger(runId);
  const read = async (key: string) =>
    [key, Buffer.from(await rig.blobs.get('clean', key, { maxBytes: 1e7 })).toString('latin1')] as const;
  return new Map(await Promise.all((terminal?.keys ?? []).map(read)));
}

const COUNTS = Array.from({ length: SHARED.length + 1 }, (_, count) => count);
const PAIRS = COUNTS.flatMap((before) => COUNTS.map((meanwhile) => [before, meanwhile] as const));

describe('an Express execution that goes on alone', () => {
  const undisturbed = createRig();
  let expected: Scanned;
  beforeAll(async () => {
    expected = await undisturbed.scan(MAIL);
  });

  test.each(PAIRS)(
    'after %i stages, and again after %i of the Standard one, changes nothing',
    async (before, meanwhile) => {
      const rig = createRig();
      const runId = await started(rig);
      const [express, standard] = [new Execution(rig, runId), new Execution(rig, runId)];
      await express.stages(before);
      rig.advance(60_000);
      await standard.stages(meanwhile);
      await goesOn(express);
      await standard.stages(SHARED.length);
      await standard.end('deliver');
      const ledger = await rig.ledger(runId);
      expect(ledger.terminal).toMatchObject({ state: 'delivered', keys: expected.ledger.terminal?.keys });
      expect(await cleanObjects(rig, runId)).toEqual(await cleanObjects(undisturbed, expected.runId));
      expect(rig.events).toEqual([{ type: 'MessageDelivered', runId }]);
      // Nothing was sent a second time.
      expect(rig.analyzer.requests).toHaveLength(undisturbed.analyzer.requests.length);
    },
  );

  test.each(COUNTS)('after %i stages does not bring back what the Standard one has quarantined', async (before) => {
    const rig = createRig();
    const runId = await started(rig);
    const [express, standard] = [new Execution(rig, runId), new Execution(rig, runId)];
    await express.stages(before);
    await standard.end('quarantine', { Error: 'StageError', Cause: 'as planned' });
    await goesOn(express);
    await expect(express.end('deliver')).rejects.toThrow(PipelineError);
    expect((await rig.ledger(runId)).terminal?.state).toBe('quarantined');
    expect(await rig.blobs.has('clean', keys.cleanMessage(runId))).toBe(false);
    expect(rig.events).toEqual([{ type: 'MessageQuarantined', runId }]);
  });

  test.each(COUNTS)('after %i stages changes nothing when it wakes up after the delivery', async (before) => {
    const rig = createRig();
    const runId = await started(rig);
    const [express, standard] = [new Execution(rig, runId), new Execution(rig, runId)];
    await express.stages(before);
    await standard.stages(SHARED.length);
    await standard.end('deliver');
    const clean = await cleanObjects(rig, runId);
    rig.advance(280_000);
    await goesOn(express);
    expect(await cleanObjects(rig, runId)).toEqual(clean);
    expect((await rig.ledger(runId)).terminal?.state).toBe('delivered');
    expect(rig.events).toEqual([{ type: 'MessageDelivered', runId }]);
  });
});
