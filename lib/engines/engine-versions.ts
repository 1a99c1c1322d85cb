/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-63ded8115ddf',
  disarm: 'disarm-3-4f18737cb837',
  script: 'sandbox-1-8217254d2454',
  url: 'url-2-d8fbc8a16803',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-228634924d66',
} as const;
