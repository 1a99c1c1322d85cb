/** Numbers that look random and follow from a seed and a name. A decision that is left out changes no other decision. */

/** A number from 0 up to 1 for this seed and this name: FNV-1a over the name, then the finish of MurmurHash3. */
export function roll(seed: number, name: string): number {
  return rollOn(named(seed, name), '');
}

/** The start of names of which several are rolled: `rollOn(named(seed, 'a'), 'b')` is `roll(seed, 'ab')`. */
export function named(seed: number, start: string): number {
  return hashed((0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1)) | 0, start);
}

/** The number of a name that begins as `named` says and ends like this. */
export function rollOn(start: number, end: string): number {
  let hash = hashed(start, end);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

function hashed(from: number, text: string): number {
  let hash = from;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** One of the choices. */
export function pick<T>(seed: number, name: string, choices: readonly [T, ...T[]]): T {
  return choices[Math.floor(roll(seed, name) * choices.length)] ?? choices[0];
}
