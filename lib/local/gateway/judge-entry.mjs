/**
 * First file of a process that judges mail. Node 20 cannot load TypeScript, so in a checkout tsx is registered before judge-process.ts is
 * imported; in a package judge-process.js lies beside this file and nothing else is needed.
 */
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

/*
 * While a process is new, a quarter of its processor time goes into compiling functions for speed, each after a few hundred calls. With four
 * times that use before, a mail costs a sixth less then. Only Node 20 has the setting: newer ones would say so on stderr, among the log lines.
 */
if (process.version.startsWith('v20.')) setFlagsFromString('--interrupt-budget=270336');

const compiled = new URL('./judge-process.js', import.meta.url);

async function load() {
  if (existsSync(compiled)) return import(compiled.href);
  const { register } = await import('tsx/esm/api');
  register();
  return import(new URL('./judge-process.ts', import.meta.url).href);
}

const { serveJudgements } = await load();
serveJudgements(process);
