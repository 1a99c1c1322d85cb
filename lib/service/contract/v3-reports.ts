/**
 * The reports of a submission (v3) that run nothing: indicators, static analysis, disarm, email. Where two generations of
 * public clients expect different keys, the schema names both and the service sends both.
 */
import * as z from 'zod';
import { Hashes, IndicatorLevel, listOf, orNull, ReportStatus } from './common.ts';
import { DisarmQuality } from './disarm-quality.ts';
import { LevelCounts, PAGE_FIELDS } from './v3-submission.ts';

const FreeObject = z.record(z.string(), z.unknown());

export const NetworkCounts = z.object({
  dnsCount: z.number(),
  httpCount: z.number(),
  tcpCount: z.number(),
  udpCount: z.number(),
  threatCount: z.number(),
});

export const Summary = z.object({
  score: orNull(z.number()),
  family: orNull(z.string()),
  indicators: z.object({ total: z.number(), levels: LevelCounts }),
  behaviorEventCount: z.number(),
  syscallCount: z.number(),
  iocCount: z.number(),
  yaraRuleCount: z.number(),
  configCount: z.number(),
  artifactCount: z.number(),
  mitreTechniqueCount: z.number(),
  network: orNull(NetworkCounts).describe('Null without a dynamic report.'),
});
export type Summary = z.infer<typeof Summary>;

export const Indicator = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  category: z
    .union([z.string().transform((category) => [category]), z.array(z.string())])
    .describe('A list; or a single text, for clients of the first generation, which read nothing else.'),
  level: IndicatorLevel,
  score: z.number(),
  pids: listOf(z.number()),
  attackCodes: listOf(z.string()).describe('ATT&CK techniques.'),
  eventIds: listOf(z.number()),
  syscallLineNumbers: listOf(z.number()),
  author: z.string().default('system').describe('system or user.'),
});
export type Indicator = z.infer<typeof Indicator>;

export const IndicatorPage = z.object({ items: z.array(Indicator), levels: LevelCounts, ...PAGE_FIELDS });
export type IndicatorPage = z.infer<typeof IndicatorPage>;

export const IOC_TYPES = [
  'ip',
  'domain',
  'url',
  'email',
  'sha512',
  'sha256',
  'sha1',
  'md5',
  'registry',
  'path',
  'uuid',
] as const;

export const Ioc = z.object({
  type: z.string().describe(`One of ${IOC_TYPES.join(', ')}.`),
  value: z.string(),
  artifacts: listOf(z.string()).describe('Ids of the artifacts it was found in.'),
});
export type Ioc = z.infer<typeof Ioc>;
export const IocPage = z.object({ items: z.array(Ioc), ...PAGE_FIELDS });
export type IocPage = z.infer<typeof IocPage>;

export const YaraMatch = z.object({
  rule: z.string(),
  category: IndicatorLevel,
  artifacts: listOf(z.string()).describe('Ids of the artifacts it matched.'),
});
export type YaraMatch = z.infer<typeof YaraMatch>;
export const YaraMatchPage = z.object({ items: z.array(YaraMatch), ...PAGE_FIELDS });
export type YaraMatchPage = z.infer<typeof YaraMatchPage>;

export const ExtractedConfigs = z.object({
  items: z.array(
    z.object({ family: z.string(), config: FreeObject, c2s: listOf(z.string()), artifacts: listOf(z.string()) }),
  ),
  total: z.number(),
});

/** A file of the analysis: the sample itself, or a file found during the analysis. */
export const SubmissionArtifact = z.object({
  id: z.string().describe('24 hexadecimal digits; the id for the artifact download.'),
  filename: z.string(),
  size: z.number().describe('Bytes.'),
  source: z.string(),
  hashes: Hashes,
  tags: listOf(z.string()),
  type: z.string().describe('sample, dropped_file, memory_dump, yara_rule and others.'),
});
export type SubmissionArtifact = z.infer<typeof SubmissionArtifact>;
export const SubmissionArtifacts = z.object({ items: z.array(SubmissionArtifact), total: z.number() });

/** One email. Only this report uses snake_case. */
export const EmlAnalysis = z.object({
  headers: z.object({
    message_id: z.string(),
    subject: z.string(),
    date: z.string(),
    from_email: z.string(),
    to_emails: listOf(z.string()),
    cc_emails: listOf(z.string()),
    bcc_emails: listOf(z.string()),
  }),
  other_headers: z.record(z.string(), z.string()),
  attachments: listOf(
    z.object({
      filename: z.string(),
      size: z.number().describe('Bytes.'),
      extension: z.string(),
      mime_type: z.string(),
      hash: z.record(z.string(), z.string()),
    }),
  ),
  qr_results: listOf(z.object({ data: z.string(), filename: z.string() })),
  artifact: z.string().describe('Id of the artifact that is the email.'),
});
export const EmlAnalyses = z.array(EmlAnalysis);

export const MitreTechniques = z.object({
  techniques: z.array(z.string()).describe('Sorted, without repeats; sub-techniques with a dot.'),
  total: z.number(),
});

/** One result of an engine, in the form of the first generation. */
const EngineItem = z.object({
  artifact: z.string(),
  status: ReportStatus,
  data: orNull(FreeObject),
  lastErrorMessage: orNull(z.string()),
  engineVersion: orNull(z.string()),
});

const ENVELOPE = {
  items: listOf(EngineItem).describe('For clients of the first generation.'),
  total: z.number().default(0),
};

export const StaticFileInfo = z.object({
  md5: orNull(z.string()),
  sha1: orNull(z.string()),
  sha256: orNull(z.string()),
  ssdeep: orNull(z.string()),
  mime_type: orNull(z.string()),
  file_type: orNull(z.string()),
  entropy: orNull(z.number()),
  filesize: orNull(z.string()).describe('Bytes, as text.'),
});

export const StaticScan = z.object({
  ...ENVELOPE,
  submission: z.string().default(''),
  status: z.string().default('completed'),
  reportFormat: z.string().default(''),
  level: z.string().default('unknown'),
  score: z.number().default(0),
  fileInfo: orNull(StaticFileInfo),
  strings: orNull(z.object({ totalCount: z.number() })),
  dieResults: listOf(
    z.object({
      name: orNull(z.string()),
      string: orNull(z.string()),
      type: orNull(z.string()),
      version: orNull(z.string()),
    }),
  ).describe('Detected file type.'),
  analysisTime: orNull(z.string()),
  metafields: orNull(FreeObject),
});
export type StaticScan = z.infer<typeof StaticScan>;

/** Printable texts of the file. */
export const StaticStrings = z.object({ items: z.array(z.string()), total: z.number() });

export const CdrReport = z.object({
  ...ENVELOPE,
  submission: z.string().default(''),
  status: z.string().default('completed'),
  sanitized: listOf(z.string()).describe('Kinds of content rewritten.'),
  removed: listOf(z.string()).describe('Kinds of content removed.'),
  sanitizedFileInfo: orNull(
    z.object({
      description: orNull(z.string()),
      fileType: orNull(z.string()),
      fileSize: orNull(z.number()).describe('Bytes.'),
      sha256: orNull(z.string()),
      name: orNull(z.string()),
      details: listOf(z.object({ name: orNull(z.string()), action: orNull(z.string()), data: orNull(FreeObject) })),
    }),
  ),
  quality: orNull(DisarmQuality),
  elapsedTime: orNull(z.string()),
  metafields: orNull(FreeObject),
});
export type CdrReport = z.infer<typeof CdrReport>;

export const SignatureChecks = z.object({
  items: z.array(z.object({ artifact: z.string(), data: FreeObject })),
  total: z.number(),
});
