/**
 * List prices of AWS, region us-east-1, in dollars for a million of each, and what they are applied to. One table, so that
 * another region is a change of these numbers only.
 */
export const PER_MILLION = {
  /** Step Functions, Standard. Retries are transitions too. */
  transition: 25,
  lambdaRequest: 0.2,
  /** GB-seconds on arm64. */
  gigabyteSecond: 13.3334,
  s3Write: 5,
  s3Read: 0.4,
  dynamoWrite: 0.625,
  dynamoRead: 0.125,
  sqsRequest: 0.4,
  event: 1,
} as const;

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
/** Express: dollars per million executions, and per million GB-seconds of an execution, which has 64 MB and is billed in steps of 100 ms. */
export const EXPRESS = { execution: 1, gigabyteSecond: 16.67, gigabytes: 0.0625, stepSeconds: 0.1 } as const;
/** One from S3 (listed as an opt-in data event), one of our own at the end. */
export const EVENTS_PER_MAIL = 2;
