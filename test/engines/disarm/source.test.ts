/** Code becomes a text under a name by which no program starts; what some program takes for more than a text does not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { identifyFile } from '../../../lib/formats/detection/file-type.ts';
import { type Airlock, openAirlock } from '../../hostile/attack/airlock-run.ts';
import { arrivalOf } from '../../ordinary/attachments.ts';
import { emailWith } from '../../pipeline/rig.ts';

const run = (text: string | Uint8Array, untrustedName: string) =>
  disarmFile({ bytes: Buffer.from(text as string), untrustedName, password: null }, DEFAULT_ENGINE_LIMITS);

test.each(['build.sh', 'tool.py', 'app.mjs', 'copy.cmd', 'report.ps1', 'a.vbs', 'x.lua'])(
  '%s comes out as a text with the same bytes, and the report says so',
  async (name) => {
    const report = await run('a = 1\n', name);
    expect(report).toMatchObject({
      outcome: 'disarmed',
      type: { type: 'text/plain', extension: 'txt' },
      details: [{ kind: 'name of a program', action: 'sanitized', where: name.slice(name.indexOf('.')) }],
    });
    expect(report.outcome === 'failed' ? '' : Buffer.from(report.bytes).toString()).toBe('a = 1\n');
  },
);

/** What programs take for something else, at the start or where old browsers sniff. */
const DISGUISES: Readonly<Record<string, string>> = {
  'a page': '<html><script>alert(1)</script>',
  'a page behind blanks and a mark': '\ufeff \r\n<script>alert(1)</script>',
  'a page behind a comment of the language': '// a\n<script>alert(1)</script>',
  'a page behind four kilobytes': `// ${'a'.repeat(3_000)}\n<iframe src=x>`,
  'a drawing': '<?xml version="1.0"?><svg onload="a"/>',
  'a tag where it is sniffed': 'a = 1; <img src=x onerror=a>',
  'a shortcut': '[InternetShortcut]\nURL=file://a.example/x',
  'a menu entry': '[Desktop Entry]\nExec=sh -c a',
  'registry keys': 'Windows Registry Editor Version 5.00\n',
  'a web query': 'WEB\n1\nhttps://a.example/',
  SYLK: 'ID;PWXL;N;E\nC;X1;Y1;K1\nE\n',
  'rich text': '{\\rtf1 a}',
  PostScript: '%!PS\n(a) run',
  'an appointment': 'BEGIN:VCALENDAR\nEND:VCALENDAR',
};

describe.each(Object.entries(DISGUISES))('%s', (_, content) => {
  test.each(['a.js', 'a.sh', 'a.py'])('is no code, whatever it is called: %s', async (name) => {
    expect(await run(content, name)).toMatchObject({ outcome: 'failed', failure: { code: 'unsupported' } });
  });

  test.each(['a.json', 'a.yaml', 'a.c', 'a.patch', 'a.ini', 'a.css'])('is no text to policy: %s', (name) => {
    const hints = { untrustedNames: [name], declaredType: '', role: 'attachment' as const };
    expect(identifyFile(Buffer.from(content), hints).typeGroup).not.toBe('text');
  });
});

test.each([
  ['a program that names itself a text', 'MZ\x90\0\x03', 'a.json', 'application/json'],
  ['a NUL', 'a\0b', 'a.c', 'text/x-csrc'],
  ['a zip behind the text', `{}PK\x05\x06${'\0'.repeat(18)}`, 'a.json', 'application/json'],
  ['a PDF header in it', '{ "a": "%PDF-1.4" }', 'a.json', 'application/json'],
  ['two names', '{}', ['a.json', 'a.hta'], 'application/json'],
  ['a name that is cut by some', '{}', 'a.hta;.json', 'application/json'],
  ['a name turned around', '{}', 'a\u202enosj.hta', 'application/json'],
  ['a declared page', '{}', 'a.json', 'text/html'],
  ['a declared program', '{}', 'a.json', 'application/x-msdownload'],
  ['an address in the other half of UTF-16', '\ufeff{}', 'a.json', 'application/x-unknown'],
] as const)('%s is not delivered as a text', (_, content, names, declaredType) => {
  const hints = { untrustedNames: [names].flat(), declaredType, role: 'attachment' as const };
  expect(identifyFile(Buffer.from(content, 'latin1'), hints).typeGroup).not.toBe('text');
});

describe('through the airlock', () => {
  let airlock: Airlock;
  beforeAll(async () => {
    airlock = await openAirlock();
  });
  afterAll(() => airlock.close());

  test('code that attacks is removed or held', async () => {
    const attack = 'var s = new ActiveXObject("WScript.Shell"); s.Run("cmd /c calc");';
    expect((await arrivalOf(airlock, ['a.js', 'text/javascript', attack, '']))?.name ?? 'held').toMatch(
      /withheld|held/,
    );
  });

  test('a blocked link in code is defanged', async () => {
    const code = 'curl http://xn--pple-43d.com@192.0.2.1/login.php\n';
    const arrived = await arrivalOf(airlock, ['get.sh', 'application/x-sh', code, '']);
    expect(arrived === null ? '' : Buffer.from(arrived.bytes).toString()).not.toContain('http://');
  });

  test('the same code in an archive stays out of it', async () => {
    const { packed } = await import('../../formats/archives/archives.ts');
    const bytes = await packed('zip', { 'a.txt': 'hello', 'build.sh': '#!/bin/sh\nmake\n' });
    const { message } = await airlock.scan(
      emailWith({ files: [{ name: 'a.zip', type: 'application/zip', bytes }] }),
      'a.eml',
    );
    expect(Buffer.from(message ?? []).toString()).toContain('a.zip');
    expect(Buffer.from(message ?? []).includes(Buffer.from('build.sh.txt'))).toBe(false);
  });

  test('other letters than those of UTF-8 arrive as they were', async () => {
    const arrived = await arrivalOf(airlock, [
      'a.py',
      'text/x-python; charset=iso-8859-1',
      Buffer.from('# Gr\xfc\xdfe\n', 'latin1'),
      '',
    ]);
    expect(arrived?.name).toBe('a.py.txt');
    expect(Buffer.from(arrived?.bytes ?? []).toString()).toBe('# Grüße\n');
  });
});
