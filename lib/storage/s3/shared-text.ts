/**
 * A small text that people change, as an object of S3. Each write names the version that it replaces. Two writes at once therefore never
 * lose one of them.
 */
import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { SharedText } from '../../pipeline/shared-text-port.ts';
import { awsCall, httpStatusOf } from '../aws-errors.ts';
import { collectBounded } from './s3.ts';

export interface S3TextOptions {
  readonly client: S3Client;
  /** Real name of the bucket. */
  readonly bucket: string;
  readonly key: string;
  readonly maxBytes: number;
}

const NOT_FOUND = 404;
/** Another version exists; the object was deleted; two writers came in the same moment. */
const CHANGED: readonly (number | null)[] = [412, NOT_FOUND, 409];

/** Makes the port. */
export function createS3Text({ client, bucket: Bucket, key: Key, maxBytes }: S3TextOptions): SharedText {
  return {
    async read() {
      try {
        const answer = await awsCall('s3 get', client.send(new GetObjectCommand({ Bucket, Key })));
        const text = new TextDecoder().decode(await collectBounded(answer, maxBytes));
        return { text, version: answer.ETag ?? '' };
      } catch (error) {
        if (httpStatusOf(error) === NOT_FOUND) return null;
        throw error;
      }
    },
    async replace(text, before) {
      const condition = before === null ? { IfNoneMatch: '*' } : { IfMatch: before.version };
      const Body = new TextEncoder().encode(text);
      try {
        await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: 'application/json', ...condition }));
        return true;
      } catch (error) {
        if (CHANGED.includes(httpStatusOf(error))) return false;
        return awsCall('s3 put', Promise.reject(error));
      }
    },
  };
}
