/** Which stored records are believed. A verdict that was damaged or tampered with must not be taken for one. */
import { expect, test } from 'vitest';
import { CorruptDataError } from '../../lib/pipeline/errors.ts';
import { parseSubmissionRecord } from '../../lib/storage/submission-record.ts';

const REPORT = {
  verdict: 'malicious',
  score: 90,
  reasons: ['a macro'],
  failure: { class: 'unsupported', detail: 'why' },
  removed: ['macro'],
  sanitized: ['link'],
  readAs: 'office',
  hasDisarmedFile: true,
};
const RECORD = {
  key: 'scope:static:hash',
  claimedBy: 'run-a',
  submissionId: 'submission-1',
  report: REPORT,
  disarmed: { sha256: 'ab'.repeat(32), size: 17 },
  expiresAtSeconds: 1_900_000_000,
};

test('a whole record is read as it was stored, and so is one without results', () => {
  expect(parseSubmissionRecord(JSON.stringify(RECORD))).toEqual(RECORD);
  const waiting = { ...RECORD, submissionId: null, report: null, disarmed: null };
  expect(parseSubmissionRecord(JSON.stringify(waiting))).toEqual(waiting);
  const quiet = { ...RECORD, report: { ...REPORT, score: null, failure: null, readAs: null } };
  expect(parseSubmissionRecord(JSON.stringify(quiet))).toEqual(quiet);
});

test('a report from before `readAs` existed is read without it', () => {
  const { readAs: _, ...older } = REPORT;
  expect(parseSubmissionRecord(JSON.stringify({ ...RECORD, report: older })).report).toEqual({
    ...REPORT,
    readAs: null,
  });
});

const without = (record: object, field: string) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== field));

const DAMAGED: readonly (readonly [string, unknown])[] = [
  ...Object.keys(RECORD).map((field) => [`no ${field}`, without(RECORD, field)] as const),
  ...Object.keys(REPORT)
    .filter((field) => field !== 'readAs')
    .map((field) => [`a report without ${field}`, { ...RECORD, report: without(REPORT, field) }] as const),
  ['an unknown verdict', { ...RECORD, report: { ...REPORT, verdict: 'clean' } }],
  ['an unknown class of failure', { ...RECORD, report: { ...REPORT, failure: { class: 'odd', detail: '' } } }],
  ['a failure without a text', { ...RECORD, report: { ...REPORT, failure: { class: 'unsupported' } } }],
  ['a group of files that there is not', { ...RECORD, report: { ...REPORT, readAs: 'harmless' } }],
  ['a reason that is no text', { ...RECORD, report: { ...REPORT, reasons: [1] } }],
  ['a short hash', { ...RECORD, disarmed: { sha256: 'ab'.repeat(31), size: 17 } }],
  ['a long hash', { ...RECORD, disarmed: { sha256: `${'ab'.repeat(32)}c`, size: 17 } }],
  ['a hash with something in front', { ...RECORD, disarmed: { sha256: `x${'ab'.repeat(32)}`, size: 17 } }],
  ['a hash in capitals', { ...RECORD, disarmed: { sha256: 'AB'.repeat(32), size: 17 } }],
  ['a size that is not whole', { ...RECORD, disarmed: { sha256: 'ab'.repeat(32), size: 1.5 } }],
  ['an expiry that is not whole', { ...RECORD, expiresAtSeconds: 1.5 }],
  ['an expiry that is a text', { ...RECORD, expiresAtSeconds: '9' }],
  ['nothing', null],
];

test.each(DAMAGED)('a record with %s is damaged', (_, record) => {
  expect(() => parseSubmissionRecord(JSON.stringify(record))).toThrow(CorruptDataError);
});

test('a text that is no JSON is damaged', () => {
  expect(() => parseSubmissionRecord('{')).toThrow(CorruptDataError);
  expect(() => parseSubmissionRecord('')).toThrow(CorruptDataError);
});
