/** What a wrong call of the library says: callers in plain JavaScript have no compiler. */
import { expect, test } from 'vitest';
import { analyse, analyseUrl, detonate, disarm } from '../../lib/engines/library.ts';

const untyped = (value: unknown) => value as Uint8Array<ArrayBuffer>;

test.each([
  ['disarm', disarm],
  ['analyse', analyse],
  ['detonate', detonate],
])('%s refuses what is no bytes, and says how a path becomes bytes', async (_name, call) => {
  await expect(call(untyped('invoice.docm'))).rejects.toThrow(
    new TypeError(
      'The file is its bytes, a Uint8Array or Buffer, and not of the type string. For a path, hand in "await readFile(path)".',
    ),
  );
  await expect(call(untyped(undefined))).rejects.toThrow(/and not undefined\.$/);
  await expect(call(untyped(Promise.resolve(Buffer.from('x'))))).rejects.toThrow(/and not of the type object\.$/);
});

test('analyseUrl refuses what is no string', async () => {
  const untypedUrl: unknown = new URL('https://a.example/');
  await expect(analyseUrl(untypedUrl as string)).rejects.toThrow(
    new TypeError('The URL is a string, and not of the type object. An object of URL has it as its href.'),
  );
});

test('bytes of another realm are bytes', async () => {
  const { runInNewContext } = await import('node:vm');
  const foreign: unknown = runInNewContext('new Uint8Array([104, 105])');
  expect(await disarm(foreign as Uint8Array, { name: 'a.txt' })).toMatchObject({ outcome: 'already_safe' });
});
