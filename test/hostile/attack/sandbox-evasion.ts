/** A script looks whether it is in an emulation, and does its harm only when it believes that it is not. */
import { shareOf } from '../share.ts';
import type { AttackClass, Attempt } from './attack-class.ts';
import { runScript } from './sandbox-run.ts';

/** True where Windows runs the script with JScript 5.8, as the manuals of that language and people who tried it say. */
const WINDOWS: Readonly<Record<string, string>> = {
  'no symbols': "typeof Symbol === 'undefined'",
  'no promises': "typeof Promise === 'undefined' && typeof Proxy === 'undefined' && typeof Reflect === 'undefined'",
  'no maps': "typeof Map === 'undefined' && typeof WeakMap === 'undefined' && typeof Set === 'undefined'",
  'no typed arrays': "typeof Uint8Array === 'undefined' && typeof ArrayBuffer === 'undefined'",
  'no name of the global object': "typeof globalThis === 'undefined' && typeof global === 'undefined'",
  'no page': "typeof window === 'undefined' && typeof document === 'undefined' && typeof performance === 'undefined'",
  'no Node': "typeof process === 'undefined' && typeof require === 'undefined' && typeof module === 'undefined'",
  'no flat': '![].flat && ![].includes && ![].forEach && ![].map',
  'no new texts': "!''.repeat && !''.padStart && !''.trim && !''.includes",
  'no new objects': '!Object.assign && !Object.keys && !Object.defineProperty',
  'no bind': '!Function.prototype.bind && !Date.now && !Math.trunc && !Number.isInteger',
  'vertical tab': "'\\v' == 'v'",
  'vertical tab in a text': "'a\\vb'.length === 3 && 'a\\vb' === 'avb'",
  'conditional compilation': '(function () { var on = false; /*@cc_on on = true; @*/ return on })()',
  'version of the language': '(function () { var v = 0; /*@cc_on v = @_jscript_version; @*/ return v > 5 && v < 9 })()',
  'kind of machine': '(function () { var v = false; /*@cc_on v = @_win32 || @_win64; @*/ return v })()',
  'negated comment': '(function () { return /*@cc_on!@*/false })()',
  'name of the engine': "ScriptEngine() === 'JScript'",
  'version of the engine': 'ScriptEngineMajorVersion() === 5 && ScriptEngineMinorVersion() === 8',
  'build of the engine': "typeof ScriptEngineBuildVersion() === 'number'",
  'name of the host': "WScript.Name === 'Windows Script Host' && WScript == 'Windows Script Host'",
  'version of the host': '/^5\\.\\d+$/.test(WScript.Version)',
  'path of the host': '/^[a-z]:.*script\\.exe$/i.test(WScript.FullName)',
  'kind of the host': "typeof WScript === 'object' && typeof ActiveXObject === 'function'",
  'own name': 'WScript.ScriptFullName.indexOf(WScript.ScriptName) > 0',
  'no stack': "typeof new Error('a').stack === 'undefined'",
  'no stack of a fault': '(function () { try { null.a } catch (e) { return !e.stack } })()',
  'number of a fault': '(function () { try { none.such } catch (e) { return e.number === -2146823279 } })()',
  'words of a fault':
    '(function () { try { none.such } catch (e) { return e.description === "\'none\' is undefined" && e.message === e.description } })()',
  'words of another fault':
    '(function () { try { (1).no() } catch (e) { return e.description === "Object doesn\'t support this property or method" } })()',
  'number of a made error': "new Error(5, 'a').number === 5 && new Error(5, 'a').description === 'a'",
  'missing object':
    "(function () { try { new ActiveXObject('No.Such') } catch (e) { return (e.number & 65535) === 429 } })()",
  'text of a built-in': '/^\\s*function Array\\(\\) \\{\\s*\\[native code\\]\\s*\\}\\s*$/.test(Array)',
  'text of the clock':
    '/^\\s*function Date\\(\\) \\{\\s*\\[native code\\]\\s*\\}\\s*$/.test(Date) && /native/.test(Math.random)',
  'text of what evaluates': "/^\\s*function eval\\(\\) \\{\\s*\\[native code\\]\\s*\\}\\s*$/.test('' + eval)",
  'own text':
    "(function () { eval('1'); return arguments.callee.toString() })() === \"function () { eval('1'); return arguments.callee.toString() }\"",
  'own text with a handler':
    "(function () { try { 1 } catch (e) { 2 } return arguments.callee.toString() })() === 'function () { try { 1 } catch (e) { 2 } return arguments.callee.toString() }'",
  'comma at the end': '[1, 2,].length === 3',
  'names of the global object':
    '(function () { var n = 0; for (var k in this) if (/layer|host|prelude|record|emul|sandbox|mock|hook|^_/i.test(k)) n++; return n === 0 })()',
  'no hidden names': "typeof __host === 'undefined' && typeof __layer === 'undefined' && typeof __api === 'undefined'",
  'no hidden member': '!(function () {}).__item_put && !({}).__items',
  'clock that is not fixed':
    '(function () { var a = new Date(); for (var i = 0; i < 9; i++) if (new Date() - a !== 16 * (i + 1)) return true; return false })()',
  'clock that goes on':
    '(function () { var a = new Date().getTime(); WScript.Sleep(2000); var b = new Date().getTime() - a; return b >= 2000 && b < 2500 })()',
  'clock of today': 'new Date().getFullYear() >= 2026 && new Date() > new Date(2026, 2, 4)',
  'words of the clock': '/ UTC([+-]\\d{4})? \\d{4}$/.test(new Date().toString())',
  'chance that is not fixed': 'Math.random() !== 0.6009535202780739 && Math.random() !== Math.random()',
  'lists of the host': 'WScript.Arguments.length === 0 && WScript.Arguments.Count() === 0',
  'members that do not exist':
    "(function () { var w = new ActiveXObject('WScript.Shell'); try { w.NoSuchThing(); return false } catch (e) { return true } })()",
  'dates of automation': "typeof new Date().getVarDate === 'function'",
  'nothing of today in words':
    '!/emulat|sandbox|quickjs|mail/i.test(WScript.FullName + ScriptEngine() + Error + ActiveXObject)',
  'no prototype of a name': '!Object.getPrototypeOf && !Object.prototype.__defineGetter__',
};

/** True in a browser of today. */
const PAGE: Readonly<Record<string, string>> = {
  'no engine':
    "typeof ScriptEngine === 'undefined' && typeof ActiveXObject === 'undefined' && typeof WScript === 'undefined'",
  'no automation':
    "typeof Enumerator === 'undefined' && typeof VBArray === 'undefined' && typeof GetObject === 'undefined'",
  'no engine of its own': "typeof InternalError === 'undefined'",
  'no numbers of errors': "!('number' in Error.prototype) && !('description' in Error.prototype)",
  'no hidden names':
    '!Object.getOwnPropertyNames(window).some((k) => /layer|host|prelude|record|emul|sandbox|^__/i.test(k))',
  'no hidden member': "!('own' in document.body) && !Object.keys(document.body).includes('own')",
  'text of a built-in':
    '/^function fetch\\(\\) \\{ \\[native code\\] \\}$/.test(fetch) && /^function eval\\(\\) \\{ \\[native code\\] \\}$/.test(eval)',
  'text of a method': '/^function createElement\\(\\) \\{ \\[native code\\] \\}$/.test(document.createElement)',
  'text by another function': '/\\[native code\\]/.test(Function.prototype.toString.call(setTimeout))',
  'text of the function for texts':
    '/\\[native code\\]/.test(Function.prototype.toString.call(Function.prototype.toString))',
  'no stack of the environment':
    "!/prelude|guarded|runTimer|proxyTraps|proxyOf|controls|native:/.test(new Error('a').stack)",
  'one kind of function':
    'fetch instanceof Function && fetch.constructor === Function && Object.getPrototypeOf(fetch) === Function.prototype',
  'one kind of object': 'navigator.clipboard.constructor.constructor === Function',
  'one kind of list': "document.getElementsByTagName('script') instanceof Object && Array.isArray([])",
  'one kind of promise': 'navigator.clipboard.writeText("a") instanceof Promise',
  'one kind of error': "(function () { try { atob('%') } catch (e) { return e instanceof Error } })()",
  'the same eval': 'eval === window.eval',
  'clock that is not fixed':
    '(function () { var a = Date.now(); for (var i = 0; i < 9; i++) if (Date.now() - a !== 16 * (i + 1)) return true; return false })()',
  'clock of today': 'Date.now() > 1772700000000',
  'no driver': '!navigator.webdriver && !window.callPhantom && !window._phantom && !window.__nightmare',
  'own text':
    "(function f() { eval('1'); try { } catch (e) { } return f.toString() })() === \"function f() { eval('1'); try { } catch (e) { } return f.toString() }\"",
  'symbols of objects': 'Object.getOwnPropertySymbols(document.body).length === 0',
  'names behind elements': "document.body && typeof probe === 'object' && probe === document.getElementById('probe')",
};

const KINDS = {
  host: {
    name: 'a.js',
    checks: WINDOWS,
    payloads: [
      "new ActiveXObject('WScript.Shell').Run('cmd.exe /c echo inert', 0)",
      "GetObject('winmgmts:root\\\\cimv2:Win32_Process').Create('calc.exe')",
    ],
    wrap: (code: string) => code,
    expected: 'process-start',
  },
  application: {
    name: 'a.hta',
    checks: Object.fromEntries(
      Object.entries(WINDOWS).filter(([, check]) => !/WScript|typeof window|typeof document|k in this/.test(check)),
    ),
    payloads: ["new ActiveXObject('WScript.Shell').Run('cmd.exe /c echo inert', 0)"],
    wrap: (code: string) => `<hta:application id="h"/><script language="JScript">${code}</script>`,
    expected: 'process-start',
  },
  page: {
    name: 'a.html',
    checks: PAGE,
    payloads: ["location.href = 'https://one.example/a'"],
    wrap: (code: string) => `<p id="probe"></p><script>${code}</script>`,
    expected: 'navigate',
  },
} as const;

/** How a script stops when it does not like what it sees. */
const SHAPES: readonly ((check: string, payload: string) => string)[] = [
  (check, payload) => `if (${check}) { ${payload} }`,
  (check, payload) => `(function () { if (!(${check})) return; ${payload} })()`,
];

async function* attempts(): AsyncGenerator<Attempt> {
  for (const [kind, { name, checks, payloads, wrap, expected }] of Object.entries(KINDS)) {
    for (const [check, code] of shareOf(Object.entries(checks))) {
      for (const [at, payload] of payloads.entries()) {
        const shape = SHAPES[at % SHAPES.length] ?? SHAPES[0];
        const report = await runScript(name, wrap(shape?.(code, payload) ?? ''));
        const isSeen = report.events.some(({ operation }) => operation === expected);
        const won = isSeen ? null : `it saw that it is watched, and is ${report.level}`;
        yield { id: `${kind}: ${check} ${at}`, ended: report.level, won };
      }
    }
  }
}

export const sandboxEvasion: AttackClass = {
  name: 'sandbox-evasion',
  title: 'a script recognises the sandbox, and does nothing in it',
  attempts,
};
