/** The Places port over Amazon S3, with its conditional writes. */
import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { NotFoundError } from '../../pipeline/errors.ts';
import type { Place, Places } from '../../pipeline/results/place-port.ts';
import { awsCall, httpStatusOf } from '../aws-errors.ts';
import { collectBounded } from './s3.ts';

const NOT_FOUND = 404;
const PRECONDITION_FAILED = 412;

/** Throws TransientError, and the SDK's own error for refusals. */
export function createS3Places(client: S3Client): Places {
  const at = ({ bucket, key }: Place) => ({ Bucket: bucket, Key: key });
  return {
    async newest(place) {
      try {
        const { ETag = '', VersionId = '' } = await awsCall('s3 head', client.send(new HeadObjectCommand(at(place))));
        return { etag: ETag, versionId: VersionId };
      } catch (error) {
        if (httpStatusOf(error) === NOT_FOUND) return null;
        throw error;
      }
    },
    async read(place, { etag, versionId }, maxBytes) {
      const which = versionId === '' ? {} : { VersionId: versionId };
      const command = new GetObjectCommand({ ...at(place), ...which, IfMatch: etag });
      try {
        return await collectBounded(await awsCall('s3 get', client.send(command)), maxBytes);
      } catch (error) {
        if ([NOT_FOUND, PRECONDITION_FAILED].includes(httpStatusOf(error) ?? 0))
          throw new NotFoundError(place.bucket, place.key);
        throw error;
      }
    },
    async put(place, bytes, { contentType, tags, replaces }) {
      const Tagging = new URLSearchParams({ ...tags }).toString();
      const condition = replaces === null ? { IfNoneMatch: '*' } : { IfMatch: replaces.etag };
      const object = { ...at(place), Body: bytes, ContentType: contentType, Tagging };
      try {
        const put = await awsCall('s3 put', client.send(new PutObjectCommand({ ...object, ...condition })));
        return { etag: put.ETag ?? '', versionId: put.VersionId ?? '' };
      } catch (error) {
        // 404: the object to be replaced is deleted.
        if ([NOT_FOUND, PRECONDITION_FAILED].includes(httpStatusOf(error) ?? 0)) return null;
        throw error;
      }
    },
  };
}
