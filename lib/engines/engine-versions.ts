/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-8b6b1353fcfe',
  disarm: 'disarm-3-16a659a628b1',
  script: 'sandbox-1-06d9af65062e',
  url: 'url-2-d8cfaa4c73bd',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-992f73692dde',
} as const;
