/** The part of `deliver` that takes ends of runs from a queue and puts each result where its source wants it. */
import { S3Client } from '@aws-sdk/client-s3';
import { place } from '../../lib/pipeline/results/place.ts';
import { createS3Places } from '../../lib/storage/s3/places.ts';
import { endHandler } from './ends.ts';
import { eventPorts } from './ports.ts';
import { sources } from './runtime.ts';
import { NO_HANGING } from './secrets.ts';

const places = createS3Places(new S3Client({ requestHandler: NO_HANGING }));

/** Puts the results of a batch. A result that cannot be put goes back to the queue. */
export const placeAll = endHandler(
  'deliver',
  (ctx, event) => place({ ...ctx, places, sources: sources() }, event),
  eventPorts,
);
