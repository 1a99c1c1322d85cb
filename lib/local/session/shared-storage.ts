/** `--database`, `--files` and `--role` of `airlock serve` and `airlock keys`: storage that several processes share. */

import { parseUrl } from '../../formats/urls/parse-url.ts';
import type { Role } from '../../service/server/service-options.ts';
import type { FilesPlace } from '../../service/server/store/postgres/storage.ts';
import { credentialsIn } from '../aws-credentials.ts';
import { type Console, UsageError } from '../console.ts';

export interface SharedOptions {
  readonly database?: string;
  readonly files?: string;
  readonly role?: string;
}

export interface SharedPlace {
  /** It includes the password, and is never shown. */
  readonly databaseUrl: string;
  readonly files: FilesPlace;
  /** The place of the files, as given. */
  readonly filesText: string;
  readonly role: Role;
}

const ROLES: readonly Role[] = ['all', 'api', 'worker'];
/** `s3://bucket/prefix`, with the names that S3 allows for a bucket and plain ones for folders. */
const S3_PLACE = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()-]+(?:\/[\w!.*'()-]+)*)?)?\/?$/;

/** Returns the shared storage that the options name; null without `--database`. Throws UsageError. */
export async function sharedPlace(console: Console, options: SharedOptions): Promise<SharedPlace | null> {
  const { database, files, role } = options;
  if (database === undefined) {
    const without = files === undefined ? role && '--role' : '--files';
    if (without) throw new UsageError(`${without} goes with --database: it is for a service of several processes.`);
    return null;
  }
  if (files === undefined)
    throw new UsageError(
      'With --database, name a place for files that every process reaches: --files /srv/files or --files s3://bucket/prefix.',
    );
  return {
    databaseUrl: databaseUrl(console, database),
    files: await filesPlace(console, files),
    filesText: files,
    role: roleOf(role),
  };
}

/** Returns the URL of a database. If it has no password, adds PGPASSWORD. Throws UsageError. */
export function databaseUrl({ env }: Console, text: string): string {
  const url = parseUrl(text);
  const isPostgres = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:';
  if (!url || !isPostgres || url.hostname === '' || url.pathname.length < 2)
    // The text may contain a password, so it is not repeated.
    throw new UsageError(
      '--database takes postgres://user@host/name; for a socket, postgres://user@localhost/name?host=/run/postgresql.',
    );
  if (url.password === '' && env.PGPASSWORD) url.password = encodeURIComponent(env.PGPASSWORD);
  return url.href;
}

async function filesPlace({ env }: Console, text: string): Promise<FilesPlace> {
  if (!/^[a-z0-9]+:\/\//i.test(text)) return { directory: text };
  const [isPlace, bucket = '', prefix = ''] = S3_PLACE.exec(text) ?? [];
  if (isPlace === undefined)
    throw new UsageError(`--files takes a folder or s3://bucket/prefix, not ${JSON.stringify(text)}.`);
  const { s3FromEnvironment } = await import('../../service/server/store/s3-blobs.ts');
  return {
    client: s3FromEnvironment({
      ...credentialsIn({ env }),
      isPathStyle: env.AWS_ENDPOINT_URL_S3 !== undefined || env.AWS_ENDPOINT_URL !== undefined,
    }),
    bucket,
    prefix,
  };
}

function roleOf(text = 'all'): Role {
  const role = ROLES.find((known) => known === text);
  if (role) return role;
  throw new UsageError(`--role takes ${ROLES.join(', ')}, not ${JSON.stringify(text)}.`);
}
