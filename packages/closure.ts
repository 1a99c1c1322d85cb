/** The dependencies of a package: the part of the repository's lock file that they reach. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './compile.ts';

/** A package in a lock file of npm (version 3). */
export interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  /** Needed only for development here. A package never brings it. */
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  /** Whether everything works without it. */
  readonly optional?: boolean;
  readonly peer?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const LOCKED = (
  JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Readonly<Record<string, Locked>> }
).packages;

export interface Wanted {
  readonly dependencies: readonly string[];
  readonly optionalDependencies: readonly string[];
}

/**
 * Returns the locked packages that the wanted ones need, by their places in `node_modules`. A package that only optional packages need is
 * `optional`. Throws Error for a package that the lock file lacks.
 */
export function closureOf({ dependencies, optionalDependencies }: Wanted): Record<string, Locked> {
  const needed = reachedFrom(dependencies, false);
  const all = reachedFrom([...dependencies, ...optionalDependencies], true);
  const entries = [...all].sort().map((place) => [place, entryAt(place, !needed.has(place))] as const);
  return Object.fromEntries(entries);
}

/** `node_modules/a/node_modules/@b/c` is the package `@b/c`. */
export const nameAt = (place: string): string => place.slice(place.lastIndexOf('node_modules/') + 13);

/** Returns the places of the dependencies of a package, if they are in the lock file. */
export function dependenciesAt(place: string): string[] {
  const { dependencies = {}, optionalDependencies = {} } = LOCKED[place] ?? { version: '' };
  const names = [...Object.keys(dependencies), ...Object.keys(optionalDependencies)];
  return names.map((name) => placeOf(name, place)).filter((found) => found !== null);
}

function entryAt(place: string, isOptional: boolean): Locked {
  const { dev, devOptional, optional, peer, ...entry } = LOCKED[place] as Locked;
  return { ...entry, ...(isOptional && { optional: true }) };
}

function reachedFrom(names: readonly string[], withOptional: boolean): Set<string> {
  const reached = new Set<string>();
  const visit = (name: string, from: string, isOptional: boolean) => {
    const place = placeOf(name, from);
    if (place === null && !isOptional) throw new Error(`package-lock.json has no ${name}, which ${from} needs`);
    if (place === null || reached.has(place)) return;
    reached.add(place);
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = LOCKED[place] as Locked;
    const peers = Object.keys(peerDependencies).filter((peer) => peerDependenciesMeta[peer]?.optional !== true);
    for (const each of [...Object.keys(dependencies), ...peers]) visit(each, place, false);
    if (withOptional) for (const each of Object.keys(optionalDependencies)) visit(each, place, true);
  };
  for (const name of names) visit(name, '', false);
  return reached;
}

/** Returns where Node finds a package that is imported at a place. The nearest folder comes first. Returns null when it is nowhere. */
function placeOf(name: string, from: string): string | null {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    const place = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (place in LOCKED) return place;
    if (at === '') return null;
  }
}
