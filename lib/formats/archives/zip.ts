/**
 * Opens zip archives with zip.js, first in strict mode. If programs could read the archive in different ways, it is read again by
 * its central directory, and the outcome says so. Every unpacked byte is counted as it comes.
 */
import type { FileEntry } from '@zip.js/zip.js';
import { createOutput, type Output, OverBudget, refuseTotals } from './collect.ts';
import { passwordsWithin } from './password-tries.ts';
import { openWithSevenZip } from './seven-zip.ts';
import { type Unpacked, type UnpackRequest, unopenedArchive } from './unpacking.ts';
import { type Strictness, zipEntries } from './zip-entries.ts';

/** Opens one zip. Never throws on content. */
export async function openZip(request: UnpackRequest): Promise<Unpacked> {
  const strict = await openAs(request, 'strict');
  if (strict !== null && strict.outcome !== 'damaged') return strict;
  // Most programs read only the central directory. Others read the zip in another way, so it counts as damaged.
  const tolerant = await openAs(request, 'tolerant');
  if (tolerant === null) return strict ?? unopenedArchive('damaged', 'a zip whose directory cannot be read');
  if (tolerant.outcome !== 'opened') return tolerant;
  return { ...tolerant, outcome: 'damaged', detail: 'a zip that programs read in different ways' };
}

/** Opens the zip with this strictness. Returns null when its directory cannot be read with it. */
async function openAs(request: UnpackRequest, strictness: Strictness): Promise<Unpacked | null> {
  const { bytes, allowance } = request;
  const entries = await zipEntries(bytes, strictness);
  if (entries === null) return null;
  const files = entries.filter((entry): entry is FileEntry => !entry.directory);
  // The other library opens members whose method zip.js does not know (LZMA, bzip2, PPMd, Zstandard).
  if (files.some((file) => !ZIP_JS_METHODS.has(file.compressionMethod))) return openWithSevenZip(request);
  const output = createOutput(allowance, bytes.length);
  const progress: Progress = { output, strictness, secret: null, isClosed: false, isDamaged: false };
  try {
    const declared = files.reduce((sum, file) => sum + file.uncompressedSize, 0);
    refuseTotals(allowance, bytes.length, { members: files.length, bytes: declared });
    if (files.some((file) => file.encrypted)) progress.secret = await findSecret(files, request, progress);
    for (const file of files) await takeFile(file, progress, allowance.memberBytes);
  } catch (error) {
    const over = error instanceof OverBudget ? error.message : null;
    return output.result({ ...(over === null ? DAMAGE : { outcome: 'over_budget', detail: over }), ...told(progress) });
  }
  return output.result({ ...endOf(progress), ...told(progress) });
}

/** Stored, Deflate and Deflate64. 99 is AES around one of them. */
const ZIP_JS_METHODS = new Set([0, 8, 9, 99]);
const DAMAGE = { outcome: 'damaged', detail: 'a zip with damaged members' } as const;

/** A password and its bytes. Old programs encode it in the charset of their system. */
interface Secret {
  readonly password: string;
  readonly rawPassword: Uint8Array;
}

interface Progress {
  readonly output: Output;
  readonly strictness: Strictness;
  secret: Secret | null;
  isClosed: boolean;
  isDamaged: boolean;
}

const told = ({ secret }: Progress) => ({ untrustedPassword: secret?.password ?? null });

function endOf({ isClosed, isDamaged }: Progress): Partial<Unpacked> {
  if (isClosed) return { outcome: 'encrypted', detail: 'a zip with members that need a password' };
  return isDamaged ? DAMAGE : {};
}

async function takeFile(file: FileEntry, progress: Progress, memberBytes: number): Promise<void> {
  if (file.encrypted && progress.secret === null) {
    progress.isClosed = true;
    return;
  }
  try {
    const bytes = await read(file, progress, file.encrypted ? progress.secret : null);
    if (bytes.length > memberBytes) throw new OverBudget('a member larger than is looked at');
    progress.output.add(namesOf(file), bytes);
  } catch (error) {
    if (error instanceof OverBudget) throw error;
    // Each member may have another password.
    if (file.encrypted) progress.isClosed = true;
    else progress.isDamaged = true;
  }
}

/** Returns the name as zip.js reads it, and the bytes of the entry itself, because programs use different charsets and extra fields. */
function namesOf({ filename, rawFilename }: FileEntry): string[] {
  const raw = Buffer.from(rawFilename).toString('latin1');
  const plain = (name: string) => name.replace(/[^\x20-\x7e]/g, '');
  return plain(raw) === plain(filename) ? [filename] : [filename, raw];
}

async function read(
  file: FileEntry,
  { output, strictness }: Pick<Progress, 'output' | 'strictness'>,
  secret: Secret | null,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  let over: OverBudget | null = null;
  const sink = new WritableStream<Uint8Array>({
    write(piece) {
      size += piece.length;
      try {
        output.count(piece.length, size);
      } catch (error) {
        over = error as OverBudget;
        throw error;
      }
      pieces.push(piece);
    },
  });
  const key = secret === null ? {} : { rawPassword: secret.rawPassword };
  try {
    await file.getData(sink, { ...key, strictness, useWebWorkers: false, checkSignature: true });
  } catch (error) {
    throw over ?? error;
  }
  return Buffer.concat(pieces);
}

/**
 * Returns the first password that opens the smallest encrypted member completely. The check value alone is not enough, because in ZipCrypto
 * it is one byte, so that one wrong password in 256 passes.
 */
async function findSecret(
  files: readonly FileEntry[],
  request: UnpackRequest,
  { strictness }: Progress,
): Promise<Secret | null> {
  const [smallest] = files.filter((file) => file.encrypted).sort((a, b) => a.uncompressedSize - b.uncompressedSize);
  if (smallest === undefined) return null;
  const { allowance, bytes } = request;
  for (const secret of secretsOf(passwordsWithin(request))) {
    const { rawPassword } = secret;
    try {
      const check = { rawPassword, strictness, checkPasswordOnly: true, useWebWorkers: false };
      await smallest.getData(new WritableStream(), check);
    } catch {
      continue;
    }
    try {
      await read(smallest, { output: createOutput(allowance, bytes.length), strictness }, secret);
      return secret;
    } catch (error) {
      // The member could be opened, and is only too large, so the password is right.
      if (error instanceof OverBudget) return secret;
    }
  }
  return null;
}

function* secretsOf(passwords: Iterable<string>): Generator<Secret> {
  for (const password of passwords) {
    const utf8 = Buffer.from(password, 'utf8');
    const latin1 = Buffer.from(password, 'latin1');
    yield { password, rawPassword: utf8 };
    if (latin1.toString('latin1') === password && !latin1.equals(utf8)) yield { password, rawPassword: latin1 };
  }
}
