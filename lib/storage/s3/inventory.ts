/** The objects that a report of S3 Inventory lists, in the order of its files and rows. */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { awsCall, httpStatusOf } from '../aws-errors.ts';
import { type Inventory, InventoryError } from './inventory-manifest.ts';
import { decodedKey, isArchive, type ListedObject } from './listing.ts';

export interface InventoryChoice {
  /** How keys begin; empty for all. */
  readonly prefix: string;
  /** Whether replaced versions are listed, too. */
  readonly allVersions: boolean;
  /** The listing continues behind this position; null for the beginning. */
  readonly after: string | null;
}

/** A key of 1,024 bytes, percent-encoded, with every field that S3 knows. A longer row would fill the memory of the reader. */
const MAX_ROW_CHARACTERS = 64 * 1024;
/** S3 writes files of at most 2 GB. */
const MAX_FILE_BYTES = 4 * 1024 ** 3;

/**
 * Lists the objects that a report names. Each file is fetched whole and checked against its checksum before any of its objects is listed.
 * Delete markers are left out. Throws InventoryError for a damaged file or row, TransientError, and the error of the SDK when AWS refuses.
 */
export async function* inventoryObjects(
  client: S3Client,
  inventory: Inventory,
  { prefix, allVersions, after }: InventoryChoice,
): AsyncGenerator<ListedObject> {
  const [fromFile, fromRow] = positionIn(after);
  const folder = mkdtempSync(join(tmpdir(), 'airlock-inventory-'));
  try {
    for (const [index, file] of inventory.files.entries()) {
      if (index < fromFile) continue;
      const path = join(folder, 'file.csv.gz');
      await fetchFile(client, inventory.bucket, file, path);
      let row = 0;
      for await (const line of linesOf(path, file.key)) {
        row += 1;
        if (index === fromFile && row <= fromRow) continue;
        const found = objectIn(line, inventory, `row ${row} of ${file.key}`);
        if (found === null || !found.object.key.startsWith(prefix)) continue;
        if (found.isLatest || allVersions) yield { ...found.object, position: `${index}:${row}` };
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns whether an object still exists. An object that a policy hides counts as existing. Throws TransientError. */
export async function isStillThere(client: S3Client, bucket: string, object: ListedObject): Promise<boolean> {
  const { key, versionId } = object;
  const which = versionId === 'null' ? {} : { VersionId: versionId };
  try {
    await awsCall('s3 head', client.send(new HeadObjectCommand({ Bucket: bucket, Key: key, ...which })));
    return true;
  } catch (error) {
    const status = httpStatusOf(error);
    if (status === null || status >= 500) throw error;
    return status !== NOT_FOUND && status !== IS_DELETE_MARKER;
  }
}
const NOT_FOUND = 404;
const IS_DELETE_MARKER = 405;

/** Returns the number of a file, from 0, and of a row in it, from 1. */
function positionIn(after: string | null): readonly [number, number] {
  const [, file = '0', row = '0'] = /^(\d+):(\d+)$/.exec(after ?? '') ?? [];
  return [Number(file), Number(row)];
}

async function fetchFile(
  client: S3Client,
  Bucket: string,
  { key, size, md5 }: Inventory['files'][number],
  path: string,
): Promise<void> {
  if (size > MAX_FILE_BYTES) throw new InventoryError(`${key} has ${size} bytes, more than S3 writes into one file.`);
  const { Body } = await awsCall('s3 get', client.send(new GetObjectCommand({ Bucket, Key: key })));
  const hash = createHash('md5');
  let left = size;
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      left -= chunk.length;
      if (left < 0) throw damaged(key);
      hash.update(chunk);
      yield chunk;
    }
  }
  await awsCall('s3 get', pipeline(counted((Body ?? []) as AsyncIterable<Uint8Array>), createWriteStream(path)));
  if (left !== 0 || hash.digest('hex') !== md5) throw damaged(key);
}

const damaged = (key: string) =>
  new InventoryError(`${key} is not the file that the manifest names: its size or MD5 is another.`);

/** Yields lines without their ends. */
async function* linesOf(path: string, key: string): AsyncGenerator<string> {
  let rest = '';
  const text = createReadStream(path).pipe(createGunzip()).setEncoding('utf8');
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_ROW_CHARACTERS) throw new InventoryError(`A row of ${key} is too long.`);
      for (const line of lines) if (line.trim() !== '') yield line.trim();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw new InventoryError(`${key} cannot be unpacked: it is no gzip, or ends early.`);
    throw error;
  }
  if (rest.trim() !== '') yield rest.trim();
}

interface Row {
  readonly object: Omit<ListedObject, 'position'>;
  readonly isLatest: boolean;
}

/** Returns null for a delete marker. */
function objectIn(line: string, { columns, sourceBucket }: Inventory, where: string): Row | null {
  const cells = [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^",]*))(?=,|$)/g)].map(([, quoted, bare]) => quoted ?? bare);
  const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
  const [size, key] = [cell('Size'), decodedOrNull(cell('Key'))];
  if (cells.length !== columns.length || key === null || key === '' || cell('Bucket') !== sourceBucket)
    throw new InventoryError(`The report is damaged: ${where} is not an object of ${sourceBucket}.`);
  if (cell('IsDeleteMarker').toLowerCase() === 'true') return null;
  if (!/^\d{1,15}$/.test(size)) throw new InventoryError(`The report is damaged: ${where} has no size.`);
  return {
    object: {
      key,
      versionId: cell('VersionId') || 'null',
      etag: cell('ETag').replaceAll('"', ''),
      size: Number(size),
      isArchived: isArchive(cell('StorageClass')) || /ARCHIVE/.test(cell('IntelligentTieringAccessTier')),
    },
    isLatest: cell('IsLatest').toLowerCase() !== 'false',
  };
}

function decodedOrNull(key: string): string | null {
  try {
    return decodedKey(key);
  } catch {
    return null;
  }
}
