/** Whole runs as on AWS, where a run waits until its deadline for a service that is away or refuses the key. */
import { expect, test } from 'vitest';
import type { Context } from '../../lib/pipeline/context.ts';
import { ConfigError, TransientError } from '../../lib/pipeline/errors.ts';
import type { Analyzer } from '../../lib/pipeline/ports.ts';
import { createRig, emailWith, PDF, type Rig } from './rig.ts';

const MAIL = emailWith({
  text: 'See https://shop.example/terms',
  files: [{ name: 'a.pdf', type: 'application/pdf', bytes: PDF }],
});
type Method = keyof Analyzer;

/** A rig whose service answers `method` with an error for so many seconds. Each request without an answer takes 20 seconds. */
function rigWithOutage(method: Method, seconds: number, error: Error): { rig: Rig; asked: () => number } {
  let left = seconds;
  let asked = 0;
  let rig: Rig | null = null;
  const overrides = ({ analyzer }: Context): Partial<Context> => {
    const answer = analyzer[method] as (...args: unknown[]) => Promise<unknown>;
    const failing = async (...args: unknown[]) => {
      if (left <= 0) return answer(...args);
      asked += 1;
      left -= 20;
      rig?.advance(20_000);
      throw error;
    };
    return { analyzer: { ...analyzer, [method]: failing } };
  };
  rig = createRig({ waitsForService: true, overrides });
  return { rig, asked: () => asked };
}

const AWAY = new TransientError('no answer');
const REFUSED = new ConfigError('the analysis service', ['401; check the API key']);
const METHODS: readonly Method[] = ['scope', 'submit', 'progress', 'report', 'disarmedFile'];
const OUTAGES = [60, 300, 900].flatMap((seconds) =>
  [AWAY, REFUSED].flatMap((error) => METHODS.map((method) => [method, error.name, seconds, error] as const)),
);

test.each(OUTAGES)('%s answers with %s for %i seconds: the mail is delivered', async (method, _, seconds, error) => {
  const { rig, asked } = rigWithOutage(method, seconds, error);
  const { ledger, clean } = await rig.scan(MAIL);
  expect(asked()).toBe(seconds / 20);
  expect(ledger.terminal?.state).toBe('delivered');
  expect(clean).toContain('https://shop.example/terms');
});

test.each(METHODS)(
  '%s answers with nothing else for ever: the mail is held at the deadline as a timeout',
  async (method) => {
    const { rig, asked } = rigWithOutage(method, Number.POSITIVE_INFINITY, AWAY);
    const { ledger } = await rig.scan(MAIL);
    expect(ledger.terminal?.state).toBe('quarantined');
    expect(new Set(ledger.reasons.map(({ code }) => code))).toEqual(new Set(['timeout']));
    const seconds = (Date.parse(ledger.terminal?.at ?? '') - Date.parse(ledger.bornAt)) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(rig.ctx.limits.deadlineSeconds);
    expect(asked()).toBeLessThan(100);
  },
);

// Each request takes 20 seconds, so these outages end between two requests of one stage.
test.each([20, 40, 60, 80, 100, 120, 140, 160])(
  'an outage that ends after %i seconds, in the middle of a stage, leaves what it had got and goes on from there',
  async (seconds) => {
    for (const method of METHODS) {
      const { rig, asked } = rigWithOutage(method, seconds, AWAY);
      const { ledger } = await rig.scan(MAIL);
      expect(ledger.terminal?.state).toBe('delivered');
      expect(asked()).toBe(seconds / 20);
    }
  },
);

test('nothing is sent twice when the service is back', async () => {
  const { rig } = rigWithOutage('submit', 300, AWAY);
  const { ledger } = await rig.scan(MAIL);
  const wanted = ledger.artifacts.flatMap(({ submissions }) => submissions).length;
  expect(rig.analyzer.requests).toHaveLength(wanted);
});

test('what nobody foresaw still fails the run at once', async () => {
  const { rig, asked } = rigWithOutage('submit', Number.POSITIVE_INFINITY, new RangeError('odd'));
  const { ledger } = await rig.scan(MAIL);
  expect(ledger.reasons.map(({ code }) => code)).toEqual(['run_failed']);
  expect(asked()).toBeLessThan(20);
});
