/** An encrypted document that cannot be opened with any password: damaged, made in a way that is unknown here, or over a limit. */
export class EncryptionError extends Error {
  constructor(
    readonly code: 'unreadable' | 'unsupported' | 'oversize',
    message: string,
  ) {
    super(message);
    this.name = 'EncryptionError';
  }
}
