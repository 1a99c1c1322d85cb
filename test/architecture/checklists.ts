/**
 * Every place that a new stage, policy field, container, link source, reason code or limit needs: a test fails for each that is
 * missing.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { POLICY_WORDS } from '../../lib/local/trial/policy-words.ts';
import { CONTAINERS } from '../../lib/message/containers/containers.ts';
import { CONTAINER_NAMES } from '../../lib/message/model.ts';
import { URL_EXTRACTORS } from '../../lib/message/urls/sources/sources.ts';
import { DEFAULT_LIMITS } from '../../lib/pipeline/limits.ts';
import { STAGE_NAMES } from '../../lib/pipeline/model.ts';
import { Policy } from '../../lib/pipeline/policy/policy.ts';
import { REASON_CODES } from '../../lib/pipeline/reason-codes.ts';
import { filesBelow, ROOT, read } from './imports.ts';
import { type NamedTest, problemWith } from './invariant-list.ts';

const tests = filesBelow('test')
  .filter((path) => path.endsWith('.ts') && !path.startsWith('test/architecture/') && !path.startsWith('test/bench/'))
  .map(read);
const isTested = (word: RegExp, about = /./) => tests.some((text) => about.test(text) && word.test(text));
/** A page for people says a word as code. */
const saysAsCode = (page: string, word: string) => read(page).includes(`\`${word}\``);

describe('a stage', () => {
  test('has a test that runs it twice', () => {
    const isTwice = /(?:test|describe)\('(?:run twice|a repeated event)/;
    const paths = STAGE_NAMES.map((stage) => `test/pipeline/${stage}.test.ts`);
    const lacking = paths.filter((path) => !existsSync(join(ROOT, path)) || !isTwice.test(read(path)));
    expect(lacking, "test files without a test('run twice …')").toEqual([]);
  });
});

/** The paths of all fields of a JSON schema that hold no object. */
function fieldsOf(schema: z.core.JSONSchema.BaseSchema, path: string): string[] {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0) return [path];
  return fields.flatMap(([name, field]) =>
    typeof field === 'boolean' ? [] : fieldsOf(field, path === '' ? name : `${path}.${name}`),
  );
}

const policySchema = z.toJSONSchema(Policy, { io: 'input' });
const fields = fieldsOf(policySchema, '');

interface Bounds {
  readonly path: string;
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** The bounds of all numbers of the policy, by path. An integer without bounds of its own has those of a safe integer. */
function boundsOf(schema: z.core.JSONSchema.BaseSchema, path = ''): Bounds[] {
  const inner = [
    ...Object.entries(schema.properties ?? {}),
    ...(schema.anyOf ?? []).map((form): [string, z.core.JSONSchema._JSONSchema] => ['', form]),
  ];
  const below = inner.flatMap(([name, field]) =>
    typeof field === 'boolean' ? [] : boundsOf(field, [path, name].filter((word) => word !== '').join('.')),
  );
  // A number with one value needs no bounds.
  if ((schema.type !== 'integer' && schema.type !== 'number') || schema.const !== undefined) return below;
  return [{ path, from: schema.minimum, to: schema.maximum }];
}

/** Code that uses the policy: all but its schema, and the texts about it. */
const users = filesBelow('lib')
  .filter((path) => /\.tsx?$/.test(path) && !/\/policy(?:-[a-z]+)?\.ts$|\/policy-words\.ts$/.test(path))
  .map(read);

describe('a policy field', () => {
  test('is found, wherever it stands', () => {
    expect(fields).toContain('types.pdf.verdicts.benign');
    expect(fields.length).toBeGreaterThan(60);
  });

  test('is shown in policy.default.json', () => {
    const shipped: unknown = JSON.parse(read('lib/pipeline/policy/policy.default.json'));
    const shippedAt = (field: string) =>
      field.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], shipped);
    expect(fields.filter((field) => shippedAt(field) === undefined)).toEqual([]);
  });

  test('has words for the file of airlock init', () => {
    const words = (field: string) => POLICY_WORDS[field.replace(/^types\.\w+\.(?=.)/, 'types.GROUP.')];
    expect(fields.filter((field) => words(field) === undefined)).toEqual([]);
  });

  test('that is a number has a lower and an upper bound', () => {
    const numbers = boundsOf(policySchema);
    expect(numbers.map(({ path }) => path)).toContain('budget.sandboxPerMail');
    const isBounded = ({ from, to }: Bounds) =>
      from !== undefined && to !== undefined && from >= 0 && to < Number.MAX_SAFE_INTEGER;
    expect(numbers.filter((number) => !isBounded(number))).toEqual([]);
  });

  test('is used by code outside of its schema', () => {
    const isUsed = (word: string) => users.some((text) => new RegExp(`\\b${word}\\b`).test(text));
    expect(fields.filter((field) => !isUsed(field.split('.').at(-1) ?? ''))).toEqual([]);
  });

  test('is named by a test', () => {
    expect(
      fields.filter((field) => !isTested(new RegExp(`\\b${field.split('.').at(-1)}\\b`), /parsePolicy|DEFAULT_POLICY/)),
    ).toEqual([]);
  });

  test('is explained in docs/policy.md', () => {
    // The table of types has a row for each group and a column for each field of its rule.
    const words = (field: string) => (field.startsWith('types.') ? field.split('.').slice(1) : [field]);
    const explained = fields.flatMap(words).filter((word) => word !== 'verdicts');
    expect(explained.filter((word) => !saysAsCode('docs/policy.md', word))).toEqual([]);
  });
});

/** Where the opening of each container is tested. */
const CONTAINER_TESTS: Readonly<Record<(typeof CONTAINER_NAMES)[number], NamedTest>> = {
  email: { path: 'test/pipeline/open-containers.test.ts', title: 'a message under base64' },
  tnef: { path: 'test/message/containers/outlook.test.ts', title: 'TNEF (winmail.dat)' },
  'outlook-message': { path: 'test/message/containers/outlook.test.ts', title: 'Outlook messages (.msg)' },
  'encoded-block': { path: 'test/message/containers/encoded-block.test.ts', title: 'files written into a text' },
  'data-url': { path: 'test/message/containers/data-url.test.ts', title: 'a file in a link of a page is found' },
  smime: { path: 'test/message/containers/smime.test.ts', title: 'S/MIME' },
  pgp: { path: 'test/message/containers/pgp.test.ts', title: 'a file that is one message' },
  'inline-pgp': { path: 'test/message/containers/pgp.test.ts', title: 'a text in which messages stand' },
  zip: { path: 'test/formats/archives/unpacker.test.ts', title: 'zip' },
  '7z': { path: 'test/formats/archives/unpacker.test.ts', title: '7z' },
  rar: { path: 'test/formats/archives/unpacker.test.ts', title: 'rar' },
  tar: { path: 'test/formats/archives/unpacker.test.ts', title: 'tar' },
  gzip: { path: 'test/formats/archives/unpacker.test.ts', title: 'gzip' },
  bzip2: { path: 'test/formats/archives/unpacker.test.ts', title: 'bzip2' },
  xz: { path: 'test/formats/archives/unpacker.test.ts', title: 'xz' },
  iso: { path: 'test/formats/archives/unpacker.test.ts', title: 'iso' },
  cab: { path: 'test/formats/archives/unpacker.test.ts', title: 'cab' },
};

/** What people call a container whose name in the code is another. */
const CONTAINER_WORDS: Readonly<Record<string, string>> = {
  email: 'message',
  tnef: 'winmail.dat',
  'outlook-message': 'Outlook',
  'encoded-block': 'uuencode',
  'data-url': 'data URL',
  smime: 'S/MIME',
  pgp: 'OpenPGP',
  'inline-pgp': 'OpenPGP in a text',
};

describe('a container', () => {
  test('has one row in containers.ts', () => {
    expect(CONTAINERS.map(({ name }) => name).sort()).toEqual([...CONTAINER_NAMES].sort());
  });

  test('has a test', () => {
    expect(Object.values(CONTAINER_TESTS).flatMap((named) => problemWith(named) ?? [])).toEqual([]);
  });

  test('is named in docs/formats.md', () => {
    const page = read('docs/formats.md').toLowerCase();
    const words = CONTAINER_NAMES.map((name) => CONTAINER_WORDS[name] ?? name);
    expect(words.filter((word) => !page.includes(word.toLowerCase()))).toEqual([]);
  });
});

/** Where the search of each kind of source is tested. */
const SOURCE_TESTS: Readonly<Record<string, NamedTest>> = {
  calendar: { path: 'test/message/urls-sources.test.ts', title: 'appointments and cards' },
  compound: { path: 'test/message/urls-compound.test.ts', title: 'a document of older Office programs' },
  drawn: { path: 'test/message/urls-drawn.test.ts', title: 'a text draws a code' },
  map: { path: 'test/message/urls-sources.test.ts', title: 'maps' },
  office: { path: 'test/message/urls-office.test.ts', title: 'relationships' },
  page: {
    path: 'test/message/urls-sources.test.ts',
    title: 'the relative links of a page start from the address in its header',
  },
  pdf: { path: 'test/message/urls-sources.test.ts', title: 'PDF' },
  picture: { path: 'test/message/urls-codes.test.ts', title: 'a picture of more pixels than are decoded' },
  'rich-text': { path: 'test/message/urls-sources.test.ts', title: 'rich text' },
  shortcut: { path: 'test/message/urls-sources.test.ts', title: 'shortcuts' },
  text: { path: 'test/message/urls-sources.test.ts', title: 'flowed text that drops its spaces' },
};

/** What people call the files that a module searches, in the chapter on links of docs/formats.md. */
const SOURCE_WORDS: Readonly<Record<string, string>> = {
  calendar: 'appointments',
  compound: 'Office files',
  office: 'Office files',
  'rich-text': 'RTF',
};

const sourceModules = filesBelow('lib/message/urls').flatMap((path) => /source-([a-z-]+)\.ts$/.exec(path)?.[1] ?? []);

describe('a link source', () => {
  test('has one row in sources.ts', () => {
    const rows = read('lib/message/urls/sources/sources.ts');
    expect(sourceModules.filter((name) => !rows.includes(`from './source-${name}.ts'`))).toEqual([]);
    expect(URL_EXTRACTORS).toHaveLength(sourceModules.length);
  });

  test('has a name of its own', () => {
    expect(new Set(URL_EXTRACTORS.map(({ name }) => name)).size).toBe(URL_EXTRACTORS.length);
  });

  test('is named in docs/formats.md where it says where links are found', () => {
    const [, after = ''] = read('docs/formats.md').split('## Where links are found\n');
    const [first = ''] = after.trim().split('\n\n');
    const words = sourceModules.map((name) => SOURCE_WORDS[name] ?? name);
    expect(words.filter((word) => !first.toLowerCase().includes(word.toLowerCase()))).toEqual([]);
  });

  test('has a test', () => {
    expect(Object.keys(SOURCE_TESTS).sort()).toEqual(sourceModules);
    expect(Object.values(SOURCE_TESTS).flatMap((named) => problemWith(named) ?? [])).toEqual([]);
  });
});

describe('a reason code', () => {
  test('is named by a test', () => {
    expect(REASON_CODES.filter((code) => !isTested(new RegExp(`'${code}[:']`)))).toEqual([]);
  });

  test('is explained to people', () => {
    const isExplained = (code: string) => ['docs/alarms.md', 'docs/policy.md'].some((page) => saysAsCode(page, code));
    expect(REASON_CODES.filter((code) => !isExplained(code))).toEqual([]);
  });
});

describe('a limit of the pipeline', () => {
  const limits = Object.keys(DEFAULT_LIMITS);

  test('says which attack it stops', () => {
    const lines = read('lib/pipeline/limits.ts').split('\n');
    const isSaid = (limit: string) =>
      /^ +(?:\/\*\* .+|\* .+)?\*\/$/.test(lines[lines.findIndex((line) => line.startsWith(`  ${limit}: `)) - 1] ?? '');
    expect(limits.filter((limit) => !isSaid(limit))).toEqual([]);
  });

  test('is named by a test', () => {
    expect(limits.filter((limit) => !isTested(new RegExp(`\\b${limit}\\b`)))).toEqual([]);
  });
});
