/** The permissions that each operation of S3 takes, with those on the key of the bucket. */
import { unknown } from '../../assembly/refuse.ts';
import type { Need } from '../../policies/gate.ts';
import { copySourceOf, type S3Request } from './request.ts';
import type { BucketSettings } from './store.ts';

type SettingsOf = (bucket: string) => BucketSettings;
/** The tags of an object that is there. */
export type TagsOf = (bucket: string, key: string, versionId: string | null) => Readonly<Record<string, string>>;

/** The permissions of one request. Throws AwsError for a bucket that does not exist. */
export function s3Needs(operation: string, request: S3Request, of: SettingsOf, tagsOf: TagsOf): Need[] {
  const bucket = of(request.bucket);
  const tagged = 'x-amz-tagging' in request.headers ? [onObject(bucket, request.key, 's3:PutObjectTagging')] : [];
  const writes = [onObject(bucket, request.key, 's3:PutObject'), ...tagged, ...byKey(bucket, 'kms:GenerateDataKey')];
  switch (operation) {
    case 'GetObject':
    case 'HeadObject':
      return reads(bucket, request.key, request.query.versionId ?? null, tagsOf);
    case 'GetObjectTagging':
    case 'PutObjectTagging': {
      const action = 'versionId' in request.query ? operation.replace('Object', 'ObjectVersion') : operation;
      return [onObject(bucket, request.key, `s3:${action}`)];
    }
    case 'PutObject':
      // What is compared has to be readable.
      return 'if-match' in request.headers ? [...writes, onObject(bucket, request.key, 's3:GetObject')] : writes;
    case 'UploadPart':
    case 'CreateMultipartUpload':
      return writes;
    case 'CompleteMultipartUpload':
      // The parts are decrypted to make one object of them.
      return [...writes, ...byKey(bucket, 'kms:Decrypt')];
    case 'CopyObject':
    case 'UploadPartCopy': {
      const source = copySourceOf(request);
      const isTagged = operation === 'CopyObject' && request.headers['x-amz-tagging-directive'] !== 'REPLACE';
      const from = of(source.bucket);
      const tags = isTagged ? [onObject(from, source.key, 's3:GetObjectTagging')] : [];
      return [...reads(from, source.key, source.versionId, tagsOf), ...tags, ...writes];
    }
    case 'DeleteObject':
      return [
        onObject(bucket, request.key, 'versionId' in request.query ? 's3:DeleteObjectVersion' : 's3:DeleteObject'),
      ];
    case 'AbortMultipartUpload':
      return [onObject(bucket, request.key, 's3:AbortMultipartUpload')];
    case 'ListObjectVersions':
      return [{ ...listing(bucket, request.query.prefix ?? ''), action: 's3:ListBucketVersions' }];
    case 'ListObjectsV2':
      return [listing(bucket, request.query.prefix ?? '')];
    default:
      return unknown('operation of S3', operation);
  }
}

function reads(bucket: BucketSettings, key: string, versionId: string | null, tagsOf: TagsOf): Need[] {
  const action = versionId === null ? 's3:GetObject' : 's3:GetObjectVersion';
  const tags = Object.entries(tagsOf(bucket.name, key, versionId));
  const facts = Object.fromEntries(tags.map(([name, value]) => [`s3:ExistingObjectTag/${name}`, value]));
  return [{ ...onObject(bucket, key, action), facts }, ...byKey(bucket, 'kms:Decrypt')];
}

/** Without it, S3 answers 403 where there is no object. */
export function listing({ arn }: BucketSettings, prefix: string): Need {
  return { action: 's3:ListBucket', resource: arn, owner: arn, facts: { 's3:prefix': prefix } };
}

function onObject({ arn }: BucketSettings, key: string, action: string): Need {
  return { action, resource: `${arn}/${key}`, owner: arn };
}

function byKey({ keyArn }: BucketSettings, action: string): Need[] {
  if (keyArn === null) return [];
  const region = keyArn.split(':')[3] ?? '';
  return [{ action, resource: keyArn, owner: keyArn, facts: { 'kms:ViaService': `s3.${region}.amazonaws.com` } }];
}
