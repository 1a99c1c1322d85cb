/** The name of a part that stays: its sender's when every program reads it alike, else one of ours. */
import { extensionReadings } from '../formats/name-readings.ts';
import { isPlainName } from '../formats/plain-name.ts';
import { safeFileName } from './safe-text.ts';

/** The name to give a kept part, or null when it may keep those it claims. `extension` is of the closed list. */
export function keptName(untrustedNames: readonly string[], extension: string): string | null {
  const [first] = untrustedNames;
  if (first === undefined) return null;
  const readings = new Set(untrustedNames.map((name) => [...extensionReadings(name)].sort().join(' ')));
  return readings.size === 1 && untrustedNames.every(isPlainName) ? null : safeFileName(first, extension);
}
