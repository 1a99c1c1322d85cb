/** Disarm of 7z, rar, tar, gzip, bzip2 and xz: unpacked in memory, every member disarmed by its own type, packed as a zip. */

import { detectType } from '../../../formats/detection/detect.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType } from '../../../formats/file-types.ts';
import type { ArchiveMember } from '../../archives/member.ts';
import { type SevenZipFormat, unpackArchive } from '../../archives/seven-zip.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';
import { removalLog } from '../removals.ts';
import { rebuildArchive } from './rebuild.ts';

const FORMATS: ReadonlyMap<string, SevenZipFormat> = new Map([
  ['application/x-7z-compressed', '7z'],
  ['application/vnd.rar', 'rar'],
  ['application/x-tar', 'tar'],
  ['application/gzip', 'gzip'],
  ['application/x-bzip2', 'bzip2'],
  ['application/x-xz', 'xz'],
]);
/** Formats of a single stream, which is a tar most of the time. */
const STREAMS: ReadonlySet<SevenZipFormat> = new Set(['gzip', 'bzip2', 'xz']);
const RAR5 = '526172211a070100';

/** Rebuilds an archive as a zip; always `disarmed`. Throws EngineError `encrypted`, `oversize` or `unreadable`. */
export async function disarm(
  input: FileInput,
  type: DetectedType,
  _limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const log = removalLog();
  const members = await membersOf(input, type, nested);
  const bytes = await rebuildArchive(members, { log, nested, password: input.password });
  return { outcome: 'disarmed', bytes, type: describeType('application/zip'), details: log.removals };
}

async function membersOf(input: FileInput, type: DetectedType, nested: Nested): Promise<ArchiveMember[]> {
  const named = FORMATS.get(type.type);
  if (named === undefined) throw new EngineError('unsupported', `${type.description}: no archive that is read here`);
  const isRar5 = Buffer.from(input.bytes.subarray(0, 8)).toString('hex') === RAR5;
  const format = named === 'rar' && isRar5 ? 'rar5' : named;
  const members = await unpackArchive(input, format, nested);
  if (!STREAMS.has(format)) return members;
  const { untrustedName, content, isTar } = await streamOf(members, input);
  if (isTar) return unpackArchive({ ...input, bytes: content }, 'tar', nested);
  return [{ untrustedName, kind: 'file', read: async () => content }];
}

/** The only file in a format without a list of members. */
export interface StreamFile {
  /** The name of the archive without its extension. */
  readonly untrustedName: string;
  readonly content: Uint8Array;
  readonly isTar: boolean;
}

/** Returns the only file among these members. Throws EngineError `unreadable` when there is none, or several. */
export async function streamOf(members: readonly ArchiveMember[], input: FileInput): Promise<StreamFile> {
  const [stream] = members;
  if (stream === undefined || members.length > 1)
    throw new EngineError('unreadable', 'the archive holds no single file');
  const content = await stream.read();
  const inner = await detectType(content, stream.untrustedName);
  return { untrustedName: streamName(input.untrustedName), content, isTar: inner.type === 'application/x-tar' };
}

/** Returns the name of the content: `report.pdf.gz` contains `report.pdf`. Nobody sees the name within the stream. */
function streamName(untrustedName: string): string {
  const last = untrustedName.split(/[\\/]/).at(-1) ?? '';
  return last.replace(/\.(?:gz|bz2|xz|tgz|tbz2?|txz)$/i, '') || 'file';
}
