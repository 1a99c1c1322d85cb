/** What must be in a result because it was in the original: counted by ../inspect, never by the disarm's own word. */
import type { Inspection } from '../inspect/inspect.ts';
import type { Disarmed, DisarmStrategy } from './disarm-module.ts';

/** Of the words a reader sees, at least this share must be in the result. */
const TEXT_KEPT = 0.98;
/** What a short text may lose by the removal of what it may not hold: a share of ten words says nothing. */
const FEW_WORDS = 10;
/** A report of this many removals may have been cut (removals.ts). */
const MANY_REMOVALS = 1_000;

/** Files whose parts are taken out with a note where they stood: what is left of the text is measured, and not asked for. */
const CONTAINER = /^(?:message\/rfc822|application\/(?:zip|vnd\.ms-outlook|vnd\.ms-tnef))$/;

interface Loss {
  readonly id: string;
  readonly where: string;
}

/** The first loss that a result must not have; null when it has none. */
export function lossOf(
  inspection: Inspection,
  disarmed: Disarmed,
  strategy: Pick<DisarmStrategy, 'keepsText'>,
): Loss | null {
  if (inspection.isEmptyOfUnknown) return { id: 'empty-result', where: 'nothing of the original could be counted' };
  if (disarmed.outcome === 'already_safe') return null;
  return (
    unitsLoss(inspection) ??
    shapeLoss(inspection, disarmed) ??
    countLoss(inspection, disarmed) ??
    wordLoss(inspection, disarmed, strategy)
  );
}

function unitsLoss({ units }: Inspection): Loss | null {
  if (units === null || units.before === units.after) return null;
  return { id: `${units.kind}-lost`, where: `${units.after} of ${units.before}` };
}

/** A picture keeps its size, turned at most, and its frames; equal frames may be one. A strategy that drops frames says so. */
function shapeLoss({ shape }: Inspection, { details }: Disarmed): Loss | null {
  if (shape === null) return null;
  const { before, after } = shape;
  const area = (each: { width: number; height: number }) => each.width * each.height;
  if (before === null || area(before) === 0)
    return area(after) > 1 ? null : { id: 'empty-result', where: 'a picture of one pixel' };
  const where = `${after.width}x${after.height}x${after.frames} of ${before.width}x${before.height}x${before.frames}`;
  const isSame = after.width === before.width && after.height === before.height;
  const isTurned = after.width === before.height && after.height === before.width;
  const isStack = after.width === before.width && after.height === before.height * before.frames;
  // Pages of several sizes come out on paper of the largest.
  const isLarger = before.frames > 1 && after.frames === before.frames && area(after) >= area(before);
  if (!isSame && !isTurned && !isStack && !isLarger) return { id: 'pixels-lost', where };
  const isShort = !isStack && after.frames * 2 <= before.frames;
  return isShort && details.length === 0 ? { id: 'frames-lost', where } : null;
}

function countLoss({ pictures, members }: Inspection, { details }: Disarmed): Loss | null {
  if (pictures !== null && pictures.after < pictures.before && details.length === 0)
    return { id: 'pictures-lost', where: `${pictures.after} of ${pictures.before}` };
  if (members === null || details.length >= MANY_REMOVALS) return null;
  const lost = members.before - members.after;
  return lost > details.length ? { id: 'members-lost', where: `${members.after} of ${members.before}` } : null;
}

function wordLoss(
  { words }: Inspection,
  { type, details }: Disarmed,
  { keepsText }: Pick<DisarmStrategy, 'keepsText'>,
): Loss | null {
  if (words === null || words.kept >= words.before * TEXT_KEPT) return null;
  const where = `${words.kept} of ${words.before} words`;
  // What takes nothing out loses no words; of a few, readers may see one or two in their own ways.
  const isHalf = words.kept === 0 || (words.before - words.kept > 1 && words.kept * 2 <= words.before);
  if (details.length === 0 && isHalf) return { id: 'text-lost', where };
  if (!keepsText || CONTAINER.test(type.type)) return null;
  return words.before - words.kept > FEW_WORDS ? { id: 'text-lost', where } : null;
}
