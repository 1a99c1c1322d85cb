/** The port for bytes: uploads and sanitized files, by SHA-256. Adapters: memory-blobs.ts, directory-blobs.ts, s3-blobs.ts. */

/** Writes bytes into the store. They are not visible before `commit`. */
export interface BlobWriter {
  /** Writes bytes. Throws ServiceError STORAGE_UNAVAILABLE when there is no room. */
  write(chunk: Uint8Array): Promise<void>;
  /** Keeps the written bytes under their SHA-256, which the caller has computed. Equal bytes are kept only once. */
  commit(sha256: string): Promise<void>;
  /** Deletes the written bytes. Does nothing after `commit`. */
  discard(): Promise<void>;
}

/** Bytes for a reader, piece by piece. */
export interface BlobContent {
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

/** A `sha256` is always 64 lower-case hexadecimal digits that this service computed. Anything else throws a TypeError. */
export interface BlobStore {
  create(): Promise<BlobWriter>;
  /** Returns all bytes at once, for an engine; null when there are none. */
  read(sha256: string): Promise<Uint8Array | null>;
  /** Returns the bytes piece by piece, for a download; null when there are none. */
  open(sha256: string): Promise<BlobContent | null>;
  remove(sha256: string): Promise<void>;
  /** The files in which the bytes are, for engines in other processes; absent when the store has no files. */
  readonly files?: BlobFiles;
}

export interface BlobFiles {
  pathOf(sha256: string): string;
  /** Returns an unused path, for a file before it is in the store. */
  newPath(): string;
}

/** Checks the one text that becomes part of a path. Throws TypeError. */
export function checkSha256(sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new TypeError('a blob is named by its SHA-256 in lower case');
  return sha256;
}
