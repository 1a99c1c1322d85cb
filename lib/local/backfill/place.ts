/** The objects that `airlock backfill` queues, and their source: a list of the bucket, or a report of S3 Inventory. */
import type { S3Client } from '@aws-sdk/client-s3';
import { inventoryObjects, isStillThere } from '../../storage/s3/inventory.ts';
import { type Inventory, InventoryError, readInventory } from '../../storage/s3/inventory-manifest.ts';
import { type ListedObject, listedObjects } from '../../storage/s3/listing.ts';
import { UsageError } from '../console.ts';
import type { BackfillPlace } from './notes.ts';

export interface PlaceOptions {
  readonly queue: string;
  readonly inventory?: string | undefined;
  readonly versions: string;
}

export interface NamedPlace {
  readonly bucket: string;
  readonly prefix: string;
}

/** A place with its objects. */
export interface BackfillSource {
  readonly place: BackfillPlace;
  /** The time at which the objects were listed, in ISO 8601; null for a present list. */
  readonly listedAt: string | null;
  /** Yields the objects behind this position. */
  objects(after: string | null): AsyncGenerator<ListedObject>;
  isThere(object: ListedObject): Promise<boolean>;
}

/** Reads the manifest, if there is one. Throws UsageError, TransientError, and the error of the SDK when AWS refuses. */
export async function backfillSource(
  client: S3Client,
  { bucket, prefix }: NamedPlace,
  options: PlaceOptions,
): Promise<BackfillSource> {
  const { queue, inventory: manifest, versions } = options;
  if (manifest === undefined) {
    if (versions !== 'newest')
      throw new UsageError('--versions all needs --inventory: a list has the newest versions only.');
    const place = { bucket, prefix, queue, inventory: null };
    const objects = (after: string | null) => listedObjects(client, { bucket, prefix, after });
    return { place, listedAt: null, objects, isThere: async () => true };
  }
  const inventory = await inventoryNamed(client, manifest);
  if (inventory.sourceBucket !== bucket)
    throw new UsageError(`The report is about the bucket ${inventory.sourceBucket}, not about ${bucket}.`);
  const allVersions = versions === 'all';
  if (allVersions && !inventory.columns.includes('VersionId'))
    throw new UsageError(
      'The report has no versions. Choose "all versions" in the inventory, and take its next report.',
    );
  const choice = { prefix, allVersions };
  return {
    place: { bucket, prefix, queue, inventory: `${manifest} (MD5 ${inventory.md5}, ${versions} versions)` },
    listedAt: inventory.at,
    objects: (after) => inventoryObjects(client, inventory, { ...choice, after }),
    isThere: (object) => isStillThere(client, bucket, object),
  };
}

async function inventoryNamed(client: S3Client, url: string): Promise<Inventory> {
  const { bucket, prefix: key } = placeIn(url);
  try {
    return await readInventory(client, bucket, key);
  } catch (error) {
    if (error instanceof InventoryError) throw new UsageError(error.message);
    throw error;
  }
}

/** Reads `s3://BUCKET/PREFIX`. Throws UsageError. */
export function placeIn(text: string): NamedPlace {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/s.exec(text) ?? [];
  if (bucket !== undefined) return { bucket, prefix };
  throw new UsageError(`${JSON.stringify(text)} names no bucket. Write it like s3://BUCKET/PREFIX.`);
}
