/** Sendmail of Debian in a folder of its own, on loopback. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { runTool } from '../tools.ts';
import { ended, type Server, untilListening } from './servers.ts';
import { ownNames, programIn, startApart, unpacked } from './unpacked.ts';

const MAKE_MS = 60_000;
const PACKAGES = ['sendmail-bin', 'sendmail-cf', 'm4', 'libsigsegv2'];

export interface SendmailOptions {
  readonly folder: string;
  readonly port: number;
  /** Lines of the recipe for sendmail.mc. */
  readonly recipe: string;
  /** The port of the mailboxes, which speak LMTP. */
  readonly lmtp: number;
}

/** Starts it. Needs root. Rejects with NotHereError when Debian's packages cannot be had. */
export async function startSendmail({ folder, port, recipe, lmtp }: SendmailOptions): Promise<Server> {
  await mkdir(join(folder, 'queue'), { recursive: true, mode: 0o700 });
  const root = await unpacked(folder, PACKAGES);
  const define = (name: string, value: string) => `define(\`${name}', \`${value}')dnl`;
  const mc = [
    `include(\`${root}/usr/share/sendmail/cf/m4/cf.m4')dnl`,
    "OSTYPE(`linux')dnl",
    define('confDOMAIN_NAME', 'mta.example'),
    define('QUEUE_DIR', join(folder, 'queue')),
    define('STATUS_FILE', join(folder, 'statistics')),
    define('confPID_FILE', join(folder, 'pid')),
    define('ALIAS_FILE', ''),
    // A machine that runs tests is always busy.
    ...[define('confQUEUE_LA', '500'), define('confREFUSE_LA', '500')],
    ...[define('RELAY_MAILER_ARGS', `TCP $h ${lmtp}`), define('RELAY_MAILER_FLAGS', 'z')],
    ...["FEATURE(`nocanonify')dnl", "FEATURE(`accept_unresolvable_domains')dnl", "FEATURE(`no_default_msa')dnl"],
    `DAEMON_OPTIONS(\`Name=MTA, Addr=127.0.0.1, Port=${port}')dnl`,
    recipe,
    "MAILER(`smtp')dnl",
    'LOCAL_RULE_0',
    'R$* < @ $* > $*\t$#relay $@ [127.0.0.1] $: $1 < @ $2 > $3',
  ];
  await writeFile(join(folder, 'sendmail.mc'), `${mc.join('\n')}\n`);
  const libraries = (await readdir(join(root, 'usr/lib'))).map((name) => join(root, 'usr/lib', name)).join(':');
  const made = await runTool(
    join(root, 'usr/bin/m4'),
    [`-D_CF_DIR_=${root}/usr/share/sendmail/cf/`, join(folder, 'sendmail.mc')],
    MAKE_MS,
    { env: { ...process.env, LD_LIBRARY_PATH: libraries } },
  );
  if (made.code !== 0) throw new Error(`m4 ended with ${made.code}: ${made.output}`);
  await writeFile(join(folder, 'sendmail.cf'), made.output);
  const traffic = join(folder, 'traffic');
  const program = await programIn(root, 'usr/libexec/sendmail/sendmail');
  const command = [program, '-C', join(folder, 'sendmail.cf'), '-bD', '-q2s'];
  const child = await startApart(folder, ownNames('mta.example', hostname()), [...command, '-X', traffic]);
  await untilListening(port);
  return { log: () => readFile(traffic, 'latin1'), stop: () => ended(child, 'SIGTERM') };
}
