/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-d8b69a7d5c7b',
  disarm: 'disarm-3-0a0b864abd49',
  script: 'sandbox-1-124ec8622fd0',
  url: 'url-2-0893d7477fbf',
  page: 'page-1-a9d6f706690d',
  visit: 'visit-1-8399c6f8b5c9',
} as const;
