/** The credentials for AWS. */
import type { Console } from './console.ts';

/** Returns them. Secrets are kept outside the environment of this process; other credentials come from the usual places of the SDK. */
export function credentialsIn({ env }: Pick<Console, 'env'>) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = env;
  if (!accessKeyId || !secretAccessKey) return {};
  const session = AWS_SESSION_TOKEN ? { sessionToken: AWS_SESSION_TOKEN } : {};
  return { credentials: { accessKeyId, secretAccessKey, ...session } };
}
