/** The analyzer of a local session: the engines of this process, a service, or both. */
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createEnginePool, type EnginePool } from '../engines/threads/pool.ts';
import { type VisitSettings, withVisits } from '../engines/url/visit/visiting-runner.ts';
import { createEnginesAnalyzer } from '../jobs/engines-analyzer.ts';
import { forEachKind, type Job, type KindVersions } from '../jobs/job.ts';
import { createLocalQueue } from '../jobs/local-queue.ts';
import { OWN_VERSIONS } from '../jobs/own-versions.ts';
import { analyzerByKind } from '../pipeline/analyzer-by-kind.ts';
import { DEFAULT_LIMITS } from '../pipeline/limits.ts';
import type { Analyzer, Blobs } from '../pipeline/ports.ts';
import { createAnalyzer } from '../service/analyzer.ts';
import { createCdrAnalyzer } from '../service/analyzer-cdr.ts';
import { AnalysisClient } from '../service/client/analysis-client.ts';
import { CdrClient } from '../service/client/cdr-client.ts';

export interface RemoteService {
  readonly url: string;
  readonly secret: string;
}

/** Options of the engines of this process. */
export interface SessionEngines {
  /** How URLs are visited. @default they are judged as text, and nothing is opened */
  readonly visits?: VisitSettings | null;
  /** Folder of YARA rules beside ours. @default none */
  readonly rulesFolder?: string;
}

export interface Analysis {
  /** The analyzer of everything that lies in `blobs`. Reports of the engines of this process are written there, too. */
  analyzerFor(blobs: Blobs): Analyzer;
  /** True when the engines run in this process: what they have not finished ends with it. */
  readonly isInProcess: boolean;
  /** True when the engine that disarms runs in this process, and no service of others does. */
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
  engines: SessionEngines = {},
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

async function openEngines(engines: SessionEngines): Promise<OwnEngines> {
  const { visits, rulesFolder } = engines;
  const pool = createEnginePool({
    threads: Math.max(1, availableParallelism()),
    ...(rulesFolder !== undefined && { rulesFolder }),
  });
  const { run } = visits ? withVisits(pool, visits) : pool;
  const versions = await versionsOf(pool, engines);
  const maxBytes = Math.max(DEFAULT_LIMITS.emailBytes, DEFAULT_LIMITS.memberBytes);
  return {
    analyzerFor(blobs) {
      const lost = new Map<string, unknown>();
      const onLost = ({ question }: Job, error: unknown) => void lost.set(question, error);
      const queue = createLocalQueue({ blobs, run, versions, maxBytes }, onLost);
      return told(createEnginesAnalyzer({ blobs, queue, versions }), lost);
    },
    close: () => pool.close(),
  };
}

/** The same analyzer, but nobody waits for a report that cannot be written, for example because the disk is full. */
function told(analyzer: Analyzer, lost: ReadonlyMap<string, unknown>): Analyzer {
  return {
    ...analyzer,
    async progress(kind, question) {
      if (lost.has(question)) throw lost.get(question);
      return await analyzer.progress(kind, question);
    },
  };
}

/** What a stored report must have been made by to be used again. */
async function versionsOf(pool: EnginePool, { visits, rulesFolder }: SessionEngines): Promise<KindVersions> {
  // Only an engine that has loaded the rules of the operator knows their version.
  const loaded = rulesFolder === undefined ? OWN_VERSIONS : await pool.versions();
  const versions = forEachKind((kind) => loaded[kind] ?? `no answer ${randomUUID()}`);
  // The web changes: a page that was visited by an earlier session is visited again.
  return visits ? { ...versions, url_analysis: `${versions.url_analysis} visited ${randomUUID()}` } : versions;
}
