import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inputsOf } from '../../lib/local/input/input.ts';
import { startLocalService } from '../../lib/local/session/local-service.ts';
import { openSession } from '../../lib/local/session/session.ts';
import { DEFAULT_POLICY } from '../../lib/pipeline/policy/policy.ts';
import { emailWith } from '../pipeline/rig.ts';

const API_KEY = 'key-for-changed-rules';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-rules-'));
  await mkdir(join(folder, 'rules'));
  await writeFile(join(folder, 'mail.eml'), emailWith({ text: 'the word is heliotrope', html: '<p>heliotrope</p>' }));
});
afterAll(() => rm(folder, { recursive: true }));

/** Scans the mail against a service at this port. Says how each report was obtained, and whether the mail was delivered. */
async function scan(port: number) {
  const service = await startLocalService(port, { apiKey: API_KEY, rulesFolder: join(folder, 'rules') });
  const session = await openSession({
    out: join(folder, 'out'),
    policy: DEFAULT_POLICY,
    service: { url: service.url, secret: API_KEY },
    cdrService: null,
    signal: new AbortController().signal,
    onStage: () => {},
  });
  try {
    for await (const input of inputsOf([join(folder, 'mail.eml')])) {
      const outcome = await session.scan(input);
      if (!('ledger' in outcome)) throw new Error(outcome.message);
      const submissions = outcome.ledger.artifacts.flatMap((artifact) => artifact.submissions);
      const sources = submissions.map(({ kind, source }) => `${kind} ${source}`);
      return { state: outcome.state, sources: [...new Set(sources)].sort(), port: Number(new URL(service.url).port) };
    }
    throw new Error('there is no mail');
  } finally {
    await session.close();
    await service.close();
  }
}

test('a harmless mail is analysed again when a rule of the operator is added, but only by the engine with rules', async () => {
  const first = await scan(0);
  expect(first).toMatchObject({ state: 'delivered', sources: ['cdr submitted', 'static submitted'] });
  const again = await scan(first.port);
  expect(again).toMatchObject({ state: 'delivered', sources: ['cdr known', 'static known'] });
  const rule = 'rule heliotrope { meta: level = "malicious" strings: $a = "heliotrope" condition: $a }';
  await writeFile(join(folder, 'rules', 'mine.yar'), rule);
  const changed = await scan(first.port);
  expect(changed).toMatchObject({ state: 'quarantined', sources: ['cdr known', 'static submitted'] });
});
