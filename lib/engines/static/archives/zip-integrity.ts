/** Checks that a zip archive reads the same in every program, stays inside of its folder, and is not a bomb. */

import { localName, readZipDirectory, type ZipMember } from '../../../formats/archives/zip-directory.ts';
import { EngineError, type Finding } from '../../engine.ts';
import { finding } from '../findings/findings.ts';
import type { StaticFile } from '../findings/module.ts';

/** Below this size no expansion counts as a bomb. A megabyte of blanks can be an ordinary file. */
const RATIO_FROM_BYTES = 1024 * 1024;
const SYMLINK = 0xa000;
const FILE_KIND = 0xf000;

export interface CheckedZip {
  readonly members: readonly ZipMember[];
  readonly findings: readonly Finding[];
}

/**
 * Reads and checks the directory. Throws EngineError: `unreadable` when the directory is not complete, `oversize` above `limits.entries`
 * members and for a bomb, and `encrypted` when a member needs a password and none was given.
 */
export function openZip(file: Pick<StaticFile, 'bytes' | 'limits' | 'password'>): CheckedZip {
  const { bytes, limits } = file;
  const directory = readZipDirectory(bytes, limits.entries);
  if (directory === null) throw new EngineError('unreadable', 'the archive has no directory');
  const { members } = directory;
  if (members.length >= limits.entries)
    throw new EngineError('oversize', `the archive has more than ${limits.entries} members`);
  if (!directory.complete) throw new EngineError('unreadable', 'the directory of the archive breaks off');
  // With a password, unread members are not a failure, because an archive is never called benign.
  if ((file.password ?? null) === null && members.some((member) => member.encrypted))
    throw new EngineError('encrypted', 'members of the archive need a password');
  if (isBomb(members, limits.ratio))
    throw new EngineError('oversize', 'the archive is a bomb: its members overlap or expand without end');
  const findings = [...ambiguities(bytes, members), ...escapes(members)];
  return { members, findings };
}

function isBomb(members: readonly ZipMember[], ratio: number): boolean {
  const expands = members.some(({ size, compressedSize }) => size > RATIO_FROM_BYTES && size > compressedSize * ratio);
  return expands || overlaps(members);
}

/** Returns true when members share bytes. One small block, counted thousands of times, makes terabytes. */
function overlaps(members: readonly ZipMember[]): boolean {
  const sorted = members.toSorted((one, other) => one.offset - other.offset);
  return sorted.some((member, index) => {
    const next = sorted[index + 1];
    return next !== undefined && next.offset < member.offset + 30 + member.compressedSize;
  });
}

/** Finds names that appear twice, or that differ between the directory and the member. Two programs would see two contents. */
function ambiguities(bytes: Uint8Array, members: readonly ZipMember[]): Finding[] {
  const seen = new Set<string>();
  for (const member of members) {
    const name = member.untrustedName.toLowerCase();
    if (seen.has(name) || localName(bytes, member) !== member.untrustedName)
      return [finding('archive-ambiguous', member.untrustedName)];
    seen.add(name);
  }
  return [];
}

function escapes(members: readonly ZipMember[]): Finding[] {
  const escaping = members.find(
    ({ untrustedName, unixMode }) =>
      /(?:^|[\\/])\.\.(?:[\\/]|$)|^[\\/]|^[a-z]:/i.test(untrustedName) || (unixMode & FILE_KIND) === SYMLINK,
  );
  return escaping === undefined ? [] : [finding('archive-path', escaping.untrustedName)];
}
