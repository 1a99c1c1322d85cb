/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-ac51527012ad',
  disarm: 'disarm-3-a7ffa5611c33',
  script: 'sandbox-1-56e14e67b4fe',
  url: 'url-2-f33024218ed5',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-5c68055c830f',
} as const;
