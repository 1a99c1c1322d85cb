/** The meaning of the keys of a PDF dictionary. It depends on the place from which the dictionary was reached. */
import { PdfDict, type PdfObject } from '@libpdf/core';
import { isQuietActivation, isQuietOpening } from './activation.ts';
import { follow, isAction, nameAt, type Resolve, refusal } from './judge.ts';
import type { PageTree } from './page-tree.ts';
import { ACTION_KEYS, CATALOG_KEYS, FORM_KEYS, NAME_MAPS, NODE_KEYS, PAGE_KEYS, RESOURCE_MAPS } from './rules.ts';

/**
 * `names` and `resources` have free keys. The word after the blank is the key that determines their values. `appearances` is the /AP of an
 * annotation, whose values may be `names`.
 */
export type Role = 'catalog' | 'form' | 'nameTrees' | 'plain' | 'appearances' | `${'names' | 'resources'} ${string}`;

export interface DictEntry {
  readonly key: string;
  readonly value: PdfObject;
  readonly role: Role;
  readonly depth: number;
}

export const isMap = (role: Role): boolean => /^(?:names|resources) /.test(role);

/** Returns the keys that a dictionary of known meaning may have; null for any other. Of those only denied keys are removed. */
export function allowedKeys(dict: PdfDict, role: Role, tree: PageTree, resolve: Resolve): ReadonlySet<string> | null {
  if (role === 'catalog') return CATALOG_KEYS;
  if (role === 'form') return FORM_KEYS;
  if (role === 'nameTrees') return new Set(['Dests']);
  if (tree.nodes.has(dict)) return NODE_KEYS;
  if (tree.pages.has(dict) || nameAt(dict, 'Type', resolve) === 'Page') return PAGE_KEYS;
  if (isAction(dict, resolve)) return ACTION_KEYS.get(nameAt(dict, 'S', resolve)) ?? new Set();
  return null;
}

/** Returns the role of an entry's value. */
export function roleOf({ key, role: parent, value }: DictEntry, resolve: Resolve): Role {
  if (parent === 'catalog' && key === 'AcroForm') return 'form';
  if (parent === 'catalog' && key === 'Names') return 'nameTrees';
  // The catalog's own /Dests is a free dictionary. The one under /Names is a tree with fixed keys.
  if (parent === 'nameTrees') return 'plain';
  if (parent === 'appearances') return 'names AP';
  if (key === 'AP') return 'appearances';
  // The single shading of a pattern has the key of the map of all shadings.
  const target = key === 'Shading' ? follow(value, resolve) : null;
  if (target instanceof PdfDict && target.has('ShadingType')) return 'plain';
  if (RESOURCE_MAPS.has(key)) return `resources ${key}`;
  return NAME_MAPS.has(key) ? `names ${key}` : 'plain';
}

/** Returns the kind of an active entry that must not be written; null for any other entry. */
export function activeEntry(dict: PdfDict, { key, role, value }: DictEntry, resolve: Resolve): string | null {
  if (role === 'catalog' && key === 'OpenAction' && !isQuietOpening(value, resolve)) {
    const target = follow(value, resolve);
    return (target === null ? null : refusal(target, resolve)) ?? 'automatic action';
  }
  if (key === 'A' && !isQuietActivation(dict, value, resolve)) return 'unknown action';
  // /URI of an action is an address. A dictionary of that name gives all addresses of the document another base.
  return key === 'URI' && follow(value, resolve) instanceof PdfDict ? 'base address' : null;
}
