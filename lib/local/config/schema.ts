/** The JSON schema of `airlock.config.json`, for editors and other programs. It follows from the tables. */
import * as z from 'zod/mini';
import { STACK_ROWS } from './stack.ts';
import { CONFIG_ROWS } from './table.ts';
import type { Value } from './values.ts';

/** Its name. The number grows when an earlier valid file becomes invalid. */
export const CONFIG_SCHEMA = 'mail-airlock/config/1';
/** Its place in the repository and in the package `mail-airlock`. */
export const CONFIG_SCHEMA_FILE = 'schema/airlock-config-1.json';

/** Returns the schema as an object. */
export function configSchema(): Record<string, unknown> {
  const top: Record<string, unknown> = { $schema: { type: 'string' } };
  const sections: Record<string, Record<string, unknown>> = {};
  const put = (key: string, schema: object) => {
    const [section = '', name] = key.split('.');
    if (name === undefined) top[key] = schema;
    else sections[section] = { ...sections[section], [name]: schema };
  };
  for (const { key, says, value, example } of CONFIG_ROWS) put(key, schemaOf(value, says, example));
  for (const { name, says, value, example } of STACK_ROWS) put(`stack.${name}`, schemaOf(value, says, example));
  for (const [section, properties] of Object.entries(sections)) top[section] = objectOf(properties);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: CONFIG_SCHEMA,
    title: 'The configuration of Mail Airlock: airlock.config.json',
    ...objectOf(top),
  };
}

const objectOf = (properties: object) => ({ type: 'object', properties, additionalProperties: false });

function schemaOf({ schema }: Value, description: string, example: unknown): object {
  const { $schema: _, ...form } = z.toJSONSchema(schema);
  return { description, ...form, examples: [example] };
}
