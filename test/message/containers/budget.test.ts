/** One budget for everything that is unpacked from one message. */
import { expect, test } from 'vitest';
import { createBudget } from '../../../lib/message/containers/budget.ts';
import type { Member } from '../../../lib/message/containers/container.ts';
import { LIMITS } from './containers.ts';

const members = (...sizes: number[]): Member[] =>
  sizes.map((size, at) => ({
    path: String(at),
    untrustedNames: [],
    bytes: new Uint8Array(size),
    declaredType: '',
    charset: null,
    role: 'file',
  }));

test('what was found is no longer left, down to nothing', () => {
  const budget = createBudget({ ...LIMITS, containerMembers: 3, containerBytes: 100 }, () => 0);
  const left = () => {
    const { members: count, bytes } = budget.allowance();
    return [count, bytes];
  };
  expect(left()).toEqual([3, 100]);
  budget.spend(members(10, 20));
  expect(left()).toEqual([1, 70]);
  budget.spend(members(50, 50));
  expect(left()).toEqual([0, 0]);
});

test('messages in messages are read until their bytes are used up', () => {
  const budget = createBudget({ ...LIMITS, nestedEmailBytes: 100 }, () => 0);
  expect([60, 41, 40, 1].map(budget.takeReading)).toEqual([true, false, true, false]);
});

test('the time counts from the beginning of the budget, and is never less than none', () => {
  let workMs = 5_000;
  const budget = createBudget({ ...LIMITS, containerWorkSeconds: 20 }, () => workMs);
  expect(budget.allowance().workMs).toBe(20_000);
  workMs = 20_000;
  expect(budget.allowance().workMs).toBe(5_000);
  workMs = 30_000;
  expect(budget.allowance().workMs).toBe(0);
});
