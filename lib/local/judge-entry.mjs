/**
 * First file of a process that judges mail. Node 20 cannot load TypeScript, so in a checkout tsx is registered before judge-process.ts is
 * imported; in a package judge-process.js lies beside this file and nothing else is needed.
 */
import { existsSync } from 'node:fs';

const compiled = new URL('./judge-process.js', import.meta.url);

async function load() {
  if (existsSync(compiled)) return import(compiled.href);
  const { register } = await import('tsx/esm/api');
  register();
  return import(new URL('./judge-process.ts', import.meta.url).href);
}

const { serveJudgements } = await load();
serveJudgements(process);
