/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-9aa2ef34975e',
  disarm: 'disarm-3-18736e907966',
  script: 'sandbox-1-fdd296aa6736',
  url: 'url-2-c19062ecbdc3',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-9f017cdcddef',
} as const;
