/**
 * Counts the shown content of an Office package in one XML file (Flat OPC): words of the parts to which the package points, sheets or
 * slides, and pictures.
 */
import type { Units } from '../fact.ts';
import { picturesAmong } from '../picture-count.ts';
import type { WordTally } from '../word-tally.ts';
import { isShownPart, unitsOf } from './office.ts';
import { countPart } from './part.ts';

interface Part {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

/** One part, up to the beginning of the next one. */
const PART = /<(?:[\w.-]{1,40}:)?part\s([^<>]{1,4000})>/g;
/** Around the content of a part. */
const CONTENT = /<(?:[\w.-]{1,40}:)?(?:xmlData|binaryData)(?:\s[^<>]{0,4000})?>/;

/** Counts a package. Returns null for bytes without a part. */
export function countFlatPackage(
  bytes: Uint8Array,
  tally: WordTally,
): { readonly units: Units | null; readonly pictures: number } | null {
  const parts = partsOf(textOf(bytes));
  if (parts.length === 0) return null;
  const targets = new Set(
    parts
      .filter(({ name }) => /\.rels$/i.test(name))
      .flatMap(({ content }) => Array.from(content.matchAll(/\bTarget\s*=\s*["']([^"'<>]{1,2000})["']/g)))
      .map(([, target = '']) => lastOf(target)),
  );
  const shown = parts.filter(({ name, type }) => isShownPart(type) && targets.has(lastOf(name)));
  for (const { content } of shown) countPart(Buffer.from(content), tally);
  return {
    units: unitsOf(shown),
    pictures: picturesAmong(parts.map(({ name, content }) => ({ name, size: content.length }))),
  };
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1).toLowerCase();

function partsOf(xml: string): Part[] {
  const starts = Array.from(xml.matchAll(PART));
  return starts.map((start, index) => {
    const content = xml.slice(start.index + start[0].length, starts[index + 1]?.index);
    const attribute = (name: string) =>
      new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*["']([^"']{0,2000})["']`).exec(start[1] ?? '')?.[1] ?? '';
    const opening = CONTENT.exec(content);
    const from = opening === null ? content.length : opening.index + opening[0].length;
    return { name: attribute('name').replace(/^\//, ''), type: attribute('contentType'), content: content.slice(from) };
  });
}

function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c);
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes);
}
