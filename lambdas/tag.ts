/**
 * Lambda entry point of `tag`. It takes the ends of runs from a queue. Its role may tag the objects that came in, and writes nothing else.
 */
import { S3Client } from '@aws-sdk/client-s3';
import { tagSource } from '../lib/pipeline/results/tag-source.ts';
import { createS3SourceTags } from '../lib/storage/s3/source-tags.ts';
import { endHandler } from './shared/ends.ts';
import { NO_HANGING } from './shared/secrets.ts';

const sourceTags = createS3SourceTags(new S3Client({ requestHandler: NO_HANGING }));

export const handler = endHandler('tag', (ctx, event) => tagSource({ ...ctx, sourceTags }, event));
