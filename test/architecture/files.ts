/** Which files there are, how they are named and how long they are. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STAGE_NAMES } from '../../lib/pipeline/model.ts';
import { filesBelow, imports, ROOT, read, SCRIPT_ENVIRONMENT, sources } from './imports.ts';

describe('one word, five places', () => {
  const definition = JSON.parse(read('lib/pipeline/scan-email.asl.json')) as {
    States: Record<string, { Type: string }>;
  };
  const tasks = Object.entries(definition.States)
    .filter(([, state]) => state.Type === 'Task')
    .map(([name]) => name.toLowerCase());

  test.each(STAGE_NAMES)('stage %s has its file, its lambda, its test and its state', (stage) => {
    const paths = [`lib/pipeline/${stage}.ts`, `lambdas/${stage}.ts`, `test/pipeline/${stage}.test.ts`];
    const missing = paths.filter((path) => !existsSync(join(ROOT, path)));
    expect(missing, `files that stage ${stage} lacks; CONTRIBUTING.md, "To add a stage", says what is in them`).toEqual(
      [],
    );
    expect(tasks.includes(stage), `lib/pipeline/scan-email.asl.json has a task ${stage}`).toBe(stage !== 'parse');
  });

  test('the state machine has no task that is not a stage', () => {
    expect([...tasks].sort()).toEqual(STAGE_NAMES.filter((name) => name !== 'parse').sort());
  });
});

const code = sources.filter((path) => /\.tsx?$/.test(path));
describe('the file inventory', () => {
  test('no drawers: no utils, helpers, common or index files', () => {
    expect(code.filter((path) => /(^|\/)(utils?|helpers?|misc|index)(\.tsx?|\/)/.test(path))).toEqual([]);
  });

  test('files are named in kebab-case and stay below 300 lines', () => {
    expect(code.filter((path) => !/^[a-z0-9/]+(-[a-z0-9]+)*\.tsx?$/.test(path.replace(/[a-z0-9-]+\//g, '')))).toEqual(
      [],
    );
    const scripts = filesBelow(SCRIPT_ENVIRONMENT).filter((path) => path.endsWith('.js'));
    const long = [...code, ...scripts].filter((path) => read(path).split('\n').length > 300);
    expect(long).toEqual([]);
  });

  test('no line is packed: a long list or expression is written in parts that can be read one by one', () => {
    const isTable = (path: string) => /^lib\/(?:words\/languages|formats\/charsets)\/|\/style\.ts$/.test(path);
    const isPacked = (line: string) => line.length > 240;
    const packed = code.filter((path) => path.startsWith('lib/') && !isTable(path));
    expect(packed.filter((path) => read(path).split('\n').some(isPacked))).toEqual([]);
  });

  test('every page names the runtime of JSX, so that it is found from any folder, and nobody else makes elements', () => {
    const pages = code.filter((path) => path.endsWith('.tsx'));
    const first = '/** @jsxRuntime automatic @jsxImportSource #markup */\n';
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.filter((path) => !read(path).startsWith(first))).toEqual([]);
    const makers = imports.filter(({ to }) => /^hono\/(?:jsx|html)/.test(to)).map(({ from }) => from);
    expect([...new Set(makers)]).toEqual(['lib/service/server/markup/jsx-runtime.ts']);
  });

  test('doors stay doors', () => {
    const lines = (path: string) => read(path).trimEnd().split('\n').length;
    const stages = STAGE_NAMES.map((stage) => `lambdas/${stage}.ts`)
      .filter((path) => existsSync(join(ROOT, path)))
      .filter((path) => lines(path) > 15);
    expect([...stages, ...['bin/app.ts', 'bin/airlock.ts'].filter((path) => lines(path) > 30)]).toEqual([]);
  });
});
