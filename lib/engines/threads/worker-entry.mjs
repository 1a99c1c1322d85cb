/**
 * First file of a worker thread. Node 20 cannot load TypeScript, so in a checkout tsx is registered before worker.ts is imported. In a
 * bundle, worker.js is beside this file and nothing else is needed.
 */
import { existsSync } from 'node:fs';

const bundled = new URL('./worker.js', import.meta.url);

async function load() {
  if (existsSync(bundled)) return import(bundled.href);
  const { register } = await import('tsx/esm/api');
  register();
  return import(new URL('./worker.ts', import.meta.url).href);
}

export const { runTask } = await load();
