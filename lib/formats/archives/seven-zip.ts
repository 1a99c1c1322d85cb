/**
 * Opens archives that only 7-Zip knows. Archives whose listing exceeds the allowance are refused. Damaged ones are unpacked as far as
 * possible.
 */
import { createOutput, type Output, OverBudget, refuseTotals } from './collect.ts';
import { passwordsWithin } from './password-tries.ts';
import { ARCHIVE, namesIn, OUT, openSevenZip, type SevenZip } from './seven-zip-host.ts';
import { nameWithin } from './single-name.ts';
import type { ArchiveFormat, Unpacked, UnpackRequest } from './unpacking.ts';

/** Formats of one file without a name, and the name that 7-Zip gives it. */
const NAMELESS: ReadonlySet<ArchiveFormat> = new Set(['gzip', 'bzip2', 'xz']);
const UNNAMED = /^archive~?$/;
/** Characters of one path. Without a limit, folders in folders could exhaust the stack. */
const MAX_PATH = 2_000;
/** The messages by which 7-Zip reports a wrong password: directly, or through damaged output. */
const WRONG_PASSWORD = /Wrong password|encrypted archive|Data Error in encrypted file|password is incorrect/i;
const DAMAGED =
  /(?:Data|CRC|Headers?) Error|Unexpected end|Can(?:not|'t) open|Is not archive|Errors?:|Missing volume|Unavailable/i;

/** Opens one archive. Never throws on content. */
export async function openWithSevenZip(request: UnpackRequest): Promise<Unpacked> {
  const { allowance, bytes } = request;
  const output = createOutput(allowance, bytes.length);
  try {
    const program = await openSevenZip(bytes, { written: output.count });
    const listing = firstListing(program, request);
    if (listing === 'encrypted') return output.result(CLOSED);
    if (listing.members === 0 && listing.isDamaged) return output.result(DAMAGE);
    refuseTotals(allowance, bytes.length, listing);
    const password = listing.isEncrypted ? passwordOf(program, listing, request) : null;
    const extraction = run(program, ['x', '-y', '-aou', `-p${password ?? ''}`, `-o${OUT}`, ARCHIVE]);
    const isClosed = listing.isEncrypted && password === null;
    // After a wrong password, the files contain noise and are not members.
    collect(program, output, request, (path) => !isClosed || listing.openPaths.has(path));
    if (isClosed) return output.result(CLOSED);
    return output.result({ ...(extraction.isDamaged ? DAMAGE : {}), untrustedPassword: password });
  } catch (error) {
    if (error instanceof OverBudget) return output.result({ outcome: 'over_budget', detail: error.message });
    throw error;
  }
}

const CLOSED = { outcome: 'encrypted', detail: 'an archive that needs a password' } as const;
const DAMAGE = { outcome: 'damaged', detail: 'an archive that is damaged, or a file that is not an archive' } as const;

/** Runs one command of 7-Zip and returns its console. Throws OverBudget. */
function run(program: SevenZip, args: readonly string[]): { readonly text: string; readonly isDamaged: boolean } {
  const { code, lines } = program.run(args);
  const text = lines.join('\n');
  return { text, isDamaged: code !== 0 || DAMAGED.test(text) };
}

interface Listed {
  readonly members: number;
  readonly bytes: number;
  readonly isDamaged: boolean;
  readonly isEncrypted: boolean;
  /** The password that opened the directory. Null when it needs none. */
  readonly password: string | null;
  /** Paths of members that need no password. */
  readonly openPaths: ReadonlySet<string>;
}

/** Returns the listing. An encrypted directory is listed with the first password that opens it. */
function firstListing(program: SevenZip, request: UnpackRequest): Listed | 'encrypted' {
  const plain = run(program, ['l', '-slt', '-p', ARCHIVE]);
  if (!WRONG_PASSWORD.test(plain.text)) return listed(plain, null);
  for (const password of passwordsWithin(request)) {
    const attempt = run(program, ['l', '-slt', `-p${password}`, ARCHIVE]);
    if (!WRONG_PASSWORD.test(attempt.text)) return listed(attempt, password);
  }
  return 'encrypted';
}

function listed({ text, isDamaged }: { text: string; isDamaged: boolean }, password: string | null): Listed {
  // Below the line, blank lines separate the members. A format without names has no paths.
  const start = text.indexOf('\n----------');
  const entries = start < 0 ? [] : text.slice(start).split('\n\n');
  const members = entries.filter((entry) => /^Size = /m.test(entry) && !/^Folder = \+/m.test(entry));
  const sizes = [...text.matchAll(/^Size = (\d{1,15})$/gm)].map((match) => Number(match[1]));
  const open = members.filter((entry) => !/^Encrypted = \+/m.test(entry));
  return {
    members: members.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    isDamaged,
    isEncrypted: open.length < members.length,
    password,
    openPaths: new Set(open.map((entry) => /^Path = (.*)$/m.exec(entry)?.[1] ?? '')),
  };
}

/** Returns the password that opens every member of a listed archive. Returns null when none does. Writes nothing. */
function passwordOf(program: SevenZip, listing: Listed, request: UnpackRequest): string | null {
  if (listing.password !== null) return listing.password;
  for (const password of passwordsWithin(request)) {
    const { text } = run(program, ['t', `-p${password}`, ARCHIVE]);
    if (!WRONG_PASSWORD.test(text)) return password;
  }
  return null;
}

/** Adds files as members, with their paths in the archive as names. Links are not followed, because they have no content. */
function collect(
  program: SevenZip,
  output: Output,
  request: UnpackRequest,
  accepts: (path: string) => boolean,
  folder = OUT,
): void {
  const { files } = program;
  if (folder.length > MAX_PATH) throw new OverBudget('folders nested too deeply');
  for (const name of namesIn(files, folder)) {
    const child = `${folder}/${name}`;
    const path = child.slice(OUT.length + 1);
    const { mode } = files.lstat(child);
    if (files.isDir(mode)) collect(program, output, request, accepts, child);
    else if (files.isFile(mode) && accepts(path)) {
      const given = NAMELESS.has(request.format) && UNNAMED.test(path) ? nameWithin(request.untrustedName) : path;
      output.add(given === null ? [] : [given], files.readFile(child));
      files.unlink(child);
    }
  }
}
