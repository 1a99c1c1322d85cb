/** Members of archives and disk images, unpacked by 7-Zip in memory and under their own budget. */

import { threadTimeMs } from '../../../formats/threads/thread-time.ts';
import type { SevenZipFormat } from '../../archives/seven-zip.ts';
import { openBudget } from '../../archives/unpack-budget.ts';
import type { Piece, StaticFile } from '../findings/module.ts';
import { memberPiece } from './archive.ts';

/** The most bytes that 7-Zip may unpack from one file. All of them are in memory together. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
/** The most members that are analysed. An image can hold a whole system. */
const MAX_MEMBERS = 200;
/** Tables of a file system, which 7-Zip lists as files. They are analysed last, so that they take no place from real files. */
const OWN_TABLES = /^\[SYSTEM\]\//;

export interface Members {
  /** The paths of all members, also of those that were not extracted. Untrusted. */
  readonly names: readonly string[];
  readonly pieces: readonly Piece[];
}

/**
 * Unpacks with the given format of 7-Zip. Throws EngineError: `encrypted`, `oversize` above 64 MiB or for a bomb, and `unreadable` for
 * everything that 7-Zip does not unpack without an error.
 */
export async function sevenZipMembers(
  { bytes, untrustedName, limits }: StaticFile,
  format: SevenZipFormat,
): Promise<Members> {
  const { unpackArchive } = await import('../../archives/seven-zip.ts');
  const bounded = { ...limits, inflatedBytes: Math.min(limits.inflatedBytes, MAX_UNPACKED_BYTES) };
  const budget = openBudget(bounded, { now: threadTimeMs, endsAt: threadTimeMs() + limits.timeoutMs });
  const members = await unpackArchive({ bytes, untrustedName, password: null }, format, budget);
  const isOwn = (name: string) => Number(OWN_TABLES.test(name));
  const files = members
    .filter(({ kind }) => kind === 'file')
    .toSorted((one, other) => isOwn(one.untrustedName) - isOwn(other.untrustedName))
    .slice(0, MAX_MEMBERS);
  const pieces: Piece[] = [];
  for (const member of files) pieces.push(memberPiece(member.untrustedName, await member.read()));
  return { names: members.map((member) => member.untrustedName), pieces };
}
