/** The analyzer of a local session: the embedded service on a loopback port, a remote one, or one of each. */
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createAnalyzer } from '../analysis/analyzer.ts';
import { AnalysisClient } from '../analysis/client/analysis-client.ts';
import { CdrClient } from '../analysis/client/cdr-client.ts';
import { createEnginePool } from '../analysis/engines/pool.ts';
import { type VisitSettings, withVisits } from '../analysis/engines/url/visit/visiting-runner.ts';
import { DEFAULT_SERVICE_LIMITS } from '../analysis/server/limits.ts';
import { type RunningService, type ServiceOptions, startService } from '../analysis/server/listen.ts';
import { openStorage } from '../analysis/server/storage.ts';
import type { Analyzer } from '../pipeline/ports.ts';

export interface RemoteService {
  readonly url: string;
  readonly secret: string;
}

export interface Analysis {
  readonly analyzer: Analyzer;
  /** The embedded service dies with this process, and with it everything it has in flight. */
  readonly isEmbedded: boolean;
  close(): Promise<void>;
}

export interface EmbeddedService extends RunningService {
  readonly apiKey: string;
  readonly cdrToken: string;
}

export interface EmbeddedOptions extends Pick<ServiceOptions, 'log' | 'onFault' | 'webhooks' | 'onWebhook'> {
  /** @default a random one */
  readonly apiKey?: string;
  /** @default the API key */
  readonly cdrToken?: string;
  /** @default nothing outlives the process */
  readonly dataDirectory?: string;
  /** How URLs are visited. @default they are judged as text, and nothing is opened */
  readonly visits?: VisitSettings | null;
  /** Folder of YARA rules beside ours. @default none */
  readonly rulesFolder?: string;
}

/**
 * Starts engines and both services in this process, on 127.0.0.1. Port 0 takes a free one. Rejects with EADDRINUSE and EACCES,
 * and with StorageLockedError when another service has the directory.
 */
export async function startEmbedded(port: number, options: EmbeddedOptions = {}): Promise<EmbeddedService> {
  const {
    apiKey = `ma_${randomBytes(24).toString('base64url')}`,
    dataDirectory,
    rulesFolder,
    visits,
    ...others
  } = options;
  const cdrToken = options.cdrToken ?? apiKey;
  const storage = dataDirectory === undefined ? null : await openStorage(dataDirectory, DEFAULT_SERVICE_LIMITS);
  const pool = createEnginePool({
    threads: Math.max(1, availableParallelism()),
    ...(rulesFolder !== undefined && { rulesFolder }),
  });
  const service = await startService({
    ...others,
    port,
    apiKey,
    cdrToken,
    pool: visits ? withVisits(pool, visits) : pool,
    ...(storage && { storage }),
  }).catch(async (error: unknown) => {
    await pool.close();
    await storage?.close();
    throw error;
  });
  const close = async () => {
    await service.close();
    await pool.close();
  };
  return { ...service, apiKey, cdrToken, close };
}

/** A person is waiting: half of what a Lambda waits. In milliseconds. */
const CALL_MS = 30_000;

/** What the embedded service of a session may be told. */
export type SessionEngines = Pick<EmbeddedOptions, 'visits' | 'rulesFolder'>;

/** Opens the analysis of a session; `engines` are those of the embedded service. Throws ClientConfigError for a URL that cannot be used. */
export async function openAnalysis(
  service: RemoteService | null,
  cdrService: RemoteService | null,
  signal: AbortSignal,
  engines: SessionEngines = {},
): Promise<Analysis> {
  const embedded = service ? null : await startEmbedded(0, engines);
  try {
    const client = new AnalysisClient({
      baseUrl: service?.url ?? embedded?.url ?? '',
      apiKey: service?.secret ?? embedded?.apiKey ?? '',
    });
    const cdrClient = cdrService && new CdrClient({ baseUrl: cdrService.url, token: cdrService.secret });
    const analyzer = createAnalyzer({ client, ...(cdrClient && { cdrClient }), signal, callMs: CALL_MS });
    return { analyzer, isEmbedded: embedded !== null, close: async () => embedded?.close() };
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}
