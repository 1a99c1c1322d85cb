/** What a script does to wear an analysis out takes time from it alone: what comes behind it is recorded. */
import { describe, expect, test } from 'vitest';
import { actsOf, runScript } from '../hostile/attack/sandbox-run.ts';

const GO = `location.href = 'https://next.example/';`;
const START = `new ActiveXObject('WScript.Shell').Run('powershell -c x');`;
const page = (code: string) => `<body><script>${code}</script>`;
/** The form that a well-known obfuscator gives to its trap: it calls itself until the stack is full, and makes a function at every step. */
const TRAP = (then: string) => `
  function trap(again) {
    function step(n) {
      if (typeof n === 'string') return function () {}.constructor('while (true) {}').apply('counter');
      if (('' + n / n).length !== 1 || n % 20 === 0) (function () { return true }).constructor('debu' + 'gger').call('action');
      else (function () { return false }).constructor('debu' + 'gger').apply('stateObject');
      step(++n);
    }
    try { if (again) return step; else step(0) } catch (e) {}
  }
  ${then}`;
const IN_30_DAYS = Date.now() + 30 * 86_400_000;
/** The weekday of the phone, which is some hours further in its day: after 15:00 that is a weekday later than the days alone give. */
const OTHER_DAY = new Date(Date.now() + (45 * 24 + 9) * 3_600_000).getUTCDay();

/** The deadline of the thread for what burns its time. A run gets a share of it. */
const SHORT_MS = 3_000;

describe('what stands behind it is recorded in a page', () => {
  test.each([
    ['a trap for debuggers that fills the stack', TRAP(`trap(); ${GO}`)],
    ['the same trap every few seconds', TRAP(`setInterval(trap, 4000); setTimeout(function () { ${GO} }, 30000);`)],
    ['a debugger in an interval', `setInterval(function () { debugger }, 50); setTimeout(function () { ${GO} }, 3000)`],
    [
      'forty intervals',
      `for (var k = 0; k < 40; k++) setInterval(function () { debugger }, 30 + k); setTimeout(function () { ${GO} }, 20000)`,
    ],
    [
      'timers that make timers',
      `(function d() { debugger; setTimeout(d, 10); setTimeout(function () {}, 9) })(); setTimeout(function () { ${GO} }, 60000)`,
    ],
    [
      'a measurement of how long a statement takes',
      `setTimeout(function () { var t = performance.now(); debugger; if (performance.now() - t > 100) return; ${GO} }, 6e4)`,
    ],
    [
      'frames that wait for the clock',
      `var t = performance.now(); (function f() { if (performance.now() - t < 9e4) requestAnimationFrame(f); else { ${GO} } })()`,
    ],
    ['a thousand layers', `for (var i = 0; i < 1000; i++) Function('debugger;//' + i)(); ${GO}`],
    ['a countdown', `var n = 300, h = setInterval(function () { if (--n === 0) { clearInterval(h); ${GO} } }, 1000)`],
    [
      'two thousand pauses',
      `(async function () { for (let i = 0; i < 2000; i++) await new Promise((r) => setTimeout(r, 10)); ${GO} })()`,
    ],
    ['promises by the hundred thousand', `(async function () { for (let i = 0; i < 1e5; i++) await 0; ${GO} })()`],
    ['a date that comes', `if (Date.now() > ${IN_30_DAYS}) { ${GO} }`],
    ['a date that is over', `if (new Date() < new Date(${Date.now() - 86_400_000})) { ${GO} }`],
    ['another weekday', `if (new Date().getUTCDay() === ${OTHER_DAY}) { ${GO} }`],
    ['a phone', `if (/iPhone|Android/.test(navigator.userAgent)) { ${GO} }`],
    ['a narrow window', `if (innerWidth < 600 || screen.width < 500) { ${GO} }`],
    ['a language', `if (navigator.language === 'pt-BR') { ${GO} }`],
    ['one of the languages', `if (navigator.languages.some(function (l) { return l.indexOf('es') === 0 })) { ${GO} }`],
    ['a time zone', `if (Intl.DateTimeFormat().resolvedOptions().timeZone === 'America/Sao_Paulo') { ${GO} }`],
    ['an offset of the time zone', `if (new Date().getTimezoneOffset() > 0) { ${GO} }`],
    ['a battery', `navigator.getBattery().then(function (b) { if (b.level > 0) { ${GO} } })`],
    ['a mouse that moves', `var n = 0; addEventListener('mousemove', function () { if (++n > 10) { ${GO} } })`],
  ])('%s', async (_, code) => {
    expect(actsOf(await runScript('a.html', page(code)))).toContain('navigate https://next.example/');
  });

  test.each([
    ['a script', `<script>for (;;) { debugger }</script><script>${GO}</script>`],
    ['a timer', page(`setTimeout(function () { for (;;) { debugger } }, 9); setTimeout(function () { ${GO} }, 3000)`)],
  ])('an endless loop in %s, and the limit is named', async (_, content) => {
    const report = await runScript('a.html', content, SHORT_MS);
    expect(actsOf(report)).toContain('navigate https://next.example/');
    expect(report.findings.map(({ id }) => id)).toContain('behaviour-limit-reached');
  });
});

describe('what stands behind it is recorded in a script for Windows', () => {
  test.each([
    ['a trap for debuggers that fills the stack', TRAP(`trap(); ${START}`)],
    ['a date that comes', `if (new Date().getTime() > ${IN_30_DAYS}) { ${START} }`],
    [
      'three thousand objects that are not there',
      `for (var i = 0; i < 3000; i++) try { new ActiveXObject('No.' + i) } catch (e) {} ${START}`,
    ],
    ['a thousand layers', `for (var i = 0; i < 1000; i++) eval('var q' + i + '=' + i); ${START}`],
  ])('%s', async (_, code) => {
    const report = await runScript('a.js', code);
    expect(actsOf(report)).toContain('process-start powershell -c x');
    expect(report.level).toBe('malicious');
  });

  test('a count that takes hours in a page', async () => {
    const report = await runScript(
      'a.html',
      page(`var x = 0; for (var i = 0; i < 3e9; i++) x += i % 7; ${GO}`),
      SHORT_MS,
    );
    expect(actsOf(report)).toContain('navigate https://next.example/');
    expect(report.findings.map(({ id }) => id)).toContain('behaviour-limit-reached');
  });

  test('a count that takes hours', async () => {
    const report = await runScript(
      'a.js',
      `var x = 0; for (var i = 0; i < 0xfffffff0; i++) x += i; ${START}`,
      SHORT_MS,
    );
    expect(actsOf(report)).toContain('process-start powershell -c x');
  });
});

test('an ordinary page that looks at the clock, the screen and the language stays benign', async () => {
  const code = `document.title = new Date().getFullYear() + navigator.language + innerWidth + screen.width;`;
  expect((await runScript('a.html', page(code))).level).toBe('benign');
});
