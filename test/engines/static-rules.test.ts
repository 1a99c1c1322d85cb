import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scanViews } from '../../lib/engines/static/yara/yara.ts';
import { EICAR, RULE_SAMPLES } from './rule-samples.ts';

const folder = new URL('../../lib/engines/static/yara/rules/', import.meta.url);
const source = readdirSync(folder)
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n');
const rules = [...source.matchAll(/^rule (\w+) \{([\s\S]*?)^\}/gm)].map(([, name = '', body = '']) => ({
  name,
  id: /^ {4}id = "([^"]+)"$/m.exec(body)?.[1] ?? '',
  body,
}));

function idsIn(bytes: Uint8Array): string[] {
  return scanViews([{ where: '', bytes }], 10_000).map(({ id }) => id);
}

describe('every rule', () => {
  test('is found in the rule files, at most 200, and there are as many samples as rules', () => {
    expect(rules.length).toBeGreaterThan(20);
    expect(rules.length).toBeLessThanOrEqual(200);
    expect(Object.keys(RULE_SAMPLES).sort()).toEqual(rules.map(({ name }) => name).sort());
  });

  test.each(rules)('$name says what it is, how bad, and why', ({ id, body }) => {
    expect(id).toMatch(/^[a-z0-9-]+$/);
    expect(body).toMatch(/^ {4}name = ".{5,60}"$/m);
    expect(body).toMatch(/^ {4}description = ".{20,160}"$/m);
    expect(body).toMatch(/^ {4}level = "(suspicious|malicious)"$/m);
    // A file made to test scanners is a sign of no technique.
    if (!id.startsWith('eicar-'))
      expect(body).toMatch(/^ {4}technique = "T\d{4}(?:\.\d{3})?(?:, T\d{4}(?:\.\d{3})?)*"$/m);
    expect(Number(/^ {4}score = (\d+)$/m.exec(body)?.[1])).toBeGreaterThanOrEqual(40);
  });

  test('that looks at the header, the size or an offset shares no pattern with other rules', () => {
    // YARA-X 1.20.0 keeps one copy of a pattern that several rules share, with the conditions of the first rule on when to look
    // for it at all: the other rules then silently miss it.
    const patterns = rules.map(({ name, body }) => ({
      name,
      isBound: /\buint|\bfilesize\b| at /.test(body.slice(body.indexOf('condition:'))),
      texts: [...body.matchAll(/^ {4}\$\w+ = (.+)$/gm)].map(([, pattern = '']) => pattern),
    }));
    const clashes = patterns
      .filter(({ isBound }) => isBound)
      .flatMap((bound) =>
        patterns.filter((other) => other !== bound && other.texts.some((text) => bound.texts.includes(text))),
      );
    expect(clashes.map(({ name }) => name)).toEqual([]);
  });

  test('has a unique id', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });

  test.each(rules)('$name matches its sample', ({ name, id }) => {
    expect(idsIn(RULE_SAMPLES[name]?.positive ?? Buffer.alloc(0))).toContain(id);
  });

  test.each(rules)('$name does not match a similar harmless text', ({ name, id }) => {
    expect(idsIn(RULE_SAMPLES[name]?.negative ?? Buffer.from(`${name} has no negative sample`))).not.toContain(id);
  });
});

/** Patterns that a rule has beside the one of its sample: what they find, and the same one step short of it. */
const ONE_STEP: readonly (readonly [id: string, found: string, short: string])[] = [
  ['pdf-exploit-script', 'util.printf("%45000f", num)', 'util.printf("%450f", num)'],
  ['pdf-exploit-script', "util.printf ( '%4500", "util.printf ( '%450f"],
  ['pdf-exploit-script', 'unescape("%u4343%u4343")', 'unescape("%u434%u4343")'],
  ['pdf-exploit-script', "unescape('%UABcd%u", "unescape('%UABcd0%u"],
  ['folder-settings-remote', '[autorun]\nopen=//h1', '[autorun]\nopen=//h/1'],
  ['folder-settings-remote', '[AutoRun]\nicon = FILE://H1', '[AutoRun]\nicon = FILE:/H1'],
];

test.each(ONE_STEP)('%s finds %j and not %j', (id, found, short) => {
  expect(idsIn(Buffer.from(found))).toContain(id);
  expect(idsIn(Buffer.from(short))).not.toContain(id);
});

describe('a scan', () => {
  test('reports a rule once, at the first view it matched', () => {
    const bytes = Buffer.from(`${EICAR}\n`);
    const views = ['', 'first', 'second'].map((where) => ({ where, bytes: where === '' ? Buffer.from('x') : bytes }));
    expect(scanViews(views, 10_000).map(({ id, where }) => ({ id, where }))).toEqual([
      { id: 'eicar-test-file', where: 'first' },
    ]);
  });

  test('of bytes that were scanned before names the place where they stand now', () => {
    const places = ['', 'first', 'second', ''].map((where) =>
      scanViews([{ where, bytes: Buffer.from(EICAR) }], 10_000).map((found) => found.where),
    );
    expect(places).toEqual([[null], ['first'], ['second'], [null]]);
  });

  test('looks into every view, however many there are', () => {
    const views = Array.from({ length: 500 }, (_, index) => ({
      where: `stream ${index}`,
      bytes: Buffer.from(index === 490 ? 'eval(unescape("%61"))' : 'nothing here'),
    }));
    expect(scanViews(views, 10_000).map(({ id }) => id)).toEqual(['javascript-self-decoding']);
  });
});
