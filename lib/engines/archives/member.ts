/** A member of any kind of archive. */
export interface ArchiveMember {
  readonly untrustedName: string;
  /** Links and devices lead out of the archive, so they are never unpacked. */
  readonly kind: 'file' | 'folder' | 'link';
  /** Returns the content, and counts it against the budget by itself. Throws EngineError when it cannot be read. */
  readonly read: () => Promise<Uint8Array>;
}

/** Returns the empty content of a folder. */
export async function noContent(): Promise<Uint8Array> {
  return new Uint8Array();
}
