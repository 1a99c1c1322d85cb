import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS, type Finding } from '../../lib/engines/engine.ts';
import { analyseFile } from '../../lib/engines/static/analyse-file.ts';
import { finding } from '../../lib/engines/static/findings/findings.ts';
import { STATIC_MODULES } from '../../lib/engines/static/modules.ts';
import { scoreFindings } from '../../lib/engines/static/scoring.ts';
import { staticEngineVersion } from '../../lib/engines/static/yara/yara.ts';
import { EICAR } from './rule-samples.ts';
import { zipOf } from './zip-fixture.ts';

const limits = DEFAULT_ENGINE_LIMITS;

async function levelOf(content: string | Uint8Array, untrustedName: string): Promise<string> {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  const report = await analyseFile({ bytes, untrustedName, password: null }, limits);
  if (report.outcome === 'failed') return `failed:${report.failure.code}`;
  return [report.level, ...report.findings.map(({ id }) => id)].join(' ');
}

describe('a report', () => {
  test('names type, hashes and the version of the engine', async () => {
    const bytes = Buffer.from('hello\n');
    const sums = (name: string) => createHash(name).update(bytes).digest('hex');
    expect(await analyseFile({ bytes, untrustedName: 'a.txt', password: null }, limits)).toEqual({
      outcome: 'completed',
      level: 'benign',
      score: 0,
      type: { type: 'text/plain', extension: 'txt', description: 'plain text' },
      hashes: { md5: sums('md5'), sha1: sums('sha1'), sha256: sums('sha256') },
      findings: [],
      entropy: 2.25,
      engineVersion: staticEngineVersion(),
    });
  });

  test('leaves the bytes as they were', async () => {
    const bytes = Buffer.from('<html><script>1</script></html>');
    const before = Buffer.from(bytes);
    await analyseFile({ bytes, untrustedName: 'a.html', password: null }, limits);
    expect(bytes.equals(before)).toBe(true);
  });

  test('is a failure for a file over the limit', async () => {
    const input = { bytes: Buffer.alloc(11), untrustedName: 'a.txt', password: null };
    expect(await analyseFile(input, { ...limits, inputBytes: 10 })).toMatchObject({
      outcome: 'failed',
      failure: { code: 'oversize' },
      engineVersion: staticEngineVersion(),
    });
  });

  test('of bytes that no module reads is unknown, never benign', async () => {
    expect(await levelOf('\0\x01\x02\x03 no format', 'a.bin')).toBe('unknown');
  });
});

describe('the scanner test file', () => {
  test.each([
    ['as it is', EICAR],
    ['with white space behind it', `${EICAR} \t\r\n\x1a`],
    ['at its greatest length', EICAR.padEnd(128, '\n')],
  ])('%s is malicious', async (_, content) => {
    expect(await levelOf(content, 'eicar.txt')).toBe('malicious eicar-test-file');
  });

  test.each([
    ['inside a text', `here: ${EICAR}`],
    ['far inside a long text', `${'words '.repeat(99)}${EICAR}`],
    ['with words behind it', `${EICAR} words`],
    ['too long to be it', EICAR.padEnd(129, ' ')],
  ])('%s is suspicious', async (_, content) => {
    expect(await levelOf(content, 'note.txt')).toBe('suspicious eicar-test-string');
  });

  test('as a member of an archive is malicious', async () => {
    expect(await levelOf(zipOf({ 'readme.txt': 'hello', 'eicar.txt': EICAR }), 'a.zip')).toBe(
      'malicious eicar-test-file',
    );
  });
});

describe('the level', () => {
  const bad = finding('pdf-javascript');
  const fact = finding('program');
  const worse: Finding = { ...bad, id: 'x', level: 'malicious' };
  test.each<[string, Finding[], boolean, string]>([
    ['no finding in a type that is understood', [], true, 'benign'],
    ['no finding in a type that is not', [], false, 'unknown'],
    ['a fact alone', [fact], true, 'unknown'],
    ['facts that add up', [fact, { ...fact, id: 'other' }], true, 'suspicious'],
    ['a suspicious finding, understood or not', [bad], false, 'suspicious'],
    ['a malicious finding among others', [fact, bad, worse], false, 'malicious'],
  ])('%s', (_, findings, understood, level) => {
    expect(scoreFindings(findings, understood).level).toBe(level);
  });

  test('goes with a score of at most 100', () => {
    expect(scoreFindings([bad, bad, bad, bad], true).score).toBe(100);
  });
});

describe('hostile input', () => {
  test('that is damaged ends as unreadable, for every type with a structure', async () => {
    const damaged: Record<string, string> = {
      'a.png': `\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0`,
      'a.jpg': '\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0 cut',
      'a.zip': 'PK\x03\x04 and nothing more \0\0\0',
      'a.pdf': '%PDF-1.7\nno objects at all',
      'a.doc': `\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1${'\0'.repeat(600)}`,
    };
    for (const [name, content] of Object.entries(damaged)) {
      expect([name, await levelOf(content, name)]).toEqual([
        name,
        expect.stringMatching(/^(failed:unreadable|unknown)/),
      ]);
    }
  });

  test('of random bytes behind every signature never throws and is never benign', async () => {
    const noise = createHash('sha512').update('noise').digest();
    const starts = [
      '%PDF-1.4\n1 0 obj\n',
      'PK\x03\x04',
      '\x89PNG\r\n\x1a\n',
      '\xff\xd8\xff',
      'GIF89a',
      'BM',
      'II*\0',
      'MZ',
      '{\\rtf1 ',
    ];
    for (const start of starts) {
      const level = await levelOf(Buffer.concat([Buffer.from(start, 'latin1'), noise, noise]), 'a');
      expect([start, level]).toEqual([start, expect.not.stringMatching(/^benign/)]);
    }
  });

  test('nested a hundred thousand deep is read to its end', async () => {
    expect(await levelOf(`${'<div>'.repeat(100_000)}<script>1</script>`, 'a.html')).toMatch(/^unknown html-script/);
  });

  test.each(STATIC_MODULES)('the $name module accepts at least one type and none twice', ({ name, accepts }) => {
    const types = ['text/plain', 'text/html', 'image/png', 'application/pdf', 'application/zip', 'application/rtf'];
    for (const type of types) {
      expect(STATIC_MODULES.filter((module) => module.accepts(type))).toHaveLength(1);
    }
    // Data of an unknown type can be a disk, which says so elsewhere than at its beginning; nothing else looks into it.
    expect(accepts('application/octet-stream')).toBe(name === 'virtual disk');
  });
});
