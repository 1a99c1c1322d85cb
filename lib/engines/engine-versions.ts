/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-4f90bc65a5e0',
  disarm: 'disarm-3-57f5e4f36082',
  script: 'sandbox-1-9335a7b79017',
  url: 'url-2-a08ae68beec0',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-5c68055c830f',
} as const;
