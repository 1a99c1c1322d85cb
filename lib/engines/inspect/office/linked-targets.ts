/**
 * Checks where a part of an Office Open XML package names a target of elsewhere. Only links may: a program follows them on a click. Some
 * programs load a picture by any relationship (`r:embed="rId9"`), without a look at its type. So the type alone does not make a target safe.
 */
import type { Findings } from '../fact.ts';
import { xmlPlan } from '../xml/plan.ts';
import { scanXml } from '../xml/scan.ts';
import { type InflateBudget, readMember, type ZipArchive } from '../zip-scan.ts';

/** Elements whose `id` is the relationship to a link. */
export const LINKS = 'hyperlink hlinkClick hlinkHover hlinkMouseOver';
/** Elements that load what their `id` or `relid` names, also where a number is the name. */
export const LOADING = 'imagedata fill stroke picture legacyDrawing legacyDrawingHF drawing';
/** Attributes that name a relationship. */
export const NAMING = 'embed link pict relid dm lo qs cs id';

const [LINK_NAMES, LOADING_NAMES, NAMING_NAMES] = [LINKS, LOADING, NAMING].map(
  (list) => new Set(list.toLowerCase().split(' ')),
);

const NONE: ReadonlySet<string> = new Set();
const ROWS = xmlPlan({ watched: 'Relationship' });

/** Returns the ids of the relationships to elsewhere, by the path of their part in small letters. */
export function targetsElsewhere(
  archive: ZipArchive,
  budget: InflateBudget,
): (partName: string) => ReadonlySet<string> {
  const found = new Map<string, Set<string>>();
  for (const member of archive.members) {
    if (!/\.rels$/i.test(member.name)) continue;
    const ids = new Set<string>();
    scanXml(readMember(archive, member, budget), ROWS, {
      tally: null,
      element: (_, attributes) => {
        if (attributes.get('targetmode')?.toLowerCase() === 'external') ids.add(attributes.get('id') ?? '');
      },
    });
    if (ids.size > 0) found.set(member.name.toLowerCase(), ids);
  }
  return (partName) => found.get(partName.toLowerCase().replace(/[^/]*$/, '_rels/$&.rels')) ?? NONE;
}

/** Follows the relationships that one part names, in the order in which a scan reports attributes and elements. */
export function openTargets(elsewhere: ReadonlySet<string>, where: string, findings: Findings) {
  let named = 0;
  const add = () => findings.add('office-loaded-target', where);
  return {
    attribute(name: string, value: string): void {
      if (!NAMING_NAMES?.has(name) || !elsewhere.has(value)) return;
      if (name !== 'id') add();
      // Other things of a document have numbers, too.
      else if (!/^\d+$/.test(value)) named++;
    },
    element(name: string, attributes: ReadonlyMap<string, string>): void {
      const id = attributes.get('id') ?? '';
      if (!elsewhere.has(id)) return;
      if (LOADING_NAMES?.has(name)) add();
      if (LINK_NAMES?.has(name) && !/^\d+$/.test(id)) named--;
    },
    end(): void {
      if (named > 0) add();
    },
  };
}
