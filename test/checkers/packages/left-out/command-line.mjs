// What the command line says without SQLite, which a scan needs and the help does not.
import { runCli } from 'mail-airlock';

const { stdin, stdout, stderr, env } = process;
const { signal } = new AbortController();
for (const args of [['--help'], ['scan', 'mail.eml']])
  console.log(`exit code ${await runCli(args, { stdin, stdout, stderr, env, signal })}`);
