/**
 * The answers of v1 routes. Every body is an object, because clients declare it so. This service leaves out what it does not have and sends
 * no null, because public clients read `reports.static.enabled` through `get(key, {})`, which a null breaks. The findings of an older
 * service are accepted in any form. Only level, status and enabled, which decisions use, are fixed.
 */
import * as z from 'zod';
import { Hashes, listOf } from './common.ts';
import { V1_LEVELS, V1_STATUSES } from './v1-words.ts';

export const V1Level = z.literal(V1_LEVELS).describe('0 not measured, 1 informative, 2 suspicious, 3 malicious.');
export const V1Status = z
  .literal(V1_STATUSES)
  .describe('0 declined, 1 received, 2 accepted, 3 running, 4 ready, 5 finished.');

export const V1Created = z.object({ message: z.string(), uuid: z.string().min(1) });
/** The answer to a new submission. */
export type V1Created = z.infer<typeof V1Created>;

/** Facts of the reports: objects in the words of the current interface from this service, texts or others from older ones. */
const Facts = z.array(z.unknown());
export const V1Iocs = z
  .object({ url: listOf(z.string()), domain: listOf(z.string()), email: listOf(z.string()), ip: listOf(z.string()) })
  .catchall(z.unknown());
export type V1Iocs = z.infer<typeof V1Iocs>;

const GeneralInfo = z.object({
  url: z.optional(z.string()),
  URL: z.optional(z.string()).describe('The same, in the spelling of older services.'),
  domain: z.optional(z.string()),
  websiteTitle: z.optional(z.string()),
});

export const V1Report = z.object({
  enabled: z.boolean().describe('Whether this report was scheduled.'),
  status: z.optional(V1Status),
  level: z.optional(V1Level).describe('Absent until the report is finished.'),
  score: z.optional(z.number()),
  error: z.optional(z.object({ code: z.string(), message: z.string() })).describe('Why a report was declined.'),
  indicators: z.unknown().optional(),
  ioc: z.optional(V1Iocs),
  matched_yara_rules: z.unknown().optional(),
  additionalFiles: z.unknown().optional(),
  extractedConfigs: z.unknown().optional(),
  removed: z.optional(z.array(z.string())).describe('cdr: kinds of content removed.'),
  sanitized: z.optional(z.array(z.string())).describe('cdr: kinds of content rewritten.'),
  generalInfo: z.optional(GeneralInfo),
});
export type V1Report = z.infer<typeof V1Report>;

export const V1FileInfo = z.object({
  name: z.string(),
  size: z.optional(z.number()).describe('Bytes.'),
  extension: z.optional(z.string()),
  mimetype: z.optional(z.string()),
  hashes: Hashes,
});

const submissionKeys = {
  uuid: z.string().min(1),
  type: z.optional(z.enum(['file', 'url'])),
  status: z.optional(V1Status).describe('Status of the whole submission.'),
  level: V1Level.describe('The worst level of the finished reports.'),
  private: z.boolean(),
  url: z.optional(z.string()),
  fileInfo: z.optional(V1FileInfo).describe('Present for files.'),
  reports: z.object({
    dynamic: z.optional(V1Report),
    static: z.optional(V1Report),
    cdr: z.optional(V1Report),
    urlAnalysis: z.optional(V1Report),
  }),
  createdAt: z.optional(z.string()).describe('ISO 8601.'),
  updatedAt: z.optional(z.string()).describe('ISO 8601.'),
};

/** A submission in a list. */
export const V1ListItem = z.object(submissionKeys);
export type V1ListItem = z.infer<typeof V1ListItem>;

/** A submission with the findings of its reports. */
export const V1Submission = z.object({
  ...submissionKeys,
  indicators: z.optional(Facts),
  iocs: z.optional(V1Iocs),
  matchedYARARules: z.optional(Facts),
  artifacts: z.optional(Facts),
  extractedConfigs: z.optional(Facts),
});
export type V1Submission = z.infer<typeof V1Submission>;

export const V1Page = z.object({
  submissions: z.array(V1ListItem),
  total: z.number(),
  page: z.number().describe('0 is the first.'),
  jump: z.number(),
  totalPages: z.number(),
});
/** One page of a list of submissions. */
export type V1Page = z.infer<typeof V1Page>;

/** The answer of routes that the current interface has no more. It says where their data is now. Older services send free JSON there. */
const dropped = { message: z.optional(z.string()).describe('Where the current interface has this.') };

export const V1Indicators = z.object({ indicators: Facts });
export const V1IocAnswer = z.object({ iocs: V1Iocs });
export const V1YaraRules = z.object({ yaraRules: Facts });
export const V1Artifacts = z.object({ artifacts: Facts, ...dropped });
export const V1Configs = z.object({ configExtractorResults: Facts, ...dropped });
export const V1HybridResults = z.looseObject({ hybridAnalyzerResults: z.optional(Facts), ...dropped });
export const V1Dns = z.looseObject({ dns: z.optional(Facts), ...dropped });
export const V1Http = z.looseObject({ http: z.optional(Facts), ...dropped });
export const V1Tcp = z.looseObject({ tcp: z.optional(Facts), ...dropped });
export const V1Udp = z.looseObject({ udp: z.optional(Facts), ...dropped });
export const V1Threats = z.looseObject({ threats: z.optional(Facts), ...dropped });

const Named = z.object({ value: z.number(), name: z.string(), label: z.string() });
export const V1LevelConstants = z.object({ levels: z.array(Named) });
export const V1StatusConstants = z.object({ statuses: z.array(Named) });

export const V1MetafieldOption = z.looseObject({
  metafieldId: z.string(),
  label: z.string(),
  description: z.string(),
  type: z.string(),
  default: z.union([z.string(), z.number(), z.boolean()]),
});
const MetafieldGroup = z.array(V1MetafieldOption);
export const V1Metafields = z.object({
  sandbox: MetafieldGroup,
  static: MetafieldGroup,
  cdr: MetafieldGroup,
  url: MetafieldGroup,
});
export const V1SampleMetafield = z
  .object({
    analyzeConfig: z.array(
      z.object({ metafieldId: z.string(), value: z.union([z.string(), z.number(), z.boolean()]) }),
    ),
  })
  .describe('An `analyzeConfig` that this service accepts as it is.');

/** The 202 of a rule that is still being made. */
export const YaraRulePending = z.object({ message: z.string(), retryAfter: z.number().describe('Seconds.') });
