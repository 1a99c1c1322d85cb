/** The name of the only file in a format that holds no name: that of the archive, without what packing added. */

const PACKED: readonly (readonly [RegExp, string])[] = [
  [/\.(?:tgz|tbz2?|txz|taz)$/i, '.tar'],
  [/\.(?:gz|bz2|xz|z|lzma)$/i, ''],
];

/** Null when the archive has no name itself. */
export function nameWithin(untrustedName: string | null): string | null {
  if (untrustedName === null) return null;
  for (const [pattern, instead] of PACKED)
    if (pattern.test(untrustedName)) return untrustedName.replace(pattern, instead);
  return untrustedName;
}
