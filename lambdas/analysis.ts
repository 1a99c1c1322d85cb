/** The ports of the stages that talk to the analysis service: the service itself, and the records of submissions. */
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { ConfigError, TransientError } from '../lib/pipeline/errors.ts';
import type { Analyzer } from '../lib/pipeline/ports.ts';
import { createAnalyzer } from '../lib/service/analyzer.ts';
import { renewedAnalyzer } from '../lib/service/analyzer-renewal.ts';
import { AnalysisClient } from '../lib/service/client/analysis-client.ts';
import { CdrClient } from '../lib/service/client/cdr-client.ts';
import { awsCall } from '../lib/storage/aws-errors.ts';
import { submissionPorts } from './ports.ts';
import { NO_HANGING, optionalSetting, type Ports, setting } from './runtime.ts';

/** Secrets are read when the service is first asked, so that a run can wait for a secret that has no value yet. */
export async function analysisPorts(): Promise<Pick<Ports, 'submissions' | 'analyzer'>> {
  return { ...submissionPorts(), analyzer: renewedAnalyzer(openAnalyzer) };
}

/** Fetches the secrets and builds the clients. Throws ConfigError when a secret has no value yet or may not be read, TransientError. */
async function openAnalyzer(): Promise<Analyzer> {
  const secrets = new SecretsManagerClient({ requestHandler: NO_HANGING });
  const apiKey = await secretValue(secrets, setting('AIRLOCK_API_KEY_SECRET'));
  const client = new AnalysisClient({ baseUrl: setting('AIRLOCK_ANALYSIS_URL'), apiKey });
  const cdrUrl = optionalSetting('AIRLOCK_CDR_URL');
  if (cdrUrl === null) return createAnalyzer({ client });
  const token = await secretValue(secrets, setting('AIRLOCK_CDR_TOKEN_SECRET'));
  const cdrClient = new CdrClient({ baseUrl: cdrUrl, token });
  return createAnalyzer({ client, cdrClient });
}

async function secretValue(client: SecretsManagerClient, secretId: string): Promise<string> {
  const sent = client.send(new GetSecretValueCommand({ SecretId: secretId }));
  const answer = await awsCall('secret get', sent.catch(asEmpty)).catch((error: unknown) => {
    throw error instanceof TransientError ? error : unreadable(secretId, error);
  });
  if (!answer.SecretString) throw new ConfigError('the environment', [`secret ${secretId} has no text value`]);
  return answer.SecretString.trim();
}

/** An operator mends this (a missing permission, a deleted secret or key), and no mail is to be blamed for it. */
function unreadable(secretId: string, error: unknown): ConfigError {
  const name = error instanceof Error ? error.name : 'unknown';
  return new ConfigError('the environment', [`secret ${secretId} cannot be read: ${name}`]);
}

/** A secret that was created but has no value yet counts as not found. */
function asEmpty(error: unknown): { readonly SecretString?: string } {
  if (error instanceof ResourceNotFoundException) return {};
  throw error;
}
