/** The analysis service and the CDR service with the engines of this process, on a loopback port. `airlock serve` starts them. */
import { randomBytes } from 'node:crypto';
import { DEFAULT_SERVICE_LIMITS } from '../../service/server/limits.ts';
import { type RunningService, type ServiceOptions, startService, startWorker } from '../../service/server/listen.ts';
import { openStorage } from '../../service/server/store/storage.ts';
import { createLocalPool, type LocalEngines } from './local-engines.ts';
import type { SharedPlace } from './shared-storage.ts';

export interface LocalService extends RunningService {
  readonly apiKey: string;
  readonly cdrToken: string;
}

/** The parts of a process of a shared service, for its caller. */
export type SharedService = Pick<RunningService, 'close' | 'metrics'> & Partial<Pick<RunningService, 'url' | 'cdrUrl'>>;

export interface LocalServiceOptions
  extends LocalEngines,
    Pick<ServiceOptions, 'log' | 'onFault' | 'webhooks' | 'onWebhook' | 'host' | 'tls' | 'proxies' | 'deskUrl'> {
  /** @default a random one */
  readonly apiKey?: string;
  /** @default the API key */
  readonly cdrToken?: string;
  /** Start the engines at once. Until they have started, `readyz` says so. @default they start with the first file */
  readonly warmUp?: boolean;
  /** @default everything is lost when the process ends */
  readonly dataDirectory?: string;
}

/**
 * Starts engines and both services in this process, on 127.0.0.1 unless `host` says otherwise. Port 0 means any free port. Rejects with
 * EADDRINUSE and EACCES, and with StorageLockedError when another service has the directory.
 */
export async function startLocalService(port: number, options: LocalServiceOptions = {}): Promise<LocalService> {
  const {
    apiKey = `ma_${randomBytes(24).toString('base64url')}`,
    dataDirectory,
    visits,
    rulesFolder,
    warmUp = false,
    ...others
  } = options;
  const cdrToken = options.cdrToken ?? apiKey;
  const storage = dataDirectory === undefined ? null : await openStorage(dataDirectory, DEFAULT_SERVICE_LIMITS);
  const pool = createLocalPool({
    ...(visits !== undefined && { visits }),
    ...(rulesFolder !== undefined && { rulesFolder }),
  });
  let isReady = !warmUp;
  const service = await startService({
    ...others,
    isReady: () => isReady,
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
  const started = warmUp ? pool.warmUp() : Promise.resolve();
  void started.then(() => {
    isReady = true;
  });
  const close: RunningService['close'] = async (drained) => {
    await service.close(drained);
    await pool.close();
  };
  return { ...service, apiKey, cdrToken, close };
}

/**
 * Starts one process of a service whose storage others share: with engines for its jobs, unless its role is to take requests. Rejects as
 * `startLocalService` does, and with DatabaseRefusedError.
 */
export async function startSharedService(
  port: number,
  { databaseUrl, files, role }: SharedPlace,
  options: Omit<LocalServiceOptions, 'dataDirectory' | 'warmUp'>,
): Promise<SharedService> {
  const { openSharedStorage } = await import('../../service/server/store/postgres/storage.ts');
  const storage = await openSharedStorage(databaseUrl, files, DEFAULT_SERVICE_LIMITS);
  const { visits, rulesFolder, apiKey, cdrToken = apiKey, ...others } = options;
  const pool = createLocalPool({
    ...(visits !== undefined && { visits }),
    ...(rulesFolder !== undefined && { rulesFolder }),
  });
  let isReady = role === 'api';
  const started = isReady ? Promise.resolve() : pool.warmUp();
  void started.then(() => {
    isReady = true;
  });
  const keys = { ...(apiKey !== undefined && { apiKey }), ...(cdrToken !== undefined && { cdrToken }) };
  const all = { ...others, ...keys, storage, role, pool, isReady: () => isReady };
  const service = await (role === 'worker' ? startWorker(all) : startService({ ...all, port })).catch(
    async (error: unknown) => {
      await pool.close();
      await storage.close();
      throw error;
    },
  );
  const close: RunningService['close'] = async (drained) => {
    await service.close(drained);
    await pool.close();
  };
  return { ...service, close };
}
