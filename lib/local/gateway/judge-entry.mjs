/**
 * First file of a process that judges mail. Node 20 cannot load TypeScript, so in a checkout tsx is registered before judge-process.ts is
 * imported. In a package, judge-process.js is beside this file and nothing else is needed.
 */
import { existsSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';

/*
 * In a new process, a quarter of the processor time goes into optimising functions, each after a few hundred calls. If a function must be
 * used four times as often first, a mail costs a sixth less then. judge-process.ts ends this after some hundred mails. Only Node 20 has the
 * setting. Newer versions would write about it to stderr, among the log lines.
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
