/** The links of one file, each once. A file may name one of them a million times, or a million of them. */
import type { DiscoveredUrl } from '../model.ts';
import { distinct, linkOf, type Place, type Search, type SearchLimits } from './source.ts';
import { findInText, findSpelledOut } from './text-links.ts';

/** Links of one file before the search of it gives up: more than any message is judged by, and than a person wrote. */
const MOST_LINKS = 20_000;

export interface LinkSet {
  /** One reference, as whatever opens the file would read it. What is no link is left out. */
  add(untrustedReference: string, place: Place): void;
  /** URLs of a text. `isSpelledOut`: only those with their scheme. */
  addText(untrustedText: string, place: Place, isSpelledOut?: boolean): void;
  /** True when nothing more is taken: there may be links that were not looked at. */
  isFull(): boolean;
  /** In the order found; of two places that name the same link the first. */
  list(): DiscoveredUrl[];
}

/** An empty set. `accepts` says no to links that nothing opens. */
export function createLinkSet(limits: SearchLimits, accepts: (url: string) => boolean = () => true): LinkSet {
  const byForm = new Map<string, DiscoveredUrl>();
  // Normalising costs a hundred times what finding does.
  const seen = new Set<string>();
  const isFull = () => byForm.size >= MOST_LINKS || seen.size >= MOST_LINKS;
  const add = (untrustedReference: string, place: Place) => {
    if (seen.has(untrustedReference) || isFull()) return;
    seen.add(untrustedReference);
    for (const url of linkOf(untrustedReference, place, limits))
      if (!byForm.has(url.normalised) && accepts(url.normalised)) byForm.set(url.normalised, url);
  };
  return {
    add,
    addText(untrustedText, place, isSpelledOut = false) {
      if (isFull()) return;
      for (const { url } of isSpelledOut ? findSpelledOut(untrustedText) : findInText(untrustedText)) add(url, place);
    },
    isFull,
    list: () => [...byForm.values()],
  };
}

/** What is in the sets, the first first; `whole` names in plain words what was not searched to its end when one is full. */
export function searchOf(sets: readonly LinkSet[], whole: string): Search {
  const urls = distinct(sets.flatMap((links) => links.list()));
  return {
    urls,
    notSearched: sets.some((links) => links.isFull()) ? [`${whole}: it holds more links than are looked at`] : [],
  };
}
