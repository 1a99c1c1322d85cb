/**
 * The findings of the operator's servers about the sender, as an ARC set repeats them. The fields hold text of the sender, so only results
 * in a closed grammar are repeated, without comments.
 */
import type { RawField } from '../headers/raw-fields.ts';
import { isFromServer } from '../rebuilding/authentication-results.ts';

/** A field has some ten results. */
const MAX_RESULTS = 50;
/** A method and its result (RFC 8601 §2.2). */
const RESULT = /^([a-z][a-z0-9-]{0,30})(?:\/\d{1,3})?\s*=\s*([a-z]{1,20})(?=\s|$)/;
/** A property with a value of plain characters. */
const PROPERTY = /\s((?:smtp|header|body|policy)\.[a-z-]{1,30}=[\w.@+/=-]{1,200})(?=\s|$)/g;

export interface Results {
  /** Results such as `dkim=pass header.d=sender.example`, each once. */
  readonly results: readonly string[];
  /** The result of the earlier sets; null when no server states it, or two state different results. */
  readonly arc: 'none' | 'pass' | 'fail' | null;
}

/** Returns the results in the Authentication-Results of these servers. */
export function resultsOf(fields: readonly RawField[], servers: readonly string[]): Results {
  const trusted = fields.filter(
    ({ name, isNameStrict, value }) =>
      name === 'authentication-results' && isNameStrict && isFromServer(value, servers),
  );
  const results = [...new Set(trusted.flatMap(({ value }) => resultsIn(value)))].slice(0, MAX_RESULTS);
  const said = new Set(results.flatMap((result) => /^arc=(none|pass|fail)\b/.exec(result)?.[1] ?? []));
  const [arc] = said;
  return { results, arc: said.size === 1 ? (arc as 'none' | 'pass' | 'fail') : null };
}

function resultsIn(value: string): string[] {
  const plain = withoutComments(value);
  if (plain === null) return [];
  return plain
    .split(';')
    .slice(1)
    .flatMap((part) => {
      const text = part.trim().toLowerCase();
      const found = RESULT.exec(text);
      if (found === null) return [];
      const properties = [...text.matchAll(PROPERTY)].map(([, property]) => property as string);
      return [[`${found[1]}=${found[2]}`, ...properties].join(' ')];
    });
}

/** Returns the value with a blank for each comment and each quoted text; null when one of them does not end. */
function withoutComments(value: string): string | null {
  let plain = '';
  let depth = 0;
  let isQuoted = false;
  for (const [token] of value.matchAll(/\\[\s\S]?|[()"]|[^\\()"]+/g)) {
    const isInside = depth > 0 || isQuoted;
    if (token === '"' && depth === 0) isQuoted = !isQuoted;
    else if (token === '(' && !isQuoted) depth++;
    else if (token === ')' && !isQuoted) depth--;
    else if (!isInside) plain += token;
    if (depth < 0) return null;
    if (isInside && depth === 0 && !isQuoted) plain += ' ';
  }
  return depth === 0 && !isQuoted ? plain : null;
}
