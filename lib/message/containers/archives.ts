/** Archives: told by their first bytes, opened by the port, away from this thread. */
import type { ArchiveFormat, Candidate, Container, OpenContext, Opened } from './container.ts';

const starts = (bytes: Uint8Array, at: number, magic: string) =>
  bytes.length >= at + magic.length && [...magic].every((char, index) => bytes[at + index] === char.charCodeAt(0));

/** Types that are zips by construction, opened by the engines that know them. */
const DOCUMENTS = /^application\/(?:vnd\.(?:openxmlformats|ms-|oasis\.)|java-archive|vnd\.android|epub)/;
/** A zip's end record is within its last 64 KiB of comment (APPNOTE 4.3.16). */
const END_SEARCH = 65_557;

const isDocument = ({ detectedType }: Candidate) => DOCUMENTS.test(detectedType);

function isZip(candidate: Candidate): boolean {
  const begins = ['PK\x03\x04', 'PK\x05\x06', 'PK\x07\x08'].some((magic) => starts(candidate.bytes, 0, magic));
  return begins && !isDocument(candidate);
}

/**
 * A zip ends with its directory, so one may stand behind anything: archive programs open it all the same. An end record that
 * is followed by its comment and nothing else.
 */
function endsAsZip(candidate: Candidate): boolean {
  const { bytes, detectedType } = candidate;
  // A message ends with its last attachment, which may well be a zip.
  if (isZip(candidate) || isDocument(candidate) || detectedType === 'message/rfc822') return false;
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(-END_SEARCH);
  const at = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  return at >= 0 && at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) === tail.length;
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
  // The descriptors of ISO 9660 and of UDF stand at the same place.
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

function open(format: ArchiveFormat, candidate: Candidate, context: OpenContext): Promise<Opened> {
  return context.unpack({
    format,
    bytes: candidate.bytes,
    untrustedName: candidate.untrustedNames[0] ?? null,
    passwords: context.passwords,
    allowance: context.budget.allowance(),
  });
}
