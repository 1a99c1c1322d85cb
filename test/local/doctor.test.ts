/** `airlock doctor` on this machine, with what is wrong made by the test. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GetBucketNotificationConfigurationCommand,
  GetBucketPolicyCommand,
  GetBucketVersioningCommand,
  GetPublicAccessBlockCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { folder, nodeVersion } from '../../lib/local/doctor/checks.ts';
import { airlock } from './console.ts';

const s3 = mockClient(S3Client);
beforeEach(() => {
  s3.reset();
});
afterAll(() => s3.restore());

interface Line {
  readonly name: string;
  readonly state: string;
  readonly text: string;
}

async function doctor(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const { code, stdout } = await airlock(['doctor', '--json', '--port', '0', ...args], { env });
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  return { code, bad: lines.filter(({ state }) => state === 'bad'), lines };
}

test('finds that everything works here, every engine too', async () => {
  const { code, bad, lines } = await doctor();
  expect([code, bad]).toEqual([0, []]);
  expect(lines.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['static analysis', 'disarm of a picture', 'script emulation', 'URL analysis', 'database']),
  );
});

test('says which rules of the policy count for the gateway alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'airlock-doctor-'));
  const policy = { recipients: { 'b.example': {} }, firstMessage: { afterSeconds: 30 } };
  await writeFile(join(folder, 'policy.json'), JSON.stringify(policy));
  await writeFile(join(folder, 'airlock.config.json'), JSON.stringify({ policy: 'policy.json' }));
  const { code, lines } = await doctor(['--config', join(folder, 'airlock.config.json')]);
  await writeFile(join(folder, 'policy.json'), '{ "odd": 1 }');
  const odd = await doctor(['--config', join(folder, 'airlock.config.json')]);
  await rm(folder, { recursive: true });
  expect(code).toBe(0);
  expect(lines.find(({ name }) => name === 'policy')?.text).toContain(
    'recipients and firstMessage of it count for airlock gateway alone',
  );
  expect([odd.code, odd.bad.map(({ name }) => name)]).toEqual([1, ['policy']]);
});

test('says it to people in a line each, with a last line', async () => {
  const { stdout } = await airlock(['doctor', '--port', '0']);
  expect(stdout).toMatch(/^good {2}Node +\d/);
  expect(stdout).toMatch(/Everything works\.\n$/);
});

test('names a port that is taken', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { code, bad } = await doctor(['--port', String(port)]);
  await new Promise((resolve) => server.close(resolve));
  expect([code, bad]).toEqual([1, [expect.objectContaining({ name: `port ${port}` })]]);
  expect(bad[0]?.text).toContain('EADDRINUSE');
});

test('asks the service that is named', async () => {
  const { bad } = await doctor(['--service', 'http://127.0.0.1:9'], { AIRLOCK_API_KEY: 'k' });
  expect(bad.map(({ text }) => text)).toEqual([expect.stringContaining('does not answer (ECONNREFUSED)')]);
});

test.each(['18.20.0', '20.18.3', '8.0.0'])('Node %s is too old', (version) => {
  expect(() => nodeVersion(version)).toThrow(/too old; install 20\.19 or newer/);
});

test('a folder that cannot be written into', () => {
  expect(() => folder('/proc')).toThrow(/cannot be written into \(E[A-Z]+\)/);
});

describe('of a bucket', () => {
  const credentials = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 's', AWS_REGION: 'eu-central-1' };
  const block = {
    BlockPublicAcls: true,
    BlockPublicPolicy: true,
    IgnorePublicAcls: true,
    RestrictPublicBuckets: true,
  };

  test('that is set up as a stack does it, everything is good', async () => {
    s3.on(GetBucketVersioningCommand).resolves({ Status: 'Enabled' });
    s3.on(GetPublicAccessBlockCommand).resolves({ PublicAccessBlockConfiguration: block });
    s3.on(GetBucketNotificationConfigurationCommand).resolves({ EventBridgeConfiguration: {} });
    s3.on(GetBucketPolicyCommand).resolves({ Policy: '{"Condition":{"Bool":{"aws:SecureTransport":"false"}}}' });
    const { code, lines } = await doctor(['--bucket', 'intake'], credentials);
    expect([code, lines.filter(({ name }) => name.startsWith('intake:')).length]).toEqual([0, 4]);
    expect(JSON.stringify(lines)).not.toContain('AKIAEXAMPLE');
  });

  test('each thing that is missing is named with what to do', async () => {
    s3.on(GetBucketVersioningCommand).resolves({});
    s3.on(GetPublicAccessBlockCommand).resolves({
      PublicAccessBlockConfiguration: { ...block, IgnorePublicAcls: false },
    });
    s3.on(GetBucketNotificationConfigurationCommand).resolves({});
    s3.on(GetBucketPolicyCommand).rejects(new Error('The bucket policy does not exist'));
    const { bad } = await doctor(['--bucket', 'intake'], credentials);
    expect(bad.map(({ name }) => name)).toEqual([
      'intake: versions',
      'intake: public access',
      'intake: events',
      'intake: policy',
    ]);
  });
});
