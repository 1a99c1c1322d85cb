/** Turns a reading into a ledger. Pure. Artifacts are made here, one per distinct content. */
import type { FileArtifact, Opening } from '../ledger/artifact.ts';
import type { FileId } from '../ledger/artifact-id.ts';
import { isOnlyInContainers, type Ledger } from '../ledger/ledger.ts';
import type { TypeGroup } from '../model.ts';
import { heldExtension } from './held-extension.ts';
import type { Leaf } from './leaves.ts';

/**
 * Returns the ledger of a reading: parts in document order, members behind their containers, and an artifact for each distinct content.
 * `blank` already describes the incoming object.
 */
export function ledgerOf(blank: Ledger, leaves: readonly Leaf[], openings: ReadonlyMap<FileId, Opening>): Ledger {
  const files = leaves.map((leaf) => leaf.file).filter((file) => file !== null);
  const artifacts = mergeArtifacts(files).map((file) => ({
    ...file,
    opening: openingOf(openings.get(file.id) ?? null, file.id, leaves),
  }));
  return { ...blank, parts: leaves.map((leaf) => leaf.part), artifacts };
}

/** Containers of one file without a name. */
const STREAMS: ReadonlySet<Opening['as']> = new Set(['gzip', 'bzip2', 'xz']);

function openingOf(opening: Opening | null, id: FileId, leaves: readonly Leaf[]): Opening | null {
  const isStream = opening?.outcome === 'opened' && STREAMS.has(opening.as);
  const held = isStream ? heldExtension(id, leaves) : null;
  return opening === null || held === null ? opening : { ...opening, heldExtension: held };
}

/** Groups by danger. When the same bytes claim to be two things, the more dangerous group counts. */
const WORST_FIRST: readonly TypeGroup[] = [
  'executable',
  'script',
  'other',
  'archive',
  'email',
  'office',
  'pdf',
  'data',
  'html',
  'media',
  'image',
  'text',
  'url',
];

/** Returns one artifact per content. The same bytes may come under a harmless name and a harmful one. */
function mergeArtifacts(files: readonly FileArtifact[]): FileArtifact[] {
  const byId = new Map<FileId, FileArtifact>();
  for (const file of files) {
    const seen = byId.get(file.id);
    if (!seen) byId.set(file.id, file);
    else {
      // The same bytes in two charsets are two texts, and one disarmed file could replace only one of them.
      const hasPlaces = !isOnlyInContainers(file) && !isOnlyInContainers(seen);
      const isTwoTexts = file.disarmAs !== seen.disarmAs && hasPlaces;
      // The same content may be a table and a card. A verdict of harmless for one of them says nothing about the other.
      const isTwoTypes =
        file.typeGroup === seen.typeGroup && file.extension !== seen.extension && file.size > 0 && hasPlaces;
      const worse = WORST_FIRST.indexOf(file.typeGroup) < WORST_FIRST.indexOf(seen.typeGroup) ? file : seen;
      byId.set(file.id, {
        ...worse,
        disarmAs: seen.disarmAs ?? file.disarmAs,
        ...(isTwoTexts || isTwoTypes ? { typeGroup: 'other' as const, disarmAs: null } : {}),
        origins: [...seen.origins, ...file.origins],
      });
    }
  }
  return [...byId.values()];
}
