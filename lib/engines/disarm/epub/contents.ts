/** The table of contents of a book: read in both of its forms, and written in both. */
import type { EngineLimits } from '../../engine.ts';
import { childrenOf, readXml, textOf, writeXml, type XmlElement } from '../xml/tree.ts';

const OPS = 'http://www.idpf.org/2007/ops';
const NCX = 'http://www.daisy.org/z3986/2005/ncx/';
const XHTML = 'http://www.w3.org/1999/xhtml';
const NAV_SPACES = new Map([
  [XHTML, ''],
  [OPS, 'epub'],
]);
const NCX_SPACES = new Map([[NCX, '']]);

/** A line of the table. */
export interface Entry {
  readonly label: string;
  /** Its target in the words of the book; null for a heading. */
  readonly target: string | null;
  readonly entries: readonly Entry[];
}

const words = (element: XmlElement | undefined) =>
  element === undefined
    ? ''
    : textOf(element)
        .replace(/[\s\p{Cc}]+/gu, ' ')
        .trim();

/** Reads a page with the table (EPUB 3), or the older form (NCX). Throws EngineError `unreadable`, `oversize`. */
export function readContents(bytes: Uint8Array, limits: EngineLimits, mediaType: string): readonly Entry[] {
  if (mediaType === 'application/x-dtbncx+xml') {
    const { root } = readXml(bytes, limits, NCX_SPACES);
    return childrenOf(root, 'navMap').flatMap((list) => childrenOf(list, 'navPoint').map(pointOf));
  }
  const { root } = readXml(bytes, limits, NAV_SPACES);
  const table = navsIn(root).find(({ attributes }) => (attributes.get('epub:type') ?? '').split(/\s+/).includes('toc'));
  return table === undefined ? [] : linesOf(table);
}

function pointOf(point: XmlElement): Entry {
  const [label] = childrenOf(point, 'navLabel');
  const [content] = childrenOf(point, 'content');
  const entries = childrenOf(point, 'navPoint').map(pointOf);
  return { label: words(label), target: content?.attributes.get('src') ?? null, entries };
}

function navsIn(element: XmlElement): XmlElement[] {
  return childrenOf(element).flatMap((child) => (child.key === 'nav' ? [child] : navsIn(child)));
}

function linesOf(list: XmlElement): Entry[] {
  return childrenOf(list, 'ol').flatMap((each) =>
    childrenOf(each, 'li').map((line) => {
      const [head] = childrenOf(line).filter(({ key }) => key === 'a' || key === 'span');
      return { label: words(head), target: head?.attributes.get('href') ?? null, entries: linesOf(line) };
    }),
  );
}

/** Returns the table with its targets in the output. Lines without a target and without other lines are left out. */
export function withTargets(entries: readonly Entry[], targetOf: (href: string) => string | null): Entry[] {
  return entries.flatMap((entry) => {
    const inner = withTargets(entry.entries, targetOf);
    const target = entry.target === null ? null : targetOf(entry.target);
    return target === null && inner.length === 0 ? [] : [{ label: entry.label || '…', target, entries: inner }];
  });
}

const element = (key: string, attributes: Readonly<Record<string, string>>, ...children: XmlElement['children']) => ({
  key,
  untrustedName: key,
  attributes: new Map(Object.entries(attributes)),
  children,
});

/** Returns the page with the table of contents. */
export function writeNavigation(title: string, entries: readonly Entry[]): Uint8Array {
  const head = element('head', {}, element('title', {}, title));
  const nav = element('nav', { 'epub:type': 'toc' }, listOf(entries));
  const html = element('html', {}, head, element('body', {}, nav));
  return writeXml(html, { xmlns: XHTML, 'xmlns:epub': OPS });
}

function listOf(entries: readonly Entry[]): XmlElement {
  const lines = entries.map(({ label, target, entries: inner }) => {
    const head = target === null ? element('span', {}, label) : element('a', { href: target }, label);
    return element('li', {}, head, ...(inner.length === 0 ? [] : [listOf(inner)]));
  });
  return element('ol', {}, ...lines);
}

/** Writes the older form, for older programs. A heading leads to the first place below it. */
export function writeNcx(id: string, title: string, entries: readonly Entry[]): Uint8Array {
  let order = 0;
  const points = (lines: readonly Entry[]): XmlElement[] =>
    lines.map(({ label, target, entries: inner }) => {
      order += 1;
      const number = String(order);
      const attributes = { id: `point-${number}`, playOrder: number };
      const src = target ?? firstTarget(inner);
      const named = element('navLabel', {}, element('text', {}, label));
      return element('navPoint', attributes, named, element('content', { src }), ...points(inner));
    });
  const head = element('head', {}, element('meta', { name: 'dtb:uid', content: id }));
  const map = element('navMap', {}, ...points(entries));
  const ncx = element('ncx', { version: '2005-1' }, head, element('docTitle', {}, element('text', {}, title)), map);
  return writeXml(ncx, { xmlns: NCX });
}

function firstTarget(entries: readonly Entry[]): string {
  for (const { target, entries: inner } of entries) {
    const found = target ?? firstTarget(inner);
    if (found !== '') return found;
  }
  return '';
}
