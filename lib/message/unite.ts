/** One list of parts out of two readings. */
import { createHash } from 'node:crypto';
import { withoutLineBreak } from './byte-scan.ts';
import { decodePart } from './decode.ts';
import type { MessagePart } from './model.ts';
import type { StreamLeaf, StreamReading } from './stream.ts';
import type { WarningList } from './warnings.ts';

/**
 * Marks the leaves that the stream reading saw as well. Unless it listed the very same leaves in the same order, and read to
 * the end, a warning says so. A null stream reading was not made because a limit ended the structure reading.
 */
export function unite(
  email: Buffer,
  parts: readonly MessagePart[],
  stream: StreamReading | null,
  warnings: WarningList,
): readonly MessagePart[] {
  if (stream === null) return parts;
  const leaves = parts.filter((part) => part.sha256 !== null);
  const isSame =
    leaves.length === stream.leaves.length &&
    leaves.every((leaf, at) => isSameLeaf(email, leaf, stream.leaves[at] as StreamLeaf));
  const seen = isSame ? new Set(leaves) : seenByBoth(leaves, stream.leaves);
  if (!isSame || stream.problem !== null) {
    const counts = `the structure reading lists ${leaves.length}, the stream reading ${stream.leaves.length}, both ${seen.size}`;
    warnings.add('readings_disagree', null, stream.problem === null ? counts : `${counts}; ${stream.problem}`);
  }
  return parts.map((part) => (seen.has(part) ? { ...part, readings: ['structure', 'stream'] } : part));
}

/**
 * The same bytes; or the same and the line break in front of the delimiter, which mailparser gives to the part when its body
 * is empty or its last line is longer than 64 KiB. Ordinary mail has such parts, and every program shows them alike.
 */
function isSameLeaf(email: Buffer, part: MessagePart, leaf: StreamLeaf): boolean {
  if (part.sha256 === leaf.sha256) return true;
  const length = leaf.size - part.size;
  if (length !== 1 && length !== 2) return false;
  const lineBreak = email.subarray(part.body.end, part.body.end + length);
  if (withoutLineBreak(lineBreak, 0, length) !== 0) return false;
  const hash = createHash('sha256').update(decodePart(email, part)).update(lineBreak);
  return hash.digest('hex') === leaf.sha256;
}

/** The leaves whose bytes the other reading lists too, in whatever order. */
function seenByBoth(leaves: readonly MessagePart[], others: readonly StreamLeaf[]): ReadonlySet<MessagePart> {
  const unmatched = new Map<string, number>();
  for (const { sha256 } of others) unmatched.set(sha256, (unmatched.get(sha256) ?? 0) + 1);
  const seen = new Set<MessagePart>();
  for (const leaf of leaves) {
    const count = unmatched.get(leaf.sha256 as string) ?? 0;
    if (count === 0) continue;
    unmatched.set(leaf.sha256 as string, count - 1);
    seen.add(leaf);
  }
  return seen;
}
