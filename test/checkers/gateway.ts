/**
 * `npm run check:gateway`: mail servers of Debian around the gateway, as docs/gateway.md has them. Postfix, Sendmail and Exim in front and
 * behind, Dovecot by LMTP, a Postfix that stands for the server of a cloud, swaks and smtp-source as senders, and slow clients; Python reads
 * what arrived. Everything is on loopback. Exit codes: 0 no problem, or skipped because the programs are not there (it says so); 1 something
 * did not arrive as it must.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLOUD_TRIALS } from './mail-servers/cloud-trials.ts';
import { OTHER_TRIALS } from './mail-servers/other-trials.ts';
import { slowClients } from './mail-servers/slow-clients.ts';
import { NotHereError } from './mail-servers/trial-parts.ts';
import { missingHere, TRIALS } from './mail-servers/trials.ts';

const ALL = [...TRIALS, ...CLOUD_TRIALS, ...OTHER_TRIALS, slowClients];
const NAME_WIDTH = Math.max(...ALL.map(({ name }) => name.length)) + 2;

const print = (text: string) => process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const missing = missingHere();
  if (missing !== null) {
    print(`SKIPPED: the gateway is not tried with mail servers of others: ${missing}`);
    return 0;
  }
  let isRight = true;
  for (const { name, run } of ALL) {
    const folder = await mkdtemp(join(tmpdir(), 'airlock-servers-'));
    // Postfix and Dovecot have users of their own.
    await chmod(folder, 0o755);
    const tried = await run(folder).catch((error: unknown) =>
      error instanceof NotHereError ? error : [String(error)],
    );
    if (tried instanceof NotHereError) {
      print(`${name.padEnd(NAME_WIDTH)}SKIPPED: ${tried.message}`);
      await rm(folder, { recursive: true, force: true });
      continue;
    }
    const problems = tried;
    print(`${name.padEnd(NAME_WIDTH)}${problems.length} problems`);
    for (const problem of problems) print(`  ${problem}`);
    isRight &&= problems.length === 0;
    // What servers wrote is what tells why.
    if (problems.length > 0) print(`  the logs are in ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
  return isRight ? 0 : 1;
}

process.exitCode = await main();
