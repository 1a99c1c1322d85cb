/** The contract as OpenAPI 3.1 documents. Nothing is written twice: every operation is read from a table of routes. */
import * as z from 'zod';
import {
  ANY_ROUTE_ERRORS,
  GROUP_HEADER,
  GROUP_NAME,
  type ResponseBody,
  type RouteDefinition,
  UploadedFile,
} from './common.ts';
import { ERRORS, ErrorEnvelope, REASON_PHRASES } from './errors.ts';
import { V1_COOKIE } from './v1-words.ts';

type Json = Readonly<Record<string, unknown>>;

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Json;
  readonly servers: readonly Json[];
  readonly tags: readonly Json[];
  readonly paths: Readonly<Record<string, Json>>;
  readonly components: Json;
}

/** One table of routes, shown under one heading. */
export interface RouteGroup {
  /** The heading, and the first part of every operation id, because names repeat between interfaces. */
  readonly tag: string;
  readonly description: string;
  readonly routes: readonly RouteDefinition[];
}

export interface ApiDescription {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly groups: readonly RouteGroup[];
}

const SECURITY: Readonly<Record<RouteDefinition['auth'], readonly Json[]>> = {
  bearer: [{ bearer: [] }],
  'bearer-or-cookie': [{ bearer: [] }, { cookie: [] }],
  'api-token': [{ apiToken: [] }],
};
const SCHEMES: Readonly<Record<string, Json>> = {
  bearer: { type: 'http', scheme: 'bearer' },
  cookie: { type: 'apiKey', in: 'cookie', name: V1_COOKIE },
  apiToken: { type: 'apiKey', in: 'header', name: 'api-token' },
};

/** Returns the document of an interface, relative to `serverUrl`. */
export function openApiDocument(api: ApiDescription, serverUrl: string): OpenApiDocument {
  const schemas: Record<string, unknown> = { ErrorEnvelope: jsonSchema(ErrorEnvelope, 'output', 'ErrorEnvelope', {}) };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { tag, routes } of api.groups) {
    for (const route of routes) {
      route.paths.forEach((path, index) => {
        const template = path.replace(/:(\w+)/g, '{$1}');
        const item = paths[template] ?? {};
        paths[template] = item;
        item[route.method.toLowerCase()] = operationOf(route, tag, index, schemas);
      });
    }
  }
  const used = new Set(
    api.groups.flatMap(({ routes }) => routes.flatMap(({ auth }) => SECURITY[auth])).flatMap(Object.keys),
  );
  const securitySchemes = Object.fromEntries(Object.entries(SCHEMES).filter(([name]) => used.has(name)));
  return {
    openapi: '3.1.0',
    info: { title: api.title, version: api.version, description: api.description, license: { name: 'Apache-2.0' } },
    servers: [{ url: serverUrl }],
    tags: api.groups.map(({ tag, description }) => ({ name: tag, description })),
    paths,
    components: { schemas, securitySchemes },
  };
}

const GROUP_PARAMETER: Json = {
  name: GROUP_HEADER,
  in: 'header',
  required: false,
  description: 'Name of a group of submissions. They share a budget of processor time and take turns as one.',
  schema: { type: 'string', pattern: GROUP_NAME.source },
};

function operationOf(route: RouteDefinition, tag: string, alias: number, schemas: Record<string, unknown>): Json {
  const name = `${tag}.${route.name}`;
  const body = bodyOf(route, name, schemas);
  return {
    operationId: alias === 0 ? name : `${name}.alias${alias}`,
    summary: route.summary,
    ...(alias > 0 && { description: `Another path of \`${route.method} ${route.paths[0]}\`.` }),
    tags: [tag],
    security: SECURITY[route.auth],
    parameters: [
      ...parametersOf(route, 'path', schemas),
      ...parametersOf(route, 'query', schemas),
      ...(route.method === 'POST' ? [GROUP_PARAMETER] : []),
    ],
    ...(body && { requestBody: { required: true, content: body } }),
    responses: { ...successesOf(route, name, schemas), ...refusalsOf(route) },
  };
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

function parametersOf(route: RouteDefinition, where: 'path' | 'query', schemas: Record<string, unknown>): Json[] {
  const object = where === 'path' ? route.request.params : route.request.query;
  if (!object) return [];
  const { properties = {}, required = [] }: ObjectSchema = jsonSchema(
    object,
    'input',
    `${route.name}.${where}`,
    schemas,
  );
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...written } = property;
    // A list can be written in several ways, which no schema can express. So the schema describes the list after reading.
    const schema = Object.keys(written).length > 0 ? written : outputOf(object, name);
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...(typeof description === 'string' && { description }),
      ...(schema.type === 'array' && { style: 'form', explode: false }),
      schema,
    };
  });
}

function outputOf(object: z.ZodObject, name: string): Json {
  const { properties = {} }: ObjectSchema = jsonSchema(object, 'output', name, {});
  const { description: _said, ...schema } = properties[name] ?? {};
  return schema;
}

function bodyOf({ request }: RouteDefinition, name: string, schemas: Record<string, unknown>): Json | undefined {
  const { json, multipart } = request;
  if (json) return { 'application/json': { schema: jsonSchema(json, 'input', `${name}.body`, schemas) } };
  if (multipart) return { 'multipart/form-data': { schema: jsonSchema(multipart, 'input', `${name}.form`, schemas) } };
  return undefined;
}

function successesOf(route: RouteDefinition, name: string, schemas: Record<string, unknown>): Json {
  const answers = Object.entries(route.responses) as [string, ResponseBody][];
  return Object.fromEntries(
    answers.map(([status, answer]) => {
      if (answer.kind === 'json') {
        const schema = jsonSchema(answer.schema, 'output', `${name}.${status}`, schemas);
        return [status, { description: route.summary, content: { 'application/json': { schema } } }];
      }
      const content = { [answer.contentType]: { schema: { type: 'string', format: 'binary' } } };
      return [status, { description: answer.description, content }];
    }),
  );
}

/** Returns the error answers of a route by status. Each names the codes that it can have. */
function refusalsOf(route: RouteDefinition): Json {
  const codes = [...new Set([...route.errors, ...ANY_ROUTE_ERRORS])];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = codes.filter((code) => ERRORS[code].status === status);
      const schema = {
        allOf: [{ $ref: '#/components/schemas/ErrorEnvelope' }, { properties: { code: { enum: own } } }],
      };
      const headers = status === 429 && {
        headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } },
      };
      const description = own.map((code) => `\`${code}\`: ${ERRORS[code].message}`).join('; ');
      const [first = 'INTERNAL_ERROR'] = own;
      const example = {
        statusCode: status,
        error: REASON_PHRASES[status],
        message: ERRORS[first].message,
        code: first,
      };
      return [String(status), { description, ...headers, content: { 'application/json': { schema, example } } }];
    }),
  );
}

/** Returns a schema in the form of OpenAPI 3.1. A recursive schema moves to `schemas`, where references can reach it. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', name: string, schemas: Record<string, unknown>): Json {
  const {
    $schema: _dialect,
    $defs,
    ...root
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: written }) {
      // A service may send more keys than this document knows.
      if (written.additionalProperties === false) delete written.additionalProperties;
      if (zodSchema !== UploadedFile) return;
      for (const key of Object.keys(written)) if (key !== 'description') delete written[key as keyof typeof written];
      Object.assign(written, { type: 'string', format: 'binary' });
    },
  }) as Record<string, unknown>;
  if (!JSON.stringify([root, $defs]).includes('"$ref"')) return root;
  for (const [key, part] of Object.entries({ ...($defs as object), '': root })) {
    schemas[key === '' ? name : `${name}.${key}`] = withReferences(part, name);
  }
  return { $ref: `#/components/schemas/${name}` };
}

/** Returns the same value with every `#` and `#/$defs/x` pointing at the place where `jsonSchema` puts it. */
function withReferences(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key !== '$ref' || typeof item !== 'string') return [key, withReferences(item, name)];
      const local = item === '#' ? name : item.replace('#/$defs/', `${name}.`);
      return [key, `#/components/schemas/${local}`];
    }),
  );
}
