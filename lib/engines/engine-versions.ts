/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-c83e1198f992',
  disarm: 'disarm-3-5a05a0c69256',
  script: 'sandbox-1-197adbfbb2e7',
  url: 'url-2-944c645447d3',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-8ab460b689a4',
} as const;
