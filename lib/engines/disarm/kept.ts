/** The content that a result must contain because the original contained it. */
import type { Inspection } from '../inspect/inspect.ts';
import type { Disarmed, DisarmStrategy } from './disarm-module.ts';

/** The disarm's own statement about its result. */
export type Told = Pick<Disarmed, 'outcome' | 'type'> & {
  /** The number of removed or rewritten things. Infinite when it is not known. */
  readonly removals: number;
  /** The removals that may have included a picture. @default removals */
  readonly pictureRemovals?: number;
};

/** The result must hold at least this share of the words that a reader sees. */
const TEXT_KEPT = 0.98;
/** A short text may lose this many words with the necessary removals, because a share of ten words says nothing. */
const FEW_WORDS = 10;
/** A report with this many removals may be incomplete (removals.ts). */
const MANY_REMOVALS = 1_000;

/** Files in which a note replaces a removed part. The remaining text is measured, but no share is demanded. */
const CONTAINER = /^(?:message\/rfc822|application\/(?:zip|vnd\.ms-outlook|vnd\.ms-tnef))$/;

interface Loss {
  readonly id: string;
  readonly where: string;
}

/** Returns the first loss that is not allowed; null when there is none. */
export function lossOf(inspection: Inspection, told: Told, strategy: Pick<DisarmStrategy, 'keepsText'>): Loss | null {
  if (inspection.isEmptyOfUnknown) return { id: 'empty-result', where: 'nothing of the original could be counted' };
  if (told.outcome === 'already_safe') return null;
  return (
    unitsLoss(inspection) ??
    shapeLoss(inspection, told) ??
    countLoss(inspection, told, strategy) ??
    wordLoss(inspection, told, strategy)
  );
}

function unitsLoss({ units }: Inspection): Loss | null {
  if (units === null || units.before === units.after) return null;
  return { id: `${units.kind}-lost`, where: `${units.after} of ${units.before}` };
}

/**
 * Checks the pictures. A picture keeps its size, or is turned, and keeps its frames. Equal frames may be merged. A strategy reports dropped
 * frames.
 */
function shapeLoss({ shape }: Inspection, { removals }: Told): Loss | null {
  if (shape === null) return null;
  const { before, after } = shape;
  const area = (each: { width: number; height: number }) => each.width * each.height;
  if (before === null || area(before) === 0)
    return area(after) > 1 ? null : { id: 'empty-result', where: 'a picture of one pixel' };
  const where = `${after.width}x${after.height}x${after.frames} of ${before.width}x${before.height}x${before.frames}`;
  const isSame = after.width === before.width && after.height === before.height;
  const isTurned = after.width === before.height && after.height === before.width;
  const isStack = after.width === before.width && after.height === before.height * before.frames;
  // Pages of several sizes all get the largest size.
  const isLarger = before.frames > 1 && after.frames === before.frames && area(after) >= area(before);
  if (!isSame && !isTurned && !isStack && !isLarger) return { id: 'pixels-lost', where };
  const isShort = !isStack && after.frames * 2 <= before.frames;
  return isShort && removals === 0 ? { id: 'frames-lost', where } : null;
}

function countLoss(
  { pictures, members }: Inspection,
  { removals, pictureRemovals = removals }: Told,
  { keepsText }: Pick<DisarmStrategy, 'keepsText'>,
): Loss | null {
  // A strategy that gives up the text draws its content instead.
  if (keepsText && pictures !== null && pictures.after < pictures.before && pictureRemovals === 0)
    return { id: 'pictures-lost', where: `${pictures.after} of ${pictures.before}` };
  if (members === null || removals >= MANY_REMOVALS) return null;
  const lost = members.before - members.after;
  return lost > removals ? { id: 'members-lost', where: `${members.after} of ${members.before}` } : null;
}

function wordLoss(
  { words }: Inspection,
  { type, removals }: Told,
  { keepsText }: Pick<DisarmStrategy, 'keepsText'>,
): Loss | null {
  if (words === null || words.kept >= words.before * TEXT_KEPT) return null;
  const where = `${words.kept} of ${words.before} words`;
  // A disarm that removes nothing loses no words. In a short text, readers may disagree about one or two words.
  const isHalf = words.kept === 0 || (words.before - words.kept > 1 && words.kept * 2 <= words.before);
  if (removals === 0 && isHalf) return { id: 'text-lost', where };
  if (!keepsText || CONTAINER.test(type.type)) return null;
  return words.before - words.kept > FEW_WORDS ? { id: 'text-lost', where } : null;
}
