/**
 * Replaces the SDK's search for credentials (profiles, SSO, processes, instance metadata: 110 KB). A Lambda gets its
 * credentials in the environment and must not look for others.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
