/** ListObjectVersions: every version of every object below a prefix. What would take a second page is refused. */
import { unknown } from '../../assembly/refuse.ts';
import type { Answer } from '../call.ts';
import type { S3Request } from './request.ts';
import type { BucketStore } from './store.ts';
import { xmlAnswer } from './xml.ts';

const PAGE = 1_000;

/** The answer to a request. Throws UnknownToTwinError. */
export function versionsListed({ query }: S3Request, bucket: BucketStore): Answer {
  const found = bucket.everything(query.prefix ?? '');
  if (found.length > PAGE) unknown('list of versions with a second page', found.length);
  const entries = (isMark: boolean) =>
    found
      .filter((one) => one.isMark === isMark)
      .map(({ key, versionId }) => ({ Key: key, VersionId: versionId, IsLatest: false }));
  return xmlAnswer('ListVersionsResult', {
    Name: bucket.settings.name,
    Prefix: query.prefix ?? '',
    IsTruncated: false,
    Version: entries(false),
    DeleteMarker: entries(true),
  });
}
