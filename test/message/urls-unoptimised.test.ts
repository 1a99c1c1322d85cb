/**
 * In a process with many patterns, V8 no longer optimises new ones. A pattern that matches a run of characters then needs memory for each of
 * them, and throws at four megabytes.
 */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const FIND = new URL('../../lib/message/urls/find.ts', import.meta.url).href;
const SCRIPT = `
  import { locateUrls } from ${JSON.stringify(FIND)};
  const word = 'http://a.de,'.repeat(420_000);
  const page = '<style>' + word + '</style>' + word;
  const { urls, isComplete } = locateUrls(page, { format: 'html' }, { urlLength: 8192 }, false);
  console.log(JSON.stringify({ isFew: urls.length < 10, isComplete }));
`;

test('a word of megabytes is given up, and does not end the search, where V8 does not optimise patterns', () => {
  const options = ['--no-regexp-optimization', '--import', 'tsx', '--input-type=module', '--eval', SCRIPT];
  const told = execFileSync(process.execPath, options, { encoding: 'utf8' });
  expect(JSON.parse(told)).toEqual({ isFew: true, isComplete: false });
});
