/** What the models of the public Python SDK require from each answer, for 1.0.x and 1.1.x where they differ. */
import { list, object, optional, type Shape, words } from './shape.ts';

const LEVEL = words('unknown', 'benign', 'suspicious', 'malicious');
const INDICATOR_LEVEL = words('malicious', 'suspicious', 'benign');
const STATUS = words('error', 'not_started', 'accepted', 'in_progress', 'clean_up', 'completed');
const REPORT_TYPE = words('dynamic', 'static', 'cdr', 'url_analysis', 'open_in_browser');
const PLATFORM = words('windows', 'linux', 'android', 'macos');
const HASHES = object({ md5: 'string', sha1: 'string', sha256: 'string' });
const TAG = object({ type: 'string', value: 'string' });
const COUNTS = object({ malicious: 'int', suspicious: 'int', benign: 'int' });
const ROLLUP = object({ levels: COUNTS, artifactCount: 'int' });
const PAGE = { total: 'int', page: 'int', limit: 'int', totalPages: 'int' } as const;

const REPORT = object({
  type: REPORT_TYPE,
  status: STATUS,
  level: optional(LEVEL),
  score: optional('int'),
  format: optional('string'),
  operatingSystem: optional(object({ name: 'string', platform: PLATFORM })),
  duration: optional('number'),
});

const JOBS_10 = { total: 'int', completed: 'int' } as const;
const JOBS_11 = { ...JOBS_10, succeeded: 'int', failed: 'int', skipped: 'int', finished: 'int' } as const;
const overview = (jobs: Readonly<Record<string, Shape>>) => object({ status: STATUS, jobs: optional(object(jobs)) });

const submissionOf = (jobs: Readonly<Record<string, Shape>>, score: Shape) =>
  object({
    uuid: 'string',
    type: words('file', 'url'),
    filename: optional('string'),
    url: optional('string'),
    hashes: optional(HASHES),
    file: optional(
      object({
        name: 'string',
        size: 'int',
        extension: 'string',
        mimetype: 'string',
        isMimetypeChecked: 'boolean',
        entrypoint: optional(object({ filename: 'string' })),
        source: object({ type: words('upload', 'url'), url: optional('string') }),
      }),
    ),
    level: LEVEL,
    score: optional(score),
    private: 'boolean',
    tags: list(TAG),
    reports: list(REPORT),
    overview: overview(jobs),
    indicators: ROLLUP,
    mitreTechniques: list('string'),
    createdAt: 'datetime',
    updatedAt: 'datetime',
  });

const pageOf = (jobs: Readonly<Record<string, Shape>>) =>
  object({
    ...PAGE,
    items: list(
      object({
        uuid: 'string',
        filename: optional('string'),
        sha256: optional('string'),
        level: LEVEL,
        type: words('file', 'url'),
        private: 'boolean',
        tags: list(TAG),
        reports: list(REPORT),
        mimetype: optional('string'),
        size: optional('int'),
        overview: overview(jobs),
        indicators: ROLLUP,
        createdAt: 'datetime',
      }),
    ),
  });

const indicatorsOf = (category: Shape) =>
  object({
    ...PAGE,
    levels: COUNTS,
    items: list(
      object({
        id: 'string',
        name: 'string',
        description: 'string',
        category,
        level: INDICATOR_LEVEL,
        score: 'int',
        pids: list('int'),
        attackCodes: list('string'),
        eventIds: list('int'),
        syscallLineNumbers: list('int'),
        author: words('system', 'user'),
      }),
    ),
  });

const ENGINE_ITEMS = object({
  total: 'int',
  items: list(
    object({
      artifact: 'string',
      status: STATUS,
      data: optional('record'),
      lastErrorMessage: optional('string'),
      engineVersion: optional('string'),
    }),
  ),
});

export const CREATED = object({ uuid: 'string', message: 'string', sha256: optional('string') });
export const ENVELOPE = object({
  statusCode: 'int',
  error: 'string',
  message: 'string',
  code: 'string',
  details: optional('record'),
});
export const SUMMARY = object({
  score: optional('int'),
  family: optional('string'),
  indicators: object({ total: 'int', levels: COUNTS }),
  behaviorEventCount: 'int',
  syscallCount: 'int',
  iocCount: 'int',
  yaraRuleCount: 'int',
  configCount: 'int',
  artifactCount: 'int',
  mitreTechniqueCount: 'int',
  network: optional('record'),
});
export const IOCS = object({
  ...PAGE,
  items: list(
    object({
      type: words('ip', 'domain', 'url', 'email', 'sha512', 'sha256', 'sha1', 'md5', 'registry', 'path', 'uuid'),
      value: 'string',
      artifacts: list('string'),
    }),
  ),
});
export const YARA_RULES = object({
  ...PAGE,
  items: list(object({ rule: 'string', category: INDICATOR_LEVEL, artifacts: list('string') })),
});
export const CONFIGS = object({ items: list('record'), total: 'int' });
export const ARTIFACTS = object({
  total: 'int',
  items: list(
    object({
      id: 'string',
      filename: 'string',
      size: 'int',
      source: 'string',
      hashes: HASHES,
      tags: list('string'),
      type: words(
        ...[
          'sample',
          'compressed_file_entry',
          'malware_config',
          'memory_dump',
          'file_dump',
          'pcap',
          'deobfuscated_code',
        ],
        ...['process_dump', 'unpacked_file', 'yara_rule', 'unknown', 'dropped_file', 'downloaded_file', 'screenshot'],
      ),
    }),
  ),
});
export const MITRE = object({ techniques: list('string'), total: 'int' });
export const SIGNATURES = object({ items: list(object({ artifact: 'string', data: 'record' })), total: 'int' });
const VERDICT = object({ verdict: LEVEL, title: 'string', description: 'string' });
export const URL_ANALYSIS = object({
  level: LEVEL,
  status: STATUS,
  generalInfo: object({ url: 'string', domain: 'string', websiteTitle: optional('string') }),
  screenshot: object({ available: 'boolean' }),
  ipInfo: optional(object({ ip: 'string', threatStatus: VERDICT })),
  dnsRecords: list(object({ type: 'string', records: list('string') })),
  whois: optional(object({ nameServers: list('string') })),
  sslCertificate: optional(object({ subject: 'string', issuer: 'string', renewedAt: 'int', expiresAt: 'int' })),
  responseHeaders: optional('record'),
  extractedFile: optional(object({ uuid: 'string', threatStatus: VERDICT })),
  threatAnalysis: optional(
    object({
      overview: list(object({ source: 'string', title: 'string', description: 'string', verdict: LEVEL })),
      blacklist: 'boolean',
      threatDetails: list(object({ source: 'string', details: optional('record') })),
    }),
  ),
  pages: list('string'),
});
export const MEDIA = list(
  object({ id: 'string', name: 'string', contentType: optional('string'), size: optional('int') }),
);

/** The models of one generation that differ from those of the other. */
export interface SdkModels {
  readonly userAgent: string;
  readonly submission: Shape;
  readonly page: Shape;
  readonly indicators: Shape;
  readonly staticScan: Shape;
  readonly cdr: Shape;
}

export const SDK_10: SdkModels = {
  userAgent: 'threatzone-python-sdk/1.0.0',
  submission: submissionOf(JOBS_10, 'int'),
  page: pageOf(JOBS_10),
  indicators: indicatorsOf('string'),
  staticScan: ENGINE_ITEMS,
  cdr: ENGINE_ITEMS,
};

export const SDK_11: SdkModels = {
  userAgent: 'threatzone-python-sdk/1.1.1',
  submission: submissionOf(JOBS_11, 'number'),
  page: pageOf(JOBS_11),
  indicators: indicatorsOf(list('string')),
  staticScan: object({
    submission: 'string',
    status: 'string',
    reportFormat: 'string',
    level: 'string',
    score: 'number',
    fileInfo: optional(object({ filesize: optional('string'), entropy: optional('number') })),
    strings: optional(object({ totalCount: 'int' })),
    dieResults: list('record'),
    analysisTime: optional('string'),
    metafields: optional('record'),
  }),
  cdr: object({
    submission: 'string',
    status: 'string',
    sanitized: list('string'),
    removed: list('string'),
    sanitizedFileInfo: optional(
      object({
        fileSize: optional('number'),
        sha256: optional('string'),
        name: optional('string'),
        details: list(object({ name: optional('string'), action: optional('string'), data: optional('record') })),
      }),
    ),
    elapsedTime: optional('string'),
    metafields: optional('record'),
  }),
};
