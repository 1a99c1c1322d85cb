/** Zip archives: the entries of the directory, and the members, which are analysed one by one while the budget lasts. */

import { readZipMember, type ZipMember } from '../../../formats/archives/zip-directory.ts';
import type { Finding } from '../../engine.ts';
import { hasDoubleExtension, isBait, isPlain, isProgram, placesOf } from '../findings/executable-kind.ts';
import { finding } from '../findings/findings.ts';
import type { ModuleResult, Piece, StaticFile, StaticModule } from '../findings/module.ts';
import { openZip } from './zip-integrity.ts';

/** The longest member that is extracted. A program is recognised in its first megabytes, and all members share the budget. */
const MAX_MEMBER_BYTES = 16 * 1024 * 1024;
/** The most bytes that are unpacked from one archive. */
const MAX_MEMBERS_BYTES = 64 * 1024 * 1024;
const MAX_MEMBERS = 200;
/** Characters that change the order in which a name is shown: `cod.exe` looks like `exe.doc`. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/;

/** Archives, and documents that are a zip without a structure of their own for what runs. */
const ZIPS = new Set([
  'application/zip',
  'application/vnd.google-earth.kmz',
  'application/epub+zip',
  'application/vnd.apple.iwork.pdf',
  'application/vnd.apple.iwork.picture',
]);

export const archiveModule: StaticModule = {
  name: 'archive',
  accepts: (type) => ZIPS.has(type),
  run: (file) => {
    const { members, findings } = openZip(file);
    const pieces = memberPieces(file, members);
    return { findings: [...findings, ...suspectMembers(members, pieces)], views: [], pieces, understood: false };
  },
};

/** Java archives and Android packages, which are programs in a zip. */
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

/** Returns the piece for a member of any kind of archive. */
export function memberPiece(untrustedPath: string, bytes: Uint8Array): Piece {
  const untrustedName = untrustedPath.slice(untrustedPath.lastIndexOf('/') + 1);
  return { where: untrustedPath, bytes, kind: 'extracted_file', untrustedName, scope: 'file' };
}

/** Libraries in packages for Unix. A click does not start them. */
const SHARED_LIBRARY = /\.(?:so(?:\.\d{1,4}){0,4}|dylib)$/;

function suspectMembers(members: readonly ZipMember[], pieces: readonly Piece[]): Finding[] {
  return judgeNames(
    members.map(({ untrustedName }) => untrustedName),
    pieces,
  );
}

/** Judges an archive by the names of its members and by the first bytes of the extracted ones. */
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
