/** What the inspection of a disarmed file measured, as the wire shows it. */
import type { DisarmQuality } from '../../contract/disarm-quality.ts';
import type { StoredReport } from '../store/submissions.ts';

/** Null for reports without: other kinds, failed ones, and those stored before it was measured. */
export function qualityView({ quality }: StoredReport): DisarmQuality | null {
  if (!quality) return null;
  const { strategy, words, units, sizeRatio, checks } = quality;
  return { strategy, words: words && { ...words }, units: units && { ...units }, sizeRatio, checks: [...checks] };
}
