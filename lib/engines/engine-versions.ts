/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-787641860330',
  disarm: 'disarm-3-bd422901e43b',
  script: 'sandbox-1-091ecd82d4f1',
  url: 'url-2-d8fbc8a16803',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-228634924d66',
} as const;
