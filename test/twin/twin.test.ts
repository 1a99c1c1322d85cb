/** The deployed thing, for a short time: the synthesized bundles in processes of their own, under the synthesized policies. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEnginePool, type EnginePool } from '../../lib/engines/threads/pool.ts';
import { STACK, synthesizeTo } from './assembly/synthesize.ts';
import type { Fault } from './faults/fault.ts';
import { NONE } from './faults/none.ts';
import { needless, unexplained } from './policies/unused-grants.ts';
import { badMail, mailWithPdf, plainMail } from './run/mails.ts';
import { type FaultResult, runFault } from './run/run-fault.ts';
import { contextWith } from './run/twin.ts';
import type { ExpressFault } from './workflow/state-machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-twin-test-'));
const assembly = join(folder, 'cdk.out');
let engines: EnginePool;

beforeAll(() => {
  synthesizeTo(assembly, contextWith('engines'));
  engines = createEnginePool({ threads: 1 });
});
afterAll(async () => {
  await engines.close();
  rmSync(folder, { recursive: true });
});

/** Bounds a run that hangs. It measures nothing. */
const NET_SECONDS = 500;

function run(fault: Fault, from = assembly, mails = 1): Promise<FaultResult> {
  return runFault(fault, { assembly: from, folder, engines, processes: 2, mails, mostSeconds: NET_SECONDS });
}

/** A mail without faults, one whose `deliver` is killed when the message lies in the clean bucket, and a bad one. */
const SHORT: Fault = {
  name: 'short',
  says: 'one kill',
  async run(twin) {
    const { deployment } = twin;
    let isKilled = false;
    await twin.send(plainMail());
    const { runId } = await twin.send(mailWithPdf());
    await twin.send(badMail());
    deployment.interrupt = ({ caller, operation, target }) => {
      if (isKilled || caller.name !== 'Deliver' || operation !== 'PutObject') return null;
      if (!target.includes(`${runId}/message.eml`)) return null;
      isKilled = true;
      return { do: 'kill-after' };
    };
  },
};

/** What happens to the Express executions of three mails, and the states that the Standard ones then entered. */
const spoiled: readonly (ExpressFault | null)[] = [null, { do: 'break', at: 'Rebuild' }, { do: 'lose', at: 'Submit' }];
const entered: string[][] = [];
const SPOILED: Fault = {
  name: 'spoiled',
  says: 'an Express execution breaks, and one is not heard of',
  async run(twin) {
    const { machine } = twin.deployment;
    machine.spoil = (name) => spoiled[twin.sent.findIndex(({ runId }) => name.startsWith(runId))] ?? null;
    for (const _ of spoiled) await twin.send(mailWithPdf());
    await twin.clock.settled();
    for (const { runId } of twin.sent) entered.push(machine.executions.get(`${runId}-1`)?.states ?? []);
  },
};

describe('the deployed thing', () => {
  test('delivers, disarms and quarantines, and a killed process loses and doubles nothing', async () => {
    const result = await run(SHORT);
    expect(result.problems).toEqual([]);
    expect(result).toMatchObject({ sent: 3, delivered: 2, quarantined: { malicious: 1 }, denials: [] });
    // A permission that nothing uses has no place in a role, unless there is a reason for it.
    expect(unexplained(result.unused)).toEqual([]);
    expect(needless(result.unused)).toEqual([]);
    // The first backoff of a process that was killed, and the waits for the reports.
    expect(result.toldSeconds).toBeGreaterThanOrEqual(3);
  });

  test('has an Express execution do the stages, and goes on from the first when that one comes to nothing', async () => {
    const result = await run(SPOILED);
    expect(result.problems).toEqual([]);
    expect(result).toMatchObject({ sent: 3, delivered: 3, denials: [] });
    expect(entered.map((states) => states.filter((state) => !/^(Wait|Poll|Outstanding\?)$/.test(state)))).toEqual([
      ['Express', 'Judged?', 'Deliver'],
      ['Express', 'Judged?', 'Submit', 'Fetch', 'Decide', 'Deliverable?', 'Rebuild', 'Deliver'],
      ['Express', 'Submit', 'Fetch', 'Decide', 'Deliverable?', 'Rebuild', 'Deliver'],
    ]);
  });

  test('does not hold when a permission is missing, and says which', async () => {
    const poorer = join(folder, 'poorer');
    cpSync(assembly, poorer, { recursive: true });
    const path = join(poorer, `${STACK}.template.json`);
    const template = JSON.parse(readFileSync(path, 'utf8'));
    const id = Object.keys(template.Resources).find((one) => one.includes('DeliverRoleDefaultPolicy')) ?? '';
    const text = JSON.stringify(template.Resources[id]).replace('"s3:PutObjectTagging"', '"s3:DeleteObjectTagging"');
    template.Resources[id] = JSON.parse(text);
    writeFileSync(path, JSON.stringify(template));
    const result = await run({ ...NONE[0], name: 'poorer' } as Fault, poorer);
    expect(result.denials.map(({ action }) => action)).toContain('s3:PutObjectTagging');
    expect(result.problems.join('\n')).toMatch(/denied: .*DeliverRole.* s3:PutObjectTagging/);
    expect(result).toMatchObject({ delivered: 0, quarantined: { run_failed: 1 } });
  });
});
