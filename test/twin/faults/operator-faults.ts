/** What a person can do while mails are under way: abort executions, change the policy, deploy other code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statesOf, WAY } from '../../pipeline/way.ts';
import { synthesizeTo } from '../assembly/synthesize.ts';
import { fillSecrets } from '../deployment.ts';
import { mixedMails } from '../run/mails.ts';
import { contextWith, type Twin } from '../run/twin.ts';
import type { Fault, FaultGroup } from './fault.ts';

/** Aborts the execution of each mail when it, or the Express execution that it waits for, enters a state, each mail in another one. */
const aborted: Fault = {
  name: 'aborted',
  says: 'a person aborts each execution, each in another state: the mail is quarantined, or was delivered before',
  async run(twin, mails) {
    const { machine, express } = twin.deployment;
    const states = ['Express', ...statesOf(WAY), 'Wait', 'Judged?', 'Deliver'];
    const sent = mixedMails(mails).map((mail) => ({
      ...mail,
      must: mail.must === 'delivered' ? ('either' as const) : mail.must,
    }));
    const chosen = new Map<string, string | undefined>();
    const onState: typeof machine.onState = ({ name }, state) => {
      const index = [...twin.sent].findIndex(({ runId }) => name.startsWith(runId));
      const wanted = chosen.get(name) ?? states[Math.max(0, index) % states.length];
      chosen.set(name, wanted);
      if (state === wanted) machine.abort(name);
    };
    machine.onState = onState;
    // It has a state of that name, too, in which it says that the message can be delivered.
    express.onState = (execution, state) => state !== 'Deliver' && onState(execution, state);
    for (const mail of sent) await twin.send(mail);
  },
};

/** Another assembly beside that of the run. */
function synthesizedWith(twin: Twin, name: string, context: Readonly<Record<string, unknown>>): string {
  const directory = join(dirname(twin.clock.file), name);
  synthesizeTo(directory, { ...contextWith(twin.analyst), ...context });
  return directory;
}

/** Deploys when the first execution has come to this state, which is one of the Express machine. */
function whenReached(twin: Twin, state: string, deploy: () => void): void {
  let isDone = false;
  twin.deployment.express.onState = (_, entered) => {
    if (isDone || entered !== state) return;
    isDone = true;
    deploy();
  };
}

const otherPolicy: Fault = {
  name: 'changed-policy',
  says: 'a stricter policy is deployed while the mails wait for their reports: none is held for nothing, and none is lost',
  async run(twin, mails) {
    const shipped = JSON.parse(
      readFileSync(new URL('../../../lib/pipeline/policy/policy.default.json', import.meta.url), 'utf8'),
    );
    shipped.types.pdf.verdicts = { benign: 'remove', suspicious: 'remove', malicious: 'remove', unknown: 'remove' };
    const file = join(dirname(twin.clock.file), 'policy.json');
    writeFileSync(file, JSON.stringify(shipped));
    const directory = synthesizedWith(twin, 'cdk.out', { policyFile: file });
    whenReached(twin, 'Decide', () => twin.deployment.redeploy(directory));
    for (const mail of mixedMails(mails)) await twin.send(mail);
  },
};

const otherCode: Fault = {
  name: 'deployed-between',
  says: 'new code is deployed between each two stages: every stage of a mail runs in other processes',
  async run(twin, mails) {
    const directory = synthesizedWith(twin, 'cdk.out', { deadlineMinutes: 20 });
    const { machine, express } = twin.deployment;
    for (const each of [machine, express]) each.onState = () => twin.deployment.redeploy(directory);
    for (const mail of mixedMails(mails)) await twin.send(mail);
  },
};

const otherSeeds: Fault = {
  name: 'rotated-seeds',
  says: 'each stage signs with a new key after half of its mails: what was signed before is still believed',
  async run(twin, mails) {
    const { assembly, secrets } = twin.deployment;
    const rotate = () => fillSecrets(assembly.of('AWS::SecretsManager::Secret'), secrets);
    whenReached(twin, 'Decide', rotate);
    for (const mail of mixedMails(mails)) await twin.send(mail);
    await twin.pause(HALF_AN_HOUR);
    for (const mail of mixedMails(mails)) await twin.send(mail);
  },
};

const noSeed: Fault = {
  name: 'no-signing-secret',
  says: 'the secrets with which decide and deliver sign have no value for ten minutes: the mails wait for them',
  async run(twin, mails) {
    const { assembly, secrets } = twin.deployment;
    const own = assembly
      .of('AWS::SecretsManager::Secret')
      .filter(({ logicalId }) => /Signing(Decide|Deliver)/.test(logicalId));
    for (const { arn } of own) secrets.delete(arn);
    for (const mail of mixedMails(mails)) await twin.send(mail);
    await twin.pause(TEN_MINUTES);
    fillSecrets(own, secrets);
  },
};

const TEN_MINUTES = 600;
/** Longer than a function believes what it read of a secret. Seconds. */
const HALF_AN_HOUR = 1_800;

export const OPERATOR_FAULTS: FaultGroup = [aborted, otherPolicy, otherCode, otherSeeds, noSeed];
