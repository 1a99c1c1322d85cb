/**
 * Reads the queries of a workbook (Power Query, [MS-QDEFF]). They are a package of their own in a custom XML part: base64 of a version, the
 * length of the package, the package, and settings behind it. Excel runs them when the reader refreshes the workbook.
 */
import { ByteReader, OutOfBytes } from '../../../../formats/byte-reader.ts';
import { asBuffer } from '../../../../formats/byte-scan.ts';
import { decodeMarked } from '../../../../formats/charsets/text-encoding.ts';
import { EngineError, type EngineLimits, type Finding } from '../../../engine.ts';
import { asFact, finding } from '../../findings/findings.ts';
import { type OpenPackage, openPackage } from '../package-parts.ts';
import { sourceOfQueries } from './m-sources.ts';

/** The part beside it names only the schema. */
const ELEMENT = /<(?:[\w.-]+:)?DataMashup[\s/>]/;
const CONTENT = /<(?:[\w.-]+:)?DataMashup\b[^<>]*>([A-Za-z0-9+/=\s]*)<\//;
const FORMULAS = /^formulas\/[^/]+\.m$/;

/** Returns a finding for each part with queries: a fact when all of them read the workbook itself or data near by. */
export function judgeMashups({ parts }: OpenPackage, limits: EngineLimits): Finding[] {
  return mashupsIn(parts).map(([name, text]) => judgeMashup(name, text, limits));
}

/** Returns whether a package has queries, in any state. */
export function holdQueries({ parts }: OpenPackage): boolean {
  return mashupsIn(parts).length > 0;
}

/** The word in UTF-8 and in the two forms of UTF-16. */
const WORDS = [
  Buffer.from('DataMashup'),
  Buffer.from('DataMashup', 'utf16le'),
  Buffer.from('DataMashup', 'utf16le').swap16(),
];

/** Returns whether the word is anywhere. Excel finds its queries by their relationship, in a part of any name. */
function mayHold(content: Uint8Array): boolean {
  const bytes = asBuffer(content);
  return WORDS.some((word) => bytes.includes(word));
}

/** Returns the names and texts of the parts. */
function mashupsIn(parts: OpenPackage['parts']): (readonly [name: string, text: string])[] {
  return [...parts]
    .filter(([, content]) => mayHold(content))
    .map(([name, content]) => [name, decodeMarked(content)] as const)
    .filter(([, text]) => ELEMENT.test(text));
}

function judgeMashup(where: string, text: string, limits: EngineLimits): Finding {
  const queries = queriesIn(text, limits);
  if (queries === null) return finding('office-data-connection', where, 'queries that cannot be read');
  const source = sourceOfQueries(queries);
  if (source.kind === 'outside') return finding('office-data-connection', where, source.untrustedWhat);
  return asFact(
    finding(
      'office-data-connection',
      where,
      `queries of ${source.kind === 'own' ? 'the workbook itself' : 'data near by'}`,
    ),
  );
}

/** Returns the text of all queries; null when they cannot be read. */
function queriesIn(text: string, limits: EngineLimits): string | null {
  const packed = CONTENT.exec(text)?.[1];
  if (packed === undefined) return null;
  try {
    const reader = new ByteReader(Buffer.from(packed, 'base64'));
    if (reader.long() !== 0) return null;
    const { parts } = openPackage(reader.take(reader.long()), limits);
    const formulas = [...parts].filter(([name]) => FORMULAS.test(name));
    // Nothing else in the package may hold text that runs.
    if (
      formulas.length === 0 ||
      [...parts.keys()].some((name) => !/^(?:\[content_types\]\.xml|config\/[^/]+\.xml|formulas\/[^/]+\.m)$/.test(name))
    )
      return null;
    return formulas.map(([, content]) => new TextDecoder('utf-8', { fatal: true }).decode(content)).join('\n');
  } catch (error) {
    if (
      error instanceof OutOfBytes ||
      error instanceof TypeError ||
      (error instanceof EngineError && error.code !== 'oversize')
    )
      return null;
    throw error;
  }
}
