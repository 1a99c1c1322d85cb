/** The committed versions of the engines are those of their sources, rules and libraries. */
import { expect, test } from 'vitest';
import { partsOf, VERSIONS_FILE, versionsText } from './engine-versions.ts';
import { read } from './imports.ts';

test('an engine that changed has another version: run `npm run versions`', () => {
  expect(read(VERSIONS_FILE)).toBe(versionsText());
});

test.each([
  ['static', ['lib/engines/static/yara/rules/office.yar', 'node_modules/@virustotal/yara-x', 'node_modules/sharp']],
  [
    'disarm',
    [
      'lib/engines/inspect/second-look.ts',
      'lib/formats/file-types.ts',
      'node_modules/7z-wasm',
      'node_modules/jxl-oxide-wasm',
      'node_modules/libheif-js',
      'node_modules/@libpdf/core',
    ],
  ],
  ['script', ['node_modules/quickjs-emscripten-core', 'node_modules/@jitl/quickjs-wasmfile-release-sync']],
  ['url', ['lib/engines/url/brands.ts']],
  ['visit', ['lib/engines/url/visit/public-address.ts', 'lib/engines/url/page.ts', 'node_modules/htmlparser2']],
] as const)('the version of %s covers what makes its results', (engine, expected) => {
  const parts = [...partsOf(engine).keys()];
  expect(expected.filter((part) => !parts.includes(part))).toEqual([]);
  // A library is there with what it needs in turn.
  if (engine === 'visit') expect(parts).toContain('node_modules/domhandler');
});
