/** A PostgreSQL of its own in a folder that goes with it, on a unix socket that only this machine has. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { programPath, runTool } from '../tools.ts';

export interface Cluster {
  /** A new empty database. */
  newDatabase(): Promise<string>;
  /** Stops the server as a power cut would, and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Where Debian puts the programs of the server, which are not on the PATH. */
const DEBIAN = '/usr/lib/postgresql';
const START_MS = 60_000;

/** The folder of the programs, or null. */
export async function postgresPrograms(): Promise<string | null> {
  const onPath = programPath('initdb');
  if (onPath !== null) return dirname(onPath);
  const versions = await readdir(DEBIAN).catch(() => []);
  const newest = versions.sort((one, other) => Number(other) - Number(one))[0];
  return newest === undefined ? null : join(DEBIAN, newest, 'bin');
}

/** Starts a server. With `isDurable` it writes to the disk as it does for others; otherwise it is fast. */
export async function startCluster(programs: string, { isDurable }: { readonly isDurable: boolean }): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'airlock-pg-'));
  const user = await userOfServer();
  if (user) await chown(folder, user.uid, user.gid);
  else await chmod(folder, 0o700);
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'airlock', '-E', 'UTF8', '--locale=C.UTF-8', '--auth=trust', '--no-sync'];
  await ended(started(join(programs, 'initdb'), initdb, folder, user));
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'max_connections=100'];
  if (!isDurable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
  const options = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const url = (database: string) => `postgres://airlock@localhost/${database}?host=${encodeURIComponent(folder)}`;
  const start = async () => {
    const server = started(join(programs, 'postgres'), options, folder, user);
    await untilReady(url('postgres'));
    return server;
  };
  let server = await start();
  const stop = async (signal: 'SIGINT' | 'SIGQUIT') => {
    server.kill(signal);
    await once(server, 'exit');
  };
  let databases = 0;
  return {
    newDatabase: async () => {
      databases += 1;
      await execute(url('postgres'), `CREATE DATABASE d${databases}`);
      return url(`d${databases}`);
    },
    restart: async () => {
      await stop('SIGQUIT');
      server = await start();
    },
    stop: async () => {
      await stop('SIGINT');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one statement on a connection of its own. */
export async function execute<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** PostgreSQL refuses to run as root. Its own user can, or one that may do nothing. */
async function userOfServer(): Promise<User | null> {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all(['-u', '-g'].map((option) => runTool('id', [option, name], START_MS)));
    if (uid?.code === 0 && gid?.code === 0) return { uid: Number(uid.output), gid: Number(gid.output) };
  }
  throw new Error('there is neither a user postgres nor a user nobody');
}

function started(program: string, args: readonly string[], folder: string, user: User | null): ChildProcess {
  return spawn(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], ...user }).on(
    'error',
    () => undefined,
  );
}

async function ended(child: ChildProcess): Promise<void> {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}: ${output}`);
}

async function untilReady(url: string): Promise<void> {
  const endMs = Date.now() + START_MS;
  for (;;) {
    try {
      await execute(url, 'SELECT 1');
      return;
    } catch (error) {
      if (Date.now() > endMs) throw error;
      await pause(50);
    }
  }
}
