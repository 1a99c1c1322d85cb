/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-afcf387132b9',
  disarm: 'disarm-3-67a96dc9f338',
  script: 'sandbox-1-49650f2741b9',
  url: 'url-2-944c645447d3',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-9f017cdcddef',
} as const;
