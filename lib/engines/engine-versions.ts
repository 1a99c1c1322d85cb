/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-ea41c19d32c6',
  disarm: 'disarm-3-ee939954a2c8',
  script: 'sandbox-1-a34c2cf32da8',
  url: 'url-2-dbd2ee98880e',
  page: 'page-1-723df54f5727',
  visit: 'visit-1-9cd2793d4b92',
} as const;
