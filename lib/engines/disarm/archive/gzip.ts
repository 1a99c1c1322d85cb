/**
 * Disarm of gzip files. One with a single harmless file stays unchanged, when the second look proves that it contains nothing else.
 * Otherwise its file is packed anew. Anything but a single file with a name becomes a zip, like every other archive.
 */
import { gzipSync } from 'node:zlib';
import { gzipHeader, singleStream, withoutPadding } from '../../../formats/archives/gzip-layout.ts';
import { extensionOf } from '../../../formats/detection/detect.ts';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { isEditedText } from '../../../formats/names/source-names.ts';
import type { ArchiveMember } from '../../archives/member.ts';
import { unpackArchive } from '../../archives/seven-zip.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarm, Disarmed, DisarmStrategy, Nested, NestedResult } from '../disarm-module.ts';
import { removalLog } from '../removals.ts';
import { disarm as disarmAsZip, type StreamFile, streamOf } from './archive.ts';
import { nameProblem, runsByName, withExtension } from './member-names.ts';

/** The place of the program that wrote a gzip file, its tenth byte. 255 says nothing, so that equal files are equal on every system. */
const SYSTEM_AT = 9;
const UNKNOWN_SYSTEM = 255;

/** Returns `already_safe` for one harmless file after a plain header. Throws EngineError as `archive.ts` does. */
export const disarm: Disarm = (input, type, limits, nested) => disarmGzip(input, type, limits, nested, true);

/** The reason when the second look finds more in the bytes than the file. */
export const strategies: readonly DisarmStrategy[] = [
  {
    name: 'packed anew',
    keepsText: true,
    disarm: (input, type, limits, nested) => disarmGzip(input, type, limits, nested, false),
  },
];

async function disarmGzip(
  given: FileInput,
  type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
  mayStay: boolean,
): Promise<Disarmed> {
  const input = withoutZeros(given, nested.limits);
  const file = await streamOf(await unpackStream(input, nested), input);
  const isNamed = /[^./\\]\.gz$/i.test(input.untrustedName) && nameProblem(file.untrustedName) === null;
  const result =
    file.isTar || !isNamed
      ? null
      : await nested.disarm({ ...input, bytes: file.content, untrustedName: file.untrustedName });
  if (result === null || !isCalledSo(file, result)) return disarmAsZip(input, type, limits, nested);
  const isUnchanged = result.outcome === 'already_safe' && Buffer.compare(result.bytes, file.content) === 0;
  if (isUnchanged && mayStay && input === given && isPlainlyNamed(input.bytes, file))
    return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  return writtenAnew(given, type, file, result);
}

function withoutZeros(input: FileInput, { inflatedBytes }: EngineLimits): FileInput {
  try {
    const bytes = withoutPadding(input.bytes, inflatedBytes);
    return bytes.length === input.bytes.length ? input : { ...input, bytes };
  } catch {
    // It unpacks to more than the limit, and its reader says so.
    return input;
  }
}

/** Returns the declared size, which is in the last bytes. If something follows them, the file is damaged and not too large. */
async function unpackStream(input: FileInput, nested: Nested): Promise<ArchiveMember[]> {
  try {
    return await unpackArchive(input, 'gzip', nested);
  } catch (error) {
    const isOversize = error instanceof EngineError && error.code === 'oversize';
    if (!isOversize || unpacksToMore(input.bytes, nested.limits.inflatedBytes)) throw error;
    throw new EngineError('unreadable', 'the archive is damaged, or something is behind its end');
  }
}

function unpacksToMore(bytes: Uint8Array, most: number): boolean {
  try {
    return singleStream(bytes, most) !== null;
  } catch {
    return true;
  }
}

type Safe = Exclude<NestedResult, { readonly outcome: 'refused' }>;

/** Returns whether the file was made safe, and its name still fits. A gzip cannot give it another one. */
function isCalledSo({ untrustedName }: StreamFile, result: NestedResult): result is Safe {
  if (result.outcome === 'refused' || runsByName(untrustedName)) return false;
  const isText = result.type.type === 'text/plain' && isEditedText(extensionOf(untrustedName));
  return isText || withExtension(untrustedName, result.type) === untrustedName;
}

/** Returns true when the stored name has the extension of the name of the archive, or there is none: programs use one or the other. */
function isPlainlyNamed(bytes: Uint8Array, { untrustedName }: StreamFile): boolean {
  const header = gzipHeader(bytes);
  if (header === null || !header.isPlain) return false;
  const { storedName } = header;
  return (
    storedName === null || (nameProblem(storedName) === null && extensionOf(storedName) === extensionOf(untrustedName))
  );
}

function writtenAnew(input: FileInput, type: DetectedType, file: StreamFile, result: Safe): Disarmed {
  const log = removalLog();
  if (gzipHeader(input.bytes)?.isPlain !== true) log.note('metadata', 'gzip header');
  for (const { kind, action, where } of result.details) log.note(kind, where, action);
  const bytes = gzipSync(result.bytes);
  bytes[SYSTEM_AT] = UNKNOWN_SYSTEM;
  if (Buffer.compare(bytes, input.bytes) === 0)
    return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  // The name determines the type of the file in it, so the file is read again under such a name.
  const untrustedName = `disarmed.${extensionOf(file.untrustedName)}.gz`;
  const again: Disarm = (output, ...others) => disarm({ ...output, untrustedName }, ...others);
  return { outcome: 'disarmed', bytes, type, details: log.removals, again };
}
