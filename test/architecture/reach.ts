/** What a part of the code can reach, however far away: what it imports, what that imports, and so on. */

import { buildSync } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { imports, isIn, packageOf, ROOT, reach, sources } from './imports.ts';

const below = (...folders: readonly string[]) => sources.filter((path) => isIn(path, ...folders));

/** Of what `doors` reach, that which is not allowed, with the file that asks for it. The doors reach at least `atLeast` files. */
function forbidden(doors: readonly string[], atLeast: number, isAllowed: (path: string) => boolean): string[] {
  const reached = reach(doors);
  // Nothing would be found where nothing is looked at.
  expect(reached.size).toBeGreaterThan(atLeast);
  return [...reached].filter(([path]) => !isAllowed(path)).map(([to, from]) => `${from} -> ${to}`);
}

/** What can ask for something outside the process, or change it. */
const NETWORK =
  /^(?:node:(?:http|https|http2|net|dns|tls|dgram)(?:\/.*)?|@aws-sdk\/.*|undici|hono(?:\/.*)?|@hono\/.*)$/;
/** Modules of Node that compute and do nothing else. */
const COMPUTES = ['node:buffer', 'node:crypto', 'node:stream', 'node:string_decoder', 'node:util', 'node:zlib'];
/** Packages that take bytes or text and give an answer. */
const PURE_PACKAGES = ['@csstools/css-tokenizer', 'htmlparser2', 'linkify-it', 'mailparser', 'tlds', 'zod'];

const INSPECT = 'lib/engines/inspect';
/** Lists of words: none of them looks at a byte. */
const WORDS = [
  'lib/message/model.ts',
  'lib/formats/file-groups.ts',
  'lib/formats/archives/unpacking.ts',
  'lib/formats/signed/signature-check.ts',
];

describe('what can be reached', () => {
  test('pipeline and message reach no I/O: only Node modules and packages that compute', () => {
    const isAllowed = (path: string) =>
      isIn(path, 'lib/pipeline', 'lib/message', 'lib/words', 'lib/formats') ||
      COMPUTES.includes(path) ||
      PURE_PACKAGES.includes(packageOf(path) ?? '');
    expect(forbidden(below('lib/pipeline', 'lib/message'), 150, isAllowed)).toEqual([]);
  });

  test('the client reaches neither the server nor the engines nor the pipeline', () => {
    const isAllowed = (path: string) =>
      !isIn(path, 'lib') || isIn(path, 'lib/service/client', 'lib/service/contract', 'lib/formats');
    expect(forbidden(below('lib/service/client'), 40, isAllowed)).toEqual([]);
  });

  test('the server reaches neither the client nor the pipeline nor the reader of mail', () => {
    const isAllowed = (path: string) => !isIn(path, 'lib/service/client', 'lib/pipeline', 'lib/message');
    expect(forbidden(below('lib/service/server'), 100, isAllowed)).toEqual([]);
  });

  test('the engines reach no network; only url/visit does', () => {
    const engines = below('lib/engines').filter((path) => !isIn(path, 'lib/engines/url/visit'));
    const isAllowed = (path: string) => !isIn(path, 'lib/engines/url/visit') && !NETWORK.test(path);
    expect(forbidden(engines, 300, isAllowed)).toEqual([]);
    expect([...reach(below('lib/engines/url/visit')).keys()].some((path) => NETWORK.test(path))).toBe(true);
  });

  test('parse reaches neither the engines nor the service', () => {
    const isAllowed = (path: string) => !isIn(path, 'lib/engines', 'lib/service', 'lib/local', 'lib/infra');
    expect(forbidden(['lambdas/parse.ts'], 120, isAllowed)).toEqual([]);
  });

  test('infra reaches names, the policy and the state machine, and no code that runs in a lambda', () => {
    const reached = reach(below('lib/infra'), ({ kind, to }) => kind === 'code' || to.endsWith('.json'));
    const allowed = [
      ...WORDS,
      'lib/formats/urls/parse-url.ts',
      // The environment of scripts is copied into a bundle as a folder.
      'lib/engines/script/environment/tsconfig.json',
      ...[
        'model.ts',
        'stage-memory.ts',
        'policy/policy.ts',
        'policy/policy.default.json',
        'policy/files.ts',
        'policy/faults.ts',
        'policy/gateway.ts',
        'policy/list-rules.ts',
        'policy/commented-json.ts',
        'policy/blocked.ts',
        'policy/budget.ts',
        'policy/first-message.ts',
        'policy/release.ts',
        'policy/signed.ts',
        'policy/texts.ts',
        'policy/authentication.ts',
        'policy/recipients.ts',
        'errors.ts',
        'reason-codes.ts',
        'deployed-machines.ts',
        'scan-email.asl.json',
      ].map((name) => `lib/pipeline/${name}`),
    ];
    const found = [...reached.keys()].filter(
      (path) => isIn(path, 'lib', 'lambdas') && !isIn(path, 'lib/infra', 'lib/words'),
    );
    expect(found.filter((path) => !allowed.includes(path))).toEqual([]);
    expect(found).toContain('lib/pipeline/model.ts');
  });

  test('the stages where every run ends reach no code that reads hostile bytes', () => {
    const doors = ['lambdas/quarantine.ts', 'lambdas/deliver.ts', 'lambdas/decide.ts'];
    // The lists of the operator are read with the parser of URLs, and nothing that came in with a mail is.
    const ofLists = 'lib/formats/urls/parse-url.ts';
    const isAllowed = (path: string) =>
      isIn(path, 'lambdas', 'lib/pipeline', 'lib/storage', 'lib/words', 'lib/formats/names') ||
      [...WORDS, ofLists, 'lib/formats/remembered.ts', 'node:crypto', 'node:timers/promises', 'node:util'].includes(
        path,
      ) ||
      ['zod', '@aws-lambda-powertools/logger'].includes(packageOf(path) ?? '') ||
      path.startsWith('@aws-sdk/');
    expect(forbidden(doors, 30, isAllowed)).toEqual([]);
    const stages = ['parse', 'rebuild', 'submit', 'poll', 'fetch'].map((stage) => `lib/pipeline/${stage}.ts`);
    expect(stages.filter((path) => reach(doors).has(path))).toEqual([]);
  });

  test('a command line that only shows its help loads no reader of mail, no engine, no page and no server', () => {
    const reached = [...reach(['lib/local/cli.ts'], ({ kind, isLazy }) => kind === 'code' && !isLazy).keys()];
    const engines = ['static', 'disarm', 'script', 'inspect', 'returned', 'threads'].map(
      (room) => `lib/engines/${room}`,
    );
    const files = ['lib/desk/listen.ts', 'lib/gateway/gateway.ts', 'lib/service/server/app.ts'];
    const isHeavy = (path: string) =>
      isIn(path, ...engines, 'lib/message/reading', 'lib/message/containers') || files.includes(path);
    expect(reached.length).toBeGreaterThan(100);
    expect(reached.filter(isHeavy)).toEqual([]);
    // They are there, and are loaded by the verbs that need them.
    expect([...reach(['lib/local/cli.ts']).keys()].filter(isHeavy).length).toBeGreaterThan(100);
  });

  test('the second look reaches nothing of the disarm, of the detector or of any other reader', () => {
    // pako packs as zlib does; nothing is read with it.
    const isAllowed = (path: string) => isIn(path, INSPECT) || path.startsWith('node:') || packageOf(path) === 'pako';
    expect(forbidden(below(INSPECT), 20, isAllowed)).toEqual([]);
  });

  test('esbuild finds no import that the graph lacks', () => {
    const code = sources.filter((path) => /\.tsx?$/.test(path));
    const { metafile } = buildSync({
      absWorkingDir: ROOT,
      // One entry that imports all: an entry each would bundle each file hundreds of times.
      stdin: { contents: code.map((path) => `import './${path}';`).join('\n'), resolveDir: ROOT, sourcefile: 'all' },
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'error',
    });
    const known = new Set(imports.map(({ from, to }) => `${from} -> ${to}`));
    const found = Object.entries(metafile.inputs).flatMap(([from, input]) =>
      from === 'all' ? [] : input.imports.map(({ path }) => `${from} -> ${path}`),
    );
    expect(found.length).toBeGreaterThan(1_000);
    expect(found.filter((arrow) => !known.has(arrow))).toEqual([]);
  });
});
