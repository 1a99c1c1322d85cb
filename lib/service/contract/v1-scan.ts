/** v1: the routes that start an analysis. */
import type { RouteDefinition } from './common.ts';
import { V1Created } from './v1-bodies.ts';
import { V1FileForm, V1SandboxForm, V1SandboxQuery, V1UrlBody } from './v1-forms.ts';

const created = { 200: { kind: 'json', schema: V1Created } } as const;
const fileErrors = ['INVALID_BODY', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_ENCODING', 'SUBMISSION_LIMIT_EXCEEDED'] as const;

export const V1_SCAN_ROUTES = [
  {
    name: 'scanUrl',
    summary: 'Submit a URL for analysis',
    method: 'POST',
    paths: ['/public-api/scan/url-analysis', '/public-api/scan/url'],
    auth: 'bearer',
    request: { json: V1UrlBody },
    responses: created,
    errors: ['INVALID_URL_BODY', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_ENCODING', 'SUBMISSION_LIMIT_EXCEEDED'],
    invalidBody: 'INVALID_URL_BODY',
  },
  {
    name: 'scanSandbox',
    summary: 'Submit a file for dynamic and static analysis',
    method: 'POST',
    paths: ['/public-api/scan/sandbox'],
    auth: 'bearer',
    request: { query: V1SandboxQuery, multipart: V1SandboxForm, repeated: ['modules', 'analyzeConfig'] },
    responses: created,
    errors: [...fileErrors, 'INVALID_QUERY_PARAM'],
  },
  {
    name: 'scanStatic',
    summary: 'Submit a file for static analysis',
    method: 'POST',
    paths: ['/public-api/scan/static-scan', '/public-api/scan/static'],
    auth: 'bearer',
    request: { multipart: V1FileForm },
    responses: created,
    errors: fileErrors,
  },
  {
    name: 'scanCdr',
    summary: 'Submit a file for content disarm and reconstruction',
    method: 'POST',
    paths: ['/public-api/scan/cdr'],
    auth: 'bearer',
    request: { multipart: V1FileForm },
    responses: created,
    errors: fileErrors,
  },
] as const satisfies readonly RouteDefinition[];
