/** Compares the two readings of a message. */
import { createHash } from 'node:crypto';
import { withoutLineBreak } from '../../formats/byte-scan.ts';
import type { WarningList } from '../headers/warnings.ts';
import type { MessagePart } from '../model.ts';
import type { StreamLeaf, StreamReading } from './stream.ts';
import type { ExpectedLeaf } from './stream-view.ts';

/**
 * Returns the leaves that the stream reading saw, too. A warning is added unless it listed the same leaves in the same order and read to
 * the end.
 */
export function seenByStream(
  email: Buffer,
  leaves: readonly ExpectedLeaf[],
  stream: StreamReading,
  warnings: WarningList,
): ReadonlySet<MessagePart> {
  const isSame =
    leaves.length === stream.leaves.length &&
    leaves.every((leaf, at) => isSameLeaf(email, leaf, stream.leaves[at] as StreamLeaf));
  const seen = isSame ? new Set(leaves.map(({ part }) => part)) : seenByBoth(leaves, stream.leaves);
  if (!isSame || stream.problem !== null) {
    const counts = `two programs that read it find different parts: the first finds ${leaves.length}, the second ${stream.leaves.length}, and ${seen.size} are the same`;
    warnings.add('readings_disagree', null, stream.problem === null ? counts : `${counts} (${stream.problem})`);
  }
  return seen;
}

/**
 * Returns true for the same bytes, with or without the line break in front of the delimiter. mailparser gives that line break to the part
 * when the body is empty or its last line is longer than 64 KiB. Ordinary mail has such parts, and every program shows them alike.
 */
function isSameLeaf(email: Buffer, expected: ExpectedLeaf, leaf: StreamLeaf): boolean {
  if (expected.sha256 === leaf.sha256) return true;
  const length = leaf.size - expected.size;
  if (length !== 1 && length !== 2) return false;
  const { end } = expected.part.body;
  const lineBreak = email.subarray(end, end + length);
  if (withoutLineBreak(lineBreak, 0, length) !== 0) return false;
  const hash = createHash('sha256').update(expected.bytes()).update(lineBreak);
  return hash.digest('hex') === leaf.sha256;
}

/** Returns the leaves whose bytes the other reading lists too, in any order. */
function seenByBoth(leaves: readonly ExpectedLeaf[], others: readonly StreamLeaf[]): ReadonlySet<MessagePart> {
  const unmatched = new Map<string, number>();
  for (const { sha256 } of others) unmatched.set(sha256, (unmatched.get(sha256) ?? 0) + 1);
  const seen = new Set<MessagePart>();
  for (const { part, sha256 } of leaves) {
    const count = unmatched.get(sha256) ?? 0;
    if (count === 0) continue;
    unmatched.set(sha256, count - 1);
    seen.add(part);
  }
  return seen;
}
