import { expect, test } from 'vitest';
import { TransientError } from '../../lib/pipeline/errors.ts';
import { createRig, emailWith, PDF, type Script } from './rig.ts';

/** The lines that say how a run ended. */
async function endOf(script: Script): Promise<unknown[]> {
  const told: unknown[] = [];
  const info = (message: string, fields: unknown) => void (message === 'run ended' && told.push(fields));
  const rig = createRig({ script, overrides: () => ({ log: { info, warn: () => {} } }) });
  await rig.scan(
    emailWith({
      text: 'See https://shop.example/terms and https://evil.example/x',
      files: [{ name: 'secret-name.pdf', type: 'application/pdf', bytes: PDF }],
    }),
  );
  return told;
}

test('the log says once how a delivered run ended, in counts and without a word of the mail', async () => {
  const suspicious = (url: string) => (url.includes('evil') ? ({ verdict: 'suspicious' } as const) : {});
  const [line, ...others] = await endOf({
    answer: (request) => (request.kind === 'url_analysis' ? suspicious(request.url) : {}),
  });
  expect(others).toEqual([]);
  expect(line).toEqual({
    runId: expect.stringMatching(/^[0-9a-f]{32}$/),
    state: 'delivered',
    reason: 'none',
    seconds: 0,
    analysisSeconds: 0,
    parts: 3,
    // The text, whose link was switched off. The scripted disarm gives the PDF back as it was.
    disarmed: 1,
    removed: 0,
    linksOff: 1,
    verdict_benign: 3,
    verdict_suspicious: 1,
    verdict_malicious: 0,
    verdict_unknown: 0,
    polls: 2,
  });
});

test('and the reason why a run is held', async () => {
  const hostile = await endOf({ answer: ({ kind }) => (kind === 'static' ? { verdict: 'malicious' } : {}) });
  expect(hostile).toEqual([expect.objectContaining({ state: 'quarantined', reason: 'malicious' })]);
  const faulty = await endOf({ refuse: () => new TransientError('away') });
  expect(faulty).toEqual([expect.objectContaining({ state: 'quarantined', reason: 'run_failed' })]);
});
