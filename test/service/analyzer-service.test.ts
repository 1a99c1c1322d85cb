import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachKind } from '../../lib/jobs/job.ts';
import { analyzerByKind } from '../../lib/pipeline/analysis/analyzer-by-kind.ts';
import type { Analyzer } from '../../lib/pipeline/ports.ts';
import { createAnalyzer } from '../../lib/service/analyzer.ts';
import { createCdrAnalyzer } from '../../lib/service/analyzer-cdr.ts';
import { AnalysisClient } from '../../lib/service/client/analysis-client.ts';
import { CdrClient } from '../../lib/service/client/cdr-client.ts';
import { type RunningService, startService } from '../../lib/service/server/listen.ts';
import { analysed, describeAnalyzer, requestOf } from '../pipeline/analyzer-contract.ts';
import { API_KEY, CDR_TOKEN, scriptedRunner } from './scripted-service.ts';

let service: RunningService;
let client: AnalysisClient;
let analyzers: { v3: Analyzer; withCdr: Analyzer };

beforeAll(async () => {
  service = await startService({ port: 0, apiKey: API_KEY, cdrToken: CDR_TOKEN, pool: scriptedRunner });
  client = new AnalysisClient({ baseUrl: `${service.url}/public-api`, apiKey: API_KEY });
  const cdrClient = new CdrClient({ baseUrl: service.cdrUrl, token: CDR_TOKEN });
  const v3 = createAnalyzer({ client });
  const cdr = createCdrAnalyzer({ client: cdrClient });
  analyzers = { v3, withCdr: analyzerByKind(forEachKind((kind) => (kind === 'cdr' ? cdr : v3))) };
});
afterAll(() => service.close());

const stored = async () => undefined;
describeAnalyzer('our own service over a socket', () => ({ analyzer: analyzers.v3, store: stored }));
describeAnalyzer('our own service with a CDR service', () => ({ analyzer: analyzers.withCdr, store: stored }));

test('every submission is private', async () => {
  const { id } = await analysed({ analyzer: analyzers.v3, store: stored }, requestOf('static', 'benign and private'));
  expect((await client.getSubmission(id)).private).toBe(true);
});
