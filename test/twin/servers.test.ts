/** The servers of the twin, asked by the real clients of the SDK over HTTP. */
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectAclCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterEach, describe, expect, test } from 'vitest';
import { createDynamoSubmissions } from '../../lib/storage/dynamodb/dynamodb.ts';
import { copyObject } from '../../lib/storage/s3/copy.ts';
import { createS3Blobs } from '../../lib/storage/s3/s3.ts';
import { describeBlobs } from '../storage/blobs-contract.ts';
import { describeSubmissions } from '../storage/submissions-contract.ts';
import { BUCKETS, type ServerRig, type ServerRigOptions, serverRig, TABLE } from './rig.ts';

const open: ServerRig[] = [];
afterEach(async () => {
  for (const rig of open.splice(0)) await rig.close();
});

async function make(options: ServerRigOptions = {}): Promise<ServerRig> {
  const rig = await serverRig(options);
  open.push(rig);
  return rig;
}

describeBlobs('S3 of the twin', async () => createS3Blobs({ client: (await make()).s3, buckets: BUCKETS }));
describeSubmissions('DynamoDB of the twin', async () =>
  createDynamoSubmissions({ client: (await make()).dynamo, tableName: TABLE }),
);

const text = (value: string) => new TextEncoder().encode(value);

describe('S3 of the twin', () => {
  test('gives back each version, and the newest where none is named', async () => {
    const { s3 } = await make();
    const put = (body: string) => s3.send(new PutObjectCommand({ Bucket: BUCKETS.work, Key: 'a', Body: text(body) }));
    const [first, second] = [await put('one'), await put('two')];
    const read = async (VersionId?: string) => {
      const answer = await s3.send(
        new GetObjectCommand({ Bucket: BUCKETS.work, Key: 'a', ...(VersionId && { VersionId }) }),
      );
      return answer.Body?.transformToString();
    };
    expect([await read(first.VersionId), await read(second.VersionId), await read()]).toEqual(['one', 'two', 'two']);
  });

  test('names no version in a bucket without versions', async () => {
    const { s3 } = await make({ isVersioned: false });
    const answer = await s3.send(new PutObjectCommand({ Bucket: BUCKETS.work, Key: 'a', Body: text('one') }));
    expect(answer.VersionId).toBeUndefined();
  });

  test.each(['../../up', '//two', ' +%2F?#&', 'ü/😀', 'line\nbreak'])('keeps the key %j as it is', async (Key) => {
    const { s3, bucket } = await make();
    await s3.send(new PutObjectCommand({ Bucket: BUCKETS.work, Key, Body: text('x') }));
    expect(bucket('work').keys()).toEqual([Key]);
    const CopySource = `${BUCKETS.work}/${Key.split('/').map(encodeURIComponent).join('/')}`;
    await s3.send(new CopyObjectCommand({ Bucket: BUCKETS.clean, Key: 'copy', CopySource }));
    expect(bucket('clean').find('copy', null).body.toString()).toBe('x');
  });

  test('keeps tags, and drops them from a copy that replaces them', async () => {
    const { s3, bucket } = await make();
    await s3.send(
      new PutObjectCommand({ Bucket: BUCKETS.intake, Key: 'a', Body: text('x'), Tagging: 'colour=red%20' }),
    );
    expect(bucket('intake').find('a', null).tags).toEqual({ colour: 'red ' });
    const source = { bucketName: BUCKETS.intake, key: 'a', versionId: '' };
    await copyObject(s3, source, { Bucket: BUCKETS.quarantine, Key: 'b', ContentType: 'text/plain' });
    expect(bucket('quarantine').find('b', null)).toMatchObject({ tags: {}, contentType: 'text/plain' });
  });

  test('refuses bytes that do not fit their checksum', async () => {
    const { s3 } = await make();
    const put = new PutObjectCommand({ Bucket: BUCKETS.work, Key: 'a', Body: text('x'), ChecksumCRC32: 'AAAAAA==' });
    await expect(s3.send(put)).rejects.toMatchObject({ name: 'BadDigest' });
  });

  test('lists keys in pages by their bytes', async () => {
    const { s3 } = await make();
    for (const Key of ['b', 'a/2', 'a/1', 'a/ü'])
      await s3.send(new PutObjectCommand({ Bucket: BUCKETS.work, Key, Body: text('x') }));
    const list = new ListObjectsV2Command({ Bucket: BUCKETS.work, Prefix: 'a/', MaxKeys: 2 });
    const page = await s3.send(list);
    const rest = await s3.send(
      new ListObjectsV2Command({ ...list.input, ContinuationToken: page.NextContinuationToken }),
    );
    const keys = [page, rest].map(({ Contents }) => Contents?.map(({ Key }) => Key));
    expect(keys).toEqual([['a/1', 'a/2'], ['a/ü']]);
  });

  test('does not do what it does not know, and remembers it', async () => {
    const { s3, front } = await make();
    await s3.send(new PutObjectCommand({ Bucket: BUCKETS.work, Key: 'a', Body: text('x') }));
    const acl = s3.send(new PutObjectAclCommand({ Bucket: BUCKETS.work, Key: 'a', ACL: 'public-read' }));
    await expect(acl).rejects.toMatchObject({ $metadata: { httpStatusCode: 501 } });
    const lock = s3.send(
      new CreateMultipartUploadCommand({ Bucket: BUCKETS.work, Key: 'a', ObjectLockMode: 'GOVERNANCE' }),
    );
    await expect(lock).rejects.toMatchObject({ $metadata: { httpStatusCode: 501 } });
    expect(front.unknowns.join()).toContain('query parameter of S3: "acl"');
    expect(front.unknowns.join()).toContain('x-amz-object-lock-mode');
  });

  test('refuses a signature of another time than its own', async () => {
    const rig = await make();
    const day = rig.clock.work(() => rig.clock.sleep(24 * 3_600_000));
    await day;
    const put = rig.s3.send(new PutObjectCommand({ Bucket: BUCKETS.work, Key: 'a', Body: text('x') }));
    await expect(put).rejects.toMatchObject({ name: 'RequestTimeTooSkewed' });
  });
});

describe('DynamoDB of the twin', () => {
  test.each([
    ['attribute_not_exists(pk)', false],
    ['attribute_exists(pk) AND NOT claimedBy = :other', true],
    ['(claimedBy <> :me OR expiresAt < :now) AND #name = :me', true],
    ['expiresAt >= :now', false],
    ['missing = :me', false],
  ])('takes the condition %s as %s', async (ConditionExpression, isTaken) => {
    const { dynamo } = await make();
    const Item = { pk: { S: 'a' }, claimedBy: { S: 'me' }, expiresAt: { N: '9' } };
    await dynamo.send(new PutItemCommand({ TableName: TABLE, Item }));
    const ExpressionAttributeValues = { ':me': { S: 'me' }, ':other': { S: 'other' }, ':now': { N: '10' } };
    const ExpressionAttributeNames = { '#name': 'claimedBy' };
    const condition = { ConditionExpression, ExpressionAttributeValues, ExpressionAttributeNames };
    const put = dynamo.send(new PutItemCommand({ TableName: TABLE, Item, ...condition }));
    if (isTaken) await expect(put).resolves.toBeDefined();
    else await expect(put).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  });

  test.each(['begins_with(pk, :me)', 'a.b = :me', 'size(pk) > :now', 'pk IN (:me)'])(
    'refuses %s',
    async (condition) => {
      const { dynamo, front } = await make();
      const values = { ':me': { S: 'me' }, ':now': { N: '1' } };
      const Item = { pk: { S: 'a' } };
      const input = { TableName: TABLE, Item, ConditionExpression: condition, ExpressionAttributeValues: values };
      await expect(dynamo.send(new PutItemCommand(input))).rejects.toMatchObject({
        $metadata: { httpStatusCode: 501 },
      });
      expect(front.unknowns).toHaveLength(1);
    },
  );
});
