/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-d433c2f4b711',
  disarm: 'disarm-3-3d823fa87783',
  script: 'sandbox-1-fb9eda2ed37b',
  url: 'url-2-c19062ecbdc3',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-9f017cdcddef',
} as const;
