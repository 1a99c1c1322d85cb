import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STAGE_NAMES } from '../lib/pipeline/model.ts';

const ROOT = join(import.meta.dirname, '..');

/** Every source file of a folder, as paths from the root with forward slashes. */
function filesBelow(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path).split(sep).join('/'))
    .filter((path) => statSync(join(ROOT, path)).isFile());
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const sources = ['bin', 'lambdas', 'lib'].flatMap(filesBelow).filter((path) => path.endsWith('.ts'));

interface Import {
  readonly from: string;
  /** A path from the root for our own files, the package's name otherwise. */
  readonly to: string;
  /** Nothing of it is left when the program runs. */
  readonly isType: boolean;
}

function importsOf(from: string): Import[] {
  const pattern =
    /(?:^|\n)\s*(?:import|export)[^;'"]*?from\s*'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g;
  return [...read(from).matchAll(pattern)].map((match) => {
    const target = match[1] ?? match[2] ?? match[3] ?? '';
    const isOwn = target.startsWith('.');
    const path = isOwn
      ? normalize(join(dirname(from), target))
          .split(sep)
          .join('/')
      : target;
    return { from, to: path, isType: /^\s*(?:import|export)\s+type\b/.test(match[0]) };
  });
}

const imports = sources.flatMap(importsOf);
const offenders = (rule: (found: Import) => boolean) => imports.filter(rule).map(({ from, to }) => `${from} -> ${to}`);
const isIn = (path: string, ...folders: string[]) => folders.some((folder) => path.startsWith(`${folder}/`));

const INSPECT = 'lib/analysis/engines/inspect';
/** A closed list of types, and the table of an encoding: neither looks at a file. */
const LOOKS_WITH = ['lib/formats/disarmed-types.ts', 'lib/unpacking/decode-charset.ts'];

describe('who may import whom', () => {
  test('pipeline and message do no I/O of their own', () => {
    const io =
      /^(node:(fs|http|https|net|dns|tls|child_process|worker_threads|os|process|timers).*|@aws-sdk\/.*|undici|hono|@hono\/.*)$/;
    expect(offenders(({ from, to }) => isIn(from, 'lib/pipeline', 'lib/message') && io.test(to))).toEqual([]);
  });

  test('pipeline and message ask nobody for the time, for randomness or for the environment', () => {
    const impure =
      /\bDate\.now\(\)|new Date\(\)|Math\.random\(|randomUUID|randomBytes|process\.(env|argv)|setTimeout\(/;
    const found = sources.filter((path) => isIn(path, 'lib/pipeline', 'lib/message') && impure.test(read(path)));
    expect(found).toEqual([]);
  });

  test('message knows nothing of scanning, storage or the service', () => {
    const others = ['lib/pipeline', 'lib/analysis', 'lib/storage', 'lib/local', 'lib/infra'];
    expect(offenders(({ from, to }) => isIn(from, 'lib/message') && isIn(to, ...others))).toEqual([]);
  });

  test('formats, the ground floor, imports nothing but Node', () => {
    expect(
      offenders(({ from, to }) => isIn(from, 'lib/formats') && !isIn(to, 'lib/formats') && !/^node:/.test(to)),
    ).toEqual([]);
  });

  test('pipeline imports only itself, message and formats', () => {
    const others = ['lib/analysis', 'lib/storage', 'lib/local', 'lib/infra', 'lambdas', 'bin'];
    expect(offenders(({ from, to }) => isIn(from, 'lib/pipeline') && isIn(to, ...others))).toEqual([]);
  });

  test('client and server meet only in the contract', () => {
    const client = offenders(
      ({ from, to }) => isIn(from, 'lib/analysis/client') && isIn(to, 'lib/analysis/server', 'lib/analysis/engines'),
    );
    const server = offenders(({ from, to }) => isIn(from, 'lib/analysis/server') && isIn(to, 'lib/analysis/client'));
    expect([...client, ...server]).toEqual([]);
  });

  test('engines know nothing of HTTP, of submissions or of the pipeline', () => {
    const others = [
      'lib/analysis/server',
      'lib/analysis/client',
      'lib/analysis/contract',
      'lib/pipeline',
      'lib/message',
      'lib/local',
    ];
    expect(offenders(({ from, to }) => isIn(from, 'lib/analysis/engines') && isIn(to, ...others))).toEqual([]);
  });

  test('analyzer.ts alone speaks the words of the wire and of the pipeline', () => {
    const both = offenders(
      ({ from, to }) => isIn(from, 'lib/analysis') && from !== 'lib/analysis/analyzer.ts' && isIn(to, 'lib/pipeline'),
    );
    expect(both).toEqual([]);
    const wire = /\b(uuid|metafields)\b/;
    const spoken = sources.filter(
      (path) => isIn(path, 'lib/pipeline', 'lib/message', 'lib/storage', 'lib/infra') && wire.test(read(path)),
    );
    expect(spoken).toEqual([]);
  });

  test('infra imports stage names and no runtime code', () => {
    const allowed = [
      'lib/pipeline/model.ts',
      'lib/pipeline/policy.ts',
      'lib/pipeline/scan-email.asl.json',
      'lib/pipeline/errors.ts',
      'lib/pipeline/ports.ts',
    ];
    const found = offenders(
      ({ from, to }) =>
        isIn(from, 'lib/infra') && to.startsWith('lib/') && !isIn(to, 'lib/infra') && !allowed.includes(to),
    );
    expect(found).toEqual([]);
  });

  test('only bin and the lambdas read the environment and the arguments', () => {
    const found = sources.filter((path) => /(?<!')process\.(env|argv)\b/.test(read(path)));
    expect(found.filter((path) => !isIn(path, 'bin') && path !== 'lambdas/runtime.ts')).toEqual([]);
  });

  test('the stages where every run ends hold no code that reads hostile bytes', () => {
    const reached = new Set<string>();
    const visit = (path: string) => {
      if (reached.has(path)) return;
      reached.add(path);
      for (const { from, to, isType } of imports) if (from === path && !isType) visit(to);
    };
    for (const door of ['lambdas/quarantine.ts', 'lambdas/deliver.ts', 'lambdas/decide.ts']) visit(door);
    expect([...reached].filter((path) => isIn(path, 'lib/message') && path !== 'lib/message/model.ts')).toEqual([]);
    expect(reached.has('mailparser')).toBe(false);
  });

  test('the second look runs nothing of the disarm, of the detector or of any other reader, however far away', () => {
    const reached = new Map<string, string>();
    const visit = (path: string, from: string) => {
      if (reached.has(path)) return;
      reached.set(path, from);
      for (const found of imports) if (found.from === path && !found.isType) visit(found.to, path);
    };
    for (const path of sources.filter((each) => isIn(each, INSPECT))) visit(path, path);
    const isAllowed = (path: string) => isIn(path, INSPECT) || path.startsWith('node:') || LOOKS_WITH.includes(path);
    expect([...reached].filter(([path]) => !isAllowed(path)).map(([to, from]) => `${from} -> ${to}`)).toEqual([]);
    // Nothing would be found where nothing is looked at.
    expect(reached.size).toBeGreaterThan(20);
  });

  test('no import goes round in a circle', () => {
    const edges = new Map<string, string[]>();
    for (const { from, to } of imports) edges.set(from, [...(edges.get(from) ?? []), to]);
    const state = new Map<string, 'open' | 'done'>();
    const circles: string[] = [];
    const visit = (path: string, trail: readonly string[]) => {
      if (state.get(path) === 'open') circles.push([...trail, path].join(' -> '));
      if (state.has(path)) return;
      state.set(path, 'open');
      for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
      state.set(path, 'done');
    };
    for (const path of sources) visit(path, []);
    expect(circles).toEqual([]);
  });
});

describe('one word, five places', () => {
  const definition = JSON.parse(read('lib/pipeline/scan-email.asl.json')) as {
    States: Record<string, { Type: string }>;
  };
  const tasks = Object.entries(definition.States)
    .filter(([, state]) => state.Type === 'Task')
    .map(([name]) => name.toLowerCase());

  test.each(STAGE_NAMES)('stage %s has its file, its lambda, its test and its state', (stage) => {
    for (const path of [`lib/pipeline/${stage}.ts`, `lambdas/${stage}.ts`, `test/pipeline/${stage}.test.ts`])
      expect(existsSync(join(ROOT, path)), path).toBe(true);
    expect(tasks.includes(stage)).toBe(stage !== 'parse');
  });

  test('the state machine has no task that is not a stage', () => {
    expect([...tasks].sort()).toEqual(STAGE_NAMES.filter((name) => name !== 'parse').sort());
  });
});

describe('the file inventory', () => {
  const TOP = [
    '.ci',
    '.gitignore',
    '.npmrc',
    'ARCHITECTURE.md',
    'CHANGELOG.md',
    'LICENSE',
    'NOTICE',
    'README.md',
    'SECURITY.md',
    'bin',
    'biome.json',
    'cdk.json',
    'lambdas',
    'lib',
    'package-lock.json',
    'package.json',
    'test',
    'tsconfig.json',
    'vitest.config.ts',
  ];
  const LOCAL_ONLY = ['.git', 'node_modules', 'cdk.out', 'airlock-out', 'airlock-data', 'coverage', 'dist'];

  test('the top level holds what design and tools need, and nothing else', () => {
    const found = readdirSync(ROOT).filter((name) => !LOCAL_ONLY.includes(name));
    expect(found.sort()).toEqual([...TOP].sort());
  });

  test('lib has the folders of the flow', () => {
    expect(readdirSync(join(ROOT, 'lib')).sort()).toEqual([
      'analysis',
      'formats',
      'infra',
      'local',
      'message',
      'pipeline',
      'storage',
      'unpacking',
    ]);
  });

  test('no drawers: no utils, helpers, common or index files', () => {
    expect(sources.filter((path) => /(^|\/)(utils?|helpers?|misc|index)(\.ts|\/)/.test(path))).toEqual([]);
  });

  test('files are named in kebab-case and stay below 300 lines', () => {
    expect(sources.filter((path) => !/^[a-z0-9/]+(-[a-z0-9]+)*\.ts$/.test(path.replace(/[a-z0-9-]+\//g, '')))).toEqual(
      [],
    );
    const long = sources.filter((path) => read(path).split('\n').length > 300);
    expect(long).toEqual([]);
  });

  test('doors stay doors', () => {
    const lines = (path: string) => read(path).trimEnd().split('\n').length;
    const stages = STAGE_NAMES.map((stage) => `lambdas/${stage}.ts`).filter((path) => lines(path) > 15);
    expect([...stages, ...['bin/app.ts', 'bin/airlock.ts'].filter((path) => lines(path) > 30)]).toEqual([]);
  });

  test('no default exports and no test that is skipped or alone', () => {
    expect(sources.filter((path) => /^export default/m.test(read(path)))).toEqual([]);
    const tests = filesBelow('test').filter(
      (path) => path.endsWith('.test.ts') && path !== 'test/architecture.test.ts',
    );
    expect(tests.filter((path) => /\b(test|it|describe)\.(skip|only|todo)\(/.test(read(path)))).toEqual([]);
  });
});

test('no tracked text names a machine of ours or a package registry', () => {
  const texts = [
    ...sources,
    ...filesBelow('test'),
    'README.md',
    'SECURITY.md',
    'ARCHITECTURE.md',
    'package.json',
    'package-lock.json',
  ];
  const forbidden = new RegExp(['registry\\.np', 'mjs|deb\\.deb', 'ian\\.org|/wo', 'rk/(main|shared)'].join(''));
  const found = texts.filter((path) => existsSync(join(ROOT, path)) && forbidden.test(read(path)));
  expect(found.map((path) => relative('.', path))).toEqual([]);
});
