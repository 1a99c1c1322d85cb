/** The error envelope of the wire and every code in it. Callers branch on `code`, never on `message`. */
import * as z from 'zod';

/** Every code with its HTTP status and its default message. */
export const ERRORS = {
  INVALID_REQUEST: { status: 400, message: 'the request line or a header is not valid HTTP' },
  INVALID_UUID: { status: 400, message: 'the submission id is not a UUID' },
  INVALID_QUERY_PARAM: { status: 400, message: 'a parameter of the path or query is not valid' },
  INVALID_URL_BODY: { status: 400, message: 'the URL or the request body is not valid' },
  UNAUTHORIZED: { status: 401, message: 'a valid API key is needed' },
  PAYMENT_REQUIRED: { status: 402, message: 'the subscription is not active' },
  SUBMISSION_PRIVATE: { status: 403, message: 'this submission belongs to another workspace' },
  ROUTE_INTERNAL: { status: 403, message: 'this route is internal to the service' },
  SUBMISSION_NOT_FOUND: { status: 404, message: 'there is no submission with this id' },
  ARTIFACT_NOT_FOUND: { status: 404, message: 'the submission has no artifact with this id' },
  SAMPLE_NOT_AVAILABLE: { status: 404, message: 'the submission has no sample: a URL was submitted, or it is gone' },
  MEDIA_NOT_FOUND: { status: 404, message: 'the submission has no such media file' },
  FILE_NOT_FOUND: { status: 404, message: 'there is no file with this id' },
  ROUTE_NOT_FOUND: { status: 404, message: 'no route answers this method and path' },
  REQUEST_TIMEOUT: { status: 408, message: 'the request took longer than this service waits for one' },
  DYNAMIC_REPORT_UNAVAILABLE: { status: 409, message: 'the dynamic report is not available' },
  STATIC_REPORT_UNAVAILABLE: { status: 409, message: 'the static report is not available' },
  CDR_REPORT_UNAVAILABLE: { status: 409, message: 'the cdr report is not available' },
  URL_ANALYSIS_REPORT_UNAVAILABLE: { status: 409, message: 'the url_analysis report is not available' },
  ROUTE_REMOVED: { status: 410, message: 'this route is deprecated and has no replacement' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'the request is larger than this service accepts' },
  UNSUPPORTED_ENCODING: { status: 415, message: 'the body is packed or encoded; this service takes bytes as they are' },
  EXPECTATION_FAILED: { status: 417, message: 'the header Expect names something that this service does not do' },
  INVALID_BODY: { status: 422, message: 'the request body is not valid' },
  RATE_LIMIT_EXCEEDED: { status: 429, message: 'too many requests' },
  SUBMISSION_LIMIT_EXCEEDED: { status: 429, message: 'too many submissions are waiting; try again later' },
  INTERNAL_ERROR: { status: 500, message: 'the service failed' },
  NOT_READY: { status: 503, message: 'the service is starting or stopping' },
  STORAGE_UNAVAILABLE: { status: 503, message: 'the storage of the service is not available' },
} as const;

/** The stable code of an error that the service answers with. */
export type ErrorCode = keyof typeof ERRORS;

/** The reason phrases of the statuses above (RFC 9110 §15). */
export const REASON_PHRASES: Readonly<Record<(typeof ERRORS)[ErrorCode]['status'], string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** The body of every answer that is not a success. */
export const ErrorEnvelope = z.object({
  statusCode: z.int().describe('The HTTP status again.'),
  error: z.string().describe('The reason phrase of the status.'),
  message: z.string().describe('A message for people.'),
  code: z.string().describe('A stable code. Programs branch on it.'),
  details: z.record(z.string(), z.unknown()).optional().describe('Facts that belong to the code.'),
});
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

/** `details` of the four …_REPORT_UNAVAILABLE codes. */
export const ReportUnavailableDetails = z.object({
  submissionUuid: z.string(),
  requiredReport: z.string(),
  currentStatus: z.string().nullable().describe('Null when this report was never scheduled and will not come.'),
  availableReports: z.array(z.string()).describe('Types of the completed reports.'),
});
export type ReportUnavailableDetails = z.infer<typeof ReportUnavailableDetails>;
