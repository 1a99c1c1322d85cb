export const VALUE_TYPES = ['ip', 'domain', 'url', 'email', 'sha256', 'path', 'registry'] as const;

/** A value that stands in a file and can be looked for elsewhere. */
export interface FoundValue {
  readonly type: (typeof VALUE_TYPES)[number];
  /** As it stands there. Untrusted: whoever shows it to a person defangs it. */
  readonly value: string;
}
