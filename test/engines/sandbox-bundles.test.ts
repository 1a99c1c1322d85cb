/** Libraries as they are published and as a bundler makes them: benign where they reach for nothing, and no way for malware to be so. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { runScript } from '../hostile/attack/sandbox-run.ts';

const require = createRequire(import.meta.url);
const folderOf = (name: string) => dirname(require.resolve(`${name}/package.json`));

const FORMS: Readonly<Record<string, BuildOptions>> = {
  'for a script element': { format: 'iife', minify: true, globalName: 'lib' },
  'for a bundler': { format: 'cjs', minify: true },
  'as a module': { format: 'esm', minify: false },
};
const PACKAGES = [
  'linkify-it',
  'htmlparser2',
  'pako',
  'picomatch',
  'semver',
  'qs',
  'he',
  'entities',
  'moo',
  'diff',
  'ms',
  'sax',
];

describe.each(Object.entries(FORMS))('%s', (_, options) => {
  test.each(PACKAGES)('%s is benign', async (name) => {
    const stdin = { contents: `export * from '${name}'`, resolveDir: import.meta.dirname };
    const { outputFiles } = await build({
      stdin,
      bundle: true,
      write: false,
      platform: 'browser',
      logLevel: 'silent',
      ...options,
    });
    const report = await runScript(`${name}.js`, outputFiles?.[0]?.text ?? '');
    expect([report.level, report.findings.map(({ id }) => id)]).toEqual(['benign', []]);
  });
});

test.each([
  ['pako', 'dist/pako.es5.min.js'],
  ['pako', 'dist/pako_inflate.min.js'],
  ['lunr', 'lunr.min.js'],
  ['base64-js', 'base64js.min.js'],
  ['markdown-it', 'dist/markdown-it.min.js'],
  ['autolinker', 'dist/autolinker.min.js'],
  ['ipaddr.js', 'ipaddr.min.js'],
])('%s as it is published (%s) is benign', async (name, path) => {
  const report = await runScript('library.js', readFileSync(join(folderOf(name), path), 'utf8'));
  expect([report.level, report.findings.map(({ id }) => id)]).toEqual(['benign', []]);
});

/** Scripts that do nothing here, because something tells them where they are. Each holds a way to act that its text may hide. */
const QUIET = 'if (!(function () { return typeof named === "function" || !(function named() {}) })()) ';
test.each([
  ['names what it would start', `${QUIET} new ActiveXObject("WScript.Shell").Run("calc");`],
  ['names it in pieces', `var n = ["Act", "iveXObj", "ect"].join(""); ${QUIET} { var o = new this[n]("a.b"); }`],
  [
    'names it by numbers',
    `function d(a) { for (var s = "", i = 0; i < a.length; i++) s += String.fromCharCode(a[i] ^ 7); return s } ${QUIET} this[d([1, 2, 3])](d([4, 5]));`,
  ],
  ['makes code', `${QUIET} [].map["constr" + "uctor"]("x")();`],
  ['evaluates', `${QUIET} eval(unescape("%61"));`],
  ['waits for a date', 'var t = new Date(); if (t.getFullYear() > 2090) { t.x = 1 }'],
  ['asks for an object', 'var a = typeof WScript === "undefined";'],
  ['is compiled under a condition', '/*@cc_on @if (@_jscript_version > 9) x() @end @*/ var a = (b) => b;'],
  ['names a program in newer code', 'const a = (b) => b; if (a(0)) a("powershell -enc AAAA");'],
  ['needs a part of Node', 'const { exec } = require("fs"); module.exports = () => exec("a");'],
])('a quiet script that %s is not benign', async (_, code) => {
  expect((await runScript('a.js', code)).level).not.toBe('benign');
});

test('what a script file does as the script of a page is found', async () => {
  const report = await runScript('a.js', 'const go = () => { location.href = "https://next.example/" }; go();');
  expect(report.findings.map(({ id }) => id)).toContain('behaviour-redirect');
});
