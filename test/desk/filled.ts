/**
 * Values in which every text that could be anybody's is one that a test chooses, made by the schema of the value: a field that is added to a schema is
 * filled by itself. What has a form (a hash, a time, a word of a list) and what is named in `LINKS` stays.
 */
import * as z from 'zod/mini';
import { Ledger } from '../../lib/pipeline/ledger/ledger.ts';
import { AuditRecord } from '../../lib/pipeline/review/audit.ts';

/** Makes the text of a field, which is named by its way from the top: `parts.untrustedNames`. */
export type Fill = (field: string) => string;

/** Fields by which parts, files and runs find each other: with another text the value would be another one. */
const LINKS: ReadonlySet<string> = new Set([
  ...['runId', 'parts.path', 'parts.parent', 'parts.container', 'artifacts.origins', 'artifacts.opening.passwordFrom'],
]);

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
}
type Schema = z.core.$ZodType;
const defOf = (schema: Schema) => schema._zod.def as unknown as Def;

/** The ledger, in which every text is that of `fill`. What a mail may have and this one has not is put in. */
export const filledLedger = (ledger: Ledger, fill: Fill): Ledger => filled(Ledger, ledger, fill, '') as Ledger;
/** The same for a record of the audit trail. */
export const filledRecord = <R extends AuditRecord>(record: R, fill: Fill): R =>
  filled(AuditRecord, record, fill, 'record') as R;

function filled(schema: Schema, value: unknown, fill: Fill, field: string): unknown {
  if (LINKS.has(field)) return value;
  const { type, element, innerType, options = [] } = defOf(schema);
  if (type === 'string') return filledString(schema, value, fill, field);
  if (type === 'object') return filledObject(schema, value, fill, field);
  if (type === 'array' && element !== undefined) return filledList(element, value, fill, field);
  if ((type === 'nullable' || type === 'optional') && innerType !== undefined) {
    const isKept = (value === null || value === undefined) && !holdsText(innerType, field);
    return isKept ? value : filled(innerType, value ?? undefined, fill, field);
  }
  const fits = options.find((option) => z.safeParse(option, value).success) ?? options[0];
  return fits === undefined ? (value ?? exampleOf(schema)) : filled(fits, value, fill, field);
}

/** A list has one item at least where an item can have a text. */
function filledList(element: Schema, value: unknown, fill: Fill, field: string): unknown[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const from = items.length === 0 && holdsText(element, field) ? [undefined] : items;
  return from.map((item) => filled(element, item, fill, field));
}

function filledObject(schema: Schema, value: unknown, fill: Fill, field: string): unknown {
  const from = (value ?? {}) as Readonly<Record<string, unknown>>;
  const fields = Object.entries(defOf(schema).shape ?? {}).map(([name, inner]) => {
    return [name, filled(inner, from[name], fill, field === '' ? name : `${field}.${name}`)] as const;
  });
  return Object.fromEntries(fields.filter(([, each]) => each !== undefined));
}

/** A text of a form stays as it is, or becomes one line when that is its form. */
function filledString(schema: Schema, value: unknown, fill: Fill, field: string): unknown {
  const text = fill(field);
  const line = text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return [text, line].find((each) => z.safeParse(schema, each).success) ?? value ?? exampleOf(schema);
}

/** Whether anything below is a text without a form: then a value is made where there is none. */
function holdsText(schema: Schema, field: string): boolean {
  const { type, shape = {}, element, innerType, options = [] } = defOf(schema);
  if (LINKS.has(field)) return false;
  if (type === 'string') return z.safeParse(schema, 'any text').success;
  const inner = [...Object.entries(shape).map(([name, each]) => [each, `${field}.${name}`] as const)];
  const others = [element, innerType, ...options].flatMap((each) =>
    each === undefined ? [] : [[each, field] as const],
  );
  return [...inner, ...others].some(([each, name]) => holdsText(each, name));
}

/** A value of the form that a schema wants where a mail has none. */
function exampleOf(schema: Schema): unknown {
  const { entries = {}, values = [] } = defOf(schema);
  const examples = ['a'.repeat(64), '2026-11-20T12:00:00.000Z', 'a'.repeat(32), `url:${'a'.repeat(64)}`, 1, 0, true];
  return [...Object.values(entries), ...values, ...examples].find((each) => z.safeParse(schema, each).success);
}
