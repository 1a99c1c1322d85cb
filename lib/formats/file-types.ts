/** Answers about types of files, from the one table `type-table.ts`. */
import type { FileGroup } from './file-groups.ts';
import { type DisarmName, type SecondLookName, type Treatment, TYPE_TABLE, type TypeRow } from './type-table.ts';

export type FileType = keyof typeof TYPE_TABLE;

/** A type that a disarm can write. Files of other types are never returned. */
export type DisarmedType = {
  [T in FileType]: (typeof TYPE_TABLE)[T][3] extends { readonly isWritten: true } ? T : never;
}[FileType];

/** The description of a type for people. */
export interface FileTypeRow {
  readonly type: FileType;
  /** Customary extension, lower case, no dot, at most 8 of [a-z0-9]. */
  readonly extension: string;
  readonly description: string;
}

/** All types of the table. */
export const FILE_TYPES = Object.keys(TYPE_TABLE) as readonly FileType[];

/** Every type that a disarm can write. */
export const DISARMED_TYPES: readonly DisarmedType[] = FILE_TYPES.filter(isDisarmedType);

/** Returns whether a type from outside is in the table. */
export function isFileType(type: string): type is FileType {
  return Object.hasOwn(TYPE_TABLE, type);
}

/** Returns the name and extension of a type. */
export function describeType(type: FileType): FileTypeRow {
  return { type, extension: extensionsOfType(type)[0] ?? 'bin', description: TYPE_TABLE[type][1] };
}

/** Returns the extensions that files of a type may have; the customary one is the first. */
export function extensionsOfType(type: FileType): readonly string[] {
  return TYPE_TABLE[type][0].split(' ');
}

/** Returns the group of a type. A type that is not in the table belongs to a program that we do not know: `other`. */
export function groupOf(type: string): FileGroup {
  return isFileType(type) ? TYPE_TABLE[type][2] : 'other';
}

/** Returns the module that disarms a type; null when there is none. */
export function disarmOf(type: string): DisarmName | null {
  return treatmentOf(type).disarm ?? null;
}

/** Returns the reader that checks files of a type, and whether a disarm writes such files. Returns null when there is none. */
export function secondLookOf(type: string): { readonly reader: SecondLookName; readonly isWritten: boolean } | null {
  const { secondLook, isWritten = false } = treatmentOf(type);
  return secondLook === undefined ? null : { reader: secondLook, isWritten };
}

/** Returns whether a disarm can write files of a type. */
export function isDisarmedType(type: string): type is DisarmedType {
  return treatmentOf(type).isWritten === true;
}

function treatmentOf(type: string): Treatment {
  const row: TypeRow | null = isFileType(type) ? TYPE_TABLE[type] : null;
  return row?.[3] ?? {};
}

/** Extensions that are delivered under another type than that of their row. */
const DELIVERED_AS: Readonly<Record<string, string>> = {
  tsv: 'text/tab-separated-values',
  xml: 'application/xml',
  // As message/rfc822 it would not count as a file, but as a part of this message with its own parts.
  eml: 'application/octet-stream',
};

/** Returns the MIME type under which a disarmed file with this extension is delivered, or null when it may not be delivered. */
export function deliveredTypeOf(extension: string): string | null {
  if (Object.hasOwn(DELIVERED_AS, extension)) return DELIVERED_AS[extension] ?? null;
  // Programs for films and recordings recognise the kind by content, so such a file keeps any name of its type.
  const isNameOf = (type: FileType) =>
    groupOf(type) === 'media' ? extensionsOfType(type).includes(extension) : describeType(type).extension === extension;
  const isDelivered = (type: FileType) => treatmentOf(type).isDelivered && isNameOf(type);
  return FILE_TYPES.find(isDelivered) ?? null;
}
