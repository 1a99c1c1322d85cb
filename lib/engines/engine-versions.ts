/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-6a1b21b0f4eb',
  disarm: 'disarm-3-b2938dc6cf1b',
  script: 'sandbox-1-137d61b64d93',
  url: 'url-2-a08ae68beec0',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-5c68055c830f',
} as const;
