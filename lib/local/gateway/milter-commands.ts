/** The options and the help of `airlock milter`. */
import { type Command, Option } from 'commander';
import type { Console } from '../console.ts';
import { addShared, LOOPBACK, SPOOL } from './gateway-commands.ts';
import type { MilterOptions } from './gateway-verb.ts';

/** Adds the verb to the program. */
export function addMilter(program: Command, console: Console, done: (code: number) => void): void {
  const milter = program
    .command('milter')
    .description('judge mail for Postfix or Sendmail, which then change, hold or refuse it')
    .option('--listen <place>', 'HOST:PORT to listen at, or unix:PATH')
    .option('--next <place>', 'HOST:PORT of the mail server that gets what was taken; lmtp:HOST:PORT for LMTP')
    .option(...SPOOL)
    .option('--name <host>', 'our name in EHLO and in notices (default: that of this machine)')
    .option('--client <address...>', 'addresses and ranges of the mail servers that may connect', LOOPBACK)
    .addOption(
      new Option(
        '--held <how>',
        'mail that policy holds: take it, have it refused, or leave it in a quarantine of the mail server',
      )
        .choices(['hold', 'reject', 'quarantine'])
        .default('hold'),
    )
    .option(
      '--wait <seconds>',
      'seconds that a sender waits; what is judged for longer is taken and sent on later',
      '120',
    );
  addShared(milter)
    .addHelpText('after', HELP)
    .action(async (options: MilterOptions) => {
      const { milterVerb } = await import('./gateway-verb.ts');
      done(await milterVerb(console, options));
    });
}

const HELP = `
The mail server keeps each message until it is judged. A safe message goes on there, with the changes that make it safe. One that
is held is taken (--held hold): it lies in the spool, and goes to --next when somebody releases it. After a fault, or when
airlock is not there, the sender is told to come back later.

"airlock gateway status", "retry" and "drop" work on the spool of a milter, too. docs/gateway.md has the recipes for Postfix and Sendmail.

Example:
  airlock milter --listen 127.0.0.1:10027 --next 127.0.0.1:10026 --spool /var/spool/airlock`;
