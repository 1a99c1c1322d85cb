/** The port through which `deliver` puts results beside the clean bucket. */

/** A key of a bucket of others to which results are put. */
export interface Place {
  /** The real name of the bucket. */
  readonly bucket: string;
  readonly key: string;
}

/** An object as it lies under its key now. */
export interface PlacedVersion {
  readonly etag: string;
  /** Empty in a bucket without versions. */
  readonly versionId: string;
}

/** Where results are put beside the clean bucket. Only `deliver` has it. */
export interface Places {
  /** The version that lies there now; null when there is none. Throws TransientError. */
  newest(place: Place): Promise<PlacedVersion | null>;
  /** The bytes of a version. Throws NotFoundError, LimitExceededError over `maxBytes`, TransientError. */
  read(place: Place, version: PlacedVersion, maxBytes: number): Promise<Uint8Array>;
  /**
   * Puts an object, but only where `replaces` lies at that moment, or nothing when it is null. Returns what was put, or null when something else
   * lies there. Throws TransientError.
   */
  put(
    place: Place,
    bytes: Uint8Array,
    options: {
      readonly contentType: string;
      readonly tags: Readonly<Record<string, string>>;
      readonly replaces: PlacedVersion | null;
    },
  ): Promise<PlacedVersion | null>;
}
