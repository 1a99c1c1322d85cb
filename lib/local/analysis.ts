/** The analyzer of a local session: the embedded service on a loopback port, a remote one, or one of each. */
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createAnalyzer } from '../analysis/analyzer.ts';
import { AnalysisClient } from '../analysis/client/analysis-client.ts';
import { CdrClient } from '../analysis/client/cdr-client.ts';
import { createEnginePool } from '../analysis/engines/pool.ts';
import { type RunningService, startService } from '../analysis/server/listen.ts';
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

/** Starts engines and both services in this process, on 127.0.0.1. Port 0 takes a free one. */
export async function startEmbedded(
  port: number,
  secrets: { apiKey?: string; cdrToken?: string } = {},
): Promise<EmbeddedService> {
  const apiKey = secrets.apiKey ?? `ma_${randomBytes(24).toString('base64url')}`;
  const cdrToken = secrets.cdrToken ?? apiKey;
  const pool = createEnginePool({ threads: Math.max(1, availableParallelism()) });
  const service = await startService({ port, apiKey, cdrToken, pool }).catch(async (error: unknown) => {
    await pool.close();
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

/** Opens the analysis of a session. Throws ClientConfigError for a URL that cannot be used. */
export async function openAnalysis(
  service: RemoteService | null,
  cdrService: RemoteService | null,
  signal: AbortSignal,
): Promise<Analysis> {
  const embedded = service ? null : await startEmbedded(0);
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
