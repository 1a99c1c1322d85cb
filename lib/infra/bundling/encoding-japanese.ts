/** Replaces encoding-japanese in the bundles: the same three encodings, from the ICU of Node. */

const NAMES: Readonly<Record<string, string>> = { JIS: 'iso-2022-jp', EUCJP: 'euc-jp' };

/**
 * Decodes bytes to text. Throws RangeError for an unknown encoding.
 *
 * @example
 * ```ts
 * convert(Buffer.from('a4a2', 'hex'), { from: 'EUCJP' }); // => 'あ'
 * ```
 */
export function convert(bytes: Uint8Array, options: { readonly from: string }): string {
  const name = options.from.toUpperCase();
  return new TextDecoder(NAMES[name] ?? name).decode(bytes);
}
