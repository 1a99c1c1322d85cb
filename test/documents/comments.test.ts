/** Comments are plain English: no sentence in them begins with a clause as its subject. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './docstrings.ts';
import { riddlesIn } from './riddles.ts';

const FOLDERS = ['lib', 'lambdas', 'packages', 'bin', 'examples'];
const CODE = /\.(?:tsx?|m?js)$/;
/** A block comment that begins its line, or lines of `//` one below the other. */
const COMMENT = /^[ \t]*\/\*[\s\S]*?\*\/|^[ \t]*\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/gm;
const EXAMPLE = /@example[\s\S]*?(?=\n@|$)/g;

/** Returns the words of each comment, without its marks, its tags and its examples. */
const commentsIn = (code: string): string[] =>
  [...code.matchAll(COMMENT)].map(([comment]) =>
    comment
      .replace(/^[ \t]*(?:\/\*\*?|\*\/|\*(?!\/)|\/\/)[ \t]?|\*\/$/gm, '')
      .replace(EXAMPLE, '')
      .trim(),
  );

const codeBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => CODE.test(path) && !path.includes('node_modules'));

describe.each(FOLDERS)('the comments of %s', (folder) => {
  test('have no sentence whose subject is a clause', () => {
    const riddles = codeBelow(folder).flatMap((path) =>
      commentsIn(readFileSync(join(ROOT, path), 'utf8'))
        .flatMap(riddlesIn)
        .map((riddle) => `${path}: ${riddle}`),
    );
    expect(riddles).toEqual([]);
  });
});

test('a riddle is found in each form, and a question is none', () => {
  const code = [
    '/** Reads it. What is not here may do anything. */',
    '  /**',
    '   * What a field does: `dde` starts programs.',
    '   * Whoever has it (that is: anybody) gets in.',
    '   */',
    '  // Names.',
    '  // Who asks gets an answer.',
    "const question = 'What now?'; // Nothing.",
    '/** What is it? It says what it is. */',
    '/** Fetches it.',
    ' * @example',
    ' * // What is in it.',
    ' */',
  ].join('\n');
  expect(commentsIn(code).flatMap(riddlesIn)).toEqual([
    'What is not here may do anything.',
    'What a field does:',
    'Whoever has it (that is:',
    'Who asks gets an answer.',
  ]);
});
