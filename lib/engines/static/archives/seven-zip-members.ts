/** Members of archives and disk images as 7-Zip unpacks them, in memory and under a budget of their own. */
import type { SevenZipFormat } from '../../archives/seven-zip.ts';
import { openBudget } from '../../archives/unpack-budget.ts';
import { threadTimeMs } from '../../thread-time.ts';
import type { Piece, StaticFile } from '../findings/module.ts';
import { memberPiece } from './archive.ts';

/** Bytes that 7-Zip may unpack of one file: they stand in memory together. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
/** Members that are looked at, of an image with a whole system on it. */
const MAX_MEMBERS = 200;
/** Tables of a file system, which 7-Zip lists as files: looked at last, so that they take no place from the others. */
const OWN_TABLES = /^\[SYSTEM\]\//;

export interface Members {
  /** Paths of all members, also of those that are no pieces. Untrusted. */
  readonly names: readonly string[];
  readonly pieces: readonly Piece[];
}

/**
 * Unpacks with the given format of 7-Zip. Throws EngineError: `encrypted`, `oversize` above 64 MiB or for a bomb, `unreadable` for
 * everything that 7-Zip does not unpack without complaint.
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
