/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-f0a46c0c6ab2',
  disarm: 'disarm-3-57f5e4f36082',
  script: 'sandbox-1-434ee0136050',
  url: 'url-2-a08ae68beec0',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-5c68055c830f',
} as const;
