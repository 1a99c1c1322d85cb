/** The port of the bytes: uploads and sanitized files, by SHA-256. Adapters: memory-blobs.ts, directory-blobs.ts. */

/** Bytes on their way in. Nothing is visible before `commit`. */
export interface BlobWriter {
  /** Throws ServiceError STORAGE_UNAVAILABLE when there is no room. */
  write(chunk: Uint8Array): Promise<void>;
  /** Keeps what was written under its SHA-256, which the caller has computed on the way. Known bytes are kept once. */
  commit(sha256: string): Promise<void>;
  /** Throws what was written away; does nothing after `commit`. */
  discard(): Promise<void>;
}

/** Bytes on their way out. */
export interface BlobContent {
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

/** A `sha256` is always 64 lower-case hexadecimal digits that we computed; anything else is a TypeError. */
export interface BlobStore {
  create(): Promise<BlobWriter>;
  /** All bytes at once, for an engine; null when there are none. */
  read(sha256: string): Promise<Uint8Array | null>;
  /** The bytes piece by piece, for a download; null when there are none. */
  open(sha256: string): Promise<BlobContent | null>;
  remove(sha256: string): Promise<void>;
  /** Where the bytes lie as files of this machine, for engines in processes of their own; absent where they do not. */
  readonly files?: BlobFiles;
}

export interface BlobFiles {
  pathOf(sha256: string): string;
  /** A path that nothing has, for a file on its way into the store. */
  newPath(): string;
}

/** Guards the one text that becomes part of a path. */
export function checkSha256(sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new TypeError('a blob is named by its SHA-256 in lower case');
  return sha256;
}
