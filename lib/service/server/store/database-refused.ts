/** The database cannot be used in its state: another version, a missing right, a wrong address. The message gives the remedy. */
export class DatabaseRefusedError extends Error {
  override readonly name = 'DatabaseRefusedError';
}
