/**
 * List prices of AWS in dollars for a million units, region us-east-1. The dashboard and the bench use them. For another region, change
 * only these numbers.
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

/**
 * Express: dollars per million executions, and per million GB-seconds of execution. An execution has 64 MB and is billed in steps of 100
 * ms.
 */
export const EXPRESS = { execution: 1, gigabyteSecond: 16.67, gigabytes: 0.0625, stepSeconds: 0.1 } as const;
