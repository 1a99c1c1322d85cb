/** The text with the saved views, for functions of the desk. */
import type { S3Client } from '@aws-sdk/client-s3';
import { MAX_VIEWS_BYTES } from '../../lib/desk/routes/kept-views.ts';
import { keys } from '../../lib/pipeline/keys.ts';
import type { SharedText } from '../../lib/pipeline/shared-text-port.ts';
import { createS3Text } from '../../lib/storage/s3/shared-text.ts';
import { setting } from './runtime.ts';

export const savedViewsIn = (client: S3Client): SharedText =>
  createS3Text({
    client,
    bucket: setting('AIRLOCK_WORK_BUCKET'),
    key: keys.savedViews(),
    maxBytes: MAX_VIEWS_BYTES,
  });
