/** Whose Authentication-Results a field is (RFC 8601): it is delivered only when one of the named servers wrote it. */
import { expect, test } from 'vitest';
import { isFromServer } from '../../../lib/message/rebuilding/authentication-results.ts';

const SERVERS = ['mx.recipient.example', 'mx2.recipient.example'];

test.each([
  ' mx.recipient.example; spf=pass',
  'mx2.recipient.example;dkim=none',
  'MX.Recipient.Example; spf=pass',
  ' mx.recipient.example 1; spf=pass',
  ' mx.recipient.example',
  ' mx.recipient.example(the first); spf=pass',
  ' "mx.recipient.example"; spf=pass',
  ' (a comment) mx.recipient.example; spf=pass',
  '\r\n\t(a \\) sign)(b)\r\n mx.recipient.example; spf=pass',
])('%j is of a server of ours', (value) => {
  expect(isFromServer(value, SERVERS)).toBe(true);
});

test.each([
  ' mx.sender.example; spf=pass',
  ' xmx.recipient.example; spf=pass',
  ' mx.recipient.examples; spf=pass',
  ' mx.recipient.example.evil.example; spf=pass',
  ' mx.recipient.example,x; spf=pass',
  ' mx.recipient.example"; spf=pass',
  ' "mx.recipient.example; spf=pass',
  ' "mx.recipient.example"x; spf=pass',
  ' "mx\\.recipient.example"; spf=pass',
  ' "mx.sender.example"mx.recipient.example; spf=pass',
  ' (mx.recipient.example; spf=pass',
  ' (mx.recipient.example); spf=pass',
  ' (a) b mx.recipient.example; spf=pass',
  ' ((mx.sender.example) mx.recipient.example; spf=pass',
  ' ; mx.recipient.example',
  '',
  ' ""',
])('%j is of none', (value) => {
  expect(isFromServer(value, SERVERS)).toBe(false);
});

test('without servers of ours nothing is of one', () => {
  expect(isFromServer(' mx.recipient.example; spf=pass', [])).toBe(false);
  expect(isFromServer('', [])).toBe(false);
});
