/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-b17520ee2c78',
  disarm: 'disarm-3-59cb0e5019c0',
  script: 'sandbox-1-ef513fcf6542',
  url: 'url-2-4b2e099d729a',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-342013319578',
} as const;
