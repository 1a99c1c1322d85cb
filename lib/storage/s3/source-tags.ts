/** The SourceTags port over Amazon S3. */
import { GetObjectTaggingCommand, PutObjectTaggingCommand, type S3Client } from '@aws-sdk/client-s3';
import type { SourceTags, TaggedVersion } from '../../pipeline/ports.ts';
import { awsCall, httpStatusOf } from '../aws-errors.ts';

const NOT_FOUND = 404;
/** The version is a delete marker, which has no tags. */
const NOT_ALLOWED = 405;

/** Reads and writes the tags of one version of an object. Throws TransientError, and the SDK's own error for refusals. */
export function createS3SourceTags(client: S3Client): SourceTags {
  const named = ({ bucket, key, versionId }: TaggedVersion) => ({ Bucket: bucket, Key: key, VersionId: versionId });
  return {
    async get(object) {
      try {
        const found = await awsCall('s3 tags', client.send(new GetObjectTaggingCommand(named(object))));
        return Object.fromEntries((found.TagSet ?? []).map(({ Key = '', Value = '' }) => [Key, Value]));
      } catch (error) {
        if ([NOT_FOUND, NOT_ALLOWED].includes(httpStatusOf(error) ?? 0)) return null;
        throw error;
      }
    },
    async put(object, tags) {
      const TagSet = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
      await awsCall('s3 tag', client.send(new PutObjectTaggingCommand({ ...named(object), Tagging: { TagSet } })));
    },
  };
}
