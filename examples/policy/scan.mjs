// node scan.mjs MAIL: scans a mail under strict.json, which removes PDFs that are suspicious. The same: airlock scan --policy strict.json MAIL
import { fileURLToPath } from 'node:url';
import { runCli } from 'mail-airlock';

const policy = fileURLToPath(new URL('strict.json', import.meta.url));
const { stdin, stdout, stderr, env } = process;
const { signal } = new AbortController();
process.exitCode = await runCli(['scan', '--policy', policy, ...process.argv.slice(2)], {
  stdin,
  stdout,
  stderr,
  env,
  signal,
});
