/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-9545acd17cb1',
  disarm: 'disarm-3-893f7a20c6f7',
  script: 'sandbox-1-35fd807499ed',
  url: 'url-2-944c645447d3',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-9f017cdcddef',
} as const;
