/** The interface of the separate CDR service: start, listen, download. Paths are relative to {cdr_url}. */

import * as z from 'zod';
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { Hashes, listOf, orNull, type RouteDefinition, UploadedFile } from './common.ts';
import { DisarmQuality } from './disarm-quality.ts';
import { ReportError } from './v3-submission.ts';

/** The header that carries the credential of the CDR service. */
export const CDR_TOKEN_HEADER = 'api-token';

/** 1: received, the work continues. 2: finished. `result` holds the outcome, which can be a failure. */
export const CDR_STATUSES = [1, 2] as const;
export type CdrStatus = (typeof CDR_STATUSES)[number];

/** A number, or the same number as text: public samples show both. An unknown status is refused, never waited on. */
export const CdrStatus = z
  .union([z.literal([1, 2]), z.enum(['1', '2'])])
  .transform((value): CdrStatus => (Number(value) === 1 ? 1 : 2))
  .describe('1 Received, 2 Finished.');

/** Options of a start. An empty value counts as unset, except for `filedata`, where any value counts. */
const START_OPTIONS = {
  webhook: z
    .union([
      z.literal('').transform(() => undefined),
      z
        .string()
        .max(2_048)
        .refine((text) => /^https?:$/.test(protocolOf(text)), 'expected an http or https URL without credentials'),
    ])
    .optional()
    .describe('URL to which `{resultId}` is POSTed when the result is ready.'),
  extension: z
    .string()
    .regex(/^(?:\.?[A-Za-z0-9]{1,8})?$/, 'expected an extension of up to 8 letters and digits')
    .transform((text) => text.replace('.', '').toLowerCase() || undefined)
    .optional()
    .describe('Read the file as this type, whatever its name says.'),
  filedata: z.string().max(100).optional().describe('With any value, the result holds the sanitized file as base64.'),
};

function protocolOf(text: string): string {
  const url = parseUrl(text);
  return url !== null && url.username === '' && url.password === '' ? url.protocol : '';
}

export const CdrStartForm = z.object({ file: UploadedFile, ...START_OPTIONS });

/** The same options in the form. When both give an option, the query counts. */
export const CdrStartQuery = z.object(START_OPTIONS);

export const CdrStarted = z.object({ resultId: z.string().min(1), message: z.string().default('') });
export type CdrStarted = z.infer<typeof CdrStarted>;

export const CdrResult = z.object({
  filename: z.string().default('').describe('Name of the sanitized file; empty when there is none.'),
  log: z.object({
    description: z.string().default(''),
    removed: listOf(z.string()).describe('Kinds of content removed.'),
    sanitized: listOf(z.string()).describe('Kinds of content sanitized.'),
    'processing time': z.string().default('').describe('For example `0.51000 seconds`.'),
  }),
  file_data: orNull(z.string()).describe(
    'The sanitized file in base64, when `filedata` asked for it; null when the file is too large for a record.',
  ),
  format: orNull(z.string()).describe('MIME type as which the file was read; our addition.'),
  quality: orNull(DisarmQuality),
});
export type CdrResult = z.infer<typeof CdrResult>;

/** The record of one file. `error` is our addition. It explains why a finished submission has no sanitized file. */
export const CdrRecord = z.object({
  type: z.string().default('file'),
  name: z.string().default(''),
  fileId: z.string().default('').describe('SHA-256 of the submitted file.'),
  resultId: z.string().default(''),
  size: orNull(z.number()).describe('Bytes.'),
  hashes: orNull(Hashes),
  status: CdrStatus,
  level: orNull(z.number()).describe('0; other values are not documented.'),
  files: listOf(z.object({ name: z.string(), id: z.string() })).describe('The sanitized files.'),
  message: z.string().default(''),
  result: orNull(CdrResult).describe('Null until the submission is finished.'),
  error: orNull(ReportError),
});
export type CdrRecord = z.infer<typeof CdrRecord>;

export const CDR_ROUTES = [
  {
    name: 'start',
    summary: 'Submit a file for disarming',
    method: 'POST',
    paths: ['/start/upload-file'],
    auth: 'api-token',
    request: { query: CdrStartQuery, multipart: CdrStartForm },
    responses: { 200: { kind: 'json', schema: CdrStarted } },
    errors: [
      'INVALID_QUERY_PARAM',
      'INVALID_BODY',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_ENCODING',
      'SUBMISSION_LIMIT_EXCEEDED',
    ],
  },
  {
    name: 'listen',
    summary: 'The record of one submission',
    method: 'GET',
    paths: ['/listen/:resultId'],
    auth: 'api-token',
    request: { params: z.object({ resultId: z.uuid() }) },
    responses: { 200: { kind: 'json', schema: CdrRecord } },
    errors: ['INVALID_UUID', 'SUBMISSION_NOT_FOUND'],
  },
  {
    name: 'download',
    summary: 'One sanitized file, by the id the record lists',
    method: 'GET',
    paths: ['/download/:fileId'],
    auth: 'api-token',
    request: { params: z.object({ fileId: z.uuid() }) },
    responses: { 200: { kind: 'file', contentType: 'application/octet-stream', description: 'The sanitized file.' } },
    errors: ['INVALID_UUID', 'FILE_NOT_FOUND'],
  },
] as const satisfies readonly RouteDefinition[];

export type CdrRoute = (typeof CDR_ROUTES)[number];
export type CdrRouteName = CdrRoute['name'];
