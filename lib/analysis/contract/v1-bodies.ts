/**
 * What v1 routes answer. Every body is an object: clients declare them so. What is not there is absent and never null,
 * because public clients read `reports.static.enabled` through `get(key, {})`, which a null breaks.
 */
import * as z from 'zod';
import { Hashes } from './common.ts';
import { V1_LEVELS, V1_STATUSES } from './v1-words.ts';

export const V1Level = z.literal(V1_LEVELS).describe('0 not measured, 1 informative, 2 suspicious, 3 malicious.');
export const V1Status = z
  .literal(V1_STATUSES)
  .describe('0 declined, 1 received, 2 accepted, 3 running, 4 ready, 5 finished.');

export const V1Created = z.object({ message: z.string(), uuid: z.string().min(1) });
export type V1Created = z.infer<typeof V1Created>;

/** Facts of the reports, in the words of the current interface. */
const Facts = z.array(z.record(z.string(), z.unknown()));
export const V1Iocs = z
  .object({
    url: z.array(z.string()).default([]),
    domain: z.array(z.string()).default([]),
    email: z.array(z.string()).default([]),
    ip: z.array(z.string()).default([]),
  })
  .catchall(z.array(z.string()));
export type V1Iocs = z.infer<typeof V1Iocs>;

export const V1Report = z.object({
  enabled: z.boolean().describe('Whether this report was scheduled.'),
  status: V1Status.optional(),
  level: V1Level.optional().describe('Absent until finished.'),
  score: z.number().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional().describe('Why a report was declined.'),
  indicators: Facts.optional(),
  ioc: V1Iocs.optional(),
  matched_yara_rules: Facts.optional(),
  additionalFiles: Facts.optional(),
  extractedConfigs: Facts.optional(),
  removed: z.array(z.string()).optional().describe('cdr: kinds of content taken out.'),
  sanitized: z.array(z.string()).optional().describe('cdr: kinds of content rewritten.'),
  generalInfo: z.object({ url: z.string(), domain: z.string(), websiteTitle: z.string().optional() }).optional(),
});
export type V1Report = z.infer<typeof V1Report>;

export const V1FileInfo = z.object({
  name: z.string(),
  size: z.number().optional().describe('Bytes.'),
  extension: z.string().optional(),
  mimetype: z.string().optional(),
  hashes: Hashes,
});

const submissionKeys = {
  uuid: z.string().min(1),
  type: z.enum(['file', 'url']).optional(),
  status: V1Status.optional().describe('Of the submission as a whole.'),
  level: V1Level.describe('The worst level of the finished reports.'),
  private: z.boolean(),
  url: z.string().optional(),
  fileInfo: V1FileInfo.optional().describe('Present for files.'),
  reports: z.object({
    dynamic: V1Report.optional(),
    static: V1Report.optional(),
    cdr: V1Report.optional(),
    urlAnalysis: V1Report.optional(),
  }),
  createdAt: z.string().optional().describe('ISO 8601.'),
  updatedAt: z.string().optional().describe('ISO 8601.'),
};

/** A submission in a list. */
export const V1ListItem = z.object(submissionKeys);
export type V1ListItem = z.infer<typeof V1ListItem>;

/** A submission with what its reports found. */
export const V1Submission = z.object({
  ...submissionKeys,
  indicators: Facts.optional(),
  iocs: V1Iocs.optional(),
  matchedYARARules: Facts.optional(),
  artifacts: Facts.optional(),
  extractedConfigs: Facts.optional(),
});
export type V1Submission = z.infer<typeof V1Submission>;

export const V1Page = z.object({
  submissions: z.array(V1ListItem),
  total: z.number(),
  page: z.number().describe('0 is the first.'),
  jump: z.number(),
  totalPages: z.number(),
});
export type V1Page = z.infer<typeof V1Page>;

/** Routes that the current interface dropped say where their data is now. */
const dropped = { message: z.string().optional().describe('Where the current interface has this.') };

export const V1Indicators = z.object({ indicators: Facts });
export const V1IocAnswer = z.object({ iocs: V1Iocs });
export const V1YaraRules = z.object({ yaraRules: Facts });
export const V1Artifacts = z.object({ artifacts: Facts, ...dropped });
export const V1Configs = z.object({ configExtractorResults: Facts, ...dropped });
export const V1HybridResults = z.object({ hybridAnalyzerResults: Facts, ...dropped });
export const V1Dns = z.object({ dns: Facts, ...dropped });
export const V1Http = z.object({ http: Facts, ...dropped });
export const V1Tcp = z.object({ tcp: Facts, ...dropped });
export const V1Udp = z.object({ udp: Facts, ...dropped });
export const V1Threats = z.object({ threats: Facts, ...dropped });

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
