/** An empty project outside of the repository with one package installed from its tarball, and what the package needs as it is locked here. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CONFIG_SCHEMA, CONFIG_SCHEMA_FILE } from '../../../lib/local/config/schema.ts';
import { closureOf, nameAt } from '../../../packages/closure.ts';
import { ROOT } from '../../../packages/compile.ts';
import { filesOf } from '../../../packages/files.ts';
import { MAN_PAGE } from '../../../packages/man-page.ts';
import { STAGED, tarballOf } from '../../../packages/pack.ts';
import type { PackageRow } from '../../../packages/package-table.ts';
import { SBOM_FILE } from '../../../packages/sbom.ts';
import { LIMIT, runStep } from './step.ts';

/** Nothing may have to run to be installed, and a dependency that wants another Node than this one is an error. */
const NPM_OPTIONS = ['--ignore-scripts', '--engine-strict', '--prefer-offline', '--no-audit', '--no-fund'] as const;

/** The end of the name of a project in which nothing optional is installed. */
export const WITHOUT_OPTIONAL = '-without-optional';
export const hasOptional = ({ optionalDependencies }: PackageRow): boolean => optionalDependencies.length > 0;

/** Packs a package and installs it into a project of its own, unless the project is there. Throws Error when something is inside that must not be. */
export async function makeProject(row: PackageRow, folder: string): Promise<void> {
  const project = join(folder, row.folder);
  const folders = hasOptional(row) ? [project, `${project}${WITHOUT_OPTIONAL}`] : [project];
  if (folders.every((each) => existsSync(join(each, 'node_modules')))) return;
  const tarball = await packOne(row, join(folder, 'tarballs'));
  await install(row, tarball, project);
  if (hasOptional(row)) await install(row, tarball, `${project}${WITHOUT_OPTIONAL}`, ['--omit=optional']);
  checkContents(join(STAGED, row.folder), join(project, 'node_modules', row.name));
  if (Object.keys(row.bin).length > 0) checkCommandLine(join(project, 'node_modules', row.name));
  checkSbom(row, project);
}

/** Packs a package into `out`, and returns its tarball. */
export async function packOne(row: PackageRow, out: string): Promise<string> {
  const { execPath, env } = process;
  const args = ['--import', 'tsx', join(ROOT, 'packages/pack.ts'), '--out', out, row.folder];
  await runStep({
    what: `${row.name}: packed`,
    program: execPath,
    args,
    cwd: ROOT,
    env,
    limitMs: LIMIT.pack,
    prints: /\.tgz$/m,
  });
  return tarballOf(row, out);
}

/** Installs a tarball into an empty folder with `npm ci`. The lock file is that of the repository, so nothing newer is fetched than what is tested here. */
export async function install(
  row: PackageRow,
  tarball: string,
  project: string,
  options: readonly string[] = [],
): Promise<void> {
  mkdirSync(project, { recursive: true });
  const wanted = { [row.name]: `file:${tarball}` };
  const manifest = { name: 'project', version: '1.0.0', private: true, type: 'module', dependencies: wanted };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lockFile(row, tarball, wanted)));
  const step = { what: `${row.name}: installed ${options.join(' ')}`.trim(), cwd: project, env: process.env };
  await runStep({
    ...step,
    program: 'npm',
    args: ['ci', ...NPM_OPTIONS, ...options],
    limitMs: LIMIT.install,
    // `npm run --silent` has npm say nothing.
    prints: /^/,
  });
}

function lockFile(row: PackageRow, tarball: string, wanted: Readonly<Record<string, string>>): object {
  const manifest = JSON.parse(readFileSync(join(STAGED, row.folder, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly [field: string]: unknown;
  };
  const { version, engines, bin, dependencies, optionalDependencies, peerDependencies } = manifest;
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const own = { version, resolved: `file:${tarball}`, integrity, engines, bin };
  const needs = { dependencies, optionalDependencies, peerDependencies };
  return {
    name: 'project',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'project', version: '1.0.0', dependencies: wanted },
      [`node_modules/${row.name}`]: { ...own, ...needs },
      ...closureOf({ ...row, dependencies: [...row.dependencies, ...row.peerDependencies] }),
    },
  };
}

/** What was installed is what was staged, and nothing of it is a test. */
function checkContents(staged: string, installed: string): void {
  const names = (folder: string) => filesOf(folder).map((path) => relative(folder, path));
  const [wanted, found] = [names(staged), names(installed)];
  const lost = wanted.filter((name) => !found.includes(name));
  const tests = found.filter((name) => /(?:^|\/)test\/|\.test\./.test(name) && !name.includes('node_modules/'));
  if (lost.length + tests.length > 0) throw new Error(`lost: ${lost.join(', ')}; tests inside: ${tests.join(', ')}`);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { version: string };
  if (!/^\d+\.\d+\.\d+$/.test(manifest.version)) throw new Error(`${manifest.version} is no semantic version`);
}

/** The manual page, and the schema at the place that a configuration names. */
function checkCommandLine(installed: string): void {
  const page = readFileSync(join(installed, MAN_PAGE), 'utf8');
  const schema = JSON.parse(readFileSync(join(installed, CONFIG_SCHEMA_FILE), 'utf8')) as { $id: string };
  if (!page.startsWith('.TH AIRLOCK 1 ') || schema.$id !== CONFIG_SCHEMA)
    throw new Error(`${installed}: its manual page or the schema of the configuration is another one`);
}

/** Each package that npm has installed is in the SBOM. That their licences are accepted, the packing has checked. */
function checkSbom({ name }: PackageRow, project: string): void {
  const sbom = JSON.parse(readFileSync(join(project, 'node_modules', name, SBOM_FILE), 'utf8')) as {
    readonly components: readonly { readonly 'bom-ref': string }[];
  };
  const listed = sbom.components.map((component) => component['bom-ref']);
  const installed = installedAt(project).map(([place, { version }]) => `${nameAt(place)}@${version}`);
  const missing = installed.filter((ref) => !listed.includes(ref) && !ref.startsWith(`${name}@`));
  if (installed.length < 2 || missing.length > 0) throw new Error(`${name}: not in its SBOM: ${missing.join(', ')}`);
}

function installedAt(project: string): [place: string, { readonly version: string }][] {
  const lock = JSON.parse(readFileSync(join(project, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>;
  };
  return Object.entries(lock.packages);
}

/** Bytes and packages of everything that is installed. */
export function sizeOf(project: string): { readonly bytes: number; readonly packages: number } {
  const files = filesOf(join(project, 'node_modules'));
  return {
    bytes: files.reduce((sum, path) => sum + statSync(path).size, 0),
    packages: installedAt(project).length,
  };
}
