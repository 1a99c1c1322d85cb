/** A second mail tells the password of an archive that was held: with the real engines, as its user sees it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packed } from '../formats/archives/archives.ts';
import { emailWith } from '../pipeline/rig.ts';
import { airlock } from './console.ts';

const PASSWORD = 'Sonne#42';

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-password-'));
  const zip = await packed('zip', { 'report.txt': 'All is well.' }, { password: PASSWORD });
  await writeFile(at('policy.json'), JSON.stringify({ failures: { encrypted: 'quarantine' } }));
  await writeFile(at('held.eml'), emailWith({ subject: 'The report', files: [{ name: 'report.zip', bytes: zip }] }));
  await writeFile(at('told.eml'), emailWith({ subject: 'One more thing', text: `The password is ${PASSWORD}` }));
});
afterAll(() => rm(folder, { recursive: true }));

async function scan(out: string, ...names: string[]) {
  const args = ['scan', '--json', '--out', at(out), '--policy', at('policy.json'), ...names.map(at)];
  const { code, stdout } = await airlock(args);
  return { code, outcomes: stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])) };
}

test('a held archive is opened when the password comes in a later scan, and people are told from where', async () => {
  expect((await scan('later', 'held.eml')).code).toBe(1);
  const { code, outcomes } = await scan('later', 'told.eml');
  const [told, opened] = outcomes;
  expect([code, told.state, opened.state]).toEqual([0, 'delivered', 'delivered']);
  expect(opened.ledger.attempt).toMatchObject({ number: 2, reason: 'password', passwordsFrom: [told.runId] });
  const shown = (await airlock(['runs', 'show', opened.runId, '--out', at('later')])).stdout;
  const from = String.raw`with a password from another mail \([0-9A-Z]{2}-[0-9A-Z]{4}\)`;
  expect(shown).toMatch(new RegExp(`^It was delivered\\. A file in it was opened ${from}\\.`));
  expect(shown).toMatch(new RegExp(`report\\[\\.\\]zip .*opened ${from}`));
  expect(shown).not.toContain(PASSWORD);
  expect((await airlock(['quarantine', 'list', '--json', '--out', at('later')])).stdout).toBe('');
  expect((await airlock(['verify', join(at('later'), 'clean', opened.runId, 'message.eml')])).code).toBe(0);
});

test('of two mails in one scan, the scan succeeds in whichever order they end', async () => {
  const { code, outcomes } = await scan('together', 'held.eml', 'told.eml');
  const last = new Map(outcomes.map(({ input, state, ledger }) => [input, [state, ledger.attempt.number]]));
  expect([code, last.get(at('held.eml'))]).toEqual([0, ['delivered', 2]]);
});
