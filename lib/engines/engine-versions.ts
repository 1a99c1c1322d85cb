/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-fa439976b957',
  disarm: 'disarm-3-57f5e4f36082',
  script: 'sandbox-1-88c3944ad519',
  url: 'url-2-a08ae68beec0',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-5c68055c830f',
} as const;
