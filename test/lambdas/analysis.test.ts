import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { analysisPorts } from '../../lambdas/shared/analysis.ts';
import { ConfigError, TransientError } from '../../lib/pipeline/errors.ts';
import { scriptedServer } from '../service/scripted-server.ts';
import { awsEnvironment } from './aws-events.ts';

const secrets = mockClient(SecretsManagerClient);
const asked = () => secrets.commandCalls(GetSecretValueCommand).map(({ args }) => args[0].input.SecretId);

beforeEach(() => {
  awsEnvironment();
  vi.stubEnv('AIRLOCK_SUBMISSIONS_TABLE', 'submissions');
  vi.stubEnv('AIRLOCK_ANALYSIS_URL', 'https://analysis.example.com');
  vi.stubEnv('AIRLOCK_API_KEY_SECRET', 'the-key');
  vi.stubEnv('AIRLOCK_CDR_TOKEN_SECRET', 'the-token');
  secrets.reset().on(GetSecretValueCommand).resolves({ SecretString: 'secret\n' });
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => secrets.restore());

test('asks for the key of the service, and for no token when there is no CDR service', async () => {
  const service = await scriptedServer({ status: 404 });
  vi.stubEnv('AIRLOCK_ANALYSIS_URL', service.url);
  const { analyzer } = await analysisPorts();
  expect(await analyzer?.scope('static')).toBe(service.url);
  expect(service.headers.map(({ authorization }) => authorization)).toEqual(['Bearer secret']);
  expect(asked()).toEqual(['the-key']);
  await service.close();
});

test('asks for the token too when there is a CDR service', async () => {
  const service = await scriptedServer({ status: 404 });
  vi.stubEnv('AIRLOCK_CDR_URL', service.url);
  secrets.on(GetSecretValueCommand, { SecretId: 'the-token' }).resolves({ SecretString: ' token\n' });
  const { analyzer } = await analysisPorts();
  const file = { id: `file:${'ab'.repeat(32)}` as const, bytes: async () => new Uint8Array(1), filename: 'a.pdf' };
  await analyzer?.submit({ kind: 'cdr', ...file, password: null, group: 'a-run' }).catch(() => null);
  expect(asked()).toEqual(['the-key', 'the-token']);
  expect(service.headers.map((headers) => headers['api-token'])).toEqual(['token']);
  await service.close();
});

test('asks a service that is away twice, and leaves the wait to the state machine', async () => {
  const service = await scriptedServer({ status: 503 });
  vi.stubEnv('AIRLOCK_ANALYSIS_URL', service.url);
  await expect(firstCall()).rejects.toThrow();
  expect(service.headers).toHaveLength(2);
  await service.close();
});

/** What the first call to the service ends with. */
async function firstCall(): Promise<unknown> {
  const { analyzer } = await analysisPorts();
  return await analyzer?.scope('static');
}

test('a secret for the key without a value is a fault of the configuration, which a run waits out', async () => {
  secrets.on(GetSecretValueCommand).resolves({});
  await expect(firstCall()).rejects.toThrow(ConfigError);
  secrets.on(GetSecretValueCommand).rejects(new ResourceNotFoundException({ message: 'no value', $metadata: {} }));
  await expect(firstCall()).rejects.toThrow(/secret the-key has no text value/);
  secrets.on(GetSecretValueCommand).resolves({ SecretString: '' });
  await expect(firstCall()).rejects.toThrow(ConfigError);
});

test('says why a secret may not be read', async () => {
  secrets.on(GetSecretValueCommand).rejects(Object.assign(new Error('no'), { name: 'AccessDeniedException' }));
  await expect(firstCall()).rejects.toThrow(ConfigError);
  await expect(firstCall()).rejects.toThrow('secret the-key cannot be read: AccessDeniedException');
});

test('treats a busy Secrets Manager as a temporary fault', async () => {
  secrets.on(GetSecretValueCommand).rejects(Object.assign(new Error('slow'), { name: 'ThrottlingException' }));
  await expect(firstCall()).rejects.toThrow(TransientError);
  await expect(firstCall()).rejects.toThrow('secret get failed for now: ThrottlingException');
});
