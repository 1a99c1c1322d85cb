/** Gives types of files in the form that policy uses. */
import type { FileGroup } from '../file-groups.ts';
import { describeType, groupOf, type FileType as KnownType } from '../file-types.ts';
import { signedType } from '../signatures.ts';

export interface FileType {
  readonly detectedType: string;
  /** One to eight of [a-z0-9]. */
  readonly extension: string;
  readonly typeGroup: FileGroup;
}

export interface FileHints {
  /** Every name claimed for the file. */
  readonly untrustedNames: readonly string[];
  /** The declared `type/subtype` in lower case. Empty when none was declared. */
  readonly declaredType: string;
  readonly role: 'body' | 'attachment' | 'file';
  /** The header of the part, when the file is part of a message. */
  readonly untrustedHeader?: string;
}

/** Returns a row of the table of types, in this form. */
export function fileTypeOf(type: KnownType): FileType {
  return { detectedType: type, extension: describeType(type).extension, typeGroup: groupOf(type) };
}

export const UNKNOWN = fileTypeOf('application/octet-stream');
export const PDF = fileTypeOf('application/pdf');

/** Returns the type by signature, or null. A zip may still be a document. Compound files and PDF are not recognised here. */
export function typeBySignature(bytes: Uint8Array): FileType | null {
  const type = signedType(bytes);
  return type === null ? null : fileTypeOf(type);
}
