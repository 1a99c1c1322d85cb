/** The packages as a user has them: what is installed, how long the first scan takes, and how long each entry takes to load. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tarballOf } from '../../packages/pack.ts';
import { PACKAGES, type PackageRow } from '../../packages/package-table.ts';
import { install, packOne, sizeOf } from '../checkers/packages/project.ts';
import { emailWith } from '../pipeline/rig.ts';
import { withScratch } from './baselines.ts';
import { count, type Figure, type Measured, ms, type Part, type Progress, plain, quantity } from './figure.ts';
import { median } from './statistics.ts';

/** Fresh processes for each entry. */
const PROCESSES = 11;
const MB = 1024 * 1024;

/** What a package may have at most; a value that is not there has no target. */
interface Targets {
  readonly megabytes?: number;
  readonly packages?: number;
  readonly importMs?: number;
}

const TARGETS: Readonly<Record<string, Targets>> = {
  client: { megabytes: 3, packages: 2, importMs: 80 },
  fake: { megabytes: 5, packages: 2, importMs: 250 },
  engines: { megabytes: 120, packages: 90, importMs: 60 },
  'mail-airlock': { megabytes: 180, packages: 200, importMs: 1_500 },
  cdk: { megabytes: 300, packages: 60, importMs: 1_500 },
};
/** Milliseconds of the first `npx mail-airlock scan`, with what is installed for it. */
const FIRST_RUN_MS = 30_000;

/** Prints how many milliseconds of processor time the entry takes to load, from a Node that is up. */
const PROBE = `const started = process.cpuUsage();
await import(process.argv[2]);
const { user, system } = process.cpuUsage(started);
process.stdout.write(String((user + system) / 1000), () => process.exit());
`;

const run = promisify(execFile);

interface Installed {
  readonly row: PackageRow;
  readonly project: string;
  readonly bytes: number;
  readonly packages: number;
  readonly importMs: number[];
}

export const packagesPart: Part = {
  name: 'packages',
  title: 'Packages: installed size, first run and import',
  measure: (progress) =>
    withScratch(async (folder) => {
      const installed: Installed[] = [];
      for (const row of PACKAGES) installed.push(await installAlone(row, folder, progress));
      await importTimes(installed, progress);
      const commandLine = PACKAGES.find(({ name }) => name === 'mail-airlock');
      if (commandLine === undefined) throw new Error('there is no package mail-airlock');
      return reportOf(installed, await firstRun(commandLine, folder, progress));
    }),
};

async function installAlone(row: PackageRow, folder: string, progress: Progress): Promise<Installed> {
  progress(`packing and installing ${row.name}`);
  const tarball = await packOne(row, join(folder, 'tarballs'));
  const project = join(folder, row.folder);
  await install(row, tarball, project);
  await writeFile(join(project, 'probe.mjs'), PROBE);
  return { row, project, ...sizeOf(project), importMs: [] };
}

/** Loads every entry in a process of its own, one after the other and then all again, so that noise meets all alike. */
async function importTimes(installed: readonly Installed[], progress: Progress): Promise<void> {
  // One round before those that count: it reads the files into the page cache.
  for (let round = 0; round <= PROCESSES; round += 1) {
    progress(round === 0 ? 'loading each entry once' : `fresh processes, round ${round} of ${PROCESSES}`);
    for (const { row, project, importMs } of installed) {
      const { stdout } = await run(process.execPath, ['probe.mjs', row.name], { cwd: project, env: {} });
      const took = Number(stdout);
      if (!(took > 0)) throw new Error(`no import time of ${row.name}: ${stdout.slice(0, 200)}`);
      if (round > 0) importMs.push(took);
    }
  }
}

interface FirstRun {
  readonly installMs: number;
  readonly scanMs: number;
}

/** A new folder with nothing but the mail. The installation before has filled the cache of npm. */
async function firstRun(row: PackageRow, folder: string, progress: Progress): Promise<FirstRun> {
  progress('the first scan in a new folder');
  const project = join(folder, 'first');
  await mkdir(project);
  await writeFile(join(project, 'mail.eml'), emailWith({ subject: 'Good', text: 'hello' }));
  const { PATH, HOME } = process.env;
  const started = performance.now();
  await install(row, tarballOf(row, join(folder, 'tarballs')), project);
  const installMs = performance.now() - started;
  const args = ['--no-install', 'mail-airlock', 'scan', 'mail.eml'];
  const { stdout } = await run('npx', args, { cwd: project, env: { PATH, HOME } });
  if (!stdout.includes('DELIVERED')) throw new Error(`the first scan delivered nothing: ${stdout.slice(0, 400)}`);
  return { installMs, scanMs: performance.now() - started - installMs };
}

function reportOf(installed: readonly Installed[], { installMs, scanMs }: FirstRun): Measured {
  return {
    figures: [
      ...installed.flatMap(figuresOf),
      {
        name: 'npx mail-airlock scan, the first time, with a warm cache',
        measured: quantity((installMs + scanMs) / 1_000, 's'),
        atMost: FIRST_RUN_MS / 1_000,
        baselines: [],
      },
      plain('  of that: installing', quantity(installMs / 1_000, 's')),
      plain('  of that: scanning one mail', quantity(scanMs / 1_000, 's')),
    ],
    tables: [],
    notes: [
      `Each package is installed alone into an empty project, with the versions of the lock file and everything optional for this platform (${process.platform}-${process.arch}).`,
      `Import: processor time, because a busy machine changes the clock; median of ${PROCESSES} fresh processes, interleaved; from a Node that is up, files in the page cache, nothing used yet. Node ${process.version}.`,
      'The first scan is an installation from the cache of npm (npm ci) and the command by npx. npm may reach its registry when its cache lacks a package.',
    ],
  };
}

function figuresOf({ row, bytes, packages, importMs }: Installed): Figure[] {
  const { megabytes, packages: most, importMs: longest } = TARGETS[row.folder] ?? {};
  const figure = (what: string, measured: Figure['measured'], atMost: number | undefined): Figure => ({
    name: `${row.name}: ${what}`,
    measured,
    atMost: atMost ?? null,
    baselines: [],
  });
  return [
    figure('installed', quantity(bytes / MB, 'MB'), megabytes),
    figure('packages', count(packages), most),
    figure('import, processor time', ms(median(importMs)), longest),
  ];
}
