/**
 * Written by `npm run versions`: behind the number that people read, a digest of the engine's sources, rules and libraries. A result
 * that is known under another version is void.
 */
export const ENGINE_VERSIONS = {
  static: 'static-3-d574f9a06a03',
  disarm: 'disarm-3-3d823fa87783',
  script: 'sandbox-1-e8d47d69b174',
  url: 'url-2-c19062ecbdc3',
  page: 'page-1-4862f1a15ebe',
  visit: 'visit-1-9f017cdcddef',
} as const;
