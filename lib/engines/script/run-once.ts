/** One run of a file: its scripts in order, then the actions of a user, then its timers. */
import type { QuickJSHandle } from 'quickjs-emscripten-core';
import { threadTimeMs } from '../../formats/threads/thread-time.ts';
import { clockOf, clockOfNextTry, type Ended } from './busy-machine.ts';
import { repairSyntax } from './dialect.ts';
import { createEmulation, type Emulation } from './emulation.ts';
import { type CallContext, HOST_CALLS, prepareCode } from './host-calls.ts';
import type { Host, Interpreter } from './interpreter.ts';
import { giveBack } from './interpreter-memory.ts';
import { CLOCK_MS, PROMISE_CALLBACKS, REPAIRED_CHARS, SLOW_SHARE, TIMER_CALLBACKS } from './limits.ts';
import type { MadeUpAnswers } from './made-up-answer.ts';
import { mergeRecording } from './merge-recordings.ts';
import type { Place } from './places.ts';
import { isNewerCode } from './reach.ts';
import { createRecorder, cut, type Recorder } from './recorder.ts';
import { type RecordingSink, sendParts } from './recording-parts.ts';
import type { ScriptFile, ScriptObjects } from './script-file.ts';
import type { ScriptNames } from './script-names.ts';
import { shortLoops } from './short-loops.ts';
import { runWithin } from './watchdog.ts';

/** Replaces NUL, at which the bridge ends texts. The environment uses the same character. */
const STAND_IN = '\uf8f0';
const packed = (text: string) => (text.includes('\0') ? text.replaceAll('\0', STAND_IN) : text);
const unpacked = (text: string) => (text.includes(STAND_IN) ? text.replaceAll(STAND_IN, '\0') : text);

/** How requests end. A script only shows its second address when the first gives nothing. */
export type Network = 'answers' | 'not-found' | 'silent';

/** The objects that a bundler or Node gives to a script. */
const MODULE = 'var module = { exports: {} }, exports = module.exports;';
const JOBS_AT_ONCE = 1_000;

/** The objects that all runs of one file share, and no other file has. */
export interface Session {
  readonly file: ScriptFile;
  readonly sink: RecordingSink;
  readonly runs: { count: number };
  readonly scriptName: string;
  readonly answers: MadeUpAnswers;
  readonly names: ScriptNames;
  /** The start of the script's clock, in milliseconds since 1970. */
  readonly now: number;
  /** The seed of the script's random numbers. */
  readonly seed: readonly number[];
}

/** The surroundings of one run. */
export interface Run {
  readonly network: Network;
  readonly isOld: boolean;
  readonly runMs: number;
  /** The objects that the scripts find, where they are not those of the file. */
  readonly objects?: ScriptObjects;
  readonly place?: Place;
  /** True to count no further than a few steps where the code compares with a large number. */
  readonly hasShortLoops?: boolean;
  /** True for surroundings in which a script finds `module` and `exports`. */
  readonly hasModule?: boolean;
}

/**
 * Runs the file once, or a second time when the machine was too busy for the first run, and returns the recording. Throws only for faults
 * of the interpreter itself.
 */
export async function runOnce(session: Session, run: Run): Promise<Recorder> {
  const first = await tryRun(session, run, clockOf(run.runMs));
  const clockMs = clockOfNextTry(first, run.runMs);
  if (clockMs === null) return first.recorder;
  const { recorder, isWhole } = await tryRun(session, run, clockMs);
  if (!isWhole) mergeRecording(recorder, first.recorder, 'on a busy machine', false);
  return recorder;
}

async function tryRun(session: Session, run: Run, clockMs: number): Promise<Ended & { readonly recorder: Recorder }> {
  const { file, scriptName, answers, names } = session;
  const { isOld, runMs } = run;
  const recorder = createRecorder(file.host);
  for (const reason of file.skipped) recorder.skipped.add(reason);
  const send = sendParts(recorder, session.runs.count++, session.sink);
  const rewrite = run.hasShortLoops ? shortLoops : null;
  const ctx: CallContext = { recorder, scriptName, scriptText: file.text, answers, names, isOld, rewrite };
  const objects = run.objects ?? file.objects;
  const emulation = await createEmulation({ objects, isOld }, hostOf(ctx, send), runMs);
  const { interpreter } = emulation;
  const started = threadTimeMs();
  let isWhole = true;
  try {
    isWhole = runWithin(clockMs, () => runAll(emulation, session, run, ctx));
    if (!isWhole) recorder.limits.add(`${clockMs} ms of time by the clock`);
  } catch (error) {
    // The stack of the thread was full inside of the interpreter. The state of the interpreter is lost, but the recording is not.
    if (!/^(?:RangeError|RuntimeError)$/.test((error as { readonly name?: string } | null)?.name ?? '')) throw error;
    recorder.limits.add('depth of the stack');
  }
  const usedMs = threadTimeMs() - started;
  // The instance is never used again and its memory is emptied as a whole, so nothing in it is disposed of one by one.
  giveBack(interpreter.memory);
  const stopped = interpreter.stopped();
  if (stopped !== null && stopped !== 'ended') recorder.limits.add(stopped);
  if (interpreter.isOutOfMemory()) recorder.limits.add('memory');
  return { recorder, isWhole, usedMs };
}

/** The host function, which writes the calls of the environment into the recording. */
function hostOf(ctx: CallContext, send: () => void): Host {
  return (interpreter, texts) => {
    const [op = '', a = '', b = '', c = '', timeMs = '0'] = texts.map(unpacked);
    if (Number(timeMs) > CLOCK_MS) {
      ctx.recorder.limits.add('a year of waiting');
      interpreter.stop();
    }
    const answer = HOST_CALLS[op]?.(ctx, a, b, c, Number(timeMs));
    send();
    if (ctx.recorder.hasQuit || ctx.recorder.isFull) interpreter.stop();
    interpreter.lookSoon();
    return packed(answer ?? '');
  };
}

function runAll({ interpreter, api }: Emulation, session: Session, run: Run, ctx: CallContext): void {
  const { context, inner } = interpreter;
  const { file, names, now, seed } = session;
  const { recorder } = ctx;
  const call = (name: string, argument: string) =>
    callApi(interpreter, recorder, api, name, inner.newString(packed(argument)));
  const { title, elements, info, attachments } = file;
  const { network, place, objects = file.objects } = run;
  const folder = 'C:\\Users\\m.keller\\Downloads\\';
  const url = `file:///C:/Users/m.keller/Downloads/${encodeURIComponent(ctx.scriptName)}`;
  const facts = { objects, url, title, elements, info, attachments, network, names, now, seed, place, fields: {} };
  call('begin', JSON.stringify(facts));
  const bound = [names.layer, names.evaluate, names.mend];
  const bind = `const ${bound.map((name) => `${name}=this.${name}`).join()};${bound.map((name) => `delete this.${name}`).join(';')}`;
  context.unwrapResult(context.evalCode(bind, 'native'));
  interpreter.runtime.setModuleLoader((url) => moduleOf(interpreter, ctx, api, url));
  const source: Source = { ctx, api, file: objects === 'page' ? url : folder + ctx.scriptName };
  const task = <T>(work: () => T): T => {
    interpreter.beginTask();
    const result = work();
    const stopped = interpreter.taskStopped();
    if (stopped !== null) recorder.limits.add(stopped);
    return result;
  };
  if (run.hasModule) context.unwrapResult(context.evalCode(MODULE, 'native'));
  for (const script of file.scripts)
    task(() => {
      if (script.src === '') runScript(interpreter, source, script.code);
      else HOST_CALLS.request?.(ctx, 'GET', script.src, '', 0);
      runJobs(interpreter, recorder, api);
    });
  const steps = Number(call('steps', ''));
  for (let step = 0; step < steps; step++) task(() => call('step', String(step)));
  let isSlow = false;
  const timer = () => {
    const before = threadTimeMs();
    const answer = task(() => call('timer', isSlow ? 'slow' : ''));
    isSlow = threadTimeMs() - before > run.runMs * SLOW_SHARE;
    return answer;
  };
  // A timer that was ended at its limit says nothing of the others, so the next one is tried.
  for (let callbacks = 0; interpreter.stopped() === null; callbacks++) {
    if (timer() === '' && interpreter.taskStopped() === null) break;
    if (callbacks < TIMER_CALLBACKS) continue;
    recorder.limits.add(`more than ${TIMER_CALLBACKS} timers`);
    break;
  }
  call('end', '');
  const exhausted = call('exhausted', '');
  if (exhausted !== '') recorder.limits.add(/memory/.test(exhausted) ? 'memory' : 'depth of the stack');
}

function callApi(
  interpreter: Interpreter,
  recorder: Recorder,
  api: QuickJSHandle,
  name: string,
  argument: QuickJSHandle,
): string {
  const { inner } = interpreter;
  const result = inner.callFunction(inner.getProp(api, name), inner.undefined, argument);
  if (result.error) {
    noteError(interpreter, recorder, api, result.error);
    return '';
  }
  runJobs(interpreter, recorder, api);
  return String(inner.dump(result.value));
}

/** Returns the code of a module that a script imports. It is empty where it would come from the network. */
function moduleOf({ inner }: Interpreter, ctx: CallContext, api: QuickJSHandle, url: string): string {
  if (!/^(?:data|blob):/i.test(url)) {
    HOST_CALLS.request?.(ctx, 'GET', url, '', 0);
    return '';
  }
  const result = inner.callFunction(inner.getProp(api, 'content'), inner.undefined, inner.newString(packed(url)));
  const code = result.error ? '' : unpacked(inner.getString(result.value));
  return HOST_CALLS.layer?.(ctx, code, 'import', '', 0) ?? '';
}

/** The code of a script, and its name in stack traces. */
interface Source {
  readonly ctx: CallContext;
  readonly api: QuickJSHandle;
  readonly file: string;
}

/** Words that only the code of a module has. */
const IS_MODULE = /\b(?:import|export)\b/;

function runScript(interpreter: Interpreter, { ctx, api, file }: Source, code: string): void {
  if (interpreter.stopped() !== null) return;
  const { context } = interpreter;
  const prepared = prepareCode(code, ctx);
  const isPage = file.startsWith('file:');
  const isModule = isPage && IS_MODULE.test(prepared) && onlyModule(interpreter, prepared);
  ctx.recorder.isNewerCode =
    isModule || (isPage && isNewerCode(prepared, (text) => compiles(interpreter, text, 'global')));
  const options = { strict: false, type: isModule ? 'module' : 'global' } as const;
  const result = context.evalCode(packedSource(prepared), file, options);
  if (!result.error) return;
  const isSyntax = messageOf(interpreter, api, result.error).startsWith('SyntaxError');
  if (isSyntax && prepared.length <= REPAIRED_CHARS && !compiles(interpreter, prepared, 'global')) {
    callApi(interpreter, ctx.recorder, api, 'repaired', interpreter.inner.newString(''));
    const repaired = context.evalCode(packedSource(repairSyntax(prepared, ctx.names.put)), file, options);
    if (repaired.error) noteError(interpreter, ctx.recorder, api, repaired.error);
    return;
  }
  noteError(interpreter, ctx.recorder, api, result.error);
}

const packedSource = (code: string) => code.replaceAll('\0', ' ');

const onlyModule = (interpreter: Interpreter, code: string) =>
  !compiles(interpreter, code, 'global') && compiles(interpreter, code, 'module');

function compiles(interpreter: Interpreter, code: string, type: 'global' | 'module'): boolean {
  const result = interpreter.context.evalCode(packedSource(code), 'script', { compileOnly: true, type });
  return !result.error;
}

/** Runs the callbacks of promises, between scripts as on a page. */
function runJobs(interpreter: Interpreter, recorder: Recorder, api: QuickJSHandle): void {
  const { runtime } = interpreter;
  for (let left = PROMISE_CALLBACKS; runtime.hasPendingJob() && interpreter.stopped() === null; left -= JOBS_AT_ONCE) {
    if (left <= 0) {
      recorder.limits.add(`more than ${PROMISE_CALLBACKS} callbacks of promises`);
      interpreter.stop();
      return;
    }
    // An error ends this batch, and the next one continues behind it.
    const result = runtime.executePendingJobs(JOBS_AT_ONCE);
    if (result.error) noteError(interpreter, recorder, api, result.error);
  }
}

/** Returns the message of an error. The environment reads it, because a value that a script throws cannot be trusted. */
function messageOf({ inner }: Interpreter, api: QuickJSHandle, error: QuickJSHandle): string {
  const result = inner.callFunction(inner.getProp(api, 'describe'), inner.undefined, error);
  return result.error ? 'thrown value' : inner.getString(result.value);
}

function noteError(interpreter: Interpreter, recorder: Recorder, api: QuickJSHandle, error: QuickJSHandle): void {
  const message = messageOf(interpreter, api, error);
  if (/out of memory|string too long/i.test(message)) recorder.limits.add('memory');
  else if (/stack overflow/i.test(message)) recorder.limits.add('depth of the stack');
  else if (interpreter.stopped() === null && interpreter.taskStopped() === null && !recorder.hasQuit)
    recorder.errors.push(cut(message, 200));
}
