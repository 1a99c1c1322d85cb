/**
 * `npm run check:service`: the analysis service on a PostgreSQL of its own, which is started here on a unix socket. Exit codes: 0 no
 * problem, or skipped because the server is not installed (it says so); 1 something is not as it must be.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, postgresPrograms, startCluster } from './service/cluster.ts';
import { SERVER } from './service/database.ts';
import { trial } from './service/trial.ts';

const ROOT = join(import.meta.dirname, '../..');

async function main(): Promise<number> {
  const programs = await postgresPrograms();
  if (programs === null) {
    process.stdout.write(
      'SKIPPED: the service over PostgreSQL: initdb not found; on Debian: apt-get install postgresql\n',
    );
    return 0;
  }
  const suitesEnded = await withCluster(programs, false, async (cluster) => await suites(await cluster.newDatabase()));
  const trialEnded = await withCluster(programs, true, async (cluster) => await processes(await cluster.newDatabase()));
  return Math.max(suitesEnded, trialEnded);
}

async function withCluster(
  programs: string,
  isDurable: boolean,
  work: (cluster: Cluster) => Promise<number>,
): Promise<number> {
  const cluster = await startCluster(programs, { isDurable });
  try {
    return await work(cluster);
  } finally {
    await cluster.stop();
  }
}

/** Real processes under load and kills, on a server that writes to its disk as any does. */
async function processes(database: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'airlock-shared-'));
  const { problems, figures } = await trial(database, folder);
  for (const line of [...figures, ...problems]) process.stdout.write(`${line}\n`);
  process.stdout.write(`two processes for requests, two for jobs, each killed: ${problems.length} problems\n`);
  // What the processes wrote is what tells why.
  if (problems.length > 0) process.stdout.write(`  the log is in ${folder}\n`);
  else await rm(folder, { recursive: true, force: true });
  return problems.length > 0 ? 1 : 0;
}

/** The suites of the ports, which need a server to make databases in. */
async function suites(server: string): Promise<number> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const config = join(import.meta.dirname, 'service/vitest.config.ts');
  const child = spawn(process.execPath, [vitest, 'run', '--config', config], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, [SERVER]: server },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0 ? 0 : 1;
}

process.exitCode = await main();
