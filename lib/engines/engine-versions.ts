/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-c41d84718bca',
  disarm: 'disarm-3-12a6c8861b6b',
  script: 'sandbox-1-b2267a05c985',
  url: 'url-2-d8cfaa4c73bd',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-992f73692dde',
} as const;
