/** Options that several verbs have. Each help has them in these words. */

export const SERVICE_OPTION = [
  '--service <url>',
  'use this analysis service, with the key in AIRLOCK_API_KEY (default: the engines here)',
] as const;

export const CDR_SERVICE_OPTION = [
  '--cdr-service <url>',
  'disarm with this CDR service, with the token in AIRLOCK_CDR_TOKEN',
] as const;

export const POLICY_OPTION = ['--policy <file>', 'a policy file (default: the policy as shipped)'] as const;

export const SEAL_KEY_OPTION = [
  '--seal-key <file>',
  'the private key (PEM) that seals messages with ARC, when the policy asks for it',
] as const;

/** The default folder for the data of `airlock serve` and the keys of `airlock keys`. */
export const DEFAULT_DATA_DIRECTORY = 'airlock-data';
