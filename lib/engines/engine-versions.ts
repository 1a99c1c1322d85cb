/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-27f7b4ace131',
  disarm: 'disarm-3-e94dcb8ecd6f',
  script: 'sandbox-1-3e421b6893bb',
  url: 'url-2-a08ae68beec0',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-5c68055c830f',
} as const;
