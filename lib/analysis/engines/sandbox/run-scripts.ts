/** Runs what a file holds: its scripts in order, then what a user would do, then its timers. */
import type { QuickJSHandle } from 'quickjs-emscripten-core';
import { repairSyntax } from './dialect.ts';
import { createEmulation, type Emulation } from './emulation.ts';
import { type CallContext, HOST_CALLS, prepareCode } from './host-calls.ts';
import type { Host, Interpreter } from './interpreter.ts';
import {
  CLOCK_MS,
  PROMISE_CALLBACKS,
  REPAIRED_CHARS,
  RERUN_SHARE,
  RUN_MS,
  STEP_SHARE,
  TIMER_CALLBACKS,
} from './limits.ts';
import { createAnswers, type MadeUpAnswers } from './made-up-answer.ts';
import { mergeRecording } from './merge-recordings.ts';
import { createRecorder, cut, type Recorder } from './recorder.ts';
import type { ScriptFile } from './script-file.ts';
import { runWithin } from './watchdog.ts';

/** The bridge ends texts at NUL; the prelude has the same stand-in. */
const STAND_IN = '\uf8f0';
const packed = (text: string) => (text.includes('\0') ? text.replaceAll('\0', STAND_IN) : text);
const unpacked = (text: string) => (text.includes(STAND_IN) ? text.replaceAll(STAND_IN, '\0') : text);

/** How requests end. A script shows its second address only when the first gives nothing. */
type Network = 'answers' | 'not-found' | 'silent';

const JOBS_AT_ONCE = 1_000;

const FURTHER_RUNS: readonly (readonly [Network, string])[] = [
  ['not-found', 'with every request answered by 404'],
  ['silent', 'with no request answered'],
];

/** The recording of one file; its first run takes at most `runMs`. Throws only for faults of the interpreter itself. */
export async function runScripts(file: ScriptFile, scriptName: string, runMs = RUN_MS): Promise<Recorder> {
  const answers = createAnswers();
  const recorder = await runOnce(file, scriptName, answers, 'answers', runMs);
  // A run that hit a limit has used its time, and what it did not reach a further run would not either.
  if (!recorder.hasAwaited || recorder.limits.size > 0) return recorder;
  for (const [network, why] of FURTHER_RUNS) {
    const further = await runOnce(file, scriptName, answers, network, Math.ceil(runMs * RERUN_SHARE));
    mergeRecording(recorder, further, why, file.objects === 'page');
  }
  return recorder;
}

async function runOnce(
  file: ScriptFile,
  scriptName: string,
  answers: MadeUpAnswers,
  network: Network,
  runMs: number,
): Promise<Recorder> {
  const recorder = createRecorder(file.host);
  for (const reason of file.skipped) recorder.skipped.add(reason);
  const ctx: CallContext = { recorder, scriptName, scriptText: file.text, answers };
  const emulation = await createEmulation(file.objects, hostOf(ctx), runMs);
  const { interpreter } = emulation;
  try {
    const isWhole = runWithin(Math.ceil(runMs * STEP_SHARE), () => runAll(emulation, file, ctx, network));
    if (!isWhole) recorder.limits.add('one step that does not end');
  } catch (error) {
    // The stack of the thread ended inside the interpreter: its state is lost, the recording is not.
    if (!(error instanceof Error && /^(?:RangeError|RuntimeError)$/.test(error.name))) throw error;
    recorder.limits.add('depth of the stack');
  }
  // The instance is never used again, so its memory goes with it; nothing in it is freed by hand.
  const stopped = interpreter.stopped();
  if (stopped !== null && stopped !== 'ended') recorder.limits.add(stopped);
  if (interpreter.isOutOfMemory()) recorder.limits.add('memory');
  return recorder;
}

/** What comes out of the interpreter goes into the recording. */
function hostOf(ctx: CallContext): Host {
  return (interpreter, texts) => {
    const [op = '', a = '', b = '', c = '', timeMs = '0'] = texts.map(unpacked);
    if (Number(timeMs) > CLOCK_MS) {
      ctx.recorder.limits.add('a year of waiting');
      interpreter.stop();
    }
    const answer = HOST_CALLS[op]?.(ctx, a, b, c, Number(timeMs));
    if (ctx.recorder.hasQuit || ctx.recorder.isFull) interpreter.stop();
    interpreter.lookSoon();
    return packed(answer ?? '');
  };
}

function runAll({ interpreter, api }: Emulation, file: ScriptFile, ctx: CallContext, network: Network): void {
  const { context } = interpreter;
  const call = (name: string, argument: string) =>
    callApi(interpreter, ctx.recorder, api, name, context.newString(packed(argument)));
  const { objects, title, elements, info, attachments } = file;
  const url = `file:///C:/Users/m.keller/Downloads/${encodeURIComponent(ctx.scriptName)}`;
  call('begin', JSON.stringify({ objects, url, title, elements, info, attachments, network, fields: {} }));
  for (const script of file.scripts) {
    if (script.src === '') runScript(interpreter, ctx.recorder, script.code);
    else HOST_CALLS.request?.(ctx, 'GET', script.src, '', 0);
    runJobs(interpreter, ctx.recorder);
  }
  const steps = Number(call('steps', ''));
  for (let step = 0; step < steps; step++) call('step', String(step));
  for (let callbacks = 0; call('timer', '') === 'more' && interpreter.stopped() === null; callbacks++) {
    if (callbacks < TIMER_CALLBACKS) continue;
    ctx.recorder.limits.add(`more than ${TIMER_CALLBACKS} timers`);
    break;
  }
  call('end', '');
}

function callApi(
  interpreter: Interpreter,
  recorder: Recorder,
  api: QuickJSHandle,
  name: string,
  argument: QuickJSHandle,
): string {
  const { context } = interpreter;
  const result = context.callFunction(context.getProp(api, name), context.undefined, argument);
  if (result.error) {
    noteError(interpreter, recorder, result.error);
    return '';
  }
  runJobs(interpreter, recorder);
  return String(context.dump(result.value));
}

function runScript(interpreter: Interpreter, recorder: Recorder, code: string): void {
  if (interpreter.stopped() !== null) return;
  const { context } = interpreter;
  const prepared = prepareCode(code);
  const options = { strict: false, type: 'global' } as const;
  const result = context.evalCode(packedSource(prepared), 'script', options);
  if (!result.error) return;
  const isSyntax = messageOf(interpreter, result.error).startsWith('SyntaxError');
  if (isSyntax && prepared.length <= REPAIRED_CHARS && !compiles(interpreter, prepared)) {
    const repaired = context.evalCode(packedSource(repairSyntax(prepared)), 'script', options);
    if (repaired.error) noteError(interpreter, recorder, repaired.error);
    return;
  }
  noteError(interpreter, recorder, result.error);
}

const packedSource = (code: string) => code.replaceAll('\0', ' ');

function compiles(interpreter: Interpreter, code: string): boolean {
  const result = interpreter.context.evalCode(packedSource(code), 'script', { compileOnly: true, type: 'global' });
  return !result.error;
}

/** Promises: their callbacks run between scripts, as on a page. */
function runJobs(interpreter: Interpreter, recorder: Recorder): void {
  const { runtime } = interpreter;
  for (let left = PROMISE_CALLBACKS; runtime.hasPendingJob() && interpreter.stopped() === null; left -= JOBS_AT_ONCE) {
    if (left <= 0) {
      recorder.limits.add(`more than ${PROMISE_CALLBACKS} callbacks of promises`);
      interpreter.stop();
      return;
    }
    // An error ends the batch, not the rest.
    const result = runtime.executePendingJobs(JOBS_AT_ONCE);
    if (result.error) noteError(interpreter, recorder, result.error);
  }
}

function messageOf({ context }: Interpreter, error: QuickJSHandle): string {
  const read = (name: string) => {
    const value = context.getProp(error, name);
    return context.typeof(value) === 'string' ? context.getString(value) : '';
  };
  return context.typeof(error) === 'object' ? `${read('name')}: ${read('message')}` : 'thrown value';
}

function noteError(interpreter: Interpreter, recorder: Recorder, error: QuickJSHandle): void {
  const message = messageOf(interpreter, error);
  if (/out of memory|string too long/i.test(message)) recorder.limits.add('memory');
  else if (/stack overflow/i.test(message)) recorder.limits.add('depth of the stack');
  else if (interpreter.stopped() === null && !recorder.hasQuit) recorder.errors.push(cut(message, 200));
}
