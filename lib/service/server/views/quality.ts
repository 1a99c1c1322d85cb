/** The measurements of the inspection of a disarmed file, in the shape of the contract. */
import type { DisarmQuality } from '../../contract/disarm-quality.ts';
import type { StoredReport } from '../store/submissions.ts';

/** Returns null for reports of other kinds, for failed ones and for those of older versions, which did not measure it. */
export function qualityView({ quality }: StoredReport): DisarmQuality | null {
  if (!quality) return null;
  const { strategy, words, units, sizeRatio, checks } = quality;
  return { strategy, words: words && { ...words }, units: units && { ...units }, sizeRatio, checks: [...checks] };
}
