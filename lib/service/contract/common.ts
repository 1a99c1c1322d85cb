/**
 * Words and shapes that several routes of the contract share, and the type of a route. The contract is data: server, client,
 * validation and documentation pages are derived from it, so a route is changed in one place.
 *
 * Null and absent mean the same on this wire: the service sends explicit nulls, and a client accepts both (`orNull`). A client
 * ignores keys that this contract does not name, so a service may send more.
 */
import * as z from 'zod';
import type { ErrorCode } from './errors.ts';

/**
 * The header that names a group of submissions. The submissions of a group share a budget of processor time and take turns as
 * one. A service that does not know the header ignores it.
 */
export const GROUP_HEADER = 'x-submission-group';
export const GROUP_NAME = /^[\w.:-]{1,200}$/;

/** Returns a value that may be null or absent; reads as null. */
export const orNull = <S extends z.ZodType>(schema: S) => z._default(z.nullable(schema), null);

/** Returns a list that may be null or absent; reads as empty. */
export const listOf = <S extends z.ZodType>(schema: S) =>
  z
    .array(schema)
    .nullish()
    .transform((list) => list ?? []);

export const THREAT_LEVELS = ['unknown', 'benign', 'suspicious', 'malicious'] as const;
export const ThreatLevel = z.enum(THREAT_LEVELS).describe('What was found. `unknown` is not `benign`.');
/** The verdict. `unknown` is not `benign`. */
export type ThreatLevel = z.infer<typeof ThreatLevel>;

export const IndicatorLevel = z.enum(['malicious', 'suspicious', 'benign']).describe('Level of one rule that matched.');
export type IndicatorLevel = z.infer<typeof IndicatorLevel>;

/** The statuses in the order in which a report passes through them. `error` can follow any of them but `completed`. */
export const REPORT_STATUSES = ['not_started', 'accepted', 'in_progress', 'clean_up', 'completed', 'error'] as const;
export const ReportStatus = z.enum(REPORT_STATUSES).describe('How far one report has come. It only moves forward.');
/** How far one report has come. It only moves forward. */
export type ReportStatus = z.infer<typeof ReportStatus>;

/** The report types this service schedules. */
export const REPORT_TYPES = ['dynamic', 'static', 'cdr', 'url_analysis', 'open_in_browser'] as const;
/** The type of a report. A submission has one report of each type that it asked for. */
export type ReportType = (typeof REPORT_TYPES)[number];
/** The report types that routes need. Each type has its own …_REPORT_UNAVAILABLE code. */
export type GatedReport = Exclude<ReportType, 'open_in_browser'>;

export const Sha256 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'a SHA-256 of 64 hexadecimal digits is needed; MD5 and SHA-1 cannot be searched')
  .describe('SHA-256, 64 hexadecimal digits.');

export const Hashes = z.object({ md5: z.string(), sha1: z.string(), sha256: z.string() }).describe('Hexadecimal.');
export type Hashes = z.infer<typeof Hashes>;

export const Tag = z.object({ type: z.string(), value: z.string() });

/**
 * A file part of a multipart body, as the server has it after reading. Its bytes are then in the blob store under their SHA-256, and were
 * never completely in memory. The sender chose the name.
 */
export const UploadedFile = z
  .object(
    { untrustedName: z.string(), size: z.number().describe('Bytes.'), hashes: Hashes },
    'expected a part with the file and its file name',
  )
  .describe('The file, as a binary part.');
export type UploadedFile = z.infer<typeof UploadedFile>;

/** A boolean of a form, which is text on the wire; JSON true and false are accepted too. */
export const FormBoolean = z
  .union([z.boolean(), z.string()])
  .transform((value, context) => {
    const text = String(value).toLowerCase();
    if (text === 'true' || text === 'false') return text === 'true';
    context.addIssue({ code: 'custom', message: 'expected true or false' });
    return z.NEVER;
  })
  .describe('`true` or `false`, as text.');

/** The operating systems in which an analysis can run. */
export const Platform = z.enum(['windows', 'linux', 'android', 'macos']).describe('Operating system.');
export type Platform = z.infer<typeof Platform>;

/** Most values of a list in a query. A longer list is an attempt to overload the service. */
const MAX_QUERY_VALUES = 100;

/** Reads a list in a query. It may be separated by commas, as documented, or use repeated keys, as public clients send it, or both. */
export const manyOf = <S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (value) =>
      [value]
        .flat()
        .flatMap((text) => (typeof text === 'string' ? text.split(',') : [text]))
        .filter((text) => text !== ''),
    z.array(schema).max(MAX_QUERY_VALUES),
  );

/** Returns a whole number in a query, which is text on the wire. Reads as a number. */
export const queryInteger = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'expected a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max));

/** The last page number. Nobody reads a page beyond it. */
const MAX_PAGE = 1_000_000;
export const PageNumber = queryInteger(1, MAX_PAGE).default(1).describe('Number of the page; the first is 1.');

/** Items per page. */
export const pageLimit = (max: number, fallback: number) =>
  queryInteger(1, max).default(fallback).describe(`Items per page, at most ${max}.`);

/** ISO 8601: a date, or a date and a time. A time without an offset is UTC. Reads as a Date. */
export const IsoDate = z
  .string()
  .max(40)
  .regex(/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+ -]\d{2}:?\d{2})?)?$/i, 'expected ISO 8601')
  .transform((text, context) => {
    // An unescaped + arrives as a space.
    const [day = '', rest = ''] = [text.slice(0, 10), text.slice(11).replace(' ', '+').replace(',', '.').toUpperCase()];
    const time = rest === '' ? '00:00Z' : /(Z|[+-]\d{2}:?\d{2})$/.test(rest) ? rest : `${rest}Z`;
    const date = new Date(`${day}T${time.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')}`);
    const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number);
    // Date would read the 31st of February as the 3rd of March.
    const isDay = dayOfMonth <= new Date(Date.UTC(year, month, 0)).getUTCDate();
    if (isDay && !Number.isNaN(date.getTime())) return date;
    context.addIssue({ code: 'custom', message: 'there is no such date' });
    return z.NEVER;
  })
  .describe('ISO 8601: a date, or a date and a time. Without an offset it is UTC.');

/** A body of JSON, or the bytes of a file. */
export type ResponseBody =
  | { readonly kind: 'json'; readonly schema: z.ZodType }
  | { readonly kind: 'file'; readonly contentType: string; readonly description: string };

/** The input of one route. A part that is absent here is not read. */
export interface RouteRequest {
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly json?: z.ZodObject;
  readonly multipart?: z.ZodObject;
  /** Text fields of the form that may come several times; their values are read joined by commas. */
  readonly repeated?: readonly string[];
}

/** Codes that any route can answer with. Every call needs a key from the storage, has a quota, and can meet our own faults. */
export const ANY_ROUTE_ERRORS = [
  'UNAUTHORIZED',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'STORAGE_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

/** One entry of the contract. `name` is also the name of the server's handler and of the client's method. */
export interface RouteDefinition {
  readonly name: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST';
  /** The documented path first, then the aliases that public clients use. Parameters are written `:name`. */
  readonly paths: readonly [string, ...string[]];
  /** `bearer`: Authorization header; `bearer-or-cookie`: that, or the cookie `accesstoken` (v1); `api-token`: header of that name. */
  readonly auth: 'bearer' | 'bearer-or-cookie' | 'api-token';
  readonly request: RouteRequest;
  readonly responses: { readonly 200: ResponseBody; readonly 202?: ResponseBody };
  /** The report that must be completed. Otherwise the answer is its …_REPORT_UNAVAILABLE code, before the query is read. */
  readonly requires?: GatedReport;
  /** Every code this route answers with, besides ANY_ROUTE_ERRORS. */
  readonly errors: readonly ErrorCode[];
  /** Code of a body that its schema refuses. @default INVALID_BODY */
  readonly invalidBody?: ErrorCode;
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The input of a route's handler: every part parsed by the route's schemas. */
export interface RouteInput<R extends RouteDefinition> {
  readonly params: Parsed<R['request']['params']>;
  readonly query: Parsed<R['request']['query']>;
  readonly json: Parsed<R['request']['json']>;
  readonly multipart: Parsed<R['request']['multipart']>;
}

/** The JSON a route answers with; `never` for a route that answers with a file. */
export type RouteJson<R extends RouteDefinition> = R['responses'][200] extends { schema: infer S extends z.ZodType }
  ? z.output<S>
  : never;
