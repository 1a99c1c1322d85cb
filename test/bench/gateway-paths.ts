/** What the bench sends mail through: the gateway, Postfix that only passes mail on, and amavis without scanners. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GatewayProcess, startProgram } from '../checkers/mail-servers/gateway-process.ts';
import { freePort, startPostfix } from '../checkers/mail-servers/servers.ts';
import { isInstalled, runTool } from '../checkers/tools.ts';
import type { Sink } from './smtp-ends.ts';
import { STAGED_PROGRAM } from './staged-package.ts';

const COMMAND_MS = 60_000;

/** What mail goes through, from a port to the sink. */
export interface Path {
  readonly name: string;
  /** Starts it, and returns its port and what ends it; null when it cannot run here. */
  open(folder: string, sink: Sink): Promise<Opened | null>;
}

export interface Opened {
  readonly port: number;
  /** Of all of its processes the first. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts the gateway of the staged package. */
export function startStaged(options: readonly string[], port: number, logFile: string): Promise<GatewayProcess> {
  return startProgram(process.execPath, [STAGED_PROGRAM, 'gateway', ...options], port, logFile);
}

const gateway: Path = {
  name: 'airlock gateway',
  async open(folder, sink) {
    const port = await freePort();
    const places = [
      '--listen',
      `127.0.0.1:${port}`,
      '--next',
      `127.0.0.1:${sink.port}`,
      '--spool',
      join(folder, 'spool'),
    ];
    return { port, ...(await startStaged(places, port, join(folder, 'gateway.log'))) };
  },
};

const postfix: Path = {
  name: 'Postfix passing on',
  async open(folder, sink) {
    if (process.getuid?.() !== 0 || !isInstalled('postfix')) return null;
    const port = await freePort();
    const settings = [`default_transport = smtp:[127.0.0.1]:${sink.port}`];
    const server = await startPostfix({
      folder: join(folder, 'postfix'),
      port,
      recipe: { main: '', master: '' },
      settings,
    });
    const pid = Number(await readFile(join(folder, 'postfix/queue/pid/master.pid'), 'utf8'));
    return { port, pid, stop: server.stop };
  },
};

const amavis: Path = {
  name: 'amavis without scanners',
  async open(folder, sink) {
    if (process.getuid?.() !== 0 || !isInstalled('amavisd')) return null;
    const [port, home] = [await freePort(), join(folder, 'amavis')];
    await mkdir(join(home, 'tmp'), { recursive: true });
    await runTool('chown', ['-R', 'amavis:amavis', home], COMMAND_MS);
    await writeFile(join(folder, 'amavisd.conf'), amavisConfig(home, port, sink.port));
    const args = ['-c', join(folder, 'amavisd.conf'), 'foreground'];
    return { port, ...(await startProgram('amavisd', args, port, join(folder, 'amavis.log'))) };
  },
};

/** As many processes as the gateway judges at the same time; no virus scanner and no SpamAssassin. */
const amavisConfig = (home: string, port: number, nextPort: number) => `
use strict;
$max_servers = 4;
$daemon_user = 'amavis';
$daemon_group = 'amavis';
$mydomain = 'bench.example';
$myhostname = 'amavis.bench.example';
$MYHOME = '${home}';
$TEMPBASE = '${home}/tmp';
$lock_file = '${home}/lock';
$pid_file = '${home}/pid';
$enable_db = 0;
$enable_zmq = 0;
$do_syslog = 0;
$log_level = 0;
$enable_dkim_verification = 0;
$inet_socket_bind = '127.0.0.1';
$inet_socket_port = ${port};
@inet_acl = qw(127.0.0.1);
$forward_method = 'smtp:[127.0.0.1]:${nextPort}';
$notify_method = $forward_method;
@bypass_virus_checks_maps = (1);
@bypass_spam_checks_maps = (1);
$final_banned_destiny = D_PASS;
$final_bad_header_destiny = D_PASS;
$banned_files_quarantine_method = undef;
$bad_header_quarantine_method = undef;
1;
`;

/** In the order in which they are measured. */
export const PATHS: readonly Path[] = [postfix, amavis, gateway];
export const OWN = gateway.name;
export const PEER = amavis.name;
