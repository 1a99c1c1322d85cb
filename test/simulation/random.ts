/** Numbers that look random and follow from a seed and a name. A decision that is left out changes no other decision. */

/** A number from 0 up to 1 for this seed and this name: FNV-1a over the name, then the finish of MurmurHash3. */
export function roll(seed: number, name: string): number {
  let hash = (0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1)) | 0;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** One of the choices. */
export function pick<T>(seed: number, name: string, choices: readonly [T, ...T[]]): T {
  return choices[Math.floor(roll(seed, name) * choices.length)] ?? choices[0];
}
