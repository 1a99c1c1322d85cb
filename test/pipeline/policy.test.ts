import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../lib/pipeline/errors.ts';
import { FAILURE_CLASSES, TYPE_GROUPS } from '../../lib/pipeline/model.ts';
import { DEFAULT_POLICY, parsePolicy } from '../../lib/pipeline/policy/policy.ts';

const shipped = readFileSync(new URL('../../lib/pipeline/policy/policy.default.json', import.meta.url), 'utf8');

/** The issues that a policy is refused for. */
const issuesOf = (policy: unknown) => issuesIn(JSON.stringify(policy));

/** The same of a file with this text. */
function issuesIn(json: string): readonly string[] {
  try {
    parsePolicy(json);
  } catch (error) {
    if (error instanceof ConfigError) return error.issues;
    throw error;
  }
  return [];
}

test('the shipped file shows every field with its default', () => {
  expect(JSON.parse(shipped)).toEqual(parsePolicy('{}'));
  expect(parsePolicy(shipped)).toEqual(parsePolicy('{}'));
  // Also in the same order: entries of chains have the hash of the policy as it is written.
  expect(JSON.stringify(parsePolicy('{}'))).toBe(JSON.stringify(DEFAULT_POLICY));
  expect(Object.keys(DEFAULT_POLICY.types).sort()).toEqual([...TYPE_GROUPS].sort());
  expect(Object.keys(DEFAULT_POLICY.failures).sort()).toEqual([...FAILURE_CLASSES].sort());
});

test('a file needs only what differs', () => {
  const policy = parsePolicy('{"types":{"image":{"verdicts":{"benign":"keep"}}}}');
  expect(policy.types.image).toEqual({
    ...DEFAULT_POLICY.types.image,
    verdicts: { ...DEFAULT_POLICY.types.image.verdicts, benign: 'keep' },
  });
  expect(policy.types.pdf).toEqual(DEFAULT_POLICY.types.pdf);
});

describe('cannot be written to fail open', () => {
  test.each(TYPE_GROUPS)('%s: keep exists for benign only', (group) => {
    for (const verdict of ['suspicious', 'malicious', 'unknown'])
      expect(issuesOf({ types: { [group]: { verdicts: { [verdict]: 'keep' } } } })).toEqual([
        expect.stringContaining(`types.${group}.verdicts.${verdict}`),
      ]);
  });

  test.each(FAILURE_CLASSES)('%s can only remove or quarantine', (failure) => {
    for (const action of ['keep', 'deliver', 'ignore', null])
      expect(issuesOf({ failures: { [failure]: action } })).toHaveLength(1);
  });

  test('a message that was not read completely is always quarantined', () => {
    expect(issuesOf({ message: { quarantineWarnings: [] } })).toHaveLength(10);
  });

  test.each([
    [1, 0],
    [720, 0],
    [0, 1],
    [721, 1],
    [1.5, 1],
    [null, 1],
  ])('secondWithinHours %s is refused for %i reasons', (secondWithinHours, reasons) => {
    expect(issuesOf({ release: { secondWithinHours } })).toHaveLength(reasons);
  });

  test('the name of a server is one word in small letters, and there are at most a hundred', () => {
    const issues = (servers: readonly string[]) => issuesOf({ authentication: { servers } });
    const names = Array.from({ length: 101 }, (_, at) => `mx${at}.sender.example`);
    expect(issues(names.slice(1))).toEqual([]);
    expect(issues(names)).toHaveLength(1);
    for (const name of ['', 'MX.sender.example', 'mx sender', 'mx;', '*', 'x'.repeat(254)])
      expect(issues([name])).toEqual([expect.stringContaining('authentication.servers.0')]);
  });

  test('a misspelt field is refused, and the message names its line and the fields that are there', () => {
    expect(issuesOf({ tpyes: {} })).toEqual([
      expect.stringMatching(/^line 1: tpyes: there is no such field\. The fields there are version, types, failures, /),
    ]);
    expect(issuesOf({ types: { pdf: { analyzes: [] } } })).toEqual([
      'line 1: types.pdf.analyzes: there is no such field. The fields there are analyses, verdicts.',
    ]);
  });

  test.each([
    [
      '{\n  // comment\n  "remoteContent": "all"\n}',
      'line 3: remoteContent: "keep" or "proxy-note" or "remove" is expected, not "all"',
    ],
    [
      '{ "types": { "pdf": { "analyses": "static" } } }',
      'line 1: types.pdf.analyses: a list [ … ] is expected, not "static"',
    ],
    [
      '{ "release": { "secondWithinHours": 721 } }',
      'line 1: release.secondWithinHours: at most 720 is expected, not 721',
    ],
    ['[]', 'the whole file: an object { … } is expected, not []'],
    ['{ "types": {},\n "types": {} }', 'line 1: types is there twice'],
  ])('%j is refused: %s', (json, issue) => {
    expect(issuesIn(json)).toEqual([issue]);
  });
});

test('to disarm without asking for it is a contradiction that the message explains', () => {
  expect(issuesOf({ types: { text: { verdicts: { unknown: 'disarm' } } } })).toEqual([
    'types.text.verdicts.unknown: "disarm" needs the disarmed file; add "cdr" to types.text.analyses',
  ]);
});

test('a file that is not JSON is refused with that reason', () => {
  expect(() => parsePolicy('{ "types": ', 'strict.json')).toThrow(
    /^strict\.json cannot be used:\n {2}- it is not JSON/,
  );
});
