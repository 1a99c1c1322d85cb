/** What every adapter of the Blobs port does, whatever is behind it. */
import { describe, expect, test } from 'vitest';
import { LimitExceededError, NotFoundError } from '../../lib/pipeline/errors.ts';
import type { Blobs } from '../../lib/pipeline/ports.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array) => new TextDecoder().decode(data);
const ROOM = { maxBytes: 1_000 };

/** Runs the suite over an adapter. `make` gives a store of its own, empty, for each test. */
export function describeBlobs(name: string, make: () => Blobs | Promise<Blobs>): void {
  describe(`${name} as Blobs`, () => {
    test('gives back exactly the bytes that were put', async () => {
      const blobs = await make();
      const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index);
      expect(await blobs.put('work', 'runs/a/ledger.json', everyByte)).toBe(true);
      expect(Buffer.from(await blobs.get('work', 'runs/a/ledger.json', ROOM))).toEqual(Buffer.from(everyByte));
    });

    test('keeps an empty object', async () => {
      const blobs = await make();
      await blobs.put('work', 'empty', new Uint8Array(0));
      expect(await blobs.has('work', 'empty')).toBe(true);
      expect((await blobs.get('work', 'empty', { maxBytes: 0 })).byteLength).toBe(0);
    });

    test('replaces an object by a second put', async () => {
      const blobs = await make();
      await blobs.put('work', 'key', bytes('first'));
      expect(await blobs.put('work', 'key', bytes('second'))).toBe(true);
      expect(text(await blobs.get('work', 'key', ROOM))).toBe('second');
    });

    test('leaves an object alone when the second put is for an absent one', async () => {
      const blobs = await make();
      expect(await blobs.put('work', 'key', bytes('first'), { ifAbsent: true })).toBe(true);
      expect(await blobs.put('work', 'key', bytes('second'), { ifAbsent: true })).toBe(false);
      expect(text(await blobs.get('work', 'key', ROOM))).toBe('first');
    });

    test('lets exactly one of many simultaneous puts for an absent object through', async () => {
      const blobs = await make();
      const puts = Array.from({ length: 8 }, (_, index) =>
        blobs.put('work', 'terminal.json', bytes(`writer ${index}`), { ifAbsent: true }),
      );
      const won = (await Promise.all(puts)).flatMap((isWinner, index) => (isWinner ? [index] : []));
      expect(won).toHaveLength(1);
      expect(text(await blobs.get('work', 'terminal.json', ROOM))).toBe(`writer ${won[0]}`);
    });

    test('knows what is there and what is not', async () => {
      const blobs = await make();
      await blobs.put('work', 'there', bytes('x'));
      expect(await blobs.has('work', 'there')).toBe(true);
      expect(await blobs.has('work', 'ther')).toBe(false);
      expect(await blobs.has('clean', 'there')).toBe(false);
    });

    test('keeps the same key in two buckets apart', async () => {
      const blobs = await make();
      await blobs.put('work', 'key', bytes('hostile'));
      await blobs.put('clean', 'key', bytes('safe'));
      expect(text(await blobs.get('work', 'key', ROOM))).toBe('hostile');
      expect(text(await blobs.get('clean', 'key', ROOM))).toBe('safe');
    });

    test('says which object does not exist', async () => {
      const blobs = await make();
      await expect(blobs.get('work', 'nothing', ROOM)).rejects.toThrow(NotFoundError);
      await expect(blobs.get('work', 'nothing', ROOM)).rejects.toMatchObject({ bucket: 'work', key: 'nothing' });
    });

    test('reads an object of exactly the permitted size and refuses one byte more', async () => {
      const blobs = await make();
      await blobs.put('work', 'ten', bytes('0123456789'));
      expect((await blobs.get('work', 'ten', { maxBytes: 10 })).byteLength).toBe(10);
      await expect(blobs.get('work', 'ten', { maxBytes: 9 })).rejects.toThrow(LimitExceededError);
    });

    test('copies an object from bucket to bucket', async () => {
      const blobs = await make();
      const key = 'mail/ünï code & +plus%41.eml';
      await blobs.put('intake', key, bytes('original'));
      const target = { bucket: 'quarantine', key: 'run/original' } as const;
      await blobs.copy({ bucket: 'intake', key, versionId: '' }, target);
      expect(text(await blobs.get('quarantine', 'run/original', ROOM))).toBe('original');
      expect(text(await blobs.get('intake', key, ROOM))).toBe('original');
    });

    test('refuses to copy what does not exist, and writes nothing', async () => {
      const blobs = await make();
      const source = { bucket: 'intake', key: 'nothing', versionId: '' } as const;
      await expect(blobs.copy(source, { bucket: 'quarantine', key: 'copy' })).rejects.toThrow(NotFoundError);
      expect(await blobs.has('quarantine', 'copy')).toBe(false);
    });

    test('is not touched by what happens to the bytes after a put or a get', async () => {
      const blobs = await make();
      const body = bytes('hello');
      await blobs.put('work', 'key', body);
      body.fill(0);
      (await blobs.get('work', 'key', ROOM)).fill(0);
      expect(text(await blobs.get('work', 'key', ROOM))).toBe('hello');
    });
  });
}
