/** Programs of Debian that cannot be installed beside Postfix. Their packages are unpacked into a folder, and nothing is installed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isInstalled, runTool } from '../tools.ts';
import { NotHereError } from './trial-parts.ts';

const FETCH_MS = 120_000;

/** Returns the folder with the files of these packages. Rejects with NotHereError when they cannot be fetched or unpacked. */
export async function unpacked(folder: string, packages: readonly string[]): Promise<string> {
  for (const program of ['apt-get', 'dpkg', 'unshare', 'ldd'])
    if (!isInstalled(program)) throw new NotHereError(`${program} not found`);
  const apart = await runTool('unshare', ['-m', 'mount', '--bind', '/etc/hosts', '/etc/hosts'], FETCH_MS);
  if (apart.code !== 0) throw new NotHereError(`files of /etc cannot be replaced for one program: ${apart.output}`);
  const [fetched, root] = [join(folder, 'packages'), join(folder, 'unpacked')];
  for (const each of [fetched, root]) await mkdir(each, { recursive: true });
  const { code } = await runTool('apt-get', ['download', '-q', ...packages], FETCH_MS, { cwd: fetched });
  if (code !== 0) throw new NotHereError(`apt-get download ${packages.join(' ')} ended with ${code}`);
  for (const name of await readdir(fetched)) {
    const { output, ...ran } = await runTool('dpkg', ['-x', join(fetched, name), root], FETCH_MS);
    if (ran.code !== 0) throw new NotHereError(`dpkg -x ${name}: ${output}`);
  }
  return root;
}

/** Returns the path of an unpacked program. Rejects with NotHereError when a library of it is not on this machine. */
export async function programIn(root: string, path: string): Promise<string> {
  const program = join(root, path);
  const { output } = await runTool('ldd', [program], FETCH_MS);
  const missing = output.split('\n').find((line) => line.includes('not found'));
  if (missing !== undefined) throw new NotHereError(`${path} needs a library: ${missing.trim()}`);
  return program;
}

/** Starts a program for which files of /etc have other texts than for everybody else. Everything that it starts sees them, too. */
export async function startApart(
  folder: string,
  files: Readonly<Record<string, string>>,
  command: readonly string[],
): Promise<ChildProcess> {
  const mounts: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const own = join(folder, path.replaceAll('/', '_'));
    await writeFile(own, text);
    mounts.push(`mount --bind '${own}' '${path}'`);
  }
  return spawn('unshare', ['-m', 'sh', '-c', `${mounts.join(' && ')} && exec "$@"`, 'sh', ...command], {
    stdio: 'ignore',
  });
}

/** Names of this machine for a server that would ask the network for them. Nothing answers at the name server. */
export const ownNames = (name: string, host: string) => ({
  '/etc/hosts': `127.0.0.1 localhost\n127.0.0.1 ${name} ${host}\n`,
  '/etc/resolv.conf': 'nameserver 127.0.0.1\n',
});
