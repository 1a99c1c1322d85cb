/** The analyzer of a local session: the embedded service on a loopback port, a remote one, or one of each. */
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createEnginePool } from '../engines/threads/pool.ts';
import { type VisitSettings, withVisits } from '../engines/url/visit/visiting-runner.ts';
import type { Analyzer } from '../pipeline/ports.ts';
import { createAnalyzer } from '../service/analyzer.ts';
import { AnalysisClient } from '../service/client/analysis-client.ts';
import { CdrClient } from '../service/client/cdr-client.ts';
import { DEFAULT_SERVICE_LIMITS } from '../service/server/limits.ts';
import { type RunningService, type ServiceOptions, startService } from '../service/server/listen.ts';
import { openStorage } from '../service/server/store/storage.ts';

export interface RemoteService {
  readonly url: string;
  readonly secret: string;
}

export interface Analysis {
  readonly analyzer: Analyzer;
  /** The embedded service ends with this process, and so do its unfinished analyses. */
  readonly isEmbedded: boolean;
  /** True when the engine that disarms runs in this process, and no service of others does. */
  readonly isOwnDisarm: boolean;
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
  /** @default everything is gone when the process ends */
  readonly dataDirectory?: string;
  /** How URLs are visited. @default they are judged as text, and nothing is opened */
  readonly visits?: VisitSettings | null;
  /** Folder of YARA rules beside ours. @default none */
  readonly rulesFolder?: string;
}

/**
 * Starts engines and both services in this process, on 127.0.0.1. Port 0 means any free port. Rejects with EADDRINUSE and EACCES,
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

/** Time limit of one call, in milliseconds. A person is waiting, so it is half of the limit in a Lambda. */
const CALL_MS = 30_000;

/** Options that a session passes to its embedded service. */
export type SessionEngines = Pick<EmbeddedOptions, 'visits' | 'rulesFolder'>;

/** Opens the analysis of a session; `engines` are options of the embedded service. Throws ClientConfigError when a URL cannot be used. */
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
    const isEmbedded = embedded !== null;
    return {
      analyzer,
      isEmbedded,
      isOwnDisarm: isEmbedded && cdrService === null,
      close: async () => embedded?.close(),
    };
  } catch (error) {
    await embedded?.close();
    throw error;
  }
}
