/** The second look when its parts fail: a reader crashes, a detector lies, or no reader exists for a file. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { inspectOutput, type KnownTypes } from '../../../lib/engines/inspect/inspect.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { describeType, type FileType, secondLookOf } from '../../../lib/formats/file-types.ts';
import { zipOf } from '../zip-fixture.ts';

const TYPES: KnownTypes = { detectType, secondLookOf };
const DOCX: FileType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

function inspect(original: Uint8Array, output: Uint8Array, type: FileType, types: Partial<KnownTypes> = {}) {
  const described = describeType(type);
  const files = [original, output].map((bytes) => ({ bytes, type: described }));
  const [one, other] = files as [(typeof files)[0], (typeof files)[0]];
  return inspectOutput(one, other, DEFAULT_ENGINE_LIMITS, { ...TYPES, ...types });
}

/** Bytes on which every reader crashes that reads more than single bytes. */
function cursed(text: string): Buffer {
  const get = () => {
    throw new RangeError('a bug');
  };
  return Object.defineProperties(Buffer.from(text, 'latin1'), {
    buffer: { get },
    toString: { get },
    subarray: { get },
  });
}

describe('a reader that crashes is a finding', () => {
  test.each<[FileType, string]>([
    ['application/rtf', '{\\rtf1 text}'],
    ['application/zip', 'PK\x03\x04'],
    [DOCX, 'PK\x03\x04'],
    ['application/vnd.oasis.opendocument.text', 'PK\x03\x04'],
    ['message/rfc822', 'From: a\r\n\r\nb'],
  ])('of %s', async (type, text) => {
    const { leftovers, words } = await inspect(Buffer.from(text, 'latin1'), cursed(text), type);
    expect(leftovers).toContainEqual({ id: 'unreadable-output', where: 'file' });
    expect(words?.kept ?? 0).toBe(0);
  });

  test('of the original is not a finding: the original is then not counted', async () => {
    const text = '{\\rtf1 text}';
    const found = await inspect(cursed(text), Buffer.from('{\\rtf1 texts}'), 'application/rtf');
    expect(found).toMatchObject({ leftovers: [], words: null, isEmptyOfUnknown: false });
    const empty = await inspect(cursed(text), Buffer.from('{\\rtf1 }'), 'application/rtf');
    expect(empty).toMatchObject({ leftovers: [], words: null, isEmptyOfUnknown: true });
  });
});

describe('a member of a container', () => {
  const archive = zipOf({ 'a.txt': 'text' });
  const ids = async (types: Partial<KnownTypes>, bytes: Uint8Array = archive) =>
    (await inspect(bytes, bytes, 'application/zip', types)).leftovers.map(({ id }) => id);

  test('that is text is not a finding', async () => {
    expect(await ids({})).toEqual([]);
  });

  test('whose type is unknown is a finding', async () => {
    expect(await ids({ detectType: async () => Promise.reject(new Error('a bug')) })).toEqual(['unreadable-output']);
  });

  test.each<FileType>([
    'application/vnd.microsoft.portable-executable',
    'application/x-executable',
    'application/java-archive',
    'text/javascript',
    'text/vbscript',
    'application/x-powershell',
    'application/hta',
    'application/x-mswinurl',
    'application/x-ms-shortcut',
    'application/x-iso9660-image',
    'application/onenote',
    'application/x-sylk',
  ])('that is %s is a finding, whatever reader there is for it', async (type) => {
    const types = {
      detectType: async () => describeType(type),
      secondLookOf: (each: string) => secondLookOf(each === type ? 'text/plain' : each),
    };
    expect(await ids(types)).toEqual(['live-member']);
  });

  test('that no disarm writes is a finding', async () => {
    const types = { detectType: async () => describeType('application/x-ms-shortcut') };
    expect(await ids(types)).toEqual(['live-member', 'no-second-look']);
  });

  test('is searched nine archives deep, and one level more is a finding', async () => {
    const deep = (depth: number): Buffer =>
      depth === 0 ? zipOf({ 'a.txt': 'text' }) : zipOf({ 'a.zip': { content: deep(depth - 1) } });
    expect(await ids({}, deep(8))).toEqual([]);
    expect(await ids({}, deep(9))).toEqual(['nesting']);
  });
});

describe('a file of a type that is counted and never written is a finding', () => {
  test.each<[string, FileType, () => Uint8Array]>([
    ['text', 'text/plain', () => Buffer.from('abc')],
    ['a document', DOCX, () => zipOf({ '[Content_Types].xml': '<Types/>' })],
  ])('%s', async (_, type, build) => {
    const types = {
      secondLookOf: (each: string) => {
        const look = secondLookOf(each);
        return look && { ...look, isWritten: false };
      },
    };
    const bytes = build();
    const { leftovers } = await inspect(bytes, bytes, type, types);
    expect(leftovers).toContainEqual({ id: 'no-second-look', where: type });
  });
});

test('the number of findings and the length of each are limited', async () => {
  const html = '<script></script>'.repeat(50);
  const page = Buffer.from(`<p>a</p>${html}`);
  expect((await inspect(page, page, 'text/html')).leftovers).toHaveLength(20);
});
