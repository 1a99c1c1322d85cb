/** Reads secrets. An operator may set or change a value at any time. */
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { ConfigError, TransientError } from '../../lib/pipeline/errors.ts';
import { awsCall } from '../../lib/storage/aws-errors.ts';

/** A connection that never answers must end long before the state machine stops waiting for the stage. Milliseconds. */
export const NO_HANGING = { connectionTimeout: 5_000, requestTimeout: 120_000, throwOnRequestTimeout: true };

/** Returns the text of a secret. Throws ConfigError when it has no value or may not be read, TransientError. */
export async function secretValue(secretId: string): Promise<string> {
  const client = new SecretsManagerClient({ requestHandler: NO_HANGING });
  const sent = client.send(new GetSecretValueCommand({ SecretId: secretId }));
  const answer = await awsCall('secret get', sent.catch(asEmpty)).catch((error: unknown) => {
    throw error instanceof TransientError ? error : unreadable(secretId, error);
  });
  if (!answer.SecretString) throw new ConfigError('the environment', [`secret ${secretId} has no text value`]);
  return answer.SecretString.trim();
}

/** An operator must mend this (a missing permission, a deleted secret or key). The mail is not to blame. */
function unreadable(secretId: string, error: unknown): ConfigError {
  const name = error instanceof Error ? error.name : 'unknown';
  return new ConfigError('the environment', [`secret ${secretId} cannot be read: ${name}`]);
}

/** Returns an empty secret. A secret that was created but has no value yet counts as not found. */
function asEmpty(error: unknown): { readonly SecretString?: string } {
  if (error instanceof ResourceNotFoundException) return {};
  throw error;
}
