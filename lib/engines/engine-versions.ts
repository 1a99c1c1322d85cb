/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-581e7712858d',
  disarm: 'disarm-3-7eef6b19fcdb',
  script: 'sandbox-1-f1e6d799adbd',
  url: 'url-2-d8cfaa4c73bd',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-c6652b02d8d9',
} as const;
