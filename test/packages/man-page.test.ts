/** The manual page, held against the help, and read by the programs that show such pages. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from '../../lib/local/cli.ts';
import { allNodes, treeOf } from '../../lib/local/command-tree.ts';
import { MAN_PAGE, manPage, writeManPage } from '../../packages/man-page.ts';
import { isInstalled } from '../checkers/tools.ts';
import { quietConsole } from '../local/console.ts';
import { testWith } from '../programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'airlock-man-'));
const file = join(folder, MAN_PAGE);
beforeAll(() => writeManPage('1.2.3', folder));
afterAll(() => rmSync(folder, { recursive: true }));

const nodes = allNodes(treeOf(createProgram(quietConsole(), () => undefined)));
const squeezed = (words: string) => words.replace(/\s+/g, ' ');

describe('the page', () => {
  const page = manPage('1.2.3');
  const plain = page.replaceAll('\\-', '-');

  test('has every command with its options and examples', () => {
    for (const { path, commands, options, after } of nodes.slice(1)) {
      expect(plain).toContain(`\\fB${path}\\fR`.replaceAll('\\-', '-'));
      if (commands.length > 0) continue;
      expect(plain).toContain(`.SS ${path}\n`);
      for (const { name } of options) expect(plain).toContain(`.TP\n\\fB${name}\\fR\n`);
      for (const line of after.split('\n')) expect(plain).toContain(line);
    }
  });

  test('has the parts of a page in their order, and no other requests', () => {
    const requests = page.split('\n').filter((line) => /^[.']/.test(line));
    expect(requests[0]).toBe('.TH AIRLOCK 1 "" "mail\\-airlock 1.2.3" "Mail Airlock"');
    expect(requests.filter((line) => !/^\.(?:TH|SH|SS|TP|PP|nf|fi|br)(?: |$)/.test(line))).toEqual([]);
    const heads = requests.filter((line) => line.startsWith('.SH')).map((line) => line.slice(4));
    expect(heads.slice(0, 3)).toEqual(['NAME', 'SYNOPSIS', 'DESCRIPTION']);
    expect(requests.filter((line) => line === '.nf')).toHaveLength(requests.filter((line) => line === '.fi').length);
  });
});

testWith('groff', isInstalled('groff'))('groff shows it without a warning', () => {
  const { stdout, stderr, status } = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-K', 'utf8', file], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  const words = squeezed(stripVTControlCharacters(stdout));
  expect(words).toContain('airlock scan --policy strict.json --out /srv/airlock report.docm');
});

testWith('mandoc', isInstalled('mandoc'))('mandoc finds no error in it', () => {
  expect(execFileSync('mandoc', ['-T', 'lint', '-W', 'error', file], { encoding: 'utf8' })).toBe('');
});
