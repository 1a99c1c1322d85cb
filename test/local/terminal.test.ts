/** Nothing that a person types, or that stands in a named file, acts on the terminal that shows the answer. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { airlock } from './console.ts';

/** A title for the window, red text, a C1 control, a line that overwrites, a name that reads backwards. */
const HOSTILE = '\u001b]0;owned\u0007\u001b[31mred\u009b2J\rfake\u202egpj.exe';
const ACTS = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-terminal-'));
});
afterAll(() => rm(folder, { recursive: true }));

const CALLS: readonly (readonly string[])[] = [
  [HOSTILE],
  [`--${HOSTILE}`],
  ['scan', `--${HOSTILE}`, 'x'],
  ['scan', `--${HOSTILE}=1`, 'x'],
  ['scan', `${HOSTILE}.eml`],
  ['scan', '--policy', HOSTILE, 'x'],
  ['scan', '--service', HOSTILE, 'x'],
  ['scan', '--proxy', HOSTILE, 'x'],
  ['parse', HOSTILE],
  ['parse', '--json', HOSTILE],
  ['disarm', HOSTILE],
  ['disarm', 'x', HOSTILE],
  ['serve', '--port', HOSTILE],
  ['keys', HOSTILE],
  ['keys', 'create', '--name', HOSTILE, '--concurrent', HOSTILE],
  ['keys', 'revoke', '--data', `/dev/null/${HOSTILE}`, HOSTILE],
  ['api', HOSTILE],
  ['api', 'get', HOSTILE],
  ['api', 'list', '--level', HOSTILE],
  ['api', 'submit', '--kind', HOSTILE, HOSTILE],
];

test.each(CALLS)('airlock %j', async (...args) => {
  const env = { AIRLOCK_API_KEY: 'k', AIRLOCK_CDR_TOKEN: 't' };
  const { stdout, stderr, code } = await airlock(args, { env });
  expect(stdout + stderr).not.toMatch(ACTS);
  expect(stdout + stderr).not.toBe('');
  expect(code).toBeGreaterThan(0);
});

test('the keys and values of a policy file', async () => {
  const path = join(folder, 'policy.json');
  const policies = [{ [HOSTILE]: 1 }, { types: { [HOSTILE]: {} } }, { failures: { timeout: HOSTILE } }];
  for (const policy of policies) {
    await writeFile(path, JSON.stringify(policy));
    const { stderr, code } = await airlock(['scan', '--policy', path, 'x.eml']);
    expect(stderr).not.toMatch(ACTS);
    expect(code).toBe(2);
  }
  await writeFile(path, `{ ${HOSTILE}`);
  expect((await airlock(['scan', '--policy', path, 'x.eml'])).stderr).not.toMatch(ACTS);
});
