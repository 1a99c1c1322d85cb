/** A policy by recipient: which rule counts for an address, and that none can fail open. */
import { describe, expect, test } from 'vitest';
import { CorruptDataError } from '../../lib/pipeline/errors.ts';
import { policyFor } from '../../lib/pipeline/policy/for-recipients.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { recipientRule } from '../../lib/pipeline/policy/recipients.ts';

const RULES = { 'rcpt.example': {}, 'desk.rcpt.example': {}, 'ana@rcpt.example': {}, 'bo+news@other.example': {} };

test.each([
  ['ana@rcpt.example', 'ana@rcpt.example'],
  ['Ana@RCPT.example', 'ana@rcpt.example'],
  ['ana@rcpt.example.', 'ana@rcpt.example'],
  ['"ana"@rcpt.example', 'ana@rcpt.example'],
  ['"a\\na"@rcpt.example', 'ana@rcpt.example'],
  ['ana+list@rcpt.example', 'ana@rcpt.example'],
  ['bo+news@other.example', 'bo+news@other.example'],
  ['bo@other.example', ''],
  ['cy@rcpt.example', 'rcpt.example'],
  ['cy@desk.rcpt.example', 'desk.rcpt.example'],
  ['cy@a.b.desk.rcpt.example', 'desk.rcpt.example'],
  ['"x@desk.rcpt.example"@rcpt.example', 'rcpt.example'],
  ['ana@rcpt.example@other.example', ''],
  ['cy@notrcpt.example', ''],
  ['constructor', ''],
  ['cy@example', ''],
  ['postmaster', ''],
])('%s is under the rule %j', (address, rule) => {
  expect(recipientRule(RULES, address)).toBe(rule);
});

const policyWith = (recipients: object, rest: object = {}) => parsePolicy(JSON.stringify({ ...rest, recipients }));
const to = (...recipients: string[]) => ({
  intake: {
    ...{ bucket: 'intake', untrustedKey: 'k', versionId: '', size: 1 },
    envelope: { sender: 'a@b.example', recipients },
  },
});

test('a rule changes what it names, over what the file says, and nothing else', () => {
  const policy = policyWith(
    { 'rcpt.example': { types: { pdf: { verdicts: { suspicious: 'remove' } } }, message: { quarantineVerdicts: [] } } },
    { types: { pdf: { verdicts: { unknown: 'remove' } } } },
  );
  const own = policyFor(policy, to('b@rcpt.example', 'c@rcpt.example'));
  expect(own.types.pdf.verdicts).toEqual({ ...policy.types.pdf.verdicts, suspicious: 'remove' });
  expect([own.types.pdf.verdicts.unknown, own.message.quarantineVerdicts]).toEqual(['remove', []]);
  expect({ ...own, types: policy.types, message: policy.message, recipients: policy.recipients }).toEqual(policy);
  expect(policyFor(policy, to('b@other.example'))).toBe(policy);
  expect(policyFor(policy, { intake: { bucket: 'intake', untrustedKey: 'k', versionId: '', size: 1 } })).toBe(policy);
});

test('recipients under different rules in one run have no policy: it cannot go on', () => {
  const policy = policyWith({ 'rcpt.example': {} });
  expect(() => policyFor(policy, to('b@rcpt.example', 'c@other.example'))).toThrow(CorruptDataError);
});

describe('a rule is refused', () => {
  test.each([
    [
      { 'rcpt.example': { types: { pdf: { verdicts: { unknown: 'keep' } } } } },
      'line 1: recipients.rcpt.example.types.pdf.verdicts.unknown: "disarm" or "remove" is expected, not "keep"',
    ],
    [
      { 'rcpt.example': { typos: {} } },
      'line 1: recipients.rcpt.example.typos: there is no such field. The fields there are version, ',
    ],
    [
      { 'rcpt.example': { types: { pdf: { analyses: [] } } } },
      'recipients.rcpt.example: types.pdf.verdicts.benign: "disarm" needs the disarmed file',
    ],
    [
      { 'rcpt.example': { message: { quarantineWarnings: [] } } },
      'recipients.rcpt.example: message.quarantineWarnings: must contain "readings_disagree"',
    ],
    [{ 'rcpt.example': { recipients: {} } }, 'recipients.rcpt.example.recipients: a rule has no rules in it'],
    [
      { 'rcpt.example': { blocked: { files: [] } } },
      'recipients.rcpt.example.blocked: what is blocked is blocked for everybody',
    ],
    [{ 'Ana@rcpt.example': {} }, 'recipients.Ana@rcpt.example: Invalid key in record'],
    [{ '*': {} }, 'recipients.*: Invalid key in record'],
  ])('%j', (recipients, sentence) => {
    expect(() => policyWith(recipients)).toThrow(sentence);
  });
});
