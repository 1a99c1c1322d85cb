/** The analysis service and the CDR service with the engines of this process, on a loopback port: what `airlock serve` starts. */
import { randomBytes } from 'node:crypto';
import { DEFAULT_SERVICE_LIMITS } from '../service/server/limits.ts';
import { type RunningService, type ServiceOptions, startService } from '../service/server/listen.ts';
import { openStorage } from '../service/server/store/storage.ts';
import { createLocalPool, type LocalEngines } from './local-engines.ts';

export interface LocalService extends RunningService {
  readonly apiKey: string;
  readonly cdrToken: string;
}

export interface LocalServiceOptions
  extends LocalEngines,
    Pick<ServiceOptions, 'log' | 'onFault' | 'webhooks' | 'onWebhook'> {
  /** @default a random one */
  readonly apiKey?: string;
  /** @default the API key */
  readonly cdrToken?: string;
  /** @default everything is gone when the process ends */
  readonly dataDirectory?: string;
}

/**
 * Starts engines and both services in this process, on 127.0.0.1. Port 0 means any free port. Rejects with EADDRINUSE and EACCES,
 * and with StorageLockedError when another service has the directory.
 */
export async function startLocalService(port: number, options: LocalServiceOptions = {}): Promise<LocalService> {
  const {
    apiKey = `ma_${randomBytes(24).toString('base64url')}`,
    dataDirectory,
    visits,
    rulesFolder,
    ...others
  } = options;
  const cdrToken = options.cdrToken ?? apiKey;
  const storage = dataDirectory === undefined ? null : await openStorage(dataDirectory, DEFAULT_SERVICE_LIMITS);
  const pool = createLocalPool({
    ...(visits !== undefined && { visits }),
    ...(rulesFolder !== undefined && { rulesFolder }),
  });
  const service = await startService({
    ...others,
    port,
    apiKey,
    cdrToken,
    pool,
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
