/** The requests of recipients: every adapter of the port does the same. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { keys, sha256Hex } from '../../lib/pipeline/keys.ts';
import type { Asks, Blobs } from '../../lib/pipeline/ports.ts';
import type { Ask } from '../../lib/pipeline/review/ask.ts';
import { directoryAsks } from '../../lib/storage/directory/asks.ts';
import { directoryBlobs } from '../../lib/storage/directory/directory.ts';
import { createS3Asks } from '../../lib/storage/s3/asks.ts';
import { createS3Blobs } from '../../lib/storage/s3/s3.ts';
import { BUCKETS, serverRig } from '../twin/rig.ts';

interface Place {
  readonly asks: Asks;
  readonly blobs: Blobs;
}

async function inFolder(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'airlock-asks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const blobs = directoryBlobs(folder);
  return { blobs, asks: directoryAsks(folder, blobs) };
}

async function inBucket(): Promise<Place> {
  const rig = await serverRig();
  onTestFinished(() => rig.close());
  const blobs = createS3Blobs({ client: rig.s3, buckets: BUCKETS });
  return { blobs, asks: createS3Asks({ client: rig.s3, workBucket: BUCKETS.work, blobs }) };
}

const EARLIER = { body: Buffer.from('x'), contentType: 'text/plain', tags: {}, metadata: {}, modifiedAt: 0 };
const [RUN, OTHER] = ['ab'.repeat(16), 'cd'.repeat(16)];
const ask = (runId: string, recipient: string, at: string, untrustedWhy = 'I wait for it'): Ask => ({
  schema: 'mail-airlock/ask/1',
  ...{ runId, recipient, untrustedWhy, at: `2026-11-20T${at}:00.000Z` },
});
const BOB = ask(RUN, 'bob@recipient.example', '12:01');
const KIM = ask(RUN, 'kim@recipient.example', '12:00');
const ZOE = ask(OTHER, 'zoe@recipient.example', '12:02');

describe.each([
  ['a folder', inFolder],
  ['a bucket', inBucket],
])('in %s', (_, open) => {
  test('a recipient asks once for a message, and his first words stay', async () => {
    const { asks } = await open();
    expect([await asks.put(BOB), await asks.put({ ...BOB, untrustedWhy: 'again' })]).toEqual([true, false]);
    expect(await asks.of(RUN)).toEqual([BOB]);
  });

  test('those about one run are there, the first in front, and those about no other', async () => {
    const { asks } = await open();
    for (const each of [BOB, KIM, ZOE]) await asks.put(each);
    expect(await asks.of(RUN)).toEqual([KIM, BOB]);
    expect(await asks.of('ef'.repeat(16))).toEqual([]);
  });

  test('all of them are listed, at most so many', async () => {
    const { asks } = await open();
    expect(await asks.list(10)).toEqual([]);
    for (const each of [KIM, ZOE]) await asks.put(each);
    expect((await asks.list(10)).map(({ recipient }) => recipient).sort()).toEqual([KIM.recipient, ZOE.recipient]);
    expect(await asks.list(1)).toHaveLength(1);
  });

  test('what is no request counts as none', async () => {
    const { asks, blobs } = await open();
    const key = keys.ask(RUN, sha256Hex('eve@recipient.example'));
    await blobs.put('work', key, new TextEncoder().encode('{"schema":"mail-airlock/ask/1"'));
    await blobs.put('work', keys.ask(RUN, sha256Hex('x')), new TextEncoder().encode('{}'));
    // Whoever takes over the pages of recipients may write such an object, and the desk must show the others all the same.
    await blobs.put('work', keys.ask(RUN, sha256Hex('y')), new Uint8Array(20_000));
    expect([await asks.of(RUN), await asks.list(5)]).toEqual([[], []]);
  });
});

test('in a bucket, an object that S3 withholds hides no other, and a permission that is missing is told', async () => {
  const rig = await serverRig();
  onTestFinished(() => rig.close());
  const blobs = createS3Blobs({ client: rig.s3, buckets: BUCKETS });
  const isWithheld = { one: (key: string) => key === keys.ask(RUN, sha256Hex(KIM.recipient)), all: () => true };
  const openFor = (withholds: (key: string) => boolean) => {
    const get: Blobs['get'] = async (bucket, key, options) => {
      if (!withholds(key)) return blobs.get(bucket, key, options);
      throw Object.assign(new Error('the ciphertext refers to a key that you may not use'), {
        ...{ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } },
      });
    };
    return createS3Asks({ client: rig.s3, workBucket: BUCKETS.work, blobs: { get, put: blobs.put } });
  };
  for (const each of [BOB, KIM, ZOE]) await openFor(() => false).put(each);
  expect((await openFor(isWithheld.one).list(5)).map(({ recipient }) => recipient).sort()).toEqual([
    ...[BOB.recipient, ZOE.recipient],
  ]);
  expect(await openFor(isWithheld.one).of(RUN)).toEqual([BOB]);
  await expect(openFor(isWithheld.all).list(5)).rejects.toThrow('you may not use');
  expect(await openFor(isWithheld.all).of('ef'.repeat(16))).toEqual([]);
});

test('in a bucket, the newest are found behind a thousand others, and a request under the name of another is none', async () => {
  const rig = await serverRig();
  onTestFinished(() => rig.close());
  const blobs = createS3Blobs({ client: rig.s3, buckets: BUCKETS });
  const asks = createS3Asks({ client: rig.s3, workBucket: BUCKETS.work, blobs });
  for (let index = 0; index < 1_100; index += 1) rig.bucket('work').put(`asks/${'00'.repeat(16)}/${index}`, EARLIER);
  await asks.put(ZOE);
  expect(await asks.list(1)).toEqual([ZOE]);
  const name = keys.ask(RUN, sha256Hex('eve@recipient.example'));
  await rig.s3.send(new PutObjectCommand({ Bucket: BUCKETS.work, Key: name, Body: JSON.stringify(BOB) }));
  expect(await asks.of(RUN)).toEqual([]);
});
