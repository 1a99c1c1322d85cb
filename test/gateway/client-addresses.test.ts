import { expect, test } from 'vitest';
import { clientMatcher } from '../../lib/gateway/client-addresses.ts';

const isClient = clientMatcher(['192.0.2.7', '198.51.100.0/25', '10.1.2.3/8', '2001:db8:1::/48', '2001:db8::7']);

test.each([
  ['192.0.2.7', true],
  ['::ffff:192.0.2.7', true],
  ['192.0.2.8', false],
  ['198.51.100.0', true],
  ['198.51.100.127', true],
  ['198.51.100.128', false],
  ['::ffff:198.51.100.5', true],
  ['10.255.255.255', true],
  ['11.0.0.0', false],
  ['2001:db8:1:ffff::1', true],
  ['2001:db8:2::1', false],
  ['2001:db8::7', true],
  ['2001:DB8:0:0:0:0:0:7', true],
  ['127.0.0.1', false],
  ['', false],
  ['unknown', false],
])('%s may relay: %s', (address, may) => {
  expect(isClient(address)).toBe(may);
});

test('nobody is named: nobody may', () => {
  expect(clientMatcher([])('127.0.0.1')).toBe(false);
});
