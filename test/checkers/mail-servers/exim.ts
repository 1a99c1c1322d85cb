/** Exim of Debian in a folder of its own, on loopback. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { runTool } from '../tools.ts';
import type { Recipe } from './recipes.ts';
import { ended, type Server, untilListening } from './servers.ts';
import { ownNames, programIn, startApart, unpacked } from './unpacked.ts';

const OWN_MS = 60_000;
/** The number of a user that no Debian has. */
const USER = '64999';

export interface EximOptions {
  readonly folder: string;
  readonly port: number;
  readonly recipe: Recipe['exim'];
  /** The port of the mailboxes, which speak LMTP. */
  readonly lmtp: number;
}

/** Starts it. Needs root. Rejects with NotHereError when Debian's package cannot be had. */
export async function startExim({ folder, port, recipe, lmtp }: EximOptions): Promise<Server> {
  await mkdir(join(folder, 'spool'), { recursive: true });
  const root = await unpacked(folder, ['exim4-daemon-light']);
  const program = await programIn(root, 'usr/sbin/exim4');
  const config = join(folder, 'exim.conf');
  await writeFile(
    config,
    `primary_hostname = mta.example
exim_path = ${program}
spool_directory = ${folder}/spool
log_file_path = ${folder}/spool/%slog
exim_user = ${USER}
exim_group = ${USER}
never_users =
keep_environment =
host_lookup =
rfc1413_hosts =
acl_smtp_rcpt = from_here
tls_advertise_hosts =
${recipe.main.replace('0.0.0.0.25', `127.0.0.1.${port}`)}
begin acl
from_here:
  accept hosts = 127.0.0.1
begin routers
${recipe.router}
mailboxes:
  driver = manualroute
  domains = *
  route_list = * 127.0.0.1
  self = send
  transport = mailboxes
begin transports
${recipe.transport}
mailboxes:
  driver = smtp
  protocol = lmtp
  port = ${lmtp}
  allow_localhost
begin retry
* * F,1h,2s
`,
  );
  await chmod(config, 0o644);
  await runTool('chown', ['-R', `${USER}:${USER}`, join(folder, 'spool')], OWN_MS);
  const user = async (path: string, line: string) => `${await readFile(path, 'utf8')}${line}\n`;
  const files = {
    ...ownNames('mta.example', hostname()),
    '/etc/passwd': await user('/etc/passwd', `Debian-exim:x:${USER}:${USER}::/nonexistent:/usr/sbin/nologin`),
    '/etc/group': await user('/etc/group', `Debian-exim:x:${USER}:`),
  };
  const child = await startApart(folder, files, [program, '-C', config, '-bdf', '-q2s']);
  await untilListening(port);
  return { log: () => readFile(join(folder, 'spool/mainlog'), 'utf8'), stop: () => ended(child, 'SIGTERM') };
}
