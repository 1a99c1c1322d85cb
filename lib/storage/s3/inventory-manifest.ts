/** The manifest of a report of S3 Inventory. It names the files that list the objects of a bucket, and their columns. */
import { createHash } from 'node:crypto';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod/mini';
import { awsCall } from '../aws-errors.ts';
import { collectBounded } from './s3.ts';

/** A report that cannot be read. The message says what to do. */
export class InventoryError extends Error {
  override readonly name = 'InventoryError';
}

/** The manifest of a bucket with a billion objects is smaller. Anybody who may write the report could otherwise fill the memory. */
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;
const MAX_CHECKSUM_BYTES = 1_024;
const NEEDED = ['Bucket', 'Key', 'Size', 'ETag', 'StorageClass'];

const Manifest = z.object({
  sourceBucket: z.string(),
  /** The ARN of the bucket in which the report is. */
  destinationBucket: z.string(),
  fileFormat: z.string(),
  fileSchema: z.string(),
  /** Milliseconds since the epoch, as a text. */
  creationTimestamp: z.string().check(z.regex(/^\d{1,14}$/)),
});

const Files = z.object({
  files: z.array(
    z.object({
      key: z.string().check(z.minLength(1)),
      size: z.int().check(z.nonnegative()),
      MD5checksum: z.string().check(z.regex(/^[0-9a-f]{32}$/i)),
    }),
  ),
});

/** A report of S3 Inventory that can be read. */
export interface Inventory {
  /** The bucket that it lists. */
  readonly sourceBucket: string;
  /** The bucket in which its files are. */
  readonly bucket: string;
  readonly files: readonly { readonly key: string; readonly size: number; readonly md5: string }[];
  /** Names of the columns, in their order. */
  readonly columns: readonly string[];
  /** When S3 began to list, in ISO 8601. */
  readonly at: string;
  /** The MD5 of the manifest. It is another one for each report. */
  readonly md5: string;
}

/**
 * Reads a manifest, and checks it by the checksum that S3 puts beside it. Throws InventoryError when it is damaged, is no list of CSV
 * files, or lacks a needed column. Throws TransientError, and the error of the SDK when AWS refuses.
 */
export async function readInventory(client: S3Client, bucket: string, key: string): Promise<Inventory> {
  const bytes = await textOf(client, bucket, key, MAX_MANIFEST_BYTES);
  const checksumKey = key.replace(/manifest\.json$/, 'manifest.checksum');
  if (checksumKey === key) throw new InventoryError(`--inventory takes the manifest.json of a report, not ${key}.`);
  const wanted = Buffer.from(await textOf(client, bucket, checksumKey, MAX_CHECKSUM_BYTES))
    .toString('latin1')
    .trim();
  const md5 = createHash('md5').update(bytes).digest('hex');
  if (wanted.toLowerCase() !== md5)
    throw new InventoryError('The manifest is not the one that S3 wrote: its MD5 is not that in manifest.checksum.');
  const json = jsonIn(bytes);
  const found = Manifest.safeParse(json);
  if (!found.success) throw new InventoryError('It is not a manifest of S3 Inventory.');
  const { fileFormat, sourceBucket, destinationBucket, creationTimestamp } = found.data;
  if (fileFormat !== 'CSV')
    throw new InventoryError(
      `The report is written as ${fileFormat}, which is not read. Choose CSV as the format of the inventory, and take its next report.`,
    );
  const columns = found.data.fileSchema.split(',').map((name) => name.trim());
  const missing = NEEDED.filter((name) => !columns.includes(name));
  if (missing.length > 0)
    throw new InventoryError(
      `The report lacks ${missing.join(', ')}. Add that to the fields of the inventory, and take its next report.`,
    );
  if (destinationBucket !== bucket && !destinationBucket.endsWith(`:::${bucket}`))
    throw new InventoryError(`The files of the report are in ${destinationBucket}. Name the manifest that is there.`);
  const { success, data } = Files.safeParse(json);
  if (!success) throw new InventoryError('The manifest names its files in a way that is not known.');
  const files = data.files.map((file) => ({ key: file.key, size: file.size, md5: file.MD5checksum.toLowerCase() }));
  return { sourceBucket, bucket, files, columns, at: new Date(Number(creationTimestamp)).toISOString(), md5 };
}

async function textOf(client: S3Client, Bucket: string, Key: string, maxBytes: number): Promise<Uint8Array> {
  return collectBounded(await awsCall('s3 get', client.send(new GetObjectCommand({ Bucket, Key }))), maxBytes);
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
