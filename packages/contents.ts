/** The third-party code that a package brings: what npm installs with it, and what is inside its own files. */
import { bundledPackages } from './bundled.ts';
import { closureOf, type Locked, nameAt } from './closure.ts';
import { accepted } from './licences.ts';
import type { PackageRow } from './package-table.ts';

/** A third-party package. */
export interface Content {
  readonly place: string;
  readonly name: string;
  readonly version: string;
  /** The SPDX identifier or expression. */
  readonly licence: string;
  /** Whether its code is in files of our package. Otherwise npm installs it. */
  readonly isInside: boolean;
  /** Whether the parts of our package that do not need it work without it. */
  readonly isOptional: boolean;
  readonly integrity: string | undefined;
}

/** Returns them in the order of their names. Throws Error for a package whose licence is not accepted. */
export function contentsOf(row: PackageRow): Content[] {
  const { dependencies, optionalDependencies, peerDependencies } = row;
  const installed = closureOf({ dependencies: [...dependencies, ...peerDependencies], optionalDependencies });
  const inside = closureOf({ dependencies: insideOf(row), optionalDependencies: [] });
  const found = new Map<string, Content>();
  for (const [place, locked] of Object.entries(inside))
    if (!locked.optional) found.set(place, contentAt(place, locked, true));
  for (const [place, locked] of Object.entries(installed))
    if (!found.has(place)) found.set(place, contentAt(place, locked, false));
  return [...found.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

const keyOf = ({ name, place }: Content) => `${name} ${place}`;

const insideOf = ({ inside, hasBundles }: PackageRow): readonly string[] =>
  hasBundles ? [...new Set([...inside, ...bundledPackages()])] : inside;

function contentAt(place: string, { version, license, integrity, optional }: Locked, isInside: boolean): Content {
  const name = nameAt(place);
  const licence = accepted(name, license);
  return { place, name, version, licence, isInside, isOptional: optional === true, integrity };
}
