/** Names the only file in a format without names. */

const PACKED: readonly (readonly [RegExp, string])[] = [
  [/\.(?:tgz|tbz2?|txz|taz)$/i, '.tar'],
  [/\.(?:gz|bz2|xz|z|lzma)$/i, ''],
];

/** Returns the name of the archive without the extension that packing added. Returns null when the archive has no name. */
export function nameWithin(untrustedName: string | null): string | null {
  if (untrustedName === null) return null;
  for (const [pattern, instead] of PACKED)
    if (pattern.test(untrustedName)) return untrustedName.replace(pattern, instead);
  return untrustedName;
}
