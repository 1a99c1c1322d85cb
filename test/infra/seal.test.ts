import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchDirectory } from '../runner/scratch.ts';
import { statementsOf } from './policy-walk.ts';
import { resourcesOf, synthesize } from './synth.ts';

const policyFile = join(scratchDirectory(), 'policy.json');
const seal = { domain: 'airlock.example', selector: 'arc1', server: 'airlock.example' };
writeFileSync(policyFile, JSON.stringify({ authentication: { servers: ['mx.airlock.example'], seal } }));
const secretsOf = (template: Parameters<typeof resourcesOf>[0]) =>
  resourcesOf(template, 'AWS::SecretsManager::Secret').filter(([id]) => id.includes('Seal'));

test('only deliver can read the key, and knows where it is', () => {
  const { template } = synthesize({ context: { policyFile } });
  const [[secret] = []] = secretsOf(template);
  const readers = statementsOf(template).filter(
    ({ effect, actions, resources }) =>
      effect === 'Allow' &&
      actions.includes('secretsmanager:GetSecretValue') &&
      resources.some((resource) => resource.includes(String(secret))),
  );
  expect(readers.flatMap(({ who }) => who)).toEqual([expect.stringMatching(/^MailAirlockDeliverRole/)]);
  const told = resourcesOf(template, 'AWS::Lambda::Function').filter(([, { Properties }]) =>
    JSON.stringify(Properties).includes('AIRLOCK_SEAL_SECRET'),
  );
  expect(told.map(([id]) => id)).toEqual([expect.stringMatching(/^MailAirlockDeliverFunction/)]);
});

test('the secret has no value that looks like a key', () => {
  const [[, resource] = []] = secretsOf(synthesize({ context: { policyFile } }).template);
  expect(resource?.Properties).not.toHaveProperty('GenerateSecretString');
  expect(resource?.Properties).not.toHaveProperty('SecretString');
});

test('a given secret is used, and no other is made', () => {
  const { template } = synthesize({ context: { policyFile, sealKeySecretName: 'my-key' } });
  expect(secretsOf(template)).toEqual([]);
  expect(JSON.stringify(template)).toContain('my-key');
});

test('without a seal in the policy there is no secret, and a given one is refused', () => {
  expect(secretsOf(synthesize({}).template)).toEqual([]);
  expect(() => synthesize({ context: { sealKeySecretName: 'my-key' } })).toThrow('authentication.seal');
});

test('an alarm rings when mail is delivered without the seal that the policy asks for', () => {
  const alarms = (found: ReturnType<typeof synthesize>) =>
    resourcesOf(found.template, 'AWS::CloudWatch::Alarm').filter(([id]) => id.includes('NotSealed'));
  expect(alarms(synthesize({ context: { policyFile } }))).toHaveLength(1);
  expect(alarms(synthesize({}))).toEqual([]);
});
