/** The ports of the stages that talk to the analysis service: the service itself, and the records of submissions. */
import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { ConfigError } from '../lib/pipeline/errors.ts';
import { createAnalyzer } from '../lib/service/analyzer.ts';
import { AnalysisClient } from '../lib/service/client/analysis-client.ts';
import { CdrClient } from '../lib/service/client/cdr-client.ts';
import { awsCall } from '../lib/storage/aws-errors.ts';
import { submissionPorts } from './ports.ts';
import { optionalSetting, type Ports, setting } from './runtime.ts';

/** Fetches the secrets and builds the clients. Throws ConfigError when a secret has no value yet, TransientError. */
export async function analysisPorts(): Promise<Pick<Ports, 'submissions' | 'analyzer'>> {
  const secrets = new SecretsManagerClient({});
  const apiKey = await secretValue(secrets, setting('AIRLOCK_API_KEY_SECRET'));
  const client = new AnalysisClient({ baseUrl: setting('AIRLOCK_ANALYSIS_URL'), apiKey });
  const cdrUrl = optionalSetting('AIRLOCK_CDR_URL');
  if (cdrUrl === null) return { ...submissionPorts(), analyzer: createAnalyzer({ client }) };
  const token = await secretValue(secrets, setting('AIRLOCK_CDR_TOKEN_SECRET'));
  const cdrClient = new CdrClient({ baseUrl: cdrUrl, token });
  return { ...submissionPorts(), analyzer: createAnalyzer({ client, cdrClient }) };
}

async function secretValue(client: SecretsManagerClient, secretId: string): Promise<string> {
  const sent = client.send(new GetSecretValueCommand({ SecretId: secretId }));
  const answer = await awsCall('secret get', sent.catch(asEmpty));
  if (!answer.SecretString) throw new ConfigError('the environment', [`secret ${secretId} has no text value`]);
  return answer.SecretString.trim();
}

/** A secret that was created but has no value yet counts as not found. */
function asEmpty(error: unknown): { readonly SecretString?: string } {
  if (error instanceof ResourceNotFoundException) return {};
  throw error;
}
