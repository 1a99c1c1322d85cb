/** Bodies as services of both generations send them, and what the client reads of each. They are read like every answer. */
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { parseAnswer } from '../../lib/service/client/answer.ts';
import { ContractError } from '../../lib/service/client/errors.ts';
import * as v1 from '../../lib/service/contract/v1-bodies.ts';
import { V1Me } from '../../lib/service/contract/v1-user.ts';
import { EnvironmentOptions, Me, MetafieldsByScanType } from '../../lib/service/contract/v3-config.ts';
import { BehaviourPage } from '../../lib/service/contract/v3-dynamic.ts';
import { CdrReport, Indicator, StaticScan, Summary } from '../../lib/service/contract/v3-reports.ts';
import { MediaList, Submission, SubmissionCreated, SubmissionPage } from '../../lib/service/contract/v3-submission.ts';
import { UrlAnalysis } from '../../lib/service/contract/v3-url-report.ts';

const read = <S extends z.ZodType>(schema: S, value: unknown) =>
  parseAnswer(schema, Buffer.from(JSON.stringify(value)), 'test');

const counts = { malicious: 1, suspicious: 0, benign: 0 };
const limits = { apiRequestCount: 3, dailySubmissionCount: 1, concurrentSubmissionCount: 0 };
const allowed = { apiLimit: 100, dailyLimit: 50, concurrentLimit: 2 };
const submission = { uuid: 'u', type: 'file', level: 'benign', reports: [], createdAt: '2026-01-05T10:00:00Z' };
const behaviour = {
  type: 'file',
  pid: 4,
  ppid: 1,
  operation: 'write',
  eventId: 1,
  eventCount: 2,
  timestamp: 3,
  details: {},
};
const indicator = { id: 'i', name: 'n', description: 'd', level: 'malicious', score: 80 };

/** What is sent, the schema that reads it, and what must be read of it. */
const CASES: readonly (readonly [string, z.ZodType, unknown, object])[] = [
  ['a creation without a hash', SubmissionCreated, { uuid: 'u', message: 'm' }, { sha256: null }],
  [
    'jobs of 1.0: total and completed only',
    Submission,
    { ...submission, overview: { status: 'in_progress', jobs: { total: 2, completed: 1 } } },
    { overview: { jobs: { total: 2 } } },
  ],
  [
    'jobs of 1.1: without completed',
    Submission,
    {
      ...submission,
      overview: { status: 'completed', jobs: { total: 1, succeeded: 1, failed: 0, skipped: 0, finished: 1 } },
    },
    { overview: { jobs: { finished: 1 } } },
  ],
  ['no jobs at all', Submission, { ...submission, overview: { status: 'accepted', jobs: null } }, { level: 'benign' }],
  [
    'a report without level, score and format',
    Submission,
    { ...submission, reports: [{ type: 'static', status: 'accepted', level: null, score: null, format: null }] },
    { reports: [{ type: 'static', status: 'accepted', level: null }] },
  ],
  [
    'a list item of 1.0',
    SubmissionPage,
    { items: [submission], total: 1, page: 1, limit: 20, totalPages: 1 },
    { total: 1 },
  ],
  ['category of 1.0: one text', Indicator, { ...indicator, category: 'office' }, { category: ['office'] }],
  ['category of 1.1: a list', Indicator, { ...indicator, category: ['a', 'b'] }, { category: ['a', 'b'] }],
  [
    'behaviours of 1.0: with os',
    BehaviourPage,
    { items: [behaviour], total: 1, os: 'linux', page: 1, limit: 100 },
    { os: 'linux' },
  ],
  [
    'behaviours of 1.1.1: without',
    BehaviourPage,
    { items: [behaviour], total: 1, page: 1, limit: 100, totalPages: 1 },
    { os: null },
  ],
  [
    'static-scan of 1.0: an envelope',
    StaticScan,
    { items: [{ artifact: 'a', status: 'completed', data: { k: 1 } }], total: 1 },
    { total: 1, items: [{ data: { k: 1 } }], dieResults: [] },
  ],
  [
    'static-scan of 1.1: one object, with keys of its format',
    StaticScan,
    {
      submission: 'u',
      status: 'completed',
      reportFormat: 'pe',
      level: 'benign',
      score: 0,
      fileInfo: { filesize: '12' },
      peExeSections: [],
    },
    { reportFormat: 'pe', fileInfo: { filesize: '12', entropy: null }, items: [] },
  ],
  [
    'cdr of 1.0: an envelope',
    CdrReport,
    { items: [{ artifact: 'a', status: 'completed' }], total: 1 },
    { removed: [] },
  ],
  [
    'cdr of 1.1: one object',
    CdrReport,
    { submission: 'u', status: 'completed', removed: ['macro'], sanitized: [] },
    { removed: ['macro'] },
  ],
  [
    'a summary without a network',
    Summary,
    {
      indicators: { total: 1, levels: counts },
      behaviorEventCount: 0,
      syscallCount: 0,
      iocCount: 0,
      yaraRuleCount: 0,
      configCount: 0,
      artifactCount: 1,
      mitreTechniqueCount: 0,
      network: null,
    },
    { network: null, family: null },
  ],
  ['media without a kind', MediaList, [{ id: 'm', name: 'n' }], [{ kind: null, size: null }]],
  [
    'a URL report with the fields that are to come',
    UrlAnalysis,
    {
      level: 'benign',
      status: 'completed',
      generalInfo: { url: 'u', domain: 'd' },
      screenshot: { available: false },
      verdictState: 'final',
      threatScore: 3,
      completeness: { measuredSources: [] },
    },
    { pages: [], whois: null },
  ],
  [
    'four groups of metafields, as the document has them',
    MetafieldsByScanType,
    { sandbox: [], static: [], cdr: [], url: [] },
    { open_in_browser: [] },
  ],
  [
    'an environment of 1.0: without active and accessible',
    EnvironmentOptions,
    [{ key: 'w10_x64', name: 'Windows 10', platform: 'windows', default: true }],
    [{ active: true, accessible: true }],
  ],
  [
    'me without modules',
    Me,
    {
      userInfo: {
        email: 'a@lab.test',
        fullName: 'Ana Lab',
        limitsCount: limits,
        workspace: { name: 'Lab', alias: 'lab', private: false, type: 'organization' },
      },
      plan: {
        planName: 'Local',
        startTime: '',
        endTime: 'Unlimited',
        subsTime: 'yearly',
        submissionLimits: allowed,
        fileLimits: { extensions: null, fileSize: '256 MiB' },
      },
      modules: null,
    },
    { modules: [], plan: { fileLimits: { extensions: [] } } },
  ],
  [
    'v1: me of the older shape',
    V1Me,
    {
      userInfo: { email: 'a@lab.test', fullName: 'Ana Lab', workspaceName: 'Lab', limitsCount: limits },
      plan: {
        name: 'Local',
        status: 'active',
        submissionLimits: allowed,
        fileLimits: { fileSize: 100, extensions: ['exe'] },
      },
      modules: [{ name: 'CDR' }],
    },
    {
      userInfo: { workspaceName: 'Lab', workspace: null },
      plan: { name: 'Local', fileLimits: { fileSize: 100 } },
      modules: [{ name: 'CDR' }],
    },
  ],
  [
    'v1: a URL submission whose report spells URL in capitals, with facts as texts and nulls',
    v1.V1Submission,
    {
      uuid: 'u',
      level: 3,
      private: true,
      url: 'https://a.test/',
      fileInfo: null,
      artifacts: null,
      indicators: ['a text'],
      iocs: { url: ['https://b.test/'], ip: null, hash: { md5: [] } },
      matchedYARARules: [],
      reports: {
        dynamic: null,
        urlAnalysis: {
          enabled: true,
          status: 5,
          level: 3,
          indicators: { total: 2 },
          matched_yara_rules: 'none',
          generalInfo: { URL: 'https://a.test/', domain: 'a.test' },
        },
      },
    },
    {
      reports: { urlAnalysis: { generalInfo: { URL: 'https://a.test/' } } },
      iocs: { url: ['https://b.test/'], ip: [] },
    },
  ],
  [
    'v1: free JSON of a route that is gone',
    v1.V1Dns,
    { queries: [{ host: 'a.test' }] },
    { queries: [{ host: 'a.test' }] },
  ],
];

test.each(CASES)('%s', (_, schema, sent, seen) => {
  expect(read(schema, sent)).toMatchObject(seen);
});

describe('what decides is never guessed:', () => {
  const report = { enabled: true, status: 5 };
  test.each([
    ['a v1 level', v1.V1Submission, { uuid: 'u', level: 4, private: false, reports: {} }],
    [
      'a v1 status',
      v1.V1Submission,
      { uuid: 'u', level: 1, private: false, reports: { static: { ...report, status: 6 } } },
    ],
    [
      'a v1 report that does not say whether it is enabled',
      v1.V1Submission,
      { uuid: 'u', level: 1, private: false, reports: { static: { status: 5 } } },
    ],
    ['a status of a report', Submission, { ...submission, reports: [{ type: 'static', status: 'almost' }] }],
    ['a level of an indicator', Indicator, { ...indicator, category: 'c', level: 'unknown' }],
  ])('%s is refused', (_, schema, sent) => {
    expect(() => read(schema as z.ZodType, sent)).toThrow(ContractError);
  });
});
