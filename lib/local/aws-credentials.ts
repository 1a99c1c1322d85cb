/** The credentials for AWS. */
import type { Console } from './console.ts';

/** Secrets are kept apart from the environment of this process; others come from where the SDK looks. */
export function credentialsIn({ env }: Pick<Console, 'env'>) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env;
  if (!accessKeyId || !secretAccessKey) return {};
  const session = AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {};
  return { credentials: { accessKeyId, secretAccessKey, ...session } };
}
