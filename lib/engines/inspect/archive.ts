/** Inspects a zip that people unpack. It finds content that makes programs write other files than the list shows, or no files. */
import type { Findings } from './fact.ts';
import { type InflateBudget, layoutFaults, openZip, readMember, type ZipArchive, type ZipMember } from './zip-scan.ts';

export interface ArchiveFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Above the first size, a member that expands more often than the ratio is a bomb. */
const BOMB_BYTES = 1024 * 1024;
const BOMB_RATIO = 1_000;
/** Names that Windows treats as a device, in any folder and with any extension. */
const DEVICE = /(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)\s*(?:\.[^/]*)?(?:\/|$)/i;
/** Settings of a folder. Windows and KDE follow them where they are unpacked. */
const FOLDER_SETTINGS = /(?:^|\/)\s*(?:desktop\.ini|folder\.htt|\.directory)[\s.]*(?:\/|$)/i;
const KIND = 0xf000;
const REGULAR = 0x8000;
const FOLDER = 0x4000;

/** Returns the files of an archive. With findings, it reads the files and searches the archive; without, it returns only the names. */
export function readArchive(
  bytes: Uint8Array,
  budget: InflateBudget,
  findings: Findings | null,
): readonly ArchiveFile[] | null {
  const zip = openZip(bytes);
  if (zip === null) {
    findings?.add('zip-unreadable', 'archive');
    return null;
  }
  if (findings !== null) search(zip, findings);
  const files = zip.members.filter(({ name }) => !name.endsWith('/'));
  return files.map((member) => ({
    name: member.name,
    bytes: findings === null ? new Uint8Array() : contentOf(zip, member, budget, findings),
  }));
}

function search(zip: ZipArchive, findings: Findings): void {
  for (const id of layoutFaults(zip)) findings.add(id, 'archive');
  const view = new DataView(zip.bytes.buffer, zip.bytes.byteOffset, zip.bytes.byteLength);
  if (view.getUint32(zip.end + 4, true) !== 0) findings.add('zip-volumes', 'archive');
  for (const { name, mode, extraLength, offset } of zip.members) {
    const kind = mode & KIND;
    if (kind !== 0 && kind !== REGULAR && kind !== FOLDER) findings.add('zip-link', name);
    if (DEVICE.test(name)) findings.add('zip-device-name', name);
    if (FOLDER_SETTINGS.test(name)) findings.add('zip-folder-settings', name);
    const hasExtra = extraLength > 0 || (offset + 30 <= zip.bytes.length && view.getUint16(offset + 28, true) > 0);
    if (hasExtra) findings.add('zip-extra-field', name);
  }
}

function contentOf(zip: ZipArchive, member: ZipMember, budget: InflateBudget, findings: Findings): Uint8Array {
  const content = readMember(zip, member, budget);
  if (content.length !== member.size) findings.add('zip-lying-size', member.name);
  if (content.length > BOMB_BYTES && content.length > member.packedSize * BOMB_RATIO)
    findings.add('zip-bomb', member.name);
  return content;
}
