/** The database cannot be used as it is: another version, a missing right, a wrong address. The message says what to do. */
export class DatabaseRefusedError extends Error {
  override readonly name = 'DatabaseRefusedError';
}
