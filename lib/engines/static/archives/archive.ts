/** Archives: for zip, what its directory says, and its members, each looked at in turn as far as the budget goes. */

import { readZipMember, type ZipMember } from '../../../formats/archives/zip-directory.ts';
import type { Finding } from '../../engine.ts';
import { hasDoubleExtension, isBait, isPlain, isProgram, placesOf } from '../findings/executable-kind.ts';
import { finding } from '../findings/findings.ts';
import type { ModuleResult, Piece, StaticFile, StaticModule } from '../findings/module.ts';
import { openZip } from './zip-integrity.ts';

/** Longest member that is taken out: programs hide in the first megabytes, and the budget is shared. */
const MAX_MEMBER_BYTES = 16 * 1024 * 1024;
/** Bytes inflated out of one archive. */
const MAX_MEMBERS_BYTES = 64 * 1024 * 1024;
const MAX_MEMBERS = 200;
/** Characters that turn the order of a name around: `cod.exe` shows as `exe.doc`. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/;

export const archiveModule: StaticModule = {
  name: 'archive',
  accepts: (type) => type === 'application/zip',
  run: (file) => {
    const { members, findings } = openZip(file);
    const pieces = memberPieces(file, members);
    return { findings: [...findings, ...suspectMembers(members, pieces)], views: [], pieces, understood: false };
  },
};

/** Java archives and Android packages: programs in a zip. */
export const javaModule: StaticModule = {
  name: 'java',
  accepts: (type) => type === 'application/java-archive' || type === 'application/vnd.android.package-archive',
  run: (file): ModuleResult => {
    const { members, findings } = openZip(file);
    const views = memberPieces(file, members);
    return { findings: [...findings, finding('program')], views, understood: false };
  },
};

function memberPieces({ bytes, limits }: StaticFile, members: readonly ZipMember[]): Piece[] {
  const pieces: Piece[] = [];
  let left = Math.min(MAX_MEMBERS_BYTES, limits.inflatedBytes);
  for (const member of members) {
    if (pieces.length >= MAX_MEMBERS || left <= 0) break;
    const content = readZipMember(bytes, member, Math.min(left, MAX_MEMBER_BYTES));
    if (content === null || content.length === 0) continue;
    left -= content.length;
    pieces.push(memberPiece(member.untrustedName, content));
  }
  return pieces;
}

/** A member of any kind of archive. */
export function memberPiece(untrustedPath: string, bytes: Uint8Array): Piece {
  const untrustedName = untrustedPath.slice(untrustedPath.lastIndexOf('/') + 1);
  return { where: untrustedPath, bytes, kind: 'extracted_file', untrustedName, scope: 'file' };
}

/** Compiled parts of packages for Unix, which no click starts. */
const SHARED_LIBRARY = /\.(?:so(?:\.\d{1,4}){0,4}|dylib)$/;

function suspectMembers(members: readonly ZipMember[], pieces: readonly Piece[]): Finding[] {
  return judgeNames(
    members.map(({ untrustedName }) => untrustedName),
    pieces,
  );
}

/** What names of members, and the first bytes of those that were taken out, say about an archive. */
export function judgeNames(names: readonly string[], pieces: readonly Piece[]): Finding[] {
  const places = placesOf(names);
  const byName = places.find(isBait)?.name;
  const plain = new Set(places.filter(isPlain).map(({ name }) => name));
  const byContent = pieces.find(
    ({ where, bytes }) => plain.has(where.replaceAll('\\', '/')) && !SHARED_LIBRARY.test(where) && isProgram(bytes),
  );
  const suspect = byName ?? byContent?.where;
  const turned = names.find((name) => BIDI_CONTROLS.test(name));
  const double = names.find(hasDoubleExtension);
  return [
    ...(suspect === undefined ? [] : [finding('archive-executable', suspect)]),
    ...(turned === undefined ? [] : [finding('bidi-control', turned)]),
    ...(double === undefined ? [] : [finding('double-extension', double)]),
  ];
}
