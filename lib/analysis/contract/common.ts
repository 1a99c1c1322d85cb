/**
 * Words and shapes that several routes of the contract share, and what a route is. The contract is data: server, client,
 * validation and documentation pages are all derived from it, so a route is widened in one place.
 *
 * Null and absent mean the same on this wire: the service sends explicit nulls, a client accepts both (`orNull`). Keys this
 * contract does not name are ignored, so a service may send more than a client knows.
 */
import * as z from 'zod';
import type { ErrorCode } from './errors.ts';

/** A value that may be null or absent; reads as null. */
export const orNull = <S extends z.ZodType>(schema: S) => z._default(z.nullable(schema), null);

/** A list that may be null or absent; reads as empty. */
export const listOf = <S extends z.ZodType>(schema: S) =>
  z
    .array(schema)
    .nullish()
    .transform((list) => list ?? []);

export const THREAT_LEVELS = ['unknown', 'benign', 'suspicious', 'malicious'] as const;
export const ThreatLevel = z.enum(THREAT_LEVELS).describe('What was found. `unknown` is not `benign`.');
export type ThreatLevel = z.infer<typeof ThreatLevel>;

export const IndicatorLevel = z.enum(['malicious', 'suspicious', 'benign']).describe('Level of one rule that matched.');
export type IndicatorLevel = z.infer<typeof IndicatorLevel>;

/** In the order a report passes through them; `error` can follow any that is not `completed`. */
export const REPORT_STATUSES = ['not_started', 'accepted', 'in_progress', 'clean_up', 'completed', 'error'] as const;
export const ReportStatus = z.enum(REPORT_STATUSES).describe('How far one report got. It only moves forward.');
export type ReportStatus = z.infer<typeof ReportStatus>;

/** The report types this service schedules. */
export const REPORT_TYPES = ['dynamic', 'static', 'cdr', 'url_analysis'] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

export const Sha256 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, 'a SHA-256 of 64 hexadecimal digits is needed; MD5 and SHA-1 cannot be searched')
  .describe('SHA-256, 64 hexadecimal digits.');

export const Hashes = z.object({ md5: z.string(), sha1: z.string(), sha256: z.string() }).describe('Hexadecimal.');
export type Hashes = z.infer<typeof Hashes>;

export const Tag = z.object({ type: z.string(), value: z.string() });

/** Bytes with a name, as one part of a multipart body. The name is whatever the sender wrote. */
export const UploadedFile = z
  .object({ untrustedName: z.string(), bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array) })
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

/** A body of JSON, or the bytes of a file. */
export type ResponseBody =
  | { readonly kind: 'json'; readonly schema: z.ZodType }
  | { readonly kind: 'file'; readonly contentType: string; readonly description: string };

/** What one route takes. Parts that are absent are not looked at. */
export interface RouteRequest {
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly json?: z.ZodObject;
  readonly multipart?: z.ZodObject;
}

/** One entry of the contract. `name` is also the name of the server's handler and of the client's method. */
export interface RouteDefinition {
  readonly name: string;
  readonly summary: string;
  readonly method: 'GET' | 'POST';
  /** The documented path first, then the aliases that public clients use. Parameters are written `:name`. */
  readonly paths: readonly [string, ...string[]];
  /** `bearer`: Authorization header; `api-token`: header of that name. */
  readonly auth: 'bearer' | 'api-token';
  readonly request: RouteRequest;
  readonly responses: { readonly 200: ResponseBody };
  /** Codes this route answers with, besides UNAUTHORIZED, RATE_LIMIT_EXCEEDED and INTERNAL_ERROR, which any route can. */
  readonly errors: readonly ErrorCode[];
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a handler receives for a route: every part parsed by the route's schemas. */
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
