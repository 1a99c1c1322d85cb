import { describe, expect, test } from 'vitest';
import { FINDING_IDS, type FindingId, finding } from '../../../lib/engines/static/findings/findings.ts';
import { COMBINATIONS, combine, scoreFindings, TAKEN_OUT } from '../../../lib/engines/static/scoring.ts';

const levelOf = (...ids: FindingId[]) => scoreFindings(combine(ids.map((id) => finding(id))), true).level;

describe('the tables of findings', () => {
  test.each(FINDING_IDS)('%s has a score that fits its level, and valid techniques of ATT&CK', (id) => {
    const { level, score, description, techniques = [] } = finding(id);
    const [least, most] = { malicious: [85, 100], suspicious: [40, 80], benign: [0, 20] }[level] as [number, number];
    expect(score).toBeGreaterThanOrEqual(least);
    expect(score).toBeLessThanOrEqual(most);
    expect(description).toMatch(/^[A-Z].{15,}\.$/);
    for (const technique of techniques) expect(technique).toMatch(/^T\d{4}(?:\.\d{3})?$/);
  });
});

describe('content that the disarm takes out', () => {
  const known = [...TAKEN_OUT].filter((id): id is FindingId => FINDING_IDS.some((other) => other === id));

  test.each(known)('%s is suspicious, and its score weighs half', (id) => {
    expect(scoreFindings([finding(id)], true)).toEqual({ level: 'suspicious', score: finding(id).score / 2 });
  });

  test('is the only content whose score does', () => {
    expect(scoreFindings([finding('html-credential-form')], true).score).toBe(60);
  });
});

describe('what findings mean together', () => {
  test.each(COMBINATIONS.map(({ adds, when }) => [adds, when] as const))(
    '%s is malicious, and needs all of its parts',
    (adds, when) => {
      expect(finding(adds).level).toBe('malicious');
      // The last id of each group is taken, because the first ones are often in other combinations with the same result.
      const parts = when.map((group) => ({ ...finding('program'), id: group.at(-1) ?? '' }));
      expect(combine(parts).map(({ id }) => id)).toContain(adds);
      for (const left of parts) {
        const rest = parts.filter((part) => part !== left);
        expect(combine(rest).map(({ id }) => id)).not.toContain(adds);
      }
    },
  );

  test.each<[string, FindingId[], string]>([
    [
      'a macro that runs by itself and starts a program',
      ['office-macro', 'code-auto-run', 'code-executes'],
      'malicious',
    ],
    ['a macro that runs by itself and does nothing', ['office-macro', 'code-auto-run'], 'suspicious'],
    ['code that starts a program', ['code-executes'], 'suspicious'],
    ['code that starts a program out of an encoded layer', ['code-executes', 'code-hidden-layer'], 'malicious'],
    ['an encoded layer alone', ['code-hidden-layer'], 'unknown'],
    ['a script in a page', ['html-script', 'html-event-handler', 'html-active-element'], 'unknown'],
    ['a PDF that runs a script when it is opened', ['pdf-javascript', 'pdf-open-action'], 'suspicious'],
    ['a PDF that starts a program when it is opened', ['pdf-opens-program', 'pdf-open-action'], 'malicious'],
    [
      'a form with a script that runs and a button that opens a file',
      ['pdf-launch', 'pdf-javascript', 'pdf-open-action'],
      'suspicious',
    ],
  ])('%s', (_, ids, level) => {
    expect(levelOf(...ids)).toBe(level);
  });

  test('say why', () => {
    const added = combine([finding('code-executes'), finding('code-downloads')]).find(
      ({ id }) => id === 'code-downloads-and-runs',
    );
    expect(added?.evidence).toBe('code-executes, code-downloads');
  });
});
