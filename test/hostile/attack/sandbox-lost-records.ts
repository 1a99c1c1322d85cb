/** A script does its harm first, and then something that ends the run in the middle of a step, so that its record goes with it. */
import type { DynamicReport } from '../../../lib/engines/engine.ts';
import { shareOf } from '../share.ts';
import type { AttackClass, Attempt } from './attack-class.ts';
import { runScript } from './sandbox-run.ts';

/** Deadline of the thread: a run gets a quarter of it in processor time, and twice that by the clock. */
const DEADLINE_MS = 400;
/**
 * A busy machine can stand still for the short time by the clock, before the script does anything. A record that is lost is lost in
 * this time, too.
 */
const PATIENT_MS = 8_000;

const HUGE = '9007199254740991';
/** One step each for an interpreter, and longer than anyone waits; what throws or ends at once is tried as well. */
const LOOPS: Readonly<Record<string, string>> = {
  'reduceRight of holes': `[].reduceRight.call({ length: ${HUGE} }, function () {}, 0)`,
  'reduce of holes': `[].reduce.call({ length: ${HUGE} }, function () {}, 0)`,
  'forEach of holes': `[].forEach.call({ length: ${HUGE} }, function () {})`,
  'indexOf of holes': `[].indexOf.call({ length: ${HUGE} }, 1)`,
  'lastIndexOf of holes': `[].lastIndexOf.call({ length: ${HUGE} }, 1)`,
  'includes of holes': `[].includes.call({ length: ${HUGE} }, 1)`,
  'join of holes': `[].join.call({ length: 4294967295 }, '')`,
  'reverse of holes': `[].reverse.call({ length: ${HUGE} })`,
  'shift of holes': `[].shift.call({ length: ${HUGE} })`,
  'flatMap of holes': `[].flatMap.call({ length: ${HUGE} }, function () {})`,
  'flat of holes': `[].flat.call({ length: ${HUGE} })`,
  'sort of holes': `[].sort.call({ length: ${HUGE} })`,
  'fill of an array': 'new Array(4294967295).fill(1)',
  'copyWithin of holes': `[].copyWithin.call({ length: ${HUGE} }, 1, 0)`,
  'from a length': `Array.from({ length: ${HUGE} })`,
  'a getter on length': `[].reduceRight.call({ get length() { return ${HUGE} } }, function () {}, 0)`,
  'a proxy with a length': `[].reduceRight.call(new Proxy([], { get: function (t, k) { return k === 'length' ? ${HUGE} : 0 } }), function () {}, 0)`,
  'concat of spread holes': `var o = { length: ${HUGE} - 2 }; o[Symbol.isConcatSpreadable] = true; [].concat(o)`,
  'apply of many': `Math.max.apply(null, { length: ${HUGE} })`,
  'a sort that never agrees': `var n = 0, a = []; while (n < 3e5) a.push(n++); for (;;) a.sort(function () { return n++ % 3 - 1 })`,
  'a sort without function': `var a = []; for (var i = 0; i < 3e5; i++) a.push('x' + (i * 7919) % 300007); for (;;) a.sort()`,
  repetition: `var s = 'ab'.repeat(1 << 28)`,
  padding: `'a'.padEnd(1 << 29, 'bc')`,
  'a pattern that goes back': `/^(a+)+$/.test(new Array(40).join('a') + 'b')`,
  'a pattern with words': `/^(\\w+\\s?)*$/.test(new Array(60).join('aaaa ') + '!')`,
  'a pattern that replaces': `new Array(1e5).join('ab').replace(/(a|b|ab)*c/g, '')`,
  'text that is parsed': `JSON.parse(new Array(3e5).join('[') + new Array(3e5).join(']'))`,
  'text that is written': `var a = [], b = a; for (var i = 0; i < 1e6; i++) { b.push([]); b = b[0] } JSON.stringify(a)`,
  'a power': `9n ** (9n ** 9n)`,
  'a product': `var b = 3n; for (;;) b = b * b`,
  'a division': `var b = (1n << 8000000n); for (;;) b / 3n`,
  'digits of a number': `(1n << 20000000n).toString()`,
  'a search': `new Array(3e6).join('a').indexOf(new Array(15e5).join('a') + 'b')`,
  'a split': `new Array(2e7).join('a').split('')`,
  'a normal form': `for (;;) new Array(2e6).join('\\u0344').normalize('NFD')`,
  'typed bytes': `var t = new Uint8Array(5e7); for (;;) t.sort(function (a, b) { return b - a })`,
  'a map of many': `var m = new Map(); for (;;) m.set({}, {})`,
  'deep recursion': `(function f() { f() })()`,
  'deep recursion that is caught': `(function f() { try { f() } catch (e) { f() } })()`,
  'a loop': 'for (;;) {}',
  'a loop that catches': 'for (;;) try { throw 1 } catch (e) {}',
  'a loop of promises': '(async function () { for (;;) await 0 })()',
  'generators in each other': 'function* g() { yield* g() } g().next()',
  'an iterator without end': '[...{ [Symbol.iterator]() { return { next() { return { done: false } } } } }]',
  'proxies around each other': 'var p = {}; for (var i = 0; i < 1e6; i++) p = new Proxy(p, {}); p.x',
  'prototypes of each other': 'var p = {}; for (var i = 0; i < 1e7; i++) p = Object.create(p); for (;;) p.x',
};

const KINDS = {
  host: {
    name: 'a.js',
    act: "new ActiveXObject('WScript.Shell').Run('cmd.exe /c echo inert', 0);",
    expected: 'process-start',
    wrap: (code: string) => code,
  },
  page: {
    name: 'a.html',
    act: "location.href = 'https://one.example/a';",
    expected: 'navigate',
    wrap: (code: string) => `<script>${code}</script>`,
  },
} as const;

async function* attempts(): AsyncGenerator<Attempt> {
  for (const [kind, { name, act, expected, wrap }] of Object.entries(KINDS)) {
    for (const [loop, code] of shareOf(Object.entries(LOOPS))) {
      const isKeptIn = ({ events }: DynamicReport) => events.some(({ operation }) => operation === expected);
      const first = await runScript(name, wrap(`${act}${code}`), DEADLINE_MS);
      const report = isKeptIn(first) ? first : await runScript(name, wrap(`${act}${code}`), PATIENT_MS);
      const isKept = isKeptIn(report);
      const won = report.level === 'benign' ? 'benign' : isKept ? null : 'what it did before is not in the record';
      yield { id: `${kind}: ${loop}`, ended: report.level, won };
    }
  }
}

export const sandboxLostRecords: AttackClass = {
  name: 'sandbox-lost-records',
  title: 'a script does its harm, then takes the record of it down with the run',
  attempts,
};
