export const VALUE_TYPES = ['ip', 'domain', 'url', 'email', 'sha256', 'path', 'registry'] as const;

/** A value from a file that can be searched for elsewhere. */
export interface FoundValue {
  readonly type: (typeof VALUE_TYPES)[number];
  /** As it is in the file. Untrusted: code that shows it to a person must defang it. */
  readonly value: string;
}
