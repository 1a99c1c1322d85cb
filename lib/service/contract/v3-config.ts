/** Configuration and user of the current interface (v3): what a caller can ask for, and who the caller is. */
import * as z from 'zod';
import { listOf, orNull, Platform } from './common.ts';

const MetafieldValue = z.union([z.boolean(), z.number(), z.string()]);

/** One setting of an analysis. The interface has settings that are not `active`, which this service does not offer. */
export const MetafieldOption = z.object({
  key: z.string(),
  label: z.string(),
  description: z.string(),
  type: z.enum(['boolean', 'number', 'string', 'select']),
  default: MetafieldValue,
  active: z.boolean().default(true),
  accessible: z.boolean().default(true).describe('Whether the plan includes it.'),
  options: orNull(
    z.array(z.object({ value: MetafieldValue, label: z.string(), accessible: z.boolean().default(true) })),
  ),
});
export type MetafieldOption = z.infer<typeof MetafieldOption>;
export const MetafieldOptions = z.array(MetafieldOption);

/** The kinds of scan that have metafields of their own. */
export const SCAN_TYPES = ['sandbox', 'static', 'cdr', 'url', 'open_in_browser'] as const;
/** A kind of scan that has metafields of its own. */
export type ScanType = (typeof SCAN_TYPES)[number];

/** The interface document has four groups, and public clients expect five: a missing group is empty. */
export const MetafieldsByScanType = z.object({
  sandbox: listOf(MetafieldOption),
  static: listOf(MetafieldOption),
  cdr: listOf(MetafieldOption),
  url: listOf(MetafieldOption),
  open_in_browser: listOf(MetafieldOption),
});
export type MetafieldsByScanType = z.infer<typeof MetafieldsByScanType>;

/** An operating system that a file can be run in. */
export const EnvironmentOption = z.object({
  key: z.string().describe('The value for `environment` of a submission, for example w10_x64.'),
  name: z.string(),
  platform: Platform,
  default: z.boolean().default(false),
  active: z.boolean().default(true),
  accessible: z.boolean().default(true),
});
export type EnvironmentOption = z.infer<typeof EnvironmentOption>;
export const EnvironmentOptions = z.array(EnvironmentOption);

/** Network configurations of the workspace. Secrets are never part of them. */
export const NetworkConfigs = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.string(),
      protocol: orNull(z.string()),
      host: orNull(z.string()),
      port: orNull(z.number()),
      username: orNull(z.string()),
      hasConfigFile: z.boolean().default(false),
      createdAt: z.string(),
      updatedAt: z.string(),
    }),
  ),
});

const Period = { startTime: z.string(), endTime: z.string().describe('ISO 8601, or `Unlimited`.') };

export const Me = z.object({
  userInfo: z.object({
    email: z.string(),
    fullName: z.string(),
    workspace: z.object({ name: z.string(), alias: z.string(), private: z.boolean(), type: z.string() }),
    workspaceName: z.string().optional().describe('The same as `workspace.name`, for clients of v1.'),
    limitsCount: z
      .object({
        apiRequestCount: z.number(),
        dailySubmissionCount: z.number(),
        concurrentSubmissionCount: z.number(),
      })
      .describe('How much of the limits is used.'),
  }),
  plan: z.object({
    planName: z.string(),
    name: z.string().optional().describe('The same as `planName`, for clients of v1.'),
    status: z.string().optional().describe('Whether the user is active, for clients of v1.'),
    ...Period,
    subsTime: z.string(),
    fileLimits: z.object({
      extensions: listOf(z.string()).describe('Accepted file extensions; an empty list accepts any.'),
      fileSize: z.string().describe('Text, for example `100 MiB`.'),
    }),
    submissionLimits: z
      .object({ apiLimit: z.number(), dailyLimit: z.number(), concurrentLimit: z.number() })
      .describe('0, or a very large number, means no limit.'),
  }),
  modules: listOf(
    z.object({
      moduleId: z.string(),
      moduleName: z.string(),
      name: z.string().optional().describe('The same as `moduleName`, for clients of v1.'),
      version: z
        .string()
        .optional()
        .describe('Version of its engines and rules. Another version can give another result.'),
      ...Period,
    }),
  ),
});
export type Me = z.infer<typeof Me>;
