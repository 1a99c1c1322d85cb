/** The documents say what is so: their links lead somewhere, their commands exist, and their tables are those of the code. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeType, disarmOf, FILE_TYPES, groupOf } from '../../lib/formats/file-types.ts';
import { WARNING_CODES } from '../../lib/message/model.ts';
import { FAILURE_CLASSES } from '../../lib/pipeline/model.ts';
import { DEFAULT_POLICY, Policy, parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { HELD_VERDICTS, OWN_REASON_CODES } from '../../lib/pipeline/reason-codes.ts';
import { ERRORS } from '../../lib/service/contract/errors.ts';
import { callsIn, unknownWord } from './commands.ts';
import { riddlesIn } from './riddles.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const markdownIn = (folder: string) => readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'));
const ROOMS = readdirSync(join(ROOT, 'lib'));
const DOCUMENTS = [
  ...markdownIn('.'),
  ...markdownIn('docs').map((name) => `docs/${name}`),
  ...ROOMS.map((room) => `lib/${room}/README.md`),
  'examples/README.md',
  'docs/reference/README.md',
];

/** The rows of every table of a document, cell by cell. */
const rowsOf = (path: string): string[][] =>
  read(path)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '));
const wordsIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? '');
const firstWords = (path: string) => rowsOf(path).flatMap(([cell]) => wordsIn(cell));

/** What a heading is called in a link, as forges make it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
const anchorsOf = (path: string) =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** The pages of docs by their names: `policy` is docs/policy.md. */
const PAGES = new Map(
  markdownIn('docs')
    .filter((name) => name !== 'README.md')
    .map((name) => [name.replace('.md', ''), `docs/${name}`]),
);

/** Whether a path exists. WORD and KIND stand for a name that is yet to be chosen: then a file of the same pattern must be there. */
function isThere(path: string): boolean {
  if (!/WORD|KIND/.test(path)) return existsSync(join(ROOT, path));
  const folder = dirname(path);
  const pattern = new RegExp(
    `^${basename(path)
      .replaceAll('.', '\\.')
      .replace(/WORD|KIND/, '[a-z0-9-]+')}$`,
  );
  return existsSync(join(ROOT, folder)) && readdirSync(join(ROOT, folder)).some((name) => pattern.test(name));
}

test.each(['lib/message/urls/source-KIND.ts', 'lib/nowhere/WORD.ts', 'lib/pipeline/nothing.ts'])(
  'it is noticed that %s leads nowhere',
  (path) => expect(isThere(path)).toBe(false),
);

describe.each(DOCUMENTS)('%s', (path) => {
  test('has links that lead somewhere', () => {
    const links = [...read(path).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)].map(([, link, src]) => link ?? src ?? '');
    const broken = links.filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? path : join(dirname(path), file);
      if (/^https?:/.test(link)) return false;
      return !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(broken).toEqual([]);
  });

  test('has no sentence whose subject is a clause', () => {
    const prose = read(path).replace(/^```.*?^```|^(?:#|\|)[^\n]*$/gms, '');
    expect(riddlesIn(prose)).toEqual([]);
  });

  test('calls `airlock` by one name, and with verbs and options that it has', () => {
    // README says once for all documents what the name stands for.
    const longName =
      read(path)
        .replace(/^alias airlock=.*$/m, '')
        .match(/(?:npx )?tsx bin\/airlock\.ts .*/g) ?? [];
    expect(longName).toEqual([]);
    const refused = callsIn(read(path)).flatMap((call) => {
      const word = unknownWord(call);
      return word === null ? [] : [`${word} in: airlock ${call}`];
    });
    expect(refused).toEqual([]);
  });

  test('names scripts that package.json has', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(path).matchAll(/npm run (?:--silent )?([a-z:]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test('names files and folders that exist', () => {
    const named = [
      ...read(path).matchAll(/`((?:lib|test|bin|lambdas|docs|examples|packages|\.ci|\.github)\/[\w./-]+)`/g),
    ];
    const missing = named.map(([, file = '']) => file).filter((file) => !isThere(file));
    // The API reference is made by a command.
    expect(missing.filter((file) => !file.startsWith('docs/api'))).toEqual([]);
  });

  test('has no link that is called like a file or a page and leads to another', () => {
    const links = [...read(path).matchAll(/\[`?([^\]`]+)`?\]\(([^)\s#]+)(?:#[^)]*)?\)/g)];
    const misleading = links.filter(([, label = '', target = '']) => {
      const page = target.endsWith('.md') ? PAGES.get(label.toLowerCase()) : undefined;
      const file = /^[\w.-]+\/[\w./-]+$|^[\w-]+\.(?:md|ts|json)$/.test(label) ? label : page;
      return (
        file !== undefined &&
        ![file, join(dirname(path), file), `${file}/README.md`].includes(join(dirname(path), target))
      );
    });
    expect(misleading.map(([link]) => link)).toEqual([]);
  });

  test('has lines of prose that an editor shows whole', () => {
    const prose = read(path)
      .replace(/^```.*?^```/gms, '')
      .split('\n');
    const long = prose.filter((line) => line.length > 160 && !/^ *(?:\||#|<|!\[|- Test: )/.test(line));
    expect(long).toEqual([]);
  });
});

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/invariants.md'])(
  '%s names files by their whole paths',
  (path) => {
    const named = [...read(path).matchAll(/`([a-z0-9][\w./-]*\.tsx?)`/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !isThere(file))).toEqual([]);
  },
);

describe.each(ROOMS)('the README of lib/%s', (room) => {
  const text = read(`lib/${room}/README.md`);
  const isFolder = (name: string) => statSync(join(ROOT, 'lib', room, name)).isDirectory();

  test('names only files and folders of the room, or their whole paths', () => {
    const named = [...text.matchAll(/`([a-z0-9][a-z0-9_./-]*(?:\.(?:tsx?|json|js)|\/))`/g)].map(
      ([, name = '']) => name,
    );
    const missing = named.filter((name) => !existsSync(join(ROOT, 'lib', room, name)) && !existsSync(join(ROOT, name)));
    expect(missing).toEqual([]);
    expect(named.length).toBeGreaterThan(3);
  });

  test('says what is in each of its folders', () => {
    const folders = readdirSync(join(ROOT, 'lib', room)).filter(isFolder);
    expect(folders.filter((name) => !text.includes(`\`${name}/`))).toEqual([]);
  });
});

test('no document and no setting of a forge names a machine of ours or a package registry', () => {
  const settings = readdirSync(join(ROOT, '.github'), { recursive: true, withFileTypes: true });
  const paths = settings.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const texts = [...DOCUMENTS.map(read), ...paths.map((path) => readFileSync(path, 'utf8'))];
  // Put together, so that this file does not name them either.
  const forbidden = new RegExp(['registry\\.np', 'mjs|deb\\.deb', 'ian|/wo', 'rk/(?:main|shared|wt)'].join(''));
  expect(texts.filter((text) => forbidden.test(text))).toEqual([]);
  expect(texts.length).toBeGreaterThan(10);
});

test('a call of a verb or an option that does not exist is noticed', () => {
  const text =
    '```\nairlock scan --nowhere a.eml\n```\nand `airlock quarantine relese RUN`, `airlock runs list --since 2026-01-01`';
  expect(callsIn(text).map(unknownWord)).toEqual(['--nowhere', 'relese', null]);
});

test('README has at most 150 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

test('pictures are small', () => {
  const pictures = readdirSync(join(ROOT, 'docs/pictures'));
  expect(pictures.length).toBeGreaterThan(1);
  expect(pictures.filter((name) => readFileSync(join(ROOT, 'docs/pictures', name)).length > 150_000)).toEqual([]);
});

describe('docs/policy.md', () => {
  const path = 'docs/policy.md';
  const rows = new Map(rowsOf(path).map((cells) => [wordsIn(cells[0])[0] ?? '', cells]));
  const fields = (group: string) => (rows.get(group) ?? []).slice(2).map(wordsIn);

  test.each(Object.entries(DEFAULT_POLICY.types))('has the defaults of types.%s', (group, { analyses, verdicts }) => {
    const { benign, suspicious, malicious, unknown } = verdicts;
    expect(fields(group)).toEqual([analyses, [benign], [suspicious], [malicious], [unknown]]);
  });

  test.each(FAILURE_CLASSES)('has the default of failures.%s', (name) => {
    expect(wordsIn(rows.get(`failures.${name}`)?.[1])).toEqual([DEFAULT_POLICY.failures[name]]);
  });

  test('has the defaults of message, and which warnings cannot be let through', () => {
    const { quarantineWarnings, ...others } = DEFAULT_POLICY.message;
    for (const [name, value] of Object.entries(others))
      expect(wordsIn(rows.get(`message.${name}`)?.[1]), name).toEqual([value].flat().map(String));
    for (const code of WARNING_CODES) {
      const without = { message: { quarantineWarnings: quarantineWarnings.filter((each) => each !== code) } };
      const isHeld = quarantineWarnings.includes(code);
      const expected = !isHeld ? 'no' : canBeRead(without) ? 'yes' : 'always';
      expect({ code, held: rows.get(code)?.[2] }).toEqual({ code, held: expected });
    }
  });

  const canBeRead = (policy: object) => {
    try {
      return parsePolicy(JSON.stringify(policy)) !== null;
    } catch {
      return false;
    }
  };

  test('has every field that the schema has, and no other', () => {
    const sections = [...read(path).matchAll(/^## `(\w+)`/gm)].map(([, name]) => name);
    expect(sections.sort()).toEqual(Object.keys(Policy.shape).sort());
    const named = [...rows.keys()].filter((name) => /^(?:failures|message)\./.test(name));
    const { failures, message } = DEFAULT_POLICY;
    expect(named.sort()).toEqual(
      [
        ...Object.keys(failures).map((name) => `failures.${name}`),
        ...Object.keys(message).map((name) => `message.${name}`),
      ].sort(),
    );
  });
});

test('docs/formats.md has the table of types, in its order', () => {
  const written = rowsOf('docs/formats.md').flatMap(([type, extension, group, disarm]) => {
    const [name = ''] = wordsIn(type);
    return name.includes('/') && !name.startsWith('lib/') ? [[name, extension, group, wordsIn(disarm)[0] ?? null]] : [];
  });
  expect(written).toEqual(
    FILE_TYPES.map((type) => [type, describeType(type).extension, groupOf(type), disarmOf(type)]),
  );
});

test('docs/formats.md says of every disarm how it works', () => {
  const methods = new Set(FILE_TYPES.map(disarmOf).filter((name) => name !== null));
  expect(
    firstWords('docs/formats.md')
      .filter((word) => word !== null && !word.includes('/'))
      .sort(),
  ).toEqual([...methods].sort());
});

describe('docs/alarms.md', () => {
  const words = new Set(firstWords('docs/alarms.md'));

  test('explains every reason code', () => {
    const codes = [...FAILURE_CLASSES, ...HELD_VERDICTS, ...OWN_REASON_CODES];
    expect(codes.filter((code) => !words.has(code))).toEqual([]);
  });

  test('explains every alarm', () => {
    const alarms = [...read('lib/infra/monitoring/monitoring.ts').matchAll(/this\.alarm\(\s*'(\w+)'/g)].map(
      ([, name = '']) => name,
    );
    expect(alarms.length).toBeGreaterThan(5);
    const headings = [...read('docs/alarms.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(alarms.filter((name) => !headings.includes(name))).toEqual([]);
  });
});

test('docs/service.md explains every error of the service with its status', () => {
  const words = new Set(firstWords('docs/service.md'));
  const rows = rowsOf('docs/service.md').map(([status, code]) => `${status} ${wordsIn(code)[0]}`);
  const errors = Object.entries(ERRORS).map(([code, { status }]) => `${status} ${code}`);
  expect(errors.filter((error) => !rows.includes(error))).toEqual([]);
  for (const [, code = ''] of read('lib/service/server/jobs/storage.ts').matchAll(/'([A-Z_]+_[A-Z_]+)'/g))
    if (code !== 'STORAGE_UNAVAILABLE') expect(words).toContain(code);
});

test('docs/one-machine.md explains every variable that the command line reads', () => {
  const explained = new Set(rowsOf('docs/one-machine.md').flat().flatMap(wordsIn));
  const paths = readdirSync(join(ROOT, 'lib/local'), { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => /\.ts$/.test(path)).map((path) => read(`lib/local/${path}`));
  const named = files.join('\n').matchAll(/AIRLOCK_[A-Z_]*[A-Z]/g);
  const internal = ['AIRLOCK_STARTED_WITHOUT_SECRETS'];
  const variables = [...new Set([...named].map(([name]) => name))].filter((name) => !internal.includes(name));
  expect(variables.length).toBeGreaterThan(4);
  expect(variables.filter((name) => !explained.has(name))).toEqual([]);
});

test('docs/README.md leads to every other page', () => {
  const links = [...read('docs/README.md').matchAll(/\]\(([\w-]+\.md)/g)].map(([, page]) => page);
  expect([...PAGES.keys()].filter((page) => !links.includes(`${page}.md`))).toEqual([]);
});
