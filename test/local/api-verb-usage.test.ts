import { afterEach, describe, expect, test } from 'vitest';
import { type HandlerServer, handlerServer, sendJson } from '../service/handler-server.ts';
import { airlock } from './console.ts';

const UUID = '5b7e1f0e-5a3c-4a0e-9c8b-3f1f4f3f2a11';

const servers: HandlerServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe('wrong usage exits 2 and says what to do', () => {
  test.each<[string, string[], Record<string, string>, RegExp]>([
    ['no service', ['me'], {}, /--service URL or set AIRLOCK_API_URL/],
    ['no key', ['me', '--service', 'https://a.test'], {}, /AIRLOCK_API_KEY/],
    ['plain http', ['me', '--service', 'http://a.test'], { AIRLOCK_API_KEY: 'k' }, /use https/],
    ['no command', [], {}, /Usage: airlock api/],
    ['an unknown command', ['frobnicate'], {}, /unknown command/],
    ['an id that is none', ['get', '../me'], { AIRLOCK_API_KEY: 'k' }, /not the id of a submission/],
    ['a hash that is none', ['search', 'abc'], { AIRLOCK_API_KEY: 'k' }, /sha256sum FILE/],
    ['an unknown report', ['report', UUID, 'constructor'], { AIRLOCK_API_KEY: 'k' }, /There are: summary, indicators/],
    ['no report', ['report', UUID], { AIRLOCK_API_KEY: 'k' }, /Name a report, or write all with --html FILE/],
    ['an unknown download', ['download', UUID, 'all'], { AIRLOCK_API_KEY: 'k' }, /There are: sample/],
    ['an unknown level', ['list', '--level', 'bad'], { AIRLOCK_API_KEY: 'k' }, /malicious, suspicious/],
    ['a page that is none', ['list', '--page', '0'], { AIRLOCK_API_KEY: 'k' }, /whole number from 1/],
    ['an unknown kind', ['submit', '--kind', 'x', 'a'], { AIRLOCK_API_KEY: 'k' }, /static, sandbox, cdr/],
    ['a URL as a file', ['submit', '--kind', 'cdr', 'https://a.test'], { AIRLOCK_API_KEY: 'k' }, /use --kind url/],
    ['a missing file', ['submit', '/nowhere/x'], { AIRLOCK_API_KEY: 'k' }, /does not exist/],
    ['a folder', ['submit', '/'], { AIRLOCK_API_KEY: 'k' }, /not a file/],
    ['a metafield without a value', ['submit', '--metafield', 'x', 'a'], { AIRLOCK_API_KEY: 'k' }, /KEY=VALUE/],
    ['a wait without end', ['wait', UUID, '--timeout', 'NaN'], { AIRLOCK_API_KEY: 'k' }, /number of seconds/],
    ['an unknown report type', ['wait', UUID, '--report', 'x'], { AIRLOCK_API_KEY: 'k' }, /dynamic, static/],
    ['an unknown scan', ['metafields', 'x'], { AIRLOCK_API_KEY: 'k' }, /sandbox, static, cdr/],
  ])('%s', async (_, args, env, sentence) => {
    const url = args.includes('--service') || !env.AIRLOCK_API_KEY ? {} : { AIRLOCK_API_URL: 'http://127.0.0.1:1' };
    const { code, stderr, stdout } = await airlock(['api', ...args], { env: { ...env, ...url } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
  });

  test('a key that the service refuses, without showing the key', async () => {
    const server = await handlerServer((_, response) => sendJson(response, { code: 'UNAUTHORIZED' }, 401));
    servers.push(server);
    const env = { AIRLOCK_API_URL: server.url, AIRLOCK_API_KEY: 'very-secret' };
    const { code, stderr } = await airlock(['api', 'me'], { env });
    expect(code).toBe(2);
    expect(stderr).toMatch(/UNAUTHORIZED[\s\S]*Check AIRLOCK_API_KEY/);
    expect(stderr).not.toContain('very-secret');
  });
});

test.each(['submit', 'wait', 'get', 'list', 'search', 'report', 'download', 'me', 'environments', 'metafields'])(
  'api %s --help shows examples, the service option and exits 0',
  async (command) => {
    const { code, stdout } = await airlock(['api', command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('Examples:');
    expect(stdout).toContain('--service <url>');
  },
);

test('a service that is not there exits 3 and asks about it', async () => {
  const server = await handlerServer(() => undefined);
  await server.close();
  const env = { AIRLOCK_API_URL: server.url, AIRLOCK_API_KEY: 'k' };
  const { code, stderr } = await airlock(['api', 'submit', 'https://a.test/'], { env });
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/ECONNREFUSED[\s\S]*Is the service running/),
  });
});
