/**
 * Runs a script file as the script of a page. Most script files in mail are for Windows Script Host. But a library or a bundle is for a
 * browser, and runs to its end only there. Its actions there are judged as the actions of a page.
 */
import type { Recorder } from './recorder.ts';
import { type Run, runOnce, type Session } from './run-once.ts';

/** Errors of a script for a program that gives it `module` and `exports`, as bundlers and Node do. */
const NEEDS_MODULE = /\b(?:module|exports)\b/;

/**
 * Adds to the recording what the file does as the script of a page. When it runs there to its end, the errors of the host do not count:
 * the script was not made for that.
 */
export async function runAsPage(recorder: Recorder, session: Session, further: Run): Promise<void> {
  const run: Run = { ...further, objects: 'page', isOld: false };
  // Its parts are not sent while it runs, because they would be taken for those of a script of Windows.
  const quiet: Session = { ...session, sink: () => {} };
  let page = await runOnce(quiet, run);
  if (page.errors.some((error) => NEEDS_MODULE.test(error))) page = await runOnce(quiet, { ...run, hasModule: true });
  const isWhole = page.errors.length + page.missing.size + page.skipped.size + page.limits.size === 0;
  if (isWhole) recorder.errors.length = 0;
  recorder.asPage = { recording: page, isWhole };
}
