/** What bytes say by their signature, in the words of the pipeline. */

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
  /** Lower-case `type/subtype` as declared; empty when nothing was. */
  readonly declaredType: string;
  readonly role: 'body' | 'attachment' | 'file';
  /** The header of the part, when it stands in a message. */
  readonly untrustedHeader?: string;
}

/** A row of the table of types, in the words of the pipeline. */
export function fileTypeOf(type: KnownType): FileType {
  return { detectedType: type, extension: describeType(type).extension, typeGroup: groupOf(type) };
}

export const UNKNOWN = fileTypeOf('application/octet-stream');
export const PDF = fileTypeOf('application/pdf');

/** The type by signature, or null. A zip may be a document; compound files and PDF are not among them. */
export function typeBySignature(bytes: Uint8Array): FileType | null {
  const type = signedType(bytes);
  return type === null ? null : fileTypeOf(type);
}
