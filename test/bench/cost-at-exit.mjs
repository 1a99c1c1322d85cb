/** Loaded before a program, it prints on stderr what the program cost when it ends, as JSON. All threads of the process are included. */
import { existsSync, readFileSync, writeSync } from 'node:fs';

const STATUS = '/proc/self/status';

process.once('exit', (code) => {
  const { user, system } = process.cpuUsage();
  const status = existsSync(STATUS) ? readFileSync(STATUS, 'latin1') : null;
  const { maxRSS: maxRss } = process.resourceUsage();
  writeSync(2, JSON.stringify({ code, cpuMs: (user + system) / 1_000, status, maxRss }));
});
