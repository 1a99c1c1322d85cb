/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-c97ee9dc3b7f',
  disarm: 'disarm-3-18a4983abd69',
  script: 'sandbox-1-a24ba23faf3f',
  url: 'url-2-d8fbc8a16803',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-228634924d66',
} as const;
