/** The addresses that fit the pattern of a route, for this mail: one for each word of a choice at its end. */
export function addressesOf(pattern: string, runId: string): string[] {
  const address = pattern
    .replace(/:run\{.*?\}(?=\/|$)/, runId)
    .replace(/:path\{.*?\}(?=\/|$)/, '1.1')
    .replace(/:side\{.*?\}(?=\/|$)/, 'before')
    .replace(/:page\{.*?\}(?=\/|$)/, '1');
  const [whole, words = ''] = /:\w+\{\(\?:([\w|-]+)\)\}$/.exec(address) ?? [];
  return whole === undefined ? [address] : words.split('|').map((word) => address.replace(whole, word));
}
