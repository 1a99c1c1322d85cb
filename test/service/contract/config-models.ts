/** What the models of the public Python SDK require from the routes of the configuration and of the user. */
import { list, object, optional, words } from './shape.ts';

const PLATFORM = words('windows', 'linux', 'android', 'macos');

const METAFIELD = object({
  key: 'string',
  label: 'string',
  description: 'string',
  type: words('boolean', 'number', 'string', 'select'),
  default: 'any',
  active: 'boolean',
  accessible: 'boolean',
  options: optional(list(object({ value: 'any', label: 'string', accessible: 'boolean' }))),
});

export const METAFIELDS = list(METAFIELD);
export const METAFIELD_GROUPS = object({
  sandbox: METAFIELDS,
  static: METAFIELDS,
  cdr: METAFIELDS,
  url: METAFIELDS,
  open_in_browser: METAFIELDS,
});
export const ENVIRONMENTS = list(
  object({
    key: 'string',
    name: 'string',
    platform: PLATFORM,
    default: 'boolean',
    active: 'boolean',
    accessible: 'boolean',
  }),
);
export const NETWORK_CONFIGS = object({ items: list('record') });
export const ME = object({
  userInfo: object({
    email: 'string',
    fullName: 'string',
    workspace: object({ name: 'string', alias: 'string', private: 'boolean', type: words('personal', 'organization') }),
    limitsCount: object({ apiRequestCount: 'int', dailySubmissionCount: 'int', concurrentSubmissionCount: 'int' }),
  }),
  plan: object({
    planName: 'string',
    startTime: 'string',
    endTime: 'string',
    subsTime: 'string',
    fileLimits: object({ extensions: list('string'), fileSize: 'string' }),
    submissionLimits: object({ apiLimit: 'int', dailyLimit: 'int', concurrentLimit: 'int' }),
  }),
  modules: list(object({ moduleId: 'string', moduleName: 'string', startTime: 'string', endTime: 'string' })),
});
