/** What the bench reckons with beside the list prices of AWS: prices of logs, and what requests and log lines are assumed to be. */
export { EXPRESS, PER_MILLION } from '../../lib/infra/monitoring/list-prices.ts';

/** CloudWatch Logs, dollars per GB (10^9 bytes) taken in. */
export const LOGS_PER_GIGABYTE = 0.5;
/** What one invocation writes: platform lines and our own. */
export const LOG_BYTES_PER_INVOCATION = 1_500;
/** One event of a state machine in its log, without data. */
export const LOG_BYTES_PER_EVENT = 500;

/** A Lambda of this memory has one whole CPU; a smaller one its share of it. */
export const ONE_CPU_MB = 1_769;

/** A write unit of DynamoDB covers this many bytes, a strongly consistent read unit four times as many. */
export const DYNAMO_UNIT_BYTES = 1_024;

/** How long requests take from inside a region, in ms: assumed, at the slow end of what is usual. */
export const ASSUMED_LATENCY_MS = { s3: 30, dynamo: 8, service: 120 } as const;

/** Requests for one message: somebody sends it, Lambda receives and deletes it. */
export const SQS_REQUESTS_PER_MESSAGE = 3;
/** One from S3 (listed as an opt-in data event), one of our own at the end. */
export const EVENTS_PER_MAIL = 2;
