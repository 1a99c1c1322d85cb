import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  LOCAL_SCHEDULE,
  nextWaitSeconds,
  STEP_FUNCTIONS_SCHEDULE,
  type WaitFacts,
  withOwnEngines,
} from '../../lib/pipeline/analysis/poll-schedule.ts';
import { KINDS } from '../../lib/pipeline/model.ts';

const facts = (given: Partial<WaitFacts>): WaitFacts => ({
  outstandingKinds: ['static'],
  polls: 0,
  retryAfterSeconds: null,
  remainingSeconds: 1_800,
  ...given,
});
const waits = (kind: 'static' | 'sandbox', count: number) =>
  Array.from({ length: count }, (_, polls) =>
    nextWaitSeconds(STEP_FUNCTIONS_SCHEDULE, facts({ outstandingKinds: [kind], polls })),
  );

test('waits longer each time, up to a cap', () => {
  expect(waits('static', 9)).toEqual([5, 8, 12, 17, 26, 38, 57, 86, 120]);
});

test('the slowest outstanding kind sets the pace', () => {
  expect(nextWaitSeconds(STEP_FUNCTIONS_SCHEDULE, facts({ outstandingKinds: ['static', 'sandbox', 'cdr'] }))).toBe(75);
});

test('engines of ours are asked sooner, and a service in its own time', () => {
  const schedule = withOwnEngines(STEP_FUNCTIONS_SCHEDULE, ['static', 'sandbox']);
  const first = KINDS.map((kind) => [kind, nextWaitSeconds(schedule, facts({ outstandingKinds: [kind] }))]);
  expect(Object.fromEntries(first)).toEqual({ static: 3, sandbox: 10, url_analysis: 10, cdr: 5 });
});

test('does not wait when nothing is outstanding', () => {
  expect(nextWaitSeconds(STEP_FUNCTIONS_SCHEDULE, facts({ outstandingKinds: [] }))).toBe(0);
});

test('the service can ask for more time, but not for less', () => {
  expect(nextWaitSeconds(STEP_FUNCTIONS_SCHEDULE, facts({ retryAfterSeconds: 40 }))).toBe(40);
  expect(nextWaitSeconds(STEP_FUNCTIONS_SCHEDULE, facts({ retryAfterSeconds: 1 }))).toBe(5);
});

test('a wait is never negative, never past the deadline, and whole seconds for Step Functions', () => {
  const any = fc.record({
    outstandingKinds: fc.subarray([...KINDS], { minLength: 1 }),
    polls: fc.nat(100),
    retryAfterSeconds: fc.option(fc.nat(100_000)),
    remainingSeconds: fc.double({ min: -10_000, max: 10_000, noNaN: true }),
  });
  fc.assert(
    fc.property(any, (given) => {
      const deployed = nextWaitSeconds(STEP_FUNCTIONS_SCHEDULE, given);
      expect(Number.isInteger(deployed)).toBe(true);
      expect(deployed).toBeGreaterThanOrEqual(1);
      expect(deployed).toBeLessThanOrEqual(Math.max(1, Math.ceil(given.remainingSeconds)));
      expect(nextWaitSeconds(LOCAL_SCHEDULE, given)).toBeGreaterThanOrEqual(0);
    }),
  );
});
