/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-bcbd5b3da913',
  disarm: 'disarm-3-892a0897bb6f',
  script: 'sandbox-1-fa8baff87c81',
  url: 'url-2-f33024218ed5',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-5c68055c830f',
} as const;
