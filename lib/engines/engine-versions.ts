/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-0cee6f786db6',
  disarm: 'disarm-3-afba2341070c',
  script: 'sandbox-1-91c02682d55f',
  url: 'url-2-d8fbc8a16803',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-228634924d66',
} as const;
