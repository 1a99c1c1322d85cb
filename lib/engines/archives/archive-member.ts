/** A member of any kind of archive. */
export interface ArchiveMember {
  readonly untrustedName: string;
  /** Links and devices lead out of the archive; they are never unpacked. */
  readonly kind: 'file' | 'folder' | 'link';
  /** The content. Throws EngineError when it cannot be read; counts against the budget by itself. */
  readonly read: () => Promise<Uint8Array>;
}

/** The empty content of a folder. */
export async function noContent(): Promise<Uint8Array> {
  return new Uint8Array();
}
