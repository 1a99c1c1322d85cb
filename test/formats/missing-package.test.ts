/** Optional packages that are not installed: what Node really says of them, in a folder that has none. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MissingPackageError, missingPackage } from '../../lib/formats/missing-package.ts';

const run = promisify(execFile);
const IMPORTED = ['sharp', '7z-wasm', '@embedpdf/pdfium', 'undici', './sharp.js'];
const REQUIRED = [
  'jxl-oxide-wasm/package.json',
  'libsql',
  '@libsql/linux-x64-gnu',
  'libheif-js/libheif-wasm/libheif.js',
  '7z-wasm/7zz.wasm',
  'hono',
];
const PROGRAM = `
const told = {};
const { createRequire } = await import('node:module');
for (const name of ${JSON.stringify(IMPORTED)}) await import(name).catch(({ code, message }) => { told[name] = { code, message }; });
for (const name of ${JSON.stringify(REQUIRED)}) try { createRequire(process.cwd() + '/sharp/')(name); } catch ({ code, message }) { told[name] = { code, message }; }
console.log(JSON.stringify(told));
`;

let folder: string;
let told: Readonly<Record<string, unknown>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-missing-'));
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', PROGRAM], { cwd: folder });
  told = JSON.parse(stdout);
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ['sharp', 'sharp'],
  ['7z-wasm', '7z-wasm'],
  ['7z-wasm/7zz.wasm', '7z-wasm'],
  ['@embedpdf/pdfium', '@embedpdf/pdfium'],
  ['libheif-js/libheif-wasm/libheif.js', 'libheif-js'],
  ['jxl-oxide-wasm/package.json', 'jxl-oxide-wasm'],
  ['libsql', 'libsql'],
  ['@libsql/linux-x64-gnu', 'libsql'],
])('%s is missing: the package %s is named, with a stable code and what to do', (name, packageName) => {
  const error = missingPackage(told[name]);
  expect(error).toMatchObject({ code: 'package_missing', packageName });
  expect(error?.message).toContain(`npm install --include=optional ${packageName}`);
});

test.each(['undici', 'hono', './sharp.js'])('%s is no optional package', (name) => {
  expect(told[name]).toBeDefined();
  expect(missingPackage(told[name])).toBe(null);
});

test('sharp without a build for the platform', () => {
  const error = new Error('Could not load the "sharp" module using the linux-x64 runtime\nPossible solutions: …');
  expect(missingPackage(error)?.packageName).toBe('sharp');
});

test.each([null, undefined, 'sharp', new Error("'sharp' is damaged"), { code: 'MODULE_NOT_FOUND' }])(
  '%s says something else',
  (error) => {
    expect(missingPackage(error)).toBe(null);
  },
);

test('an error that was told already stays', () => {
  const error = new MissingPackageError('libsql');
  expect(missingPackage(error)).toBe(error);
});
