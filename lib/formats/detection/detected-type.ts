/** What a file is, as its bytes say. */
export interface DetectedType {
  /** MIME type. */
  readonly type: string;
  /** Customary extension, lower case, no dot, at most 8 of [a-z0-9]. */
  readonly extension: string;
  readonly description: string;
}
