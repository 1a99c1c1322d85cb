import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startLocalService } from '../../lib/local/session/local-service.ts';
import { airlock } from './console.ts';

const root = await mkdtemp(join(tmpdir(), 'airlock-keys-'));
afterAll(() => rm(root, { recursive: true, force: true }));

let directories = 0;
const newDirectory = () => {
  directories += 1;
  return join(root, String(directories));
};

interface Made {
  readonly keyId: string;
  readonly key: string;
}

async function made(data: string, ...options: string[]): Promise<Made> {
  const { code, stdout } = await airlock(['keys', 'create', '--data', data, '--json', '--name', 'ci', ...options]);
  expect(code).toBe(0);
  return JSON.parse(stdout) as Made;
}

describe('keys', () => {
  test('are shown once, listed without their secret, and revoked', async () => {
    const data = newDirectory();
    const created = await airlock(['keys', 'create', '--data', data, '--name', 'Ana', '--workspace', 'lab']);
    const [, id = '', key = ''] = /^id +(\S+)\nkey +(ma_\S+)\n/.exec(created.stdout) ?? [];
    expect(key.length).toBeGreaterThan(30);
    const listed = await airlock(['keys', 'list', '--data', data]);
    expect(listed.stdout).toMatch(new RegExp(`${id} +valid +lab +- +- +- +\\d{4}-\\d\\d-\\d\\d +Ana`));
    expect(listed.stdout).not.toContain(key);
    expect((await airlock(['keys', 'revoke', '--data', data, id])).code).toBe(0);
    expect((await airlock(['keys', 'list', '--data', data])).stdout).toMatch(/revoked/);
    const again = await airlock(['keys', 'revoke', '--data', data, id]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('There is no valid key')]);
  });

  test('are nowhere in the files of the service', async () => {
    const data = newDirectory();
    const { key } = await made(data);
    for (const name of await readdir(data)) expect((await readFile(join(data, name))).includes(key)).toBe(false);
  });

  test('of a running service work, see their workspace, and stop working, at once', async () => {
    const data = newDirectory();
    const service = await startLocalService(0, { apiKey: 'operator', dataDirectory: data });
    try {
      const status = async (key: string, path = '/me') =>
        (await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })).status;
      const { key, keyId } = await made(data, '--workspace', 'lab', '--requests-per-minute', '1000');
      expect(await status(key)).toBe(200);
      const form = new FormData();
      form.append('file', new Blob(['text']), 'a.txt');
      form.append('private', 'true');
      const headers = { authorization: `Bearer ${key}` };
      const created = await fetch(`${service.url}/submissions/static`, { method: 'POST', body: form, headers });
      const { uuid } = (await created.json()) as { uuid: string };
      expect(await status(key, `/submissions/${uuid}`)).toBe(200);
      expect(await status('operator', `/submissions/${uuid}`)).toBe(403);
      await airlock(['keys', 'revoke', '--data', data, keyId]);
      expect(await status(key)).toBe(401);
    } finally {
      await service.close();
    }
  });

  test.each([
    [['--requests-per-minute', '-1'], /--requests-per-minute takes a whole number/],
    [['--submissions-per-day', 'many'], /--submissions-per-day takes a whole number/],
    [['--concurrent', '99999999999'], /--concurrent takes a whole number/],
    [['--workspace', ' '], /--workspace takes a name/],
    [['--workspace', 'a\u001b[2J'], /--workspace takes a name/],
  ])('refuse %j', async (options, sentence) => {
    const { code, stderr } = await airlock(['keys', 'create', '--data', newDirectory(), '--name', 'x', ...options]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
  });

  test('need a valid directory', async () => {
    const { code, stderr } = await airlock(['keys', 'list', '--data', '/dev/null/keys']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be used')]);
  });

  test('explain themselves', async () => {
    const { code, stdout } = await airlock(['keys', '--help']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Examples:')]);
    expect((await airlock(['keys', 'list', '--data', newDirectory()])).stdout).toContain('No keys yet');
  });
});

test('two services do not share a data directory', async () => {
  const data = newDirectory();
  const service = await startLocalService(0, { dataDirectory: data });
  const { code, stderr } = await airlock(['serve', '--port', '0', '--data', data]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('Another service uses')]);
  await service.close();
});
