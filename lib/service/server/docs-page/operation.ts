/** Reads the OpenAPI document for the page: one row for each call. */
import type { OpenApiDocument } from '../../contract/openapi.ts';

export interface Property {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isFile: boolean;
  readonly description: string;
}

export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** Another path of the same call, or null. */
  readonly note: string | null;
  readonly keyHeader: 'authorization' | 'api-token';
  readonly parameters: readonly (Property & { readonly where: string })[];
  /** Fields of a form; null when the call sends none. */
  readonly form: readonly Property[] | null;
  /** Fields of a JSON body; null when the call sends none. */
  readonly json: readonly Property[] | null;
  /** Whether a success is JSON. */
  readonly isJson: boolean;
  readonly answers: readonly { readonly status: string; readonly description: string }[];
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Written {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { description: string; content: Readonly<Record<string, unknown>> }>>;
}

/** Returns the calls of a document, in its order. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, written]) => operationOf(path, method, written as Written)),
  );
}

function operationOf(path: string, method: string, written: Written): Operation {
  const body = written.requestBody?.content;
  const answers = Object.entries(written.responses);
  return {
    id: written.operationId,
    tag: written.tags[0] ?? '',
    method: method.toUpperCase(),
    path,
    summary: written.summary,
    note: written.description ?? null,
    keyHeader: written.security.some((scheme) => 'apiToken' in scheme) ? 'api-token' : 'authorization',
    parameters: written.parameters.map((parameter) => ({
      ...propertyOf(parameter.name, parameter.schema, parameter.required),
      description: parameter.description ?? parameter.schema.description ?? '',
      where: parameter.in,
    })),
    form: fieldsOf(body?.['multipart/form-data']?.schema),
    json: fieldsOf(body?.['application/json']?.schema),
    isJson: answers.some(([status, { content }]) => status < '300' && 'application/json' in content),
    answers: answers.map(([status, { description }]) => ({ status, description })),
  };
}

function fieldsOf(schema: Schema | undefined): Property[] | null {
  if (schema === undefined) return null;
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).map(([name, property]) => propertyOf(name, property, required.includes(name)));
}

function propertyOf(name: string, schema: Schema, isRequired: boolean): Property {
  const isFile = schema.format === 'binary';
  return { name, type: typeOf(schema), isRequired, isFile, description: schema.description ?? '' };
}

/** Returns a schema in a few words. */
function typeOf(schema: Schema): string {
  if (schema.format === 'binary') return 'file';
  if (schema.enum !== undefined) return schema.enum.map(String).join(' | ');
  if (schema.const !== undefined) return String(schema.const);
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*\//, '');
  return [schema.type ?? 'any'].flat().join(' | ');
}
