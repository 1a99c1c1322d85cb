/** Reads `airlock.config.json`: JSON with comments, checked as a whole against the tables. All faults are reported at once. */
import { dirname, relative, resolve } from 'node:path';
import { jsonValue, lineText, shownJson, withoutComments } from '../../pipeline/policy/commented-json.ts';
import { UsageError } from '../console.ts';
import type { ConfigText } from './find.ts';
import { STACK_ROWS } from './stack.ts';
import { CONFIG_ROWS } from './table.ts';
import type { Value } from './values.ts';

/** A configuration in which every value has its kind. */
export interface Config {
  readonly path: string;
  readonly isFound: boolean;
  /** The values by key (`serve.port`). Paths are absolute. */
  readonly values: ReadonlyMap<string, unknown>;
}

/** The kind of every key: of both tables, and of the key that names the schema for editors. */
const KINDS: ReadonlyMap<string, Value> = new Map([
  ...CONFIG_ROWS.map(({ key, value }) => [key, value] as const),
  ...STACK_ROWS.map(({ name, value }) => [`stack.${name}`, value] as const),
]);
const SCHEMA_KEY = '$schema';
const SECTIONS = new Set([...KINDS.keys()].filter((key) => key.includes('.')).map((key) => key.split('.')[0] ?? ''));

/** Reads the file. Throws UsageError that names the file, and for each fault the line, the key, the value and the accepted values. */
export function readConfig({ path, text, isFound }: ConfigText): Config {
  const { json, lines, repeated } = withoutComments(text);
  const { value: whole, fault } = jsonValue(json);
  if (fault !== null) throw new UsageError(`${path} cannot be used:\n  - ${fault}`);
  const faults = repeated.map((key) => `${lineText(lines, key)}${key} is there twice`);
  const values = new Map<string, unknown>();
  for (const [key, found] of entriesOf(whole, faults, lines)) {
    const kind = KINDS.get(key);
    if (kind === undefined) faults.push(`${lineText(lines, key)}${key} is no key of it. ${knownBeside(key)}`);
    else if (!kind.schema.safeParse(found).success) faults.push(`${lineText(lines, key)}${mismatch(key, kind, found)}`);
    else values.set(key, resolved(kind, found, dirname(path)));
  }
  if (isFound) faults.push(...pathsOutside(values, path));
  if (faults.length > 0)
    throw new UsageError(`${path} cannot be used:\n${faults.map((one) => `  - ${one}`).join('\n')}`);
  return { path, isFound, values };
}

/** Returns the keys and values of the file. Those of a section have its name in front. */
function* entriesOf(
  whole: unknown,
  faults: string[],
  lines: ReadonlyMap<string, number>,
): Generator<[string, unknown]> {
  if (!isObject(whole)) {
    faults.push(`an object { … } is expected, not ${shownJson(whole)}`);
    return;
  }
  for (const [key, found] of Object.entries(whole)) {
    if (key === SCHEMA_KEY) continue;
    if (!SECTIONS.has(key)) yield [key, found];
    else if (isObject(found)) for (const [name, inner] of Object.entries(found)) yield [`${key}.${name}`, inner];
    else faults.push(`${lineText(lines, key)}${key}: an object { … } is expected, not ${shownJson(found)}`);
  }
}

function knownBeside(key: string): string {
  const [section = '', ...more] = key.split('.');
  const inSection = more.length > 0 && SECTIONS.has(section);
  const prefix = inSection ? `${section}.` : '';
  const names = [...KINDS.keys()]
    .filter((known) => known.startsWith(prefix) && known.split('.').length === (inSection ? 2 : 1))
    .map((known) => known.slice(prefix.length));
  return `Keys ${inSection ? `of ${section}` : 'there'} are ${[...names, ...(inSection ? [] : SECTIONS)].join(', ')}.`;
}

function mismatch(key: string, { accepts, isHidden }: Value, found: unknown): string {
  const what = isHidden && typeof found === 'string' ? 'this text' : shownJson(found);
  return `${key}: ${accepts.replaceAll('`', '')} is expected, not ${what}`;
}

function resolved(kind: Value, found: unknown, folder: string): unknown {
  if (typeof found === 'string') return kind.isPath(found) ? resolve(folder, found) : found;
  if (Array.isArray(found)) return found.map((each) => resolved(kind, each, folder));
  // The file that contains a secret.
  if (isObject(found) && typeof found.file === 'string') return { file: resolve(folder, found.file) };
  return found;
}

/** Returns the place to which a file that was only found may send results: below its folder, and nowhere else. */
function pathsOutside(values: ReadonlyMap<string, unknown>, path: string): string[] {
  return CONFIG_ROWS.flatMap(({ key, value, isFound }) => {
    const place = values.get(key);
    if (isFound === undefined || typeof place !== 'string' || !value.isPath(place)) return [];
    const way = relative(dirname(path), place);
    const isBelow = way !== '' && way !== '..' && !/^\.\.[\\/]/.test(way) && resolve(dirname(path), way) === place;
    return isBelow ? [] : [`${key}: a file that was only found may name folders below its own only, not ${place}`];
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
