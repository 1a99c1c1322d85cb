/** A package that was not read from a zip: its parts, seen as the package that the disarm of Office documents reads. */
import { EngineError } from '../../engine.ts';
import { isSafeName, type PackageContainer, type PackageEntry } from '../office/package/container.ts';
import { serializeContentTypes } from '../office/package/relationships.ts';

export interface PackagePart {
  /** Without a slash in front of it. */
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** Returns the package of these parts, with a list of their content types. Throws EngineError `unreadable` when two parts have one name. */
export function partsContainer(parts: readonly PackagePart[]): PackageContainer {
  const entries = new Map<string, PackageEntry>();
  const unsafeNames = parts.map(({ name }) => name).filter((name) => !isSafeName(name));
  const add = (name: string, bytes: Uint8Array) => {
    const key = name.toLowerCase();
    if (entries.has(key)) throw new EngineError('unreadable', 'the document holds two parts of one name');
    entries.set(key, { name, read: async () => bytes, packed: () => null });
  };
  const safe = parts.filter(({ name }) => isSafeName(name));
  for (const { name, bytes } of safe) add(name, bytes);
  add('[Content_Types].xml', serializeContentTypes(new Map(safe.map(({ name, contentType }) => [name, contentType]))));
  return { entries, unsafeNames, ambiguous: false };
}
