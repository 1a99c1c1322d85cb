/** What bytes say by their signature, in the words of the pipeline. */
import { describeType, groupOf, type FileType as KnownType } from '../formats/file-types.ts';
import { signedType } from '../formats/signatures.ts';
import type { TypeGroup } from './model.ts';

export interface FileType {
  readonly detectedType: string;
  /** One to eight of [a-z0-9]. */
  readonly extension: string;
  readonly typeGroup: TypeGroup;
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

/** Bytes [start, end) as latin1, one character per byte. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', start, end);
}

/** The type by signature, or null. A zip may be a document; compound files and PDF are not among them. */
export function typeBySignature(bytes: Uint8Array): FileType | null {
  const type = signedType(bytes);
  return type === null ? null : fileTypeOf(type);
}
