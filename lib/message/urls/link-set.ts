/** Keeps each link of one file once. A file may name one link a million times, or a million links. */
import type { DiscoveredUrl } from '../model.ts';
import { distinct, linkOf, type Place, type Search, type SearchLimits } from './sources/source.ts';
import { findInText, findSpelledOut } from './text-links.ts';

/** The most links of one file. With more links the search gives up. No person writes so many, and no message is judged by so many. */
const MAX_LINKS = 20_000;

export interface LinkSet {
  /** Adds one reference, read as the program that opens the file would read it. A reference that is no link is left out. */
  add(untrustedReference: string, place: Place): void;
  /** Adds the URLs of a text. With `isSpelledOut`, only those with a scheme. */
  addText(untrustedText: string, place: Place, isSpelledOut?: boolean): void;
  /** Returns true when the set takes no more links. There may then be links that were not searched. */
  isFull(): boolean;
  /** Returns the links in the order found. The first of two places that name the same link counts. */
  list(): DiscoveredUrl[];
}

/** Returns an empty set. `accepts` returns false for links that no program opens. */
export function createLinkSet(limits: SearchLimits, accepts: (url: string) => boolean = () => true): LinkSet {
  const byForm = new Map<string, DiscoveredUrl>();
  // Results are remembered, because normalising a link costs a hundred times as much as finding it.
  const seen = new Set<string>();
  const isFull = () => byForm.size >= MAX_LINKS || seen.size >= MAX_LINKS;
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

/** Returns the links of all sets in order. `whole` says in plain words what was not searched to its end if one of the sets is full. */
export function searchOf(sets: readonly LinkSet[], whole: string): Search {
  const urls = distinct(sets.flatMap((links) => links.list()));
  return {
    urls,
    notSearched: sets.some((links) => links.isFull()) ? [`${whole}: it holds more links than are looked at`] : [],
  };
}
