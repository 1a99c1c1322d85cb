/** Mail that is held for a closed archive and mail that may tell its password, in a rig with an index that does what a session does. */
import { onTestFinished } from 'vitest';
import { createWorkflow } from '../../lib/local/session/workflow.ts';
import type { IntakeObject } from '../../lib/pipeline/ledger/intake-object.ts';
import type { Run } from '../../lib/pipeline/model.ts';
import { parse } from '../../lib/pipeline/parse.ts';
import {
  beginWithPasswords,
  type PasswordMailContext,
  type PasswordSearch,
  passwordTries,
} from '../../lib/pipeline/passwords/password-mail.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { lastAttempt } from '../../lib/pipeline/review/redrive.ts';
import { indexedRun } from '../../lib/pipeline/runs/row.ts';
import { STAGES } from '../../lib/pipeline/stages.ts';
import { openSqliteRuns } from '../../lib/storage/sqlite/runs.ts';
import { packed } from '../formats/archives/archives.ts';
import { createRig, emailWith, type RigOptions } from './rig.ts';

export const PASSWORD = 'Sonne#42';
export const DAY_MS = 86_400_000;
const HOLDING = { failures: { encrypted: 'quarantine' } };
export const TELLS = `The password is ${PASSWORD}`;

/** An archive that this password opens. */
export const closedZip = (password = PASSWORD) => packed('zip', { 'report.txt': 'All is well.' }, { password });

export const told = (text = TELLS, subject = 'One more thing') => emailWith({ subject, text });
export const swapped = (mail: string) =>
  mail
    .replace('From: Ana <ana@sender.example>', 'From: bob@recipient.example')
    .replace('To: bob@recipient.example', 'To: ana@sender.example');

/** A rig with an index, in which each mail that ends has done for it what a session does. */
export function airlock(options: RigOptions & { readonly policyJson?: object } = {}) {
  const policy = options.policy ?? parsePolicy(JSON.stringify({ ...HOLDING, ...options.policyJson }));
  const rig = createRig({ ...options, policy });
  const runs = openSqliteRuns(':memory:');
  onTestFinished(() => runs.close());
  const ctx: PasswordMailContext & PasswordSearch = {
    ...rig.ctx,
    ...{ runs, parseAgain: (intake, attempt) => parse(rig.ctx, intake, attempt) },
  };
  const names = Object.keys(STAGES) as (keyof typeof STAGES)[];
  const stages = Object.fromEntries(names.map((name) => [name, (state: Run) => STAGES[name](rig.ctx, state)]));
  const toItsEnd = async (run: Run) => {
    await createWorkflow({ stages: stages as never, retryIntervalMs: 0 }).run(run, new AbortController().signal);
    await runs.put(indexedRun(await rig.ledger(run.runId)));
  };
  let came = 0;
  const scan = async (mail: string, known: Partial<IntakeObject> = {}) => {
    came += 1;
    const { runId, ledger } = await rig.scan(mail, `${came}.eml`, known);
    await runs.put(indexedRun(ledger));
    const begun: string[] = [];
    for (const one of await passwordTries(ctx, ledger)) {
      const run = await beginWithPasswords(ctx, await lastAttempt(ctx, one.runId), one.from);
      if (run === null) continue;
      begun.push(run.runId);
      await toItsEnd(run);
    }
    return { runId, begun };
  };
  const state = async (runId: string) => {
    const { terminal, attempt } = await rig.ledger(runId);
    return [terminal?.state, attempt.number];
  };
  return { rig, runs, ctx, scan, state, toItsEnd };
}
