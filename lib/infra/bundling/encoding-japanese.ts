/** Stands in for encoding-japanese in the bundles: the same three encodings, out of the ICU that Node carries. */

const NAMES: Readonly<Record<string, string>> = { JIS: 'iso-2022-jp', EUCJP: 'euc-jp' };

/** Decodes bytes to text. Throws RangeError for an encoding nobody knows. */
export function convert(bytes: Uint8Array, options: { readonly from: string }): string {
  const name = options.from.toUpperCase();
  return new TextDecoder(NAMES[name] ?? name).decode(bytes);
}
