/** The analyzer of a local session: the engines of this process, a service, or both. */
import { randomUUID } from 'node:crypto';
import type { EnginePool } from '../../engines/threads/pool.ts';
import { OWN_VERSIONS } from '../../engines/threads/versions.ts';
import { createEnginesAnalyzer } from '../../jobs/engines-analyzer.ts';
import { forEachKind, type KindVersions } from '../../jobs/job.ts';
import { createLocalQueue } from '../../jobs/local-queue.ts';
import { analyzerByKind } from '../../pipeline/analysis/analyzer-by-kind.ts';
import { DEFAULT_LIMITS } from '../../pipeline/limits.ts';
import type { Analyzer, Blobs } from '../../pipeline/ports.ts';
import { createAnalyzer } from '../../service/analyzer.ts';
import { createCdrAnalyzer } from '../../service/analyzer-cdr.ts';
import { AnalysisClient } from '../../service/client/analysis-client.ts';
import { CdrClient } from '../../service/client/cdr-client.ts';
import { createLocalPool, type LocalEngines } from './local-engines.ts';

export interface RemoteService {
  readonly url: string;
  readonly secret: string;
}

export interface Analysis {
  /** Returns the analyzer of everything in `blobs`. Reports of the engines of this process are written there, too. */
  analyzerFor(blobs: Blobs): Analyzer;
  /** True when the engines run in this process. Their unfinished work ends with it. */
  readonly isInProcess: boolean;
  /** True when the disarming engine runs in this process, and no outside service disarms. */
  readonly isOwnDisarm: boolean;
  close(): Promise<void>;
}

/** Time limit of one call, in milliseconds. A person is waiting, so it is half of the limit in a Lambda. */
const CALL_MS = 30_000;

/** Opens the analysis of a session; null means the engines of this process. Throws ClientConfigError when a URL cannot be used. */
export async function openAnalysis(
  service: RemoteService | null,
  cdrService: RemoteService | null,
  signal: AbortSignal,
  engines: LocalEngines = {},
): Promise<Analysis> {
  const calls = { signal, callMs: CALL_MS };
  const remote = service && createAnalyzer({ client: clientOf(service), ...calls });
  const cdr =
    cdrService && createCdrAnalyzer({ client: cdrClientOf(cdrService), ...(remote && { beside: remote }), ...calls });
  const own = remote === null ? await openEngines(engines) : null;
  const analyzerFor = (blobs: Blobs): Analyzer => {
    const analyzer = remote ?? (own as OwnEngines).analyzerFor(blobs);
    return cdr === null ? analyzer : analyzerByKind(forEachKind((kind) => (kind === 'cdr' ? cdr : analyzer)));
  };
  const isInProcess = own !== null;
  return { analyzerFor, isInProcess, isOwnDisarm: isInProcess && cdr === null, close: async () => await own?.close() };
}

const clientOf = ({ url, secret }: RemoteService) => new AnalysisClient({ baseUrl: url, apiKey: secret });
const cdrClientOf = ({ url, secret }: RemoteService) => new CdrClient({ baseUrl: url, token: secret });

type OwnEngines = Pick<Analysis, 'analyzerFor' | 'close'>;

async function openEngines(engines: LocalEngines): Promise<OwnEngines> {
  const pool = createLocalPool(engines);
  const { run } = pool;
  const versions = await versionsOf(pool, engines);
  const maxBytes = Math.max(DEFAULT_LIMITS.emailBytes, DEFAULT_LIMITS.memberBytes);
  return {
    analyzerFor(blobs) {
      const queue = createLocalQueue({ blobs, run, versions, maxBytes });
      const analyzer = createEnginesAnalyzer({ blobs, queue, versions });
      return {
        ...analyzer,
        async progress(kind, question) {
          queue.check(question);
          return await analyzer.progress(kind, question);
        },
      };
    },
    close: () => pool.close(),
  };
}

/** Returns the versions that must have made a stored report, so that it may be reused. */
async function versionsOf(
  pool: Pick<EnginePool, 'versions'>,
  { visits, rulesFolder }: LocalEngines,
): Promise<KindVersions> {
  // Only an engine that has loaded the rules of the operator knows their version.
  const loaded = rulesFolder === undefined ? OWN_VERSIONS : await pool.versions();
  const versions = forEachKind((kind) => loaded[kind] ?? `no answer ${randomUUID()}`);
  // The web changes, so a page that an earlier session visited is visited again.
  return visits ? { ...versions, url_analysis: `${versions.url_analysis} visited ${randomUUID()}` } : versions;
}
