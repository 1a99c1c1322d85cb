/** What a run delivered, without the evidence and the public keys that lie beside it. */
export function withoutEvidence<T extends string | readonly [string, ...unknown[]]>(entries: readonly T[]): T[] {
  return entries.filter((entry) => {
    const key = typeof entry === 'string' ? entry : entry[0];
    return !key.startsWith('keys/') && !key.endsWith('/evidence.json');
  });
}
