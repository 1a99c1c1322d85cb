/**
 * The scripts that a page of the desk can load from its own place: our script, and Preact, with which it draws. Preact makes elements one
 * by one and writes texts as texts. htmx would put text of the desk into `innerHTML`, which the policy of the page forbids
 * (`require-trusted-types-for 'script'`), and would bring attributes that act. Both files are unchanged: nothing is built.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';

export const SCRIPT_PATH = '/live.js';

/** The addresses and their files. They are looked up at a request: on AWS no page has a script. */
const FILES: Readonly<Record<string, () => string>> = {
  [SCRIPT_PATH]: () => fileURLToPath(new URL('./live/live.js', import.meta.url)),
  '/preact.js': () => createRequire(import.meta.url).resolve('preact'),
};

/** Adds the addresses to the desk. */
export function addScripts(app: Hono): void {
  for (const [path, file] of Object.entries(FILES))
    app.get(path, async (c) =>
      c.body(await readFile(file(), 'utf8'), 200, { 'content-type': 'text/javascript; charset=utf-8' }),
    );
}
