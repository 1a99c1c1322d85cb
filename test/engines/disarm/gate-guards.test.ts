/** Each rule of the gate refuses a result that a faulty or lying disarm would give. One step inside of the rule, a result passes. */
import { describe, expect, test } from 'vitest';
import type { Disarmed, DisarmModule } from '../../../lib/engines/disarm/disarm-module.ts';
import { checkOutput, type GateContext, GateError } from '../../../lib/engines/disarm/gate.ts';
import { lossOf } from '../../../lib/engines/disarm/kept.ts';
import { openNested } from '../../../lib/engines/disarm/nested.ts';
import { EngineError, DEFAULT_ENGINE_LIMITS as LIMITS } from '../../../lib/engines/engine.ts';
import type { Inspection } from '../../../lib/engines/inspect/inspect.ts';
import { describeType, type FileType } from '../../../lib/formats/file-types.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import { zipOf } from '../zip-fixture.ts';

const nested = openNested(() => expect.fail('there is nothing inside'), LIMITS);
const TEXT: FileType = 'text/plain';

interface Passed {
  readonly original: string | Uint8Array;
  readonly originalType?: FileType;
  readonly output: string | Uint8Array;
  readonly type?: FileType;
  readonly outcome?: Disarmed['outcome'];
  readonly again?: Disarmed['again'];
  readonly disarm?: DisarmModule['disarm'];
  readonly keepMetadata?: boolean;
  readonly keepsText?: boolean;
  readonly outputBytes?: number;
}

/** A module that returns its input. */
const same: DisarmModule['disarm'] = async ({ bytes }, type) => ({ outcome: 'already_safe', bytes, type, details: [] });

async function gate({ original, output, type = TEXT, ...rest }: Passed) {
  const { originalType = type, outcome = 'disarmed', again, disarm = same, keepMetadata, keepsText = true } = rest;
  const context: GateContext = {
    input: {
      bytes: new Uint8Array(Buffer.from(original)),
      untrustedName: 'a',
      password: null,
      ...(keepMetadata === undefined ? {} : { keepMetadata }),
    },
    type: describeType(originalType),
    module: { disarm },
    strategy: { name: 'rebuild', keepsText },
    limits: { ...LIMITS, outputBytes: rest.outputBytes ?? LIMITS.outputBytes },
    nested,
  };
  const bytes = new Uint8Array(Buffer.from(output));
  const disarmed = { outcome, bytes, type: describeType(type), details: [], ...(again && { again }) };
  return (await checkOutput(disarmed, context)).quality;
}

const refusal = (passed: Passed) =>
  gate(passed).then(
    () => 'passed',
    (error: unknown) => (error instanceof GateError ? `${error.finding.id} (${error.finding.where})` : error),
  );

describe('the gate refuses', () => {
  test('a result over the limit, as too large, and takes one at the limit', async () => {
    expect(await refusal({ original: 'abc', output: 'abc', outputBytes: 2 })).toMatchObject({
      name: 'EngineError',
      code: 'oversize',
    });
    expect(await refusal({ original: 'abc', output: 'abc', outputBytes: 3 })).toBe('passed');
  });

  test('changed bytes that are called already safe', async () => {
    expect(await refusal({ original: 'abc', output: 'abd', outcome: 'already_safe' })).toBe(
      'changed-although-safe (file)',
    );
    expect(await refusal({ original: 'abc', output: 'abc', outcome: 'already_safe' })).toBe('passed');
  });

  test('bytes that do not have their declared type', async () => {
    const output = await buildPng();
    expect(await refusal({ original: 'abc', output })).toMatch(/^other-type \(PNG/);
    expect(await refusal({ original: output, output, type: 'image/png' })).toBe('passed');
  });

  test('a type that cannot be made from the original', async () => {
    const page = '<html><head></head><body>abc</body></html>';
    expect(await refusal({ original: 'abc', output: page, originalType: TEXT, type: 'text/html' })).toMatch(
      /^foreign-type/,
    );
  });

  test('a text that is twenty times larger than the original, from four megabytes on', async () => {
    const MB = 1024 * 1024;
    const original = 'abc '.repeat((200 * 1024) / 4);
    const ended = (length: number) => 'abc '.repeat(length / 4);
    const again = same;
    const quick = { again, keepsText: true };
    expect(await refusal({ original, output: ended(5 * MB), ...quick })).toBe('size-ratio (25.6)');
    expect(await refusal({ original, output: ended(4 * MB), ...quick })).toBe('passed');
    expect(await refusal({ original: ended(256 * 1024), output: ended(5 * MB), ...quick })).toBe('passed');
    expect(await refusal({ original, output: ended(5 * MB), again, keepsText: false })).toBe('passed');
    expect(await refusal({ original: 'abc', output: 'abc '.repeat(100) })).toBe('passed');
  });

  test('metadata, unless the caller keeps it, and then still everything else', async () => {
    const withAuthor = '{\\rtf1\\ansi{\\info{\\author Bob}}text}';
    const withObject = '{\\rtf1\\ansi{\\object x}text}';
    const rtf = { type: 'application/rtf' as const };
    const ask = { ...rtf, keepMetadata: true };
    expect(await refusal({ original: withAuthor, output: withAuthor, ...rtf })).toMatch(/^rtf-properties/);
    expect(await refusal({ original: withAuthor, output: withAuthor, ...rtf, keepMetadata: false })).toMatch(
      /^rtf-properties/,
    );
    expect(await refusal({ original: withAuthor, output: withAuthor, ...ask })).toBe('passed');
    expect(await refusal({ original: withObject, output: withObject, ...ask })).toMatch(/^rtf-object/);
  });

  test('a result of a type without a second look', async () => {
    const output = 'MZ';
    const type: FileType = 'application/vnd.microsoft.portable-executable';
    const finding = await refusal({ original: output, output, type });
    expect(finding).not.toBe('passed');
  });
});

describe('the second pass', () => {
  const changing: DisarmModule['disarm'] = async (input, type) => ({
    outcome: 'disarmed',
    bytes: Buffer.concat([input.bytes, Buffer.from('!')]),
    type,
    details: [],
  });
  const text = { original: 'abc d', output: 'abc' };

  test('refuses a result that it would change or cannot read, and passes on other errors', async () => {
    const broken: DisarmModule['disarm'] = async () => {
      throw new EngineError('unreadable', 'it is damaged');
    };
    const bug: DisarmModule['disarm'] = async () => {
      throw new TypeError('a bug');
    };
    expect(await refusal({ ...text, disarm: changing })).toBe('second-pass (it still found something)');
    expect(await refusal({ ...text, disarm: broken })).toBe('second-pass (it is damaged)');
    expect(await refusal({ ...text, disarm: bug })).toBeInstanceOf(TypeError);
    expect((await gate({ ...text })).checks).toContain('second pass');
  });

  test('uses the second pass that the module offers, if there is one', async () => {
    expect(await refusal({ ...text, disarm: changing, again: same })).toBe('passed');
    expect(await refusal({ ...text, disarm: same, again: changing })).toBe('second-pass (it still found something)');
  });

  test('reads the result under its new name, with the options of the caller and without a password', async () => {
    const seen: unknown[] = [];
    const again: DisarmModule['disarm'] = async (input, type, ...rest) => {
      seen.push({ ...input, bytes: Buffer.from(input.bytes).toString() });
      return same(input, type, ...rest);
    };
    await gate({ ...text, again });
    await gate({ ...text, again, keepMetadata: true });
    const input = { bytes: 'abc', untrustedName: 'disarmed.txt', password: null };
    expect(seen).toEqual([input, { ...input, keepMetadata: true }]);
  });

  test('is skipped for unchanged files, pictures, and large files that would cost as much again', async () => {
    const never: DisarmModule['disarm'] = async () => expect.fail('a second pass');
    const png = await buildPng();
    const checks = async (passed: Passed) => (await gate(passed)).checks.includes('second pass');
    expect(await checks({ original: 'abc', output: 'abc', disarm: never })).toBe(false);
    const picture = { original: Buffer.concat([png, Buffer.from('x')]), output: png, type: 'image/png' as const };
    expect(await checks({ ...picture, disarm: never })).toBe(false);
    const large = 'abc '.repeat(512 * 1024);
    expect(await checks({ original: `${large} d`, output: large })).toBe(true);
    expect(await checks({ original: `${large} d`, output: `${large}c`, disarm: never })).toBe(false);
    expect(await checks({ original: `${large} d`, output: `${large}c`, again: same, disarm: never })).toBe(true);
  });
});

test('refuses with a code for programs and a sentence for people, also when content is lost', async () => {
  const page = (text: string) => `<html><head></head><body>${text}</body></html>`;
  const type: FileType = 'text/html';
  const live = gate({ original: page('a'), output: page('a<script>b</script>'), type });
  await expect(live).rejects.toMatchObject({
    code: 'unsafe_output',
    message: expect.stringContaining('did not pass the last check: html-script ('),
  });
  expect(await refusal({ original: 'one two three four', output: 'one', again: same })).toBe(
    'text-lost (1 of 4 words)',
  );
});

test('reports that the files of a container, and the pages and pictures of a document, were counted', async () => {
  const archive = zipOf({ 'a.txt': 'text' });
  const checks = async (bytes: Uint8Array, type: FileType) =>
    (await gate({ original: bytes, output: bytes, type })).checks;
  expect(await checks(archive, 'application/zip')).toContain('members');
  const page = '<html><head></head><body>abc</body></html>';
  expect(await checks(Buffer.from(page), 'text/html')).toContain('pictures');
  expect(await checks(Buffer.from('abc'), 'text/plain')).not.toContain('pictures');
});

test('reports only what was measured', async () => {
  expect(await gate({ original: 'abc def', output: 'abc def' })).toEqual({
    strategy: 'rebuild',
    words: { before: 2, kept: 2 },
    units: null,
    sizeRatio: 1,
    checks: ['type', 'structure', 'content', 'words', 'size'],
  });
  const png = await buildPng();
  expect((await gate({ original: png, output: png, type: 'image/png' })).checks).toEqual([
    'type',
    'structure',
    'content',
    'pixels',
    'size',
  ]);
  expect((await gate({ original: '', output: '' })).sizeRatio).toBe(0);
});

describe('what must be kept', () => {
  const NOTHING: Inspection = {
    leftovers: [],
    words: null,
    units: null,
    pictures: null,
    members: null,
    shape: null,
    isEmptyOfUnknown: false,
  };
  const frame = (width: number, height: number, frames = 1) => ({ width, height, frames });

  function loss(
    found: Partial<Inspection>,
    told: { details?: number; type?: FileType; outcome?: Disarmed['outcome']; keepsText?: boolean } = {},
  ) {
    const { details = 0, type = 'application/pdf', outcome = 'disarmed', keepsText = true } = told;
    const removed = { outcome, type: describeType(type), removals: details };
    const lost = lossOf({ ...NOTHING, ...found }, removed, { keepsText });
    return lost === null ? null : `${lost.id} (${lost.where})`;
  }
  const told = { details: 1 };

  test.each<[string, Parameters<typeof loss>, string | null]>([
    ['nothing to compare', [{}], null],
    [
      'nothing in the result, and an original that nobody can count',
      [{ isEmptyOfUnknown: true }],
      'empty-result (nothing of the original could be counted)',
    ],
    [
      'the same, called safe',
      [{ isEmptyOfUnknown: true }, { outcome: 'already_safe' }],
      'empty-result (nothing of the original could be counted)',
    ],
    ['all pages', [{ units: { kind: 'pages', before: 3, after: 3 } }], null],
    ['a page less', [{ units: { kind: 'pages', before: 3, after: 2 } }, told], 'pages-lost (2 of 3)'],
    ['a sheet more', [{ units: { kind: 'sheets', before: 3, after: 4 } }, told], 'sheets-lost (4 of 3)'],
    [
      'a page less of what is safe as it is',
      [{ units: { kind: 'pages', before: 3, after: 2 } }, { outcome: 'already_safe' }],
      null,
    ],
    ['all pictures', [{ pictures: { before: 2, after: 2 } }], null],
    ['a picture less, and nobody says so', [{ pictures: { before: 2, after: 1 } }], 'pictures-lost (1 of 2)'],
    ['a picture less, as it is said', [{ pictures: { before: 2, after: 1 } }, told], null],
    ['a picture more', [{ pictures: { before: 1, after: 2 } }], null],
    ['all files', [{ members: { before: 2, after: 2 } }], null],
    ['two files less, one of them said', [{ members: { before: 3, after: 1 } }, told], 'members-lost (1 of 3)'],
    ['one file less, and it is said', [{ members: { before: 3, after: 2 } }, told], null],
    ['a list of removals that may be cut', [{ members: { before: 3_000, after: 1 } }, { details: 1_000 }], null],
    [
      'a list of removals one below that',
      [{ members: { before: 3_000, after: 1 } }, { details: 999 }],
      'members-lost (1 of 3000)',
    ],
  ])('%s', (_, given, expected) => {
    expect(loss(...given)).toBe(expected);
  });

  test.each<[string, Parameters<typeof loss>[1], number, number, string | null]>([
    ['98 of a hundred', {}, 1_000, 980, null],
    ['less than 98 of a hundred', {}, 1_000, 979, 'text-lost (979 of 1000 words)'],
    ['ten words of a few', told, 40, 30, null],
    ['eleven words of a few', told, 40, 29, 'text-lost (29 of 40 words)'],
    ['half of few words, and nobody says so', {}, 4, 2, 'text-lost (2 of 4 words)'],
    ['more than half of few words', {}, 5, 3, null],
    ['half of few words, as it is said', told, 4, 2, null],
    ['one of two words', {}, 2, 1, null],
    ['the only word', {}, 1, 0, 'text-lost (0 of 1 words)'],
    ['the only word, as it is said', told, 1, 0, null],
    ['all, of a strategy that gives up the text', { keepsText: false, details: 1 }, 1_000, 0, null],
    ['all, of a mail whose parts were taken out', { type: 'message/rfc822', details: 1 }, 1_000, 0, null],
    ['all, of an archive', { type: 'application/zip', details: 1 }, 1_000, 0, null],
    [
      'all, of a mail of which nothing was taken out',
      { type: 'message/rfc822' },
      1_000,
      0,
      'text-lost (0 of 1000 words)',
    ],
    [
      'all, of a strategy that gives up the text and says nothing',
      { keepsText: false },
      30,
      0,
      'text-lost (0 of 30 words)',
    ],
    ['of what is safe as it is', { outcome: 'already_safe' }, 30, 0, null],
  ])('words: %s', (_, options, before, kept, expected) => {
    expect(loss({ words: { before, kept, after: kept } }, options)).toBe(expected);
  });

  test.each<[string, Inspection['shape'], string | null]>([
    ['the same', { before: frame(4, 3), after: frame(4, 3) }, null],
    ['turned', { before: frame(4, 3), after: frame(3, 4) }, null],
    ['smaller', { before: frame(4, 3), after: frame(4, 2) }, 'pixels-lost (4x2x1 of 4x3x1)'],
    ['narrower', { before: frame(4, 3), after: frame(2, 3) }, 'pixels-lost (2x3x1 of 4x3x1)'],
    ['larger', { before: frame(4, 3), after: frame(8, 6) }, 'pixels-lost (8x6x1 of 4x3x1)'],
    ['half turned', { before: frame(4, 3), after: frame(3, 3) }, 'pixels-lost (3x3x1 of 4x3x1)'],
    ['frames one under the other', { before: frame(4, 3, 5), after: frame(4, 15) }, null],
    ['pages on paper of the largest', { before: frame(4, 3, 2), after: frame(6, 6, 2) }, null],
    ['pages on smaller paper', { before: frame(4, 3, 2), after: frame(2, 2, 2) }, 'pixels-lost (2x2x2 of 4x3x2)'],
    [
      'pages on larger paper, and one is lost',
      { before: frame(4, 3, 3), after: frame(6, 6, 2) },
      'pixels-lost (6x6x2 of 4x3x3)',
    ],
    ['more than half of the frames', { before: frame(4, 3, 5), after: frame(4, 3, 3) }, null],
    ['half of the frames', { before: frame(4, 3, 4), after: frame(4, 3, 2) }, 'frames-lost (4x3x2 of 4x3x4)'],
    ['nobody could measure the original', { before: null, after: frame(4, 3) }, null],
    [
      'nobody could, and the result is a point',
      { before: null, after: frame(1, 1) },
      'empty-result (a picture of one pixel)',
    ],
    [
      'an original without a pixel',
      { before: frame(0, 3), after: frame(1, 1) },
      'empty-result (a picture of one pixel)',
    ],
  ])('pixels: %s', (_, shape, expected) => {
    expect(loss({ shape }, { type: 'image/png' })).toBe(expected);
  });

  test('frames may be dropped when the report says so', () => {
    expect(
      loss({ shape: { before: frame(4, 3, 4), after: frame(4, 3, 1) } }, { type: 'image/png', details: 1 }),
    ).toBeNull();
  });
});
