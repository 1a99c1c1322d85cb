/**
 * First file of a process for one large file. In a checkout, tsx is registered before TypeScript is imported, as in a worker thread. In a
 * bundle, stored-file-run.js is beside this file.
 */
import { existsSync } from 'node:fs';

const bundled = new URL('./stored-file-run.js', import.meta.url);

async function load() {
  if (existsSync(bundled)) return import(bundled.href);
  const { register } = await import('tsx/esm/api');
  register();
  return import(new URL('./stored-file-run.ts', import.meta.url).href);
}

process.once('message', async (message) => {
  const { runMessage } = await load();
  process.send(await runMessage(message));
});
