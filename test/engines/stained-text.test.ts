/** Text with a few control bytes is the text that programs take it for: judged, run, and disarmed without them. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { detonateFile } from '../../lib/engines/script/detonate-file.ts';
import { analyseFile } from '../../lib/engines/static/analyse-file.ts';
import { withoutStains } from '../../lib/formats/charsets/stained-text.ts';
import { detectType } from '../../lib/formats/detection/detect.ts';
import { disarmed, refusalCode } from './disarm/run-disarm.ts';

const input = (text: string | Uint8Array, untrustedName: string) => ({
  bytes: new Uint8Array(Buffer.from(text)),
  untrustedName,
  password: null,
});
const DROPPER = `// \u0001\nvar shell = new ActiveXObject("WScript.Shell");\nshell.Run("cmd /c calc.exe");\n`;
const LINES = 'The minutes of the meeting are here. '.repeat(20);

describe('the type of a file', () => {
  test.each([
    ['a.js', DROPPER, 'text/javascript'],
    ['a.vbs', 'CreateObject("WScript.Shell").Run "calc"\r\n\u001a', 'text/vbscript'],
    ['a.ps1', 'Write-Host "one two three"\u007f\r\n', 'application/x-powershell'],
    ['a.txt', `${LINES}\u0008${LINES}`, 'text/plain'],
    ['a.csv', `name,amount\r\n"Ann\u0002",3\r\n`, 'text/csv'],
    ['a', `#!/bin/sh\necho "one\u0003 two"\n`, 'text/x-shellscript'],
    ['a.txt', Buffer.from(`caf\xe9 and na\xefve words \x01 of Windows`, 'latin1'), 'text/plain'],
  ])('%s with one control byte is what it looks like', async (name, text, type) => {
    expect((await detectType(input(text, name).bytes, name)).type).toBe(type);
  });

  test.each([
    ['many control bytes', 'a\u0001b\u0002c\u0003d\u0004e\u0005f\u0006g\u0007h\u0008'],
    ['more than one in a hundred', 'a few words\u0001\u0002 and no more'],
    ['a zero byte', `${LINES}\0`],
    ['few bytes', 'var a;\u0001'],
    ['more than half of it in no charset', Buffer.from(`\x01${'\xf1\xe2\x81ab'.repeat(9)}`, 'latin1')],
  ])('a file with %s is data', async (_, content) => {
    expect((await detectType(input(content, 'a.js').bytes, 'a.js')).type).toBe('application/octet-stream');
  });
});

test('the number of control bytes grows with the text, up to a limit', () => {
  const text = (letters: number, stains: number) => Buffer.from('x'.repeat(letters) + '\u0001'.repeat(stains));
  expect(withoutStains(text(398, 2))?.toString()).toBe(`${'x'.repeat(398)}  `);
  expect(withoutStains(text(300, 2))).toBeNull();
  expect(withoutStains(text(100_000, 64))).not.toBeNull();
  expect(withoutStains(text(100_000, 65))).toBeNull();
  expect(withoutStains(text(100_000, 0))).toBeNull();
});

test('a script is found by the static engine, and run by the sandbox', async () => {
  const found = await analyseFile(input(DROPPER, 'a.js'), DEFAULT_ENGINE_LIMITS);
  expect(found).toMatchObject({ outcome: 'completed', type: { type: 'text/javascript' } });
  expect('level' in found && found.level).not.toBe('unknown');
  const run = await detonateFile(input(DROPPER, 'a.js'), DEFAULT_ENGINE_LIMITS);
  expect(run).toMatchObject({ outcome: 'completed', level: 'malicious' });
});

test.each([
  ['notes.txt', `${LINES}\u0001end`, `${LINES} end`],
  ['build.sh', `#!/bin/sh\necho "one\u0003 two"\n`, '#!/bin/sh\necho "one  two"\n'],
  ['table.csv', 'name,amount\r\n"Ann\u0002",3\r\n', 'name,amount\r\n"Ann ",3\r\n'],
])('%s comes back with spaces in the place of control bytes, and says so', async (name, text, clean) => {
  const report = await disarmed(text, name);
  expect([report.text, report.kinds]).toEqual([clean, expect.arrayContaining(['control characters'])]);
  expect((await disarmed(report.bytes, `again.${report.extension}`)).text).toBe(clean);
});

test('data under the name of a text is refused as before', async () => {
  expect(await refusalCode('a\u0001b\u0002c\u0003d\u0004e\u0005f\u0006g', 'notes.txt')).not.toBeNull();
});
