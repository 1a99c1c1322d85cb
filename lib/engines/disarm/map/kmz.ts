/** Disarm of KMZ, a zip of one map with the pictures that it shows. Everything else in the zip is left out. */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import { type Disarmed, type Nested, writtenAnew } from '../disarm-module.ts';
import { documentPicture } from '../document-picture.ts';
import { noteLayout, openContainer, type PackageContainer, writeContainer } from '../office/package/container.ts';
import { type RemovalLog, removalLog } from '../removals.ts';
import { pictureAddresses, readMap, writeMap } from './rewrite.ts';

/** The name under which every program looks for the map first. */
const MAIN = 'doc.kml';
/** Formats that every program for maps shows. */
const WANTED = /^image\/(?:png|jpeg|gif)$/;

/** Rebuilds a map and its pictures. Throws EngineError `unreadable` (no map in it), `encrypted`, `oversize`. */
export async function disarm(
  input: FileInput,
  type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const log = removalLog();
  const container = await openContainer(input.bytes, limits);
  noteLayout(container, log);
  const main = mainOf(container);
  const root = readMap(await main.read(), limits, log);
  const pictures = await picturesOf(pictureAddresses(root), container, { nested, log });
  const map = writeMap(root, { log, limits, picture: (href) => pictures.names.get(href) ?? null });
  for (const [key, { name }] of container.entries)
    if (key !== main.name.toLowerCase() && !pictures.entries.has(key)) log.note('unused part', name);
  const bytes = await writeContainer(new Map([[MAIN, map], ...pictures.parts]));
  return writtenAnew(input, bytes, type, log.removals);
}

/** Returns `doc.kml`, otherwise the first map outside of all folders. */
function mainOf({ entries }: PackageContainer) {
  const found = entries.get(MAIN) ?? [...entries].find(([key]) => /^[^/]+\.kml$/.test(key))?.[1];
  if (found === undefined) throw new EngineError('unreadable', 'the archive holds no map');
  return found;
}

interface MapPictures {
  /** The name in the output, by address. */
  readonly names: ReadonlyMap<string, string>;
  readonly parts: ReadonlyMap<string, Uint8Array>;
  /** Lower-case names of the entries that are shown. */
  readonly entries: ReadonlySet<string>;
}

/** Disarms the pictures that the map shows. Throws EngineError when the budget of the upload is spent. */
async function picturesOf(
  addresses: readonly string[],
  { entries }: PackageContainer,
  { nested, log }: { readonly nested: Nested; readonly log: RemovalLog },
): Promise<MapPictures> {
  const byEntry = new Map<string, string>();
  const names = new Map<string, string>();
  const parts = new Map<string, Uint8Array>();
  for (const href of new Set(addresses)) {
    const key = entryAt(href);
    const entry = entries.get(key);
    if (entry === undefined) continue;
    const known = byEntry.get(key);
    if (known === undefined) {
      const { bytes, extension, details } = await documentPicture(await entry.read(), nested, WANTED);
      for (const { kind, action } of details) log.note(kind, entry.name, action);
      byEntry.set(key, `files/picture-${byEntry.size + 1}.${extension}`);
      parts.set(byEntry.get(key) ?? '', bytes);
    }
    names.set(href, byEntry.get(key) ?? '');
  }
  return { names, parts, entries: new Set(byEntry.keys()) };
}

/** Returns the entry at an address relative to the map, in lower case. */
function entryAt(href: string): string {
  const path = href.replace(/^(?:\.\/)+/, '').replaceAll('\\', '/');
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    // A percent sign that starts no escape belongs to the name.
    return path.toLowerCase();
  }
}
