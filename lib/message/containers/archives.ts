/** Archives: recognised by their first bytes, and opened by the port, away from this thread. */
import type { ArchiveFormat } from '../../formats/archives/unpacking.ts';
import { END_BYTES, endRecords } from '../../formats/archives/zip-records.ts';
import { asBuffer } from '../../formats/byte-scan.ts';
import { type Candidate, type Container, type OpenContext, type Opened, opened } from './container.ts';

function starts(bytes: Uint8Array, at: number, magic: string): boolean {
  // A loop, because every leaf is compared with every format.
  for (let index = 0; index < magic.length; index++) if (bytes[at + index] !== magic.charCodeAt(index)) return false;
  return true;
}

/** Types whose files are always zips. The engines that know them open them. */
const DOCUMENTS =
  /^application\/(?:vnd\.(?:openxmlformats|ms-|oasis\.)|java-archive|vnd\.android|vnd\.google-earth|vnd\.apple\.iwork|epub)/;

const isDocument = ({ detectedType }: Candidate) => DOCUMENTS.test(detectedType);

function isZip(candidate: Candidate): boolean {
  const begins = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'].some((magic) => starts(candidate.bytes, 0, magic));
  return begins && !isDocument(candidate);
}

/**
 * Returns true for an end record that only its comment follows. The directory of a zip is at its end, so archive programs open a zip behind
 * any other bytes.
 */
function endsAsZip(candidate: Candidate): boolean {
  const { bytes, detectedType } = candidate;
  // A message ends with its last attachment, which may be a zip.
  if (isZip(candidate) || isDocument(candidate) || detectedType === 'message/rfc822') return false;
  const [end] = endRecords(asBuffer(bytes));
  return end !== undefined && end.at + END_BYTES + end.commentLength === bytes.length;
}

const FORMATS: readonly (readonly [ArchiveFormat, (candidate: Candidate) => boolean])[] = [
  ['zip', isZip],
  ['7z', ({ bytes }) => starts(bytes, 0, '7z\xbc\xaf\x27\x1c')],
  ['rar', ({ bytes }) => starts(bytes, 0, 'Rar!\x1a\x07')],
  ['gzip', ({ bytes }) => starts(bytes, 0, '\x1f\x8b')],
  ['bzip2', ({ bytes }) => starts(bytes, 0, 'BZh') && (bytes[3] ?? 0) >= 0x31 && (bytes[3] ?? 0) <= 0x39],
  ['xz', ({ bytes }) => starts(bytes, 0, '\xfd7zXZ\0')],
  ['cab', ({ bytes }) => starts(bytes, 0, 'MSCF\0\0\0\0')],
  ['tar', ({ bytes }) => starts(bytes, 257, 'ustar')],
  // The descriptors of ISO 9660 and of UDF are at the same place.
  ['iso', ({ bytes }) => ['CD001', 'BEA01'].some((magic) => starts(bytes, 32_769, magic))],
];

type Test = (candidate: Candidate) => boolean;

const archive = (name: ArchiveFormat, isIt: Test): Container => ({
  name,
  accepts: (candidate) => candidate.role !== 'body' && isIt(candidate),
  open: (candidate, context) => open(name, candidate, context),
});

/** One container per archive format. */
export const archives: readonly Container[] = FORMATS.map(([name, isIt]) => archive(name, isIt));

/** A zip behind something else. */
export const trailingZip: Container = archive('zip', endsAsZip);

async function open(format: ArchiveFormat, candidate: Candidate, context: OpenContext): Promise<Opened> {
  const unpacked = await context.unpack({
    format,
    bytes: candidate.bytes,
    untrustedName: candidate.untrustedNames[0] ?? null,
    passwords: context.passwords,
    allowance: context.budget.allowance(),
  });
  const declared = { declaredType: 'application/octet-stream', charset: null, role: 'file' } as const;
  return opened({ ...unpacked, members: unpacked.members.map((member) => ({ ...member, ...declared })) });
}
