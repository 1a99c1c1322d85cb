/** Disarms the members of any archive and packs them as a new zip, with a report of the omissions. */
import { defanged } from '../../../formats/names/defanged.ts';
import type { ArchiveMember } from '../../archives/member.ts';
import type { Nested } from '../disarm-module.ts';
import { type PackedPart, packPart, writeZip } from '../office/package/zip-write.ts';
import type { RemovalLog } from '../removals.ts';
import { nameProblem, runsByName, safePath, withExtension } from './member-names.ts';

export interface ArchiveWork {
  readonly log: RemovalLog;
  readonly nested: Nested;
  readonly password: string | null;
}

/** Lists the files without a separate note: files with misleading names, and all after the first few. */
const REPORT_NAME = 'REMOVED FILES.txt';
/** Lines of the report. More lines would not help anyone to understand an archive of 20,000 programs. */
const MAX_REPORT_LINES = 500;
/** An archive of 20,000 programs would become one of 20,000 notes. */
const MAX_NOTES = 20;

/** Disarms and packs. Throws EngineError when the budget of the upload is spent or a member cannot be read. */
export async function rebuildArchive(members: readonly ArchiveMember[], work: ArchiveWork): Promise<Uint8Array> {
  const packed = new Map<string, Uint8Array | null>();
  const taken = new Set<string>();
  const notes: Dropped[] = [];
  const dropped: string[] = [];
  const drop = (name: string, reason: string) => {
    work.log.note('file that cannot be made safe', `${shown(name)}: ${reason}`);
    // A misleading name is not shown.
    const isReadable = nameProblem(name) === null;
    if (isReadable && notes.length < MAX_NOTES) notes.push({ name, reason });
    else dropped.push(`${isReadable ? defanged(shown(name)) : 'a file with a misleading name'} - ${defanged(reason)}`);
  };
  for (const member of members) {
    const problem = nameProblem(member.untrustedName) ?? (member.kind === 'link' ? 'it is a link' : null);
    if (problem !== null) drop(member.untrustedName, problem);
    else if (member.kind === 'folder') packed.set(`${safePath(member.untrustedName).join('/')}/`, null);
    else await packFile(member, { work, packed, taken, drop });
  }
  // It comes after the members, so that no note takes the name of a file.
  for (const note of notes) packed.set(unique(noteName(note), taken), Buffer.from(noteText(note), 'utf8'));
  if (dropped.length > 0) packed.set(unique(REPORT_NAME, taken), Buffer.from(reportText(dropped), 'utf8'));
  return zipOf(packed);
}

interface Dropped {
  readonly name: string;
  readonly reason: string;
}

/** Returns the note at the place of the file: `a/setup.exe (removed).txt`. */
function noteName({ name }: Dropped): string {
  const path = safePath(name);
  return [...path.slice(0, -1), `${path.at(-1) ?? '_'} (removed).txt`].join('/');
}

function noteText({ name, reason }: Dropped): string {
  const lines = [
    `The file "${defanged(shown(name))}" was removed by Mail Airlock.`,
    '',
    `Why: ${defanged(reason)}.`,
    '',
  ];
  return lines.join('\r\n');
}

interface Packing {
  readonly work: ArchiveWork;
  readonly packed: Map<string, Uint8Array | null>;
  readonly taken: Set<string>;
  readonly drop: (name: string, reason: string) => void;
}

async function packFile(member: ArchiveMember, { work, packed, taken, drop }: Packing): Promise<void> {
  const name = member.untrustedName;
  const bytes = await member.read();
  const result = await work.nested.disarm({ bytes, untrustedName: name, password: work.password });
  if (result.outcome === 'refused') {
    drop(name, result.failure.message);
    return;
  }
  if (runsByName(name)) {
    drop(name, 'its name makes the computer run it');
    return;
  }
  for (const { kind, action, where } of result.details) work.log.note(kind, `${shown(name)}: ${where}`, action);
  const path = safePath(name);
  const file = withExtension(path.at(-1) ?? '_', result.type);
  packed.set(unique([...path.slice(0, -1), file].join('/'), taken), result.bytes);
}

/**
 * Makes names unique. Two files with the same name, compared as Windows does, would be one file after unpacking, so the second gets a
 * number.
 */
function unique(path: string, taken: Set<string>): string {
  const dot = path.lastIndexOf('.');
  const [stem, extension] = dot > path.lastIndexOf('/') + 1 ? [path.slice(0, dot), path.slice(dot)] : [path, ''];
  let name = path;
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${stem} (${number})${extension}`;
  taken.add(name.toLowerCase());
  return name;
}

function shown(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Cs}<>]/gu, '_');
  return plain.length > 150 ? `...${plain.slice(-150)}` : plain;
}

function reportText(dropped: readonly string[]): string {
  const lines = dropped.slice(0, MAX_REPORT_LINES);
  const rest = dropped.length - lines.length;
  if (rest > 0) lines.push(`and ${rest} more`);
  return ['Some files of this archive could not be made safe and were left out.', '', ...lines, ''].join('\r\n');
}

/** Packs with deflate, UTF-8 names, fixed times, and no comments, so equal members give equal bytes. A folder is an empty entry. */
function zipOf(files: ReadonlyMap<string, Uint8Array | null>): Uint8Array {
  const entries = new Map<string, PackedPart>();
  for (const [name, bytes] of files) entries.set(name, packPart(bytes ?? new Uint8Array()));
  return writeZip(entries);
}
