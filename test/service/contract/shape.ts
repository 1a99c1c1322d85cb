/**
 * What a client's models demand of an answer, as data: the required keys, their types, and where null or absence is allowed.
 * Stricter than a glance, as pydantic is: an integer is no float, a text is no list, an unknown word of a closed set fails.
 */

export type Shape =
  | 'string'
  | 'int'
  | 'number'
  | 'boolean'
  | 'datetime'
  | 'record'
  | 'any'
  | { readonly optional: Shape }
  | { readonly list: Shape }
  | { readonly words: readonly (string | number)[] }
  | { readonly object: Readonly<Record<string, Shape>> };

export const optional = (shape: Shape): Shape => ({ optional: shape });
export const list = (shape: Shape): Shape => ({ list: shape });
export const words = (...values: readonly (string | number)[]): Shape => ({ words: values });
export const object = (keys: Readonly<Record<string, Shape>>): Shape => ({ object: keys });

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  int: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  // A time that both Python's fromisoformat and pydantic read: with an offset, or with Z.
  datetime: (value) =>
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value),
  record: isRecord,
  any: () => true,
};

/** Every place where the value does not fit the shape, as `path: why`. */
export function complaints(value: unknown, shape: Shape, path = '$'): string[] {
  if (typeof shape === 'string') return SCALARS[shape]?.(value) ? [] : [`${path}: no ${shape}: ${shown(value)}`];
  if ('optional' in shape) return value === null || value === undefined ? [] : complaints(value, shape.optional, path);
  if ('words' in shape) {
    return shape.words.includes(value as string) ? [] : [`${path}: not one of ${shape.words}: ${shown(value)}`];
  }
  if ('list' in shape) {
    if (!Array.isArray(value)) return [`${path}: no list: ${shown(value)}`];
    return value.flatMap((item, index) => complaints(item, shape.list, `${path}[${index}]`));
  }
  if (!isRecord(value)) return [`${path}: no object: ${shown(value)}`];
  return Object.entries(shape.object).flatMap(([key, inner]) => complaints(value[key], inner, `${path}.${key}`));
}

const shown = (value: unknown) => (JSON.stringify(value) ?? 'undefined').slice(0, 80);
