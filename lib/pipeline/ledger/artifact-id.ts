/**
 * The ids of artifacts. An id starts with its type. A file that contains only a link, and that link, are two artifacts. The verdict on one
 * never counts for the other.
 */
import * as z from 'zod/mini';
import { sha256Hex } from '../keys.ts';

/** `file:` and the SHA-256 of its bytes. */
export type FileId = `file:${string}`;
/** `url:` and the SHA-256 of the normalised URL. */
export type UrlId = `url:${string}`;
export type ArtifactId = FileId | UrlId;

export const FileId = z.custom<FileId>((value) => typeof value === 'string' && /^file:[0-9a-f]{64}$/.test(value));
export const UrlId = z.custom<UrlId>((value) => typeof value === 'string' && /^url:[0-9a-f]{64}$/.test(value));

/** Returns the id of the file with this hash, in hexadecimal. */
export function fileIdOf(sha256: string): FileId {
  return `file:${sha256}`;
}

/** Returns the id of a normalised URL. */
export function urlIdOf(normalised: string): UrlId {
  return `url:${sha256Hex(normalised)}`;
}

/** Returns the SHA-256 in an id: of bytes for a file, of a text for a URL. Never compare one kind with the other. */
export function hashOf(id: ArtifactId): string {
  return id.slice(id.indexOf(':') + 1);
}

/** Returns the short form of an id for sentences: its type and the first digits. */
export function shortId(id: ArtifactId): string {
  return `${id.slice(0, id.indexOf(':'))} ${hashOf(id).slice(0, 16)}`;
}
