/** The port through which `deliver` puts results beside the clean bucket. */

/** A key in a foreign bucket where results are put. */
export interface Place {
  /** The real name of the bucket. */
  readonly bucket: string;
  readonly key: string;
}

/** The object that is now under its key. */
export interface PlacedVersion {
  readonly etag: string;
  /** Empty in a bucket without versions. */
  readonly versionId: string;
}

/** The place for results besides the clean bucket. Only `deliver` has it. */
export interface Places {
  /** Returns the current version; null when there is none. Throws TransientError. */
  newest(place: Place): Promise<PlacedVersion | null>;
  /** Returns the bytes of a version. Throws NotFoundError, LimitExceededError over `maxBytes`, TransientError. */
  read(place: Place, version: PlacedVersion, maxBytes: number): Promise<Uint8Array>;
  /**
   * Puts an object, but only if `replaces` is still there, or nothing when it is null. Returns the new object, or null when something else
   * is there. Throws TransientError.
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
