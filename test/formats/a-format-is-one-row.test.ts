/** A format of disarm is one row of the table of types. Each test names, for a new row, a place that it still lacks. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canBecome } from '../../lib/engines/disarm/conversions.ts';
import { disarmFile } from '../../lib/engines/disarm/disarm.ts';
import { typeAsCalled } from '../../lib/engines/disarm/type-by-name.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { SECOND_LOOKS } from '../../lib/engines/inspect/second-look.ts';
import { reasonFor } from '../../lib/engines/removal-reasons.ts';
import { STATIC_MODULES } from '../../lib/engines/static/modules.ts';
import { detectType } from '../../lib/formats/detection/detect.ts';
import { identifyFile } from '../../lib/formats/detection/file-type.ts';
import {
  DISARMED_TYPES,
  deliveredTypeOf,
  disarmOf,
  FILE_TYPES,
  type FileType,
  groupOf,
  secondLookOf,
} from '../../lib/formats/file-types.ts';
import { MUST_BE_GONE } from '../hostile/disarm/must-be-gone.ts';
import { FORMATS, samplesOf } from '../hostile/disarm/samples.ts';
import { type FormatSample, sampleOf } from './format-samples.ts';

const LIB = join(import.meta.dirname, '../../lib');
const DISARM = join(LIB, 'engines/disarm');
const TAKEN = FILE_TYPES.filter((type) => disarmOf(type) !== null);

const samples = new Map<FileType, Promise<FormatSample | null>>();
const sample = (type: FileType) => kept(samples, type, () => sampleOf(type));
const reports = new Map<FileType, ReturnType<typeof disarmFile>>();
const reportOf = (type: FileType) =>
  kept(reports, type, async () => {
    const found = await sample(type);
    if (found === null) throw new Error(`format-samples.ts has no sample of ${type}`);
    return disarmFile({ bytes: found.bytes, untrustedName: found.name, password: null }, DEFAULT_ENGINE_LIMITS);
  });

function kept<T>(all: Map<FileType, T>, type: FileType, make: () => T): T {
  const value = all.get(type) ?? make();
  all.set(type, value);
  return value;
}

async function readAs({ bytes, name }: FormatSample): Promise<string> {
  const untrustedName = name;
  return typeAsCalled(await detectType(bytes, name), { bytes, untrustedName, password: null }).type.type;
}

/** What is in it are files of their own, which a mail's containers give. */
const NOT_LOOKED_AT = new Set<string>(['application/vnd.ms-tnef']);

describe.each(TAKEN)('%s', (type) => {
  test('has a sample in format-samples.ts, which detection and the rules for names take for this type', async () => {
    const found = await sample(type);
    expect(found).not.toBeNull();
    if (found !== null) expect(await readAs(found)).toBe(type);
  });

  test('comes out of its module as a type of conversions.ts, and the second look finds nothing in it', async () => {
    const report = await reportOf(type);
    if (report.outcome === 'failed') throw new Error(report.failure.message);
    expect(canBecome(type, report.type.type)).toBe(true);
    expect(report.quality?.checks).toContain('content');
  });

  test('comes out as a file that policy takes for the group of its row', async () => {
    const report = await reportOf(type);
    if (report.outcome === 'failed') throw new Error(report.failure.message);
    const hints = { untrustedNames: [`disarmed.${report.type.extension}`], declaredType: '', role: 'file' as const };
    const found = identifyFile(report.bytes, hints);
    // No message carries it, so policy is not asked.
    if (deliveredTypeOf(report.type.extension) === null) return;
    expect(found.typeGroup).toBe(groupOf(report.type.type));
    expect(deliveredTypeOf(found.extension)).not.toBeNull();
  });

  test('is looked at by one module of the static engine', () => {
    const modules = STATIC_MODULES.filter(({ accepts }) => accepts(type));
    const say = `modules of lib/engines/static/modules.ts that accept ${type}`;
    expect(
      modules.map(({ name }) => name),
      say,
    ).toHaveLength(NOT_LOOKED_AT.has(type) ? 0 : 1);
  });
});

/** Types that no module of the static engine understands. Their verdict is never benign. */
const NOT_UNDERSTOOD = new Set<string>([
  'application/vnd.apple.iwork',
  'application/postscript',
  'application/mbox',
  'application/vnd.android.dex',
  'application/x-ace-compressed',
  'application/x-acting-settings',
  'application/applefile',
  'application/x-apple-folder-settings',
]);

const readBelow = (folder: string): string[] =>
  readdirSync(join(LIB, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('type-table.ts'))
    .map((path) => readFileSync(join(LIB, folder, path), 'utf8'));

describe('a type that is only looked at', () => {
  const types = FILE_TYPES.filter((type) => disarmOf(type) === null);

  test('is told by the code that detects types', () => {
    const sources = [...readBelow('formats'), ...readBelow('engines/disarm')].join('\n');
    // wasmagic tells the disk of Apple, and the types of OpenDocument are made of their common beginning.
    const isTold = (type: string) =>
      sources.includes(type) || /^application\/(?:x-apple-diskimage|vnd\.oasis\.opendocument\..*)$/.test(type);
    expect(types.filter((type) => !isTold(type))).toEqual([]);
  });

  test('is looked at by one module of the static engine, or by none on purpose', () => {
    const countOf = (type: string) => STATIC_MODULES.filter(({ accepts }) => accepts(type)).length;
    expect(types.filter((type) => countOf(type) !== (NOT_UNDERSTOOD.has(type) ? 0 : 1))).toEqual([]);
  });
});

/** Modules for which no row says what must be gone, with the test that says it for them. */
const NO_ROWS: Readonly<Record<string, string>> = {
  text: 'test/engines/disarm/text.test.ts',
  source: 'test/engines/disarm/source.test.ts',
  xhtml: 'test/engines/disarm/xhtml.test.ts',
  xml: 'test/engines/disarm/xml.test.ts',
  encrypted: 'test/engines/disarm/encrypted.test.ts',
  iwork: 'test/engines/disarm/iwork.test.ts',
};

test('each module has rows that say what must be gone, and generators that write them', async () => {
  const covered = new Set<string | null>(Object.keys(NO_ROWS));
  for (const format of FORMATS) {
    const row = MUST_BE_GONE.find(({ formats }) => formats.includes(format));
    const [first] = row === undefined ? [] : await samplesOf(row, format);
    // What is refused for its name is read by no module.
    if (first !== undefined) covered.add(await readAs(first).then(disarmOf, () => null));
  }
  const bare = [...new Set(TAKEN.map(disarmOf))].filter((name) => !covered.has(name));
  expect(
    bare,
    'modules without a row in test/hostile/disarm/must-be-gone.ts that the table of its samples.ts makes',
  ).toEqual([]);
});

test('each reader of the second look has a type, and each type that is written has a reader', () => {
  const readersOf = (types: readonly string[]) => types.map((type) => secondLookOf(type)?.reader);
  const some = readersOf(FILE_TYPES).filter((reader) => reader !== undefined);
  expect(Object.keys(SECOND_LOOKS).sort(), 'readers of lib/engines/inspect/second-look.ts').toEqual(
    [...new Set(some)].sort(),
  );
  expect(readersOf(DISARMED_TYPES)).not.toContain(undefined);
});

/** It is true of them that they are on no list. */
const ON_NO_LIST = new Set([
  'unknown component',
  'unknown parameter',
  'number out of range',
  'line that programs read differently',
]);

test('each kind of content that a module takes out is explained', () => {
  const sources = readdirSync(DISARM, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const kinds = sources.flatMap((path) =>
    [...readFileSync(join(DISARM, path), 'utf8').matchAll(/\bnote\((?:walk, )?'([^'.]+)'/g)].map(
      ([, kind = '']) => kind,
    ),
  );
  expect(kinds.length).toBeGreaterThan(50);
  const general = reasonFor('something new');
  expect(kinds.filter((kind) => reasonFor(kind) === general && !ON_NO_LIST.has(kind))).toEqual([]);
});
