import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { LimitExceededError, NotFoundError, TransientError } from '../../lib/pipeline/errors.ts';
import type { PlacedVersion } from '../../lib/pipeline/results/place-port.ts';
import { createS3Places } from '../../lib/storage/s3/places.ts';
import { fakeS3, s3Error } from './fake-s3.ts';

const PLACE = { bucket: 'uploads', key: 'in/../a b+ü.pdf' };
const OPTIONS = { contentType: 'application/pdf', tags: { 'airlock-state': 'clean' } };
const bytes = (text: string) => new TextEncoder().encode(text);

test('an object is put only where nothing else has come in between', async () => {
  const { client, objects } = fakeS3();
  const places = createS3Places(client);
  expect(await places.newest(PLACE)).toBeNull();
  const first = await places.put(PLACE, bytes('one'), { ...OPTIONS, replaces: null });
  expect(await places.newest(PLACE)).toEqual(first);
  expect(await places.put(PLACE, bytes('two'), { ...OPTIONS, replaces: null })).toBeNull();
  const second = await places.put(PLACE, bytes('two'), { ...OPTIONS, replaces: first });
  expect(second).toMatchObject({ versionId: 'v2' });
  expect(await places.put(PLACE, bytes('three'), { ...OPTIONS, replaces: first })).toBeNull();
  const stored = objects.get(`uploads/${PLACE.key}`) ?? [];
  expect(stored.map(({ body, tagging }) => [Buffer.from(body).toString(), tagging])).toEqual([
    ['one', 'airlock-state=clean'],
    ['two', 'airlock-state=clean'],
  ]);
});

test('what was deleted meanwhile is not put again', async () => {
  const { client } = fakeS3();
  const replaces = { etag: '"x"', versionId: 'v1' };
  expect(await createS3Places(client).put(PLACE, bytes('a'), { ...OPTIONS, replaces })).toBeNull();
});

test('a version is read as it is named, at most so many bytes', async () => {
  const { client } = fakeS3();
  const places = createS3Places(client);
  const put = (await places.put(PLACE, bytes('four'), { ...OPTIONS, replaces: null })) as PlacedVersion;
  expect(Buffer.from(await places.read(PLACE, put, 4)).toString()).toBe('four');
  await expect(places.read(PLACE, put, 3)).rejects.toThrow(LimitExceededError);
  await expect(places.read(PLACE, { ...put, etag: '"other"' }, 4)).rejects.toThrow(NotFoundError);
});

test('what passes is transient, and a refusal is not taken for another version', async () => {
  const { client, mock } = fakeS3();
  const places = createS3Places(client);
  mock.on(PutObjectCommand).rejects(s3Error('ConditionalRequestConflict', 409));
  await expect(places.put(PLACE, bytes('a'), { ...OPTIONS, replaces: null })).rejects.toThrow(TransientError);
  mock.on(PutObjectCommand).rejects(s3Error('AccessDenied', 403));
  await expect(places.put(PLACE, bytes('a'), { ...OPTIONS, replaces: null })).rejects.toThrow('AccessDenied');
  mock.on(HeadObjectCommand).rejects(s3Error('Forbidden', 403));
  await expect(places.newest(PLACE)).rejects.toThrow('Forbidden');
});
