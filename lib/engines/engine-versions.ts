/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-680044c729ed',
  disarm: 'disarm-3-69e8d645ac19',
  script: 'sandbox-1-364c20a55712',
  url: 'url-2-d8cfaa4c73bd',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-992f73692dde',
} as const;
