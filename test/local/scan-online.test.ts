import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inputsOf } from '../../lib/local/input/input.ts';
import type { Outcome } from '../../lib/local/outcome.ts';
import type { LocalEngines } from '../../lib/local/session/local-engines.ts';
import { openSession } from '../../lib/local/session/session.ts';
import { DEFAULT_POLICY } from '../../lib/pipeline/policy/policy.ts';
import { LOOPBACK, sendHtml, site } from '../engines/visit-fixture.ts';
import { emailWith } from '../pipeline/rig.ts';
import type { HandlerServer } from '../service/handler-server.ts';
import { airlock } from './console.ts';

const PASSWORDS = '<form action="http://collect.example/in" method="post"><input type="password" name="p"></form>';
let folder: string;
let server: HandlerServer & { readonly port: number };
let visits = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-online-'));
  server = await site({
    '/page': (response) => {
      visits += 1;
      sendHtml(`<title>Sign in</title>${PASSWORDS}`)(response);
    },
  });
  await writeFile(
    join(folder, 'address.eml'),
    emailWith({ text: `see http://${LOOPBACK}:${server.port}/page and http://${LOOPBACK}/` }),
  );
  await writeFile(join(folder, 'name.eml'), emailWith({ text: `see http://site.example:${server.port}/page` }));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const findingsOf = (outcome: Outcome) =>
  'ledger' in outcome
    ? outcome.ledger.artifacts
        .flatMap(({ submissions }) => submissions)
        .filter(({ kind }) => kind === 'url_analysis')
        .flatMap(({ untrustedReasons }) => untrustedReasons)
        .join('; ')
    : outcome.message;

test('online, an address that is not public is refused, and nothing is sent to it', async () => {
  const args = ['--out', join(folder, 'out'), '--json', join(folder, 'address.eml')];
  const env = { AIRLOCK_CHROMIUM: 'none' };
  const online = await airlock(['scan', '--online', ...args], { env });
  const offline = await airlock(['scan', ...args], { env });
  expect(visits).toBe(0);
  expect(findingsOf(JSON.parse(online.stdout))).toMatch(/not public/);
  expect(findingsOf(JSON.parse(offline.stdout))).not.toMatch(/not public/);
});

test('online, the page behind a URL is judged', async () => {
  const engines: LocalEngines = {
    visits: { chromium: null, allowAddresses: [LOOPBACK], allowPorts: [server.port], resolve: async () => [LOOPBACK] },
  };
  const session = await openSession({
    out: join(folder, 'out'),
    policy: DEFAULT_POLICY,
    service: null,
    cdrService: null,
    engines,
    signal: new AbortController().signal,
    onStage: () => {},
  });
  try {
    for await (const input of inputsOf([join(folder, 'name.eml')]))
      expect(findingsOf(await session.scan(input))).toContain('Password sent to another site');
    expect(visits).toBe(1);
  } finally {
    await session.close();
  }
});

test('this machine cannot say whether another service visits', async () => {
  const args = ['scan', '--online', '--service', 'https://a.example', join(folder, 'name.eml')];
  const { code, stderr } = await airlock(args, { env: { AIRLOCK_API_KEY: 'k' } });
  expect([code, stderr]).toEqual([2, expect.stringContaining('--online is for the engines of this process')]);
});
