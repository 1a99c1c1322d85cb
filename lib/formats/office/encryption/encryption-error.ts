/** An encrypted document that no password opens: it is damaged, encrypted in an unknown way, or over a limit. */
export class EncryptionError extends Error {
  constructor(
    readonly code: 'unreadable' | 'unsupported' | 'oversize',
    message: string,
  ) {
    super(message);
    this.name = 'EncryptionError';
  }
}
