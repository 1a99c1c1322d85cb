/** Counts the shown content of a Word 2003 document in XML: the words of its runs, in the text and beside it, and its pictures. */

import type { WordTally } from '../word-tally.ts';
import { xmlPlan } from '../xml/plan.ts';
import { scanXml } from '../xml/scan.ts';
import { countPart } from './part.ts';

const FILES = xmlPlan({ watched: 'binData imagedata' });

/** Counts the words, and returns the number of pictures that the document holds and shows. */
export function countWordInXml(bytes: Uint8Array, tally: WordTally): number {
  countPart(bytes, tally);
  const held = new Set<string>();
  const shown = new Set<string>();
  scanXml(bytes, FILES, {
    tally: null,
    element: (name, attributes) => {
      if (name === 'bindata') held.add(attributes.get('name') ?? '');
      else shown.add(attributes.get('src') ?? '');
    },
  });
  return [...held].filter((name) => shown.has(name)).length;
}
