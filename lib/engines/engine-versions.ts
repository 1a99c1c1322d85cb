/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-4c2c4ec1b2de',
  disarm: 'disarm-3-91a916c98466',
  script: 'sandbox-1-0b68826b5505',
  url: 'url-2-4b2e099d729a',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-342013319578',
} as const;
