/**
 * `npm run check:images`: builds each image of deploy/Containerfile with buildah and starts it. No image comes from a registry: the base is made of
 * the Node, npm and libraries of this machine (Debian), and the package is the one that is staged below dist/packages (`npm run packages`). Its
 * dependencies come as npm gets them. Exit codes: 0 everything is as it must be, or skipped because buildah is not installed; 1 something is not.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../../packages/compile.ts';
import { runStep } from './packages/step.ts';
import { missingOf, programPath } from './tools.ts';

const BASE = 'docker.io/library/node:24-slim';
/** What the steps of the Containerfile and npm run. */
const PROGRAMS = ['node', 'sh', 'bash', 'mkdir', 'chown', 'chmod', 'rm', 'env', 'useradd'];
/** Libraries that are loaded by their name when they are needed. */
const BY_NAME = /^lib(?:rt|dl|m|pthread|resolv|nss_\w+|stdc\+\+|gcc_s)\.so\.\d+$/;
const LIMIT_MS = 600_000;
/** What each image must print, and its arguments. */
const STARTS: Readonly<Record<string, readonly [args: readonly string[], prints: RegExp]>> = {
  'command-line': [['airlock', 'scan', '/mail/mail.eml'], /DELIVERED/],
  service: [['airlock', 'serve', '--help'], /--tls-cert/],
  gateway: [['airlock', 'gateway', '--help'], /--listen/],
};

async function main(): Promise<number> {
  const missing = missingOf(['buildah', 'ldd', 'useradd']);
  if (missing !== null) {
    process.stdout.write(`SKIPPED: the images: ${missing}\n`);
    return 0;
  }
  const staged = join(ROOT, 'dist/packages/mail-airlock');
  if (!existsSync(staged)) {
    process.stdout.write('there is no package to install: run npm run packages -- mail-airlock first\n');
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'airlock-images-'));
  try {
    makeBase(join(folder, 'base/root'));
    mkdirSync(join(folder, 'context/packages'), { recursive: true });
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', join(folder, 'context/packages')];
    execFileSync('npm', pack, { cwd: staged, stdio: 'ignore' });
    await build(folder);
    process.stdout.write('all images are built, and start\n');
    return 0;
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function build(folder: string): Promise<void> {
  const buildah = async (what: string, args: readonly string[], prints: RegExp) => {
    const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
    const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };
    const step = { what, program: 'buildah', args: [...store, ...args], cwd: folder, env, limitMs: LIMIT_MS, prints };
    return await runStep(step);
  };
  writeFileSync(join(folder, 'base/Containerfile'), 'FROM scratch\nCOPY root /\n');
  await buildah('base', ['bud', '-t', BASE, join(folder, 'base')], /Successfully tagged/);
  const mail = join(ROOT, 'test/fixtures/emails/invoice-with-macro.eml');
  for (const [target, [args, prints]] of Object.entries(STARTS)) {
    const context = ['--build-context', `packages=${join(folder, 'context')}`, join(folder, 'context')];
    const file = ['-f', join(ROOT, 'deploy/Containerfile'), '--target', target, '-t', `airlock-${target}`];
    await buildah(
      `${target}: built`,
      ['bud', '--layers', '--pull-never', '--network', 'host', ...file, ...context],
      /Successfully tagged/,
    );
    await buildah(target, ['from', '--pull-never', '--name', target, `localhost/airlock-${target}`], /./);
    await buildah(target, ['copy', target, mail, '/mail/mail.eml'], /./);
    // The exit code tells. What so short a command prints, buildah lost once on a busy machine.
    await buildah(`${target}: not root`, ['run', target, '--', 'sh', '-c', 'test ! -w /etc'], /^/);
    await buildah(`${target}: started`, ['run', target, '--', ...args], prints);
  }
}

/** A system with nothing but what is needed. */
function makeBase(root: string): void {
  for (const folder of [
    'usr/bin',
    'usr/sbin',
    'usr/lib64',
    'usr/lib/node_modules',
    'etc/ssl',
    'tmp',
    'root',
    'usr/etc',
  ])
    mkdirSync(join(root, folder), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
  const copy = (path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(realpathSync(path), join(root, path));
  };
  const programs = PROGRAMS.map((name) => programPath(name) ?? name);
  const libraries = programs.flatMap(
    (path) => execFileSync('ldd', [path], { encoding: 'utf8' }).match(/\/\S+\.so\S*/g) ?? [],
  );
  const near = dirname(libraries.find((path) => path.includes('libc.so')) ?? '');
  const named = readdirSync(near).filter((name) => BY_NAME.test(name));
  for (const path of new Set([...programs, ...libraries, ...named.map((name) => join(near, name))])) copy(path);
  const npm = dirname(dirname(realpathSync(programPath('npm') ?? '')));
  cpSync(npm, join(root, 'usr/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/bin', name));
  cpSync('/etc/ssl/certs', join(root, 'etc/ssl/certs'), { recursive: true, dereference: true });
  // Which registry of packages this machine uses; what is secret is not in this file, but in that of a user.
  if (existsSync('/etc/npmrc'))
    for (const place of ['etc/npmrc', 'usr/etc/npmrc']) cpSync('/etc/npmrc', join(root, place));
  copy('/etc/login.defs');
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n');
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\n');
}

process.exitCode = await main();
