import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMessage } from '../../lib/message/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { evasionScore } from '../hostile/score.ts';

const FOLDER = join(process.env.AIRLOCK_CASES ?? '../shared/data', 'evasion');
const isPresent = existsSync(join(FOLDER, 'index.json'));
if (!isPresent) console.warn(`evasion cases are not run: there is no ${join(FOLDER, 'index.json')}`);

/** Mails whose payload is inside a leaf or behind a link, for whoever opens that leaf or finds that link. */
const NOT_A_LEAF = new Set(['tnef', 'smime_opaque', 'rfc822_octet', 'data_uri_html', 'external_body']);

interface Case {
  readonly id: string;
  readonly file: string;
  readonly name?: string;
}

interface Index {
  readonly payload_sha256: string;
  readonly cases: readonly Case[];
}

describe('mail made to slip past readers', () => {
  test.runIf(isPresent)('lists the payload as a leaf, for every case but those inside a leaf', async () => {
    const index = JSON.parse(readFileSync(join(FOLDER, 'index.json'), 'utf8')) as Index;
    const counts = { cases: 0, inTheTree: 0, recovered: 0 };
    const missed: string[] = [];
    for (const { id, file } of index.cases) {
      const { parts } = await readMessage(readFileSync(join(FOLDER, file)), DEFAULT_LIMITS);
      const found = parts.filter((part) => part.sha256 === index.payload_sha256);
      counts.cases++;
      if (found.length === 0) missed.push(id);
      else if (found.some((part) => part.recovered === null)) counts.inTheTree++;
      else counts.recovered++;
    }
    console.info('evasion cases:', counts);
    expect(missed.filter((id) => !NOT_A_LEAF.has(id))).toEqual([]);
  });

  test.runIf(isPresent)(
    'has every payload, or the URL that leads to it, among the artifacts of its ledger',
    async () => {
      const score = await evasionScore();
      expect(score).toEqual({ cases: 87, missed: [] });
    },
    60_000,
  );

  test.runIf(isPresent)('finds the name that each naming case hides', async () => {
    const index = JSON.parse(readFileSync(join(FOLDER, 'index.json'), 'utf8')) as Index;
    for (const { id, file, name } of index.cases) {
      if (name === undefined) continue;
      const { parts } = await readMessage(readFileSync(join(FOLDER, file)), DEFAULT_LIMITS);
      const names = parts.flatMap((part) => part.untrustedNames);
      expect({ id, names }).toEqual({ id, names: name === '' ? [] : expect.arrayContaining([name]) });
    }
  });
});
