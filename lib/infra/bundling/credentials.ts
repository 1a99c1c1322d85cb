/**
 * Stands in for the SDK's search for credentials (profiles, SSO, processes, instance metadata: 110 KB): a Lambda is given
 * its credentials in the environment and has no business looking for others.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
