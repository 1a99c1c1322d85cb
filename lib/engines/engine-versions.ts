/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-d4561c60ec5a',
  disarm: 'disarm-3-7c2c6d81805e',
  script: 'sandbox-1-89eb75fc148d',
  url: 'url-2-d8cfaa4c73bd',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-c6652b02d8d9',
} as const;
