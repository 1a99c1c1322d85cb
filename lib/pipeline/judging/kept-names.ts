/** The name of a part that stays: the sender's name when every program reads it alike, else one of ours. */
import { extensionReadings } from '../../formats/names/name-readings.ts';
import { isPlainName } from '../../formats/names/plain-name.ts';
import { safeFileName } from '../safe-text.ts';

/** Returns the new name of a kept part, or null when the part may keep its claimed names. `extension` comes from the closed list. */
export function keptName(untrustedNames: readonly string[], extension: string): string | null {
  const [first] = untrustedNames;
  if (first === undefined) return null;
  const readings = new Set(untrustedNames.map((name) => [...extensionReadings(name)].sort().join(' ')));
  return readings.size === 1 && untrustedNames.every(isPlainName) ? null : safeFileName(first, extension);
}
