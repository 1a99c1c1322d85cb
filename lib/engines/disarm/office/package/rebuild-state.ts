/** The state of one package rebuild. The walk over the parts and the judgement of relationships share it. */
import type { EngineLimits } from '../../../engine.ts';
import type { RemovalLog } from '../../removals.ts';
import type { PackageContainer, PackageEntry } from './container.ts';
import { type ContentTypes, type Relationship, resolveTarget } from './relationships.ts';
import type { UnchangedParts } from './unchanged-parts.ts';
import type { PackedPart } from './zip-write.ts';

/** One rebuild under way. */
export interface Rebuild {
  readonly container: PackageContainer;
  readonly contentTypes: ContentTypes;
  readonly limits: EngineLimits;
  /** Whether title, author, dates and the like stay. */
  readonly keepMetadata: boolean;
  readonly unchanged: UnchangedParts;
  /** Each part is packed as soon as it is done, so that only one part is unpacked at a time. */
  readonly parts: Map<string, PackedPart>;
  /** Content type for each part of the output. */
  readonly outputTypes: Map<string, string>;
  /** Handled entries of the input, in lower case. */
  readonly seen: Set<string>;
  /** Output name of a part by lower-case input name; null when it was judged and dropped. */
  readonly judged: Map<string, string | null>;
  readonly log: RemovalLog;
  /** Names of the output's parts, lower case. */
  readonly takenNames: Set<string>;
  readonly queue: string[];
}

/** Returns the entry of an internal relationship; null when it leads outside or to nothing. */
export function entryOf(rebuild: Rebuild, from: string, relationship: Relationship): PackageEntry | null {
  const target = relationship.external ? null : resolveTarget(from, relationship.target);
  return target === null ? null : (rebuild.container.entries.get(target.toLowerCase()) ?? null);
}

/** Puts an XML part on the list of those to rebuild. */
export function accept(rebuild: Rebuild, entry: PackageEntry, contentType: string): string {
  const key = entry.name.toLowerCase();
  rebuild.seen.add(key);
  rebuild.judged.set(key, entry.name);
  rebuild.outputTypes.set(entry.name, contentType);
  rebuild.takenNames.add(key);
  rebuild.queue.push(entry.name);
  return entry.name;
}
