/** The type of a file by its bytes. */
export interface DetectedType {
  /** MIME type. */
  readonly type: string;
  /** The customary extension in lower case, without a dot: at most 8 of [a-z0-9]. */
  readonly extension: string;
  readonly description: string;
}
