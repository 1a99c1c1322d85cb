/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-50cb46df2dd6',
  disarm: 'disarm-3-b2ef68fe500f',
  script: 'sandbox-1-33d98dcef9d5',
  url: 'url-2-d8cfaa4c73bd',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-c6652b02d8d9',
} as const;
