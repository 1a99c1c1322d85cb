import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Compiler } from '@virustotal/yara-x';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS, type StaticReport } from '../../../lib/engines/engine.ts';
import { analyseFile } from '../../../lib/engines/static/analyse-file.ts';
import { loadRules, ruleProblems, staticEngineVersion, useRulesOf } from '../../../lib/engines/static/yara/yara.ts';
import { benignSet } from '../../benign/benign-set.ts';
import { HOSTILE_DOCUMENTS } from '../../hostile/static/documents.ts';
import { bytesOf } from '../../hostile/static/sample.ts';
import { HOSTILE_SCRIPTS } from '../../hostile/static/scripts.ts';

async function analyse(bytes: Uint8Array, untrustedName: string): Promise<StaticReport> {
  const report = await analyseFile({ bytes, untrustedName, password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') throw new Error(report.failure.message);
  return report;
}

describe("an operator's rules", () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'airlock-rules-'));
  });
  afterEach(() => {
    useRulesOf(null);
    rmSync(folder, { recursive: true });
  });

  const rule = (name: string, word: string, meta = '') =>
    `rule ${name} { ${meta === '' ? '' : `meta: ${meta} `}strings: $a = "${word}" condition: $a }\n`;

  test('are found beside those of the project, and are suspicious unless they say otherwise', async () => {
    writeFileSync(
      join(folder, 'a.yar'),
      rule('first', 'bluebird') + rule('second', 'redbird', 'level = "malicious" technique = "T1566.001"'),
    );
    useRulesOf(folder);
    expect(ruleProblems()).toEqual([]);
    expect((await analyse(Buffer.from('a bluebird'), 'a.txt')).findings).toMatchObject([
      { id: 'first', level: 'suspicious', score: 50, rule: 'a.yar:first' },
    ]);
    expect(await analyse(Buffer.from('a redbird'), 'a.txt')).toMatchObject({
      level: 'malicious',
      findings: [{ id: 'second', score: 90, techniques: ['T1566.001'] }],
    });
  });

  test('in folders have a namespace each, and the worse of two rules of the same name counts with its own score', async () => {
    for (const team of ['mail', 'web/forms']) mkdirSync(join(folder, team), { recursive: true });
    writeFileSync(join(folder, 'mail', 'a.yar'), rule('same', 'bluebird', 'score = 20'));
    writeFileSync(join(folder, 'web', 'forms', 'a.yara'), rule('same', 'bluebird', 'level = "malicious" score = 95'));
    useRulesOf(folder);
    expect(ruleProblems()).toEqual([]);
    const { findings, level } = await analyse(Buffer.from('a bluebird'), 'a.txt');
    expect(level).toBe('malicious');
    expect(findings[0]).toMatchObject({ id: 'same', score: 95, rule: 'web/forms/a.yara:same' });
  });

  test('count for a file that was analysed before they came, and no longer after they have gone', async () => {
    const idsNow = async () => (await analyse(Buffer.from('a bluebird'), 'a.txt')).findings.map(({ id }) => id);
    writeFileSync(join(folder, 'a.yar'), rule('first', 'bluebird'));
    expect(await idsNow()).toEqual([]);
    useRulesOf(folder);
    expect(await idsNow()).toEqual(['first']);
    useRulesOf(null);
    expect(await idsNow()).toEqual([]);
  });

  test('that do not compile are named, and all other rules still work', async () => {
    writeFileSync(
      join(folder, 'a.yar'),
      `${rule('good', 'bluebird')}rule broken { condition: nothing_of_the_kind }\n${rule('after', 'redbird')}`,
    );
    writeFileSync(join(folder, 'b.yar'), 'no rule at all');
    writeFileSync(join(folder, 'notes.txt'), 'not read');
    useRulesOf(folder);
    expect(ruleProblems().map(({ where }) => where)).toEqual(['a.yar, rule broken', 'b.yar']);
    expect(ruleProblems()[0]?.message).toContain('nothing_of_the_kind');
    const { findings } = await analyse(Buffer.from('bluebird redbird eval(unescape("%61"))'), 'a.txt');
    expect(findings.map(({ id }) => id).sort()).toEqual(['after', 'good', 'javascript-self-decoding']);
  });

  test('may have the name of a rule of the project', () => {
    writeFileSync(join(folder, 'a.yar'), rule('eicar_test_file', 'bluebird'));
    useRulesOf(folder);
    expect(ruleProblems()).toEqual([]);
  });

  test('in a folder that does not exist are only a problem', async () => {
    useRulesOf(join(folder, 'missing'));
    expect(ruleProblems()).toMatchObject([{ message: 'the folder cannot be read: ENOENT' }]);
    expect((await analyse(Buffer.from('hello'), 'a.txt')).level).toBe('benign');
  });

  test('make another version of the engine, which tells older verdicts from newer ones', () => {
    const before = staticEngineVersion();
    expect(before).toMatch(/^static-\d+-[0-9a-f]{12}\+rules\.[0-9a-f]{12}$/);
    writeFileSync(join(folder, 'a.yar'), rule('first', 'bluebird'));
    useRulesOf(folder);
    const after = staticEngineVersion();
    expect(after).not.toBe(before);
    useRulesOf(null);
    expect(staticEngineVersion()).toBe(before);
  });
});

/** The constructor of memories, which the types of Node do not have. */
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: { Memory: new (how: object) => object } };

test('leave no memory of a scan behind', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const own = wasm.Memory;
  const made: WeakRef<object>[] = [];
  wasm.Memory = function memory(how: object) {
    const one = new own(how);
    made.push(new WeakRef(one));
    return one;
  } as unknown as typeof own;
  try {
    for (let index = 0; index < 20; index += 1) await analyse(Buffer.from(`powershell ${index}`), 'a.txt');
  } finally {
    wasm.Memory = own;
  }
  expect(made.length).toBeGreaterThanOrEqual(20);
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  // The stack may still have the last one.
  expect(made.filter((one) => one.deref() !== undefined).length).toBeLessThan(5);
});

describe('the rule that is made for a sample', () => {
  const samples = [...HOSTILE_SCRIPTS, ...HOSTILE_DOCUMENTS];

  test('matches the sample, and nothing in the benign set', async () => {
    loadRules();
    const benign = benignSet().filter((_, index) => index % 10 === 0);
    const compiler = new Compiler();
    const made: { identifier: string; bytes: Uint8Array }[] = [];
    for (const sample of samples) {
      const bytes = bytesOf(sample);
      const { yaraRule, hashes } = await analyse(bytes, sample.name);
      if (yaraRule === undefined) continue;
      compiler.addSource(yaraRule);
      made.push({ identifier: `mail_airlock_strings_${hashes.sha256.slice(0, 16)}`, bytes });
    }
    expect(made.length).toBeGreaterThan(10);
    const rules = compiler.build();
    const matches = (bytes: Uint8Array): string[] =>
      rules.scan(bytes).matches.map(({ identifier }: { identifier: string }) => identifier);
    for (const { identifier, bytes } of made) expect(matches(bytes)).toContain(identifier);
    const wrong = benign.filter(({ bytes }) => matches(bytes).length > 0).map(({ name }) => name);
    expect(wrong).toEqual([]);
  });
});
