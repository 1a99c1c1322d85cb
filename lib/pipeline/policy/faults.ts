/** Faults of a policy file in plain words: the line, the field, what is accepted there, and what was found. */
import type * as z from 'zod/mini';
import { lineText, shownJson } from './commented-json.ts';

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;

/** The file that the faults are in. */
export interface FaultyPolicy {
  readonly schema: Schema;
  /** The value that was checked against the schema. */
  readonly value: unknown;
  /** The line of each field in the file, by its path. */
  readonly lines: ReadonlyMap<string, number>;
  /** The path in the file at which the value begins, with a dot at its end; empty for the whole file. */
  readonly prefix: string;
}

/** Nouns for the types that a policy has. */
const TYPE_NOUNS: Readonly<Record<string, string>> = {
  array: 'a list [ … ]',
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a number',
  object: 'an object { … }',
  record: 'an object { … }',
  string: 'a text',
};
const COUNTED: Readonly<Record<string, string>> = { array: 'entries', string: 'characters' };

/** Returns the sentences for one issue of the schema: one for each field that does not exist, and one for any other fault. */
export function policyFaults(issue: Issue, policy: FaultyPolicy): string[] {
  const path = issue.path.map(String);
  const at = (fields: readonly string[]) => located(policy.prefix + fields.join('.'), policy.lines);
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsOf(schemaAt(policy.schema, path));
    const fields = known.length > 0 ? ` The fields there are ${known.join(', ')}.` : '';
    const last = issue.keys.at(-1);
    return issue.keys.map((key) => `${at([...path, key])}: there is no such field.${key === last ? fields : ''}`);
  }
  const accepted = acceptedBy(issue);
  if (accepted === null) return [`${at(path)}: ${issue.message}`];
  return [`${at(path)}: ${accepted} is expected, ${foundText(valueAt(policy.value, path))}`];
}

/** Returns the path of a field, behind the line where it is. */
export function located(path: string, lines: ReadonlyMap<string, number>): string {
  return `${lineText(lines, path)}${path === '' ? 'the whole file' : path}`;
}

/** Returns null when the message of the issue says it already. */
function acceptedBy(issue: Issue): string | null {
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(' or ');
  if (issue.code === 'invalid_type') return TYPE_NOUNS[issue.expected] ?? issue.expected;
  if (issue.code === 'too_small') return `at least ${issue.minimum}${unitOf(issue.origin)}`;
  if (issue.code === 'too_big') return `at most ${issue.maximum}${unitOf(issue.origin)}`;
  return null;
}

const unitOf = (origin: string) => (origin in COUNTED ? ` ${COUNTED[origin]}` : '');

const foundText = (value: unknown) => (value === undefined ? 'and nothing is there' : `not ${shownJson(value)}`);

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => {
    const isInside = typeof at === 'object' && at !== null && Object.hasOwn(at, key);
    return isInside ? (at as Readonly<Record<string, unknown>>)[key] : undefined;
  }, value);
}

function schemaAt(schema: Schema, path: readonly string[]): Schema | null {
  return path.reduce<Schema | null>((at, key) => (at === null ? null : childOf(at, key)), schema);
}

function childOf(schema: Schema, key: string): Schema | null {
  const { def } = unwrapped(schema)._zod as z.core.$ZodTypes['_zod'];
  if (def.type === 'object') return def.shape[key] ?? null;
  if (def.type === 'record') return def.valueType;
  return def.type === 'array' ? def.element : null;
}

function fieldsOf(schema: Schema | null): string[] {
  if (schema === null) return [];
  const { def } = unwrapped(schema)._zod as z.core.$ZodTypes['_zod'];
  return def.type === 'object' ? Object.keys(def.shape) : [];
}

/** Returns the schema inside of those that only say when a field may be missing. */
function unwrapped(schema: Schema): Schema {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  if (def.type === 'lazy') return unwrapped(def.getter());
  const isWrapper =
    def.type === 'default' || def.type === 'prefault' || def.type === 'optional' || def.type === 'readonly';
  return isWrapper ? unwrapped(def.innerType) : schema;
}
