/** Uses installed packages as their READMEs and the examples say. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../../../packages/compile.ts';
import { filesOf } from '../../../packages/files.ts';
import { PACKAGES, type PackageRow } from '../../../packages/package-table.ts';
import { hasOptional, WITHOUT_OPTIONAL } from './project.ts';
import { LIMIT, runStep, twoAtATime } from './step.ts';

const MAIL = join(ROOT, 'test/fixtures/emails/invoice-with-macro.eml');
const KEY = 'a-key-of-the-check';
/** The first example of a README. */
const FIRST = 'example.mjs';
const COMPILE = 'compile';
const NPX = 'npx';

/** Without optional packages every entry can be imported, and what needs one of them says which. */
const MISSING = (name: string) =>
  `needs the package ${name}, which is not installed.*npm install --include=optional ${name}`;
const LEFT_OUT_OF_ENGINES = new RegExp(
  ['^disarmed undefined.*', ...['sharp', '7z-wasm'].map((name) => `failed package_missing .*${MISSING(name)}`)].join(
    '\\n',
  ),
);
const LEFT_OUT_OF_COMMAND_LINE =
  /exit code 0\n[\s\S]* needs the package libsql, which is not installed[\s\S]*\nexit code 3$/m;

/** What is done in the project of a package, and what it must print. The longest come first. */
const USES: readonly (readonly [project: string, use: string, args: readonly string[], prints: RegExp])[] = [
  ['cdk', FIRST, [], /^(?:Bundling asset .*\n)*$/],
  ['cdk', 'examples/construct/app.mjs', [], /^(?:Bundling asset .*\n)*$/],
  ['cdk', COMPILE, [], /^$/],
  ['mail-airlock', FIRST, [], /^ {2}DELIVERED$/m],
  ['mail-airlock', NPX, [], /^ {2}DELIVERED$/m],
  ['mail-airlock', 'examples/policy/scan.mjs', ['mail.eml'], /terms\.pdf/],
  ['mail-airlock', 'examples/webhook/try.mjs', [], /^Mail 8P-SSZT is quarantined \(malicious\): malicious\./m],
  ['mail-airlock', COMPILE, [], /^$/],
  ['engines', FIRST, [], /^disarmed \[ 'script' \]$/m],
  ['engines', 'examples/disarm-upload/server.mjs', [], /^200 removed: script\n[\s\S]*\n422 unsupported$/m],
  ['engines', 'examples/yara-rules/analyse.mjs', [], /^suspicious Word of a secret project$/m],
  ['engines', COMPILE, [], /^$/],
  [`engines${WITHOUT_OPTIONAL}`, 'left-out/engines.mjs', [], LEFT_OUT_OF_ENGINES],
  [`mail-airlock${WITHOUT_OPTIONAL}`, 'left-out/command-line.mjs', [], LEFT_OUT_OF_COMMAND_LINE],
  ['client', FIRST, [], /^benign$/m],
  ['client', 'examples/client/submit.mjs', [], /^benign static completed$/m],
  ['client', COMPILE, [], /^$/],
  ['fake', FIRST, [], /^200$/m],
  ['fake', COMPILE, [], /^$/],
];

/** Runs every program below the projects in `folder`, or only the first example of each package. Throws Error with what was not as it must be. */
export async function checkUse(folder: string, onlyFirst: boolean): Promise<void> {
  for (const row of PACKAGES) prepare(join(folder, row.folder), exampleOf(row));
  for (const row of PACKAGES.filter(hasOptional))
    prepare(join(folder, `${row.folder}${WITHOUT_OPTIONAL}`), exampleOf(row));
  const service = await startService(join(folder, 'mail-airlock'));
  try {
    const env = { AIRLOCK_API_URL: service.url, AIRLOCK_API_KEY: KEY };
    const uses = USES.filter(([, use]) => !onlyFirst || use === FIRST);
    await twoAtATime(uses, async ([project, use, args, prints]) => {
      const cwd = join(folder, project);
      const what = `${project}: ${use}`;
      await runStep({
        what,
        ...programOf(project, use, args),
        cwd,
        env: environment(cwd, use, env),
        limitMs: LIMIT.use,
        prints,
      });
    });
  } finally {
    service.stop();
  }
  if (!onlyFirst) checkAssembly(join(folder, 'cdk'));
}

/** The first example of the README of a package. */
function exampleOf(row: PackageRow): string {
  const readme = readFileSync(join(ROOT, 'packages/readme', `${row.folder}.md`), 'utf8');
  const example = /```js\n([\s\S]*?)```/.exec(readme)?.[1];
  if (example === undefined) throw new Error(`the README of ${row.name} has no example`);
  return example;
}

function prepare(project: string, example: string): void {
  writeFileSync(join(project, FIRST), example);
  writeFileSync(join(project, 'example.ts'), example);
  cpSync(MAIL, join(project, 'mail.eml'));
  cpSync(join(ROOT, 'examples'), join(project, 'examples'), { recursive: true });
  cpSync(join(import.meta.dirname, 'left-out'), join(project, 'left-out'), { recursive: true });
}

function programOf(
  project: string,
  use: string,
  args: readonly string[],
): { readonly program: string; readonly args: readonly string[] } {
  if (use === COMPILE) return { program: process.execPath, args: compilerArguments(project) };
  if (use !== NPX) return { program: process.execPath, args: [use, ...args] };
  return {
    program: 'npx',
    args: ['--no-install', '--loglevel=error', 'mail-airlock', 'scan', '--out', 'by-npx', 'mail.eml'],
  };
}

/** The strictest compiler that a user may have: it reads all declarations of the package, too. Those of aws-cdk-lib bear no exact ones. */
function compilerArguments(project: string): string[] {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const exact = project === 'cdk' ? [] : ['--exactOptionalPropertyTypes'];
  const strict = ['--strict', '--noUncheckedIndexedAccess', ...exact];
  const target = ['--noEmit', '--ignoreConfig', '--target', 'es2023', '--module', 'nodenext'];
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
  return [compiler, ...strict, ...target, ...types, 'example.ts'];
}

/** A program gets no environment but what it is given: a user has none of ours. */
function environment(cwd: string, use: string, env: Readonly<Record<string, string>>): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, CDK_OUTDIR: join(cwd, use === FIRST ? 'first.out' : 'cdk.out'), ...env };
}

/** The service of the installed command line, for the examples of the client. */
async function startService(project: string): Promise<{ readonly url: string; stop(): void }> {
  const command = join(project, 'node_modules/mail-airlock/dist/bin/airlock.js');
  const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--in-memory'], {
    cwd: project,
    env: { PATH: process.env.PATH, AIRLOCK_API_KEY: KEY },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT.use);
  const lines = createInterface(child.stdout);
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [])])) as [string?];
  clearTimeout(timer);
  const url = /https?:\S+/.exec(line ?? '')?.[0];
  if (url === undefined) throw new Error(`airlock serve: says no address within ${LIMIT.use / 1_000} s: ${line}`);
  return { url, stop: () => void child.kill() };
}

/** The bundles of the package are what is deployed, with the policy of the example in them. */
function checkAssembly(project: string): void {
  const bundles = filesOf(join(project, 'cdk.out')).filter((path) => path.endsWith('/index.cjs'));
  const withPolicy = bundles.filter((path) => readFileSync(path, 'utf8').includes('\\"unknown\\": \\"remove\\"'));
  if (bundles.length === 0 || withPolicy.length === 0)
    throw new Error(`${withPolicy.length} of ${bundles.length} bundles have the policy`);
  if (!existsSync(join(project, 'cdk.out/Mail.template.json'))) throw new Error('there is no template');
  process.stdout.write(`${bundles.length} bundles, ${withPolicy.length} with the policy of the example\n`);
}
