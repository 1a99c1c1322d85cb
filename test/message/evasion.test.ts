import { describe, expect, test } from 'vitest';
import { readMessage } from '../../lib/message/reading/read.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { evasionCases } from '../fixtures/cases.ts';
import { evasionScore } from '../hostile/score.ts';

const { payloadSha256, cases } = evasionCases();

/** Mails whose payload is inside a leaf or behind a link, for whoever opens that leaf or finds that link. */
const NOT_A_LEAF = new Set(['tnef', 'smime_opaque', 'rfc822_octet', 'data_uri_html', 'external_body']);

describe('mail made to slip past readers', () => {
  test('lists the payload as a leaf, for every case but those inside a leaf', async () => {
    const missed: string[] = [];
    for (const { id, email } of cases) {
      const { parts } = await readMessage(email, DEFAULT_LIMITS);
      const found = parts.filter((part) => part.sha256 === payloadSha256);
      if (found.length === 0) missed.push(id);
    }
    expect(missed.filter((id) => !NOT_A_LEAF.has(id))).toEqual([]);
  });

  test('has every payload, or the URL that leads to it, among the artifacts of its ledger', async () => {
    const score = await evasionScore();
    expect(score).toEqual({ cases: 87, missed: [] });
  });

  test('finds the hidden name in each case about names', async () => {
    for (const { id, email, name } of cases) {
      if (name === undefined) continue;
      const { parts } = await readMessage(email, DEFAULT_LIMITS);
      const names = parts.flatMap((part) => part.untrustedNames);
      expect({ id, names }).toEqual({ id, names: name === '' ? [] : expect.arrayContaining([name]) });
    }
  });
});
