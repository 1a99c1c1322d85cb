/** The checks of `airlock doctor --bucket` on AWS: the credentials, and the setup of each bucket. They change nothing. */
import {
  GetBucketNotificationConfigurationCommand,
  GetBucketPolicyCommand,
  GetBucketVersioningCommand,
  GetPublicAccessBlockCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { checked, type Finding } from './checks.ts';

/** Milliseconds. A person waits at the terminal. */
const TIMES = { connectionTimeout: 5_000, requestTimeout: 15_000 };

/** Returns one finding for the credentials, and one for each check of each bucket. */
export async function buckets(names: readonly string[], credentials: object): Promise<Finding[]> {
  const client = new S3Client({ requestHandler: TIMES, maxAttempts: 2, ...credentials });
  try {
    const access = await checked('AWS credentials', async () => {
      const { accessKeyId } = await client.config.credentials();
      return `are there (${accessKeyId.slice(0, 4)}…)`;
    });
    if (access.state === 'bad') return [access];
    return [access, ...(await Promise.all(names.map((name) => bucket(client, name)))).flat()];
  } finally {
    client.destroy();
  }
}

async function bucket(client: S3Client, Bucket: string): Promise<Finding[]> {
  return await Promise.all([
    checked(`${Bucket}: versions`, async () => {
      const { Status } = await client.send(new GetBucketVersioningCommand({ Bucket }));
      if (Status === 'Enabled') return 'are kept, so a second upload under a name never replaces the first';
      throw new Error('are not kept; switch versioning on, or let the stack make the bucket');
    }),
    checked(`${Bucket}: public access`, async () => {
      const { PublicAccessBlockConfiguration: block } = await client.send(new GetPublicAccessBlockCommand({ Bucket }));
      const isBlocked = block?.BlockPublicAcls && block.BlockPublicPolicy && block.RestrictPublicBuckets;
      if (isBlocked && block.IgnorePublicAcls) return 'is blocked';
      throw new Error('is not blocked; switch all four settings of Block Public Access on');
    }),
    checked(`${Bucket}: events`, async () => {
      const found = await client.send(new GetBucketNotificationConfigurationCommand({ Bucket }));
      if (found.EventBridgeConfiguration) return 'go to EventBridge';
      throw new Error('do not go to EventBridge; an intake bucket needs that, other buckets do not');
    }),
    checked(`${Bucket}: policy`, async () => {
      const { Policy = '' } = await client.send(new GetBucketPolicyCommand({ Bucket }));
      if (Policy.includes('aws:SecureTransport')) return 'refuses what comes without TLS';
      throw new Error('does not refuse what comes without TLS; add a deny for aws:SecureTransport false');
    }),
  ]);
}
