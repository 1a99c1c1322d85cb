/** Postfix and Dovecot of Debian in a folder of their own: on loopback, with nothing of the installation of this machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runTool } from '../tools.ts';
import type { Recipe } from './recipes.ts';

/** On a machine that does much else, a process needs a minute to start. */
const START_MS = 180_000;

/** A port of loopback that nobody listens at. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Resolves when a server answers at the port. Throws when none does for a minute. */
export async function untilListening(port: number): Promise<void> {
  for (const end = Date.now() + START_MS; Date.now() < end; await pause(50)) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isThere) return;
  }
  throw new Error(`nothing listens at port ${port}`);
}

export interface Server {
  /** What it wrote into its log. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

const SERVICES = `
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
tlsmgr unix - - n 1000? 1 tlsmgr
smtp unix - - n - - smtp
relay unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;

export interface PostfixOptions {
  readonly folder: string;
  readonly port: number;
  readonly recipe: Pick<Recipe, 'main' | 'master'>;
  /** Settings of ours beside those of the recipe. */
  readonly settings: readonly string[];
}

/** Starts a Postfix that takes mail for everybody from this machine. Needs root, as Postfix does. */
export async function startPostfix({ folder, port, recipe, settings }: PostfixOptions): Promise<Server> {
  for (const name of ['etc', 'queue', 'data']) await mkdir(join(folder, name), { recursive: true });
  await runTool('chown', ['postfix', join(folder, 'data')], START_MS);
  const log = join(folder, 'log');
  const main = [
    'compatibility_level = 3.6',
    `queue_directory = ${join(folder, 'queue')}`,
    `data_directory = ${join(folder, 'data')}`,
    `maillog_file = ${log}`,
    `maillog_file_prefixes = ${folder}`,
    'inet_interfaces = 127.0.0.1',
    'inet_protocols = ipv4',
    'myhostname = mta.example',
    'mydestination =',
    'mynetworks = 127.0.0.0/8',
    'smtpd_relay_restrictions = permit_mynetworks, reject',
    'smtpd_peername_lookup = no',
    'smtp_dns_support_level = disabled',
    'smtp_host_lookup = native',
    'alias_maps =',
    'queue_run_delay = 2s',
    'minimal_backoff_time = 2s',
    'maximal_backoff_time = 4s',
    ...settings,
    recipe.main,
  ];
  // A recipe may have a line of its own for the port of mail.
  const own = /^smtp inet /m.test(recipe.master) ? '' : 'smtp inet n - n - - smtpd\n';
  const master = `${own}${recipe.master}`.replace(/^smtp inet /m, `127.0.0.1:${port} inet `);
  await writeFile(join(folder, 'etc/main.cf'), `${main.join('\n')}\n`);
  await writeFile(join(folder, 'etc/master.cf'), `${master}\n${SERVICES}`);
  const started = await runTool('postfix', ['-c', join(folder, 'etc'), 'start'], START_MS);
  if (started.code !== 0) throw new Error(`Postfix does not start: ${started.output}`);
  await untilListening(port);
  return {
    log: () => readFile(log, 'utf8'),
    async stop() {
      await runTool('postfix', ['-c', join(folder, 'etc'), 'stop'], START_MS);
    },
  };
}

/** The password with which everybody may send through a Postfix that asks Dovecot. */
export const PASSWORD = 'correct-horse-battery';

/**
 * Starts a Dovecot that takes mail for everybody by LMTP at one port, and checks passwords for Postfix at another. Below `mail` in its
 * folder it has a Maildir for each recipient.
 */
export async function startDovecot(folder: string, port: number, authPort: number): Promise<Server> {
  const mail = join(folder, 'mail');
  await mkdir(mail, { recursive: true });
  await runTool('chown', ['dovecot:dovecot', mail], START_MS);
  await chmod(folder, 0o755);
  const config = `
protocols = lmtp
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
mail_location = maildir:${mail}/%n
first_valid_uid = 1
auth_username_format = %n
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=dovecot gid=dovecot home=${mail}/%n allow_all_users=yes
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${port}
  }
}
service auth {
  inet_listener {
    address = 127.0.0.1
    port = ${authPort}
  }
}
`;
  await writeFile(join(folder, 'dovecot.conf'), config);
  const child = spawn('dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], { stdio: 'inherit' });
  await untilListening(port);
  return {
    log: () => readFile(join(folder, 'log'), 'utf8'),
    stop: () => ended(child, 'SIGTERM'),
  };
}

/** Ends a process, and resolves when it is gone. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}
