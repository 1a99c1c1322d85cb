/** The options and the help of `airlock gateway`. */
import { type Command, Option } from 'commander';
import { DESK_LANGUAGES } from '../../desk/desk-words.ts';
import type { Console } from '../console.ts';
import { CDR_SERVICE_OPTION, POLICY_OPTION, SEAL_KEY_OPTION, SERVICE_OPTION } from '../options/service.ts';
import { passwordVerb, requestVerb, statusVerb } from './gateway-status-verb.ts';
import type { GatewayOptions } from './gateway-verb.ts';

/** The addresses of this machine. */
export const LOOPBACK = ['127.0.0.1', '::1'];
/** The option of the spool. */
export const SPOOL = ['--spool <dir>', 'folder for everything that is kept'] as const;

/** Adds the verb and its own verbs to the program. */
export function addGateway(program: Command, console: Console, done: (code: number) => void): void {
  const gateway = program
    .command('gateway')
    .description('take mail by SMTP or LMTP, and send what is safe on to the next mail server')
    .option('--listen <place>', 'HOST:PORT to listen at; lmtp:HOST:PORT for LMTP')
    .option('--next <place>', 'HOST:PORT of the next mail server; lmtp:HOST:PORT for LMTP')
    .option(...SPOOL)
    .option('--name <host>', 'our name in greetings and Received (default: that of this machine)')
    .option('--client <address...>', 'addresses and ranges (192.0.2.0/24) that may send to any recipient', LOOPBACK)
    .option('--domain <domain...>', 'domains to which everybody may send', [])
    .option('--xforward-from <address...>', 'addresses that are believed with XFORWARD', LOOPBACK)
    .option('--xclient-from <address...>', 'addresses that are believed with XCLIENT', [])
    .option('--tls-key <file>', 'private key of STARTTLS, in PEM; read again when it changes')
    .option('--tls-cert <file>', 'certificate of STARTTLS with its chain, in PEM; read again when it changes')
    .option('--tls-required', 'take no message without TLS')
    .option(
      '--tls-client-ca <file>',
      'authorities in PEM; clients with a certificate of theirs may send to any recipient',
    )
    .option(
      '--tls-client-crl <file>',
      'certificates that these authorities have revoked, in PEM; read again when it changes',
    )
    .option('--tls-client-required', 'take no message of a client without such a certificate')
    .option('--auth-file <file>', 'names and passwords of AUTH, made by airlock gateway password');
  addShared(gateway)
    .addHelpText('after', HELP)
    .action(async (options: GatewayOptions) => {
      const { gatewayVerb } = await import('./gateway-verb.ts');
      done(await gatewayVerb(console, options));
    });
  // The folder is also an option of the verb itself, and commander gives it to the first one.
  const spoolOf = (options: { readonly spool?: string }) => ({ ...gateway.opts<{ spool?: string }>(), ...options });
  gateway
    .command('status')
    .description('show what lies in the spool; exit code 1 when something needs a person')
    .option(...SPOOL)
    .option('--json', 'print one JSON object')
    .action(async (options) => done(await statusVerb(console, spoolOf(options))));
  for (const [kind, description] of [
    ['retry', 'try messages again at once: judge what is held, send what was not delivered'],
    ['drop', 'forget messages for good; nobody is told'],
  ] as const)
    gateway
      .command(kind)
      .description(description)
      .argument('<id...>', 'ids of messages, as status prints them')
      .option(...SPOOL)
      .action(async (ids: string[], options) => done(await requestVerb(console, kind, ids, spoolOf(options))));
  gateway
    .command('password')
    .description('read a password from stdin, and print its line for --auth-file')
    .argument('<name>', 'the name that goes with it')
    .action(async (name: string) => done(await passwordVerb(console, name)));
}

/** Adds the options of every verb that judges messages of a spool and sends them on. */
export function addShared(command: Command): Command {
  return command
    .addOption(
      new Option('--next-tls <how>', 'TLS to the next server (default: off on this machine, else required)').choices([
        'off',
        'try',
        'required',
      ]),
    )
    .option('--next-ca <file>', 'certificates to trust in the next server, in PEM')
    .option('--next-key <file>', 'the key of the certificate that is shown to the next server, in PEM')
    .option('--next-cert <file>', 'that certificate, with those between it and its authority, in PEM')
    .option('--next-user <name>', 'authenticate there, with the password in AIRLOCK_NEXT_PASSWORD')
    .option('--notice-from <address>', 'sender of notices about mail that could not be delivered')
    .option('--notice-to <address>', 'the administrator, who gets them')
    .option('--html <dir>', 'write a page about each mail into this folder: RUN.html')
    .addOption(new Option('--language <language>', 'the language of those pages').choices(DESK_LANGUAGES).default('en'))
    .option('--metrics <place>', 'HOST:PORT of the metrics for Prometheus, on this machine')
    .option('--limits <file>', 'limits other than those shipped, as JSON')
    .option('--processes <n>', 'processes that judge mail at the same time (default: one for each processor)')
    .option(...POLICY_OPTION)
    .option(...SERVICE_OPTION)
    .option(...CDR_SERVICE_OPTION)
    .option(...SEAL_KEY_OPTION)
    .option('--online', 'visit URLs (public addresses only); otherwise their text is judged')
    .option('--proxy <url>', 'visit through this proxy, http://host:port; it must allow CONNECT to addresses');
}

const HELP = `
A message is answered with 250 when it and its envelope are on the disk. It is then judged, and goes on to exactly the
recipients of its envelope; what cannot be made safe is held in the folder quarantine of the spool. No sender gets a bounce.
While the next server is away, messages are tried again for five days. Log lines are JSON, on stderr.

docs/gateway.md has the recipes for Postfix and Exim, and for the connectors of Exchange, Google Workspace and Microsoft 365.

Examples:
  airlock gateway --listen 127.0.0.1:10025 --next 127.0.0.1:10026 --spool /var/spool/airlock
  airlock gateway status --spool /var/spool/airlock
  airlock gateway retry --spool /var/spool/airlock 0mtc2k3x1a9f0q7w2e4r5`;
