/**
 * The licences that a package of ours may bring along. Exceptions that are not permissive are listed one by one, and NOTICE says how to
 * replace them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './compile.ts';

/** Licences that ask only for their notice. */
const PERMISSIVE: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Zlib',
];

/** Packages under the LGPL, which stay separate and can be replaced: the name, and the word that NOTICE uses for it. */
const REPLACEABLE: readonly (readonly [name: RegExp, notice: string])[] = [
  [/^@img\/sharp-libvips-/, '@img/sharp-libvips-*'],
  [/^@img\/sharp-win32-/, '@img/sharp-win32-*'],
  [/^@img\/sharp-wasm32$/, '@img/sharp-wasm32'],
  [/^7z-wasm$/, '7z-wasm'],
  [/^libheif-js$/, 'libheif-js'],
  [/^openpgp$/, 'openpgp'],
];

/** Licences of packages that only name a file. */
const NAMED: Readonly<Record<string, string>> = { '7z-wasm': 'LGPL-2.1-or-later' };

/**
 * Returns the licence of a package as an SPDX identifier or expression. Throws Error for one that is neither permissive nor listed here and
 * in NOTICE.
 *
 * @example
 * ```ts
 * accepted('pako', '(MIT AND Zlib)'); // => 'MIT AND Zlib'
 * ```
 */
export function accepted(name: string, declared: string | undefined): string {
  const licence = (NAMED[name] ?? declared ?? '').replace(/^\((.*)\)$/, '$1');
  const [, notice] = REPLACEABLE.find(([pattern]) => pattern.test(name)) ?? [];
  const isListed = notice !== undefined && readFileSync(join(ROOT, 'NOTICE'), 'utf8').includes(notice);
  const may = (one: string) => PERMISSIVE.includes(one) || (isListed && one.startsWith('LGPL-'));
  // A person must first read expressions with both words and brackets.
  const isMixed = /[()]/.test(licence) || (licence.includes(' OR ') && licence.includes(' AND '));
  if (!isMixed && (licence.split(' OR ').some(may) || licence.split(' AND ').every(may))) return licence;
  throw new Error(`${name} is under ${licence || 'no licence'}: packages/licences.ts and NOTICE do not accept that`);
}
