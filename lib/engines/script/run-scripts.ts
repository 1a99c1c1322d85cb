/** Runs the scripts of a file as often as needed: in the first surroundings, and in others where they may do more. */
import { randomBytes } from 'node:crypto';
import type { Finding } from '../engine.ts';
import { judge } from './judge.ts';
import { RERUN_SHARE } from './limits.ts';
import { createAnswers } from './made-up-answer.ts';
import { mergeRecording } from './merge-recordings.ts';
import { otherPlaces } from './places.ts';
import type { Recorder } from './recorder.ts';
import type { RecordingSink } from './recording-parts.ts';
import { runAsPage } from './run-as-page.ts';
import { type Network, type Run, runOnce, type Session } from './run-once.ts';
import type { ScriptFile } from './script-file.ts';
import { createNames } from './script-names.ts';

const FAILING_NETWORKS: readonly (readonly [Network, string])[] = [
  ['not-found', 'with every request answered by 404'],
  ['silent', 'with no request answered'],
];

export interface RunOptions {
  /** The processor time of the first run, in milliseconds. */
  readonly runMs: number;
  readonly sink: RecordingSink;
}

/** Runs a file and returns its recording, which is also sent while it is made. Throws only for faults of the interpreter itself. */
export async function runScripts(file: ScriptFile, scriptName: string, options: RunOptions): Promise<Recorder> {
  const { runMs, sink } = options;
  const session: Session = {
    file,
    scriptName,
    sink,
    runs: { count: 0 },
    answers: createAnswers(),
    names: createNames(),
    now: Date.now(),
    seed: [...new Uint32Array(Uint8Array.from(randomBytes(16)).buffer)],
  };
  const isWindows = file.objects === 'host' || file.objects === 'application';
  const first: Run = { network: 'answers', isOld: isWindows, runMs };
  const recorder = await runOnce(session, first);
  const further: Run = { ...first, runMs: Math.ceil(runMs * RERUN_SHARE) };
  if (recorder.limits.size > 0) {
    // A further run would end at the same limit, except one that counts no further than a few steps.
    if (isLong(recorder) && !showsHarm(recorder, file)) {
      const short = await runOnce(session, { ...further, hasShortLoops: true });
      mergeRecording(recorder, short, 'with long loops cut short', true);
    }
    return recorder;
  }
  await runFurther(recorder, session, further, isWindows);
  if (file.objects === 'host' && !showsHarm(recorder, file)) await runAsPage(recorder, session, further);
  return recorder;
}

async function runFurther(recorder: Recorder, session: Session, further: Run, isWindows: boolean): Promise<void> {
  const { file } = session;
  const isPage = file.objects === 'page';
  // Windows has newer programs for the same scripts. Actions that a script takes only there count, and so does an end without an error
  // there.
  if (isWindows) {
    const newer = await runOnce(session, { ...further, isOld: false });
    mergeRecording(recorder, newer, 'by a newer engine', isPage);
    recorder.hasAwaited ||= newer.hasAwaited;
    if (newer.errors.length === 0) recorder.errors.length = 0;
  }
  for (const [network, why] of recorder.hasAwaited ? FAILING_NETWORKS : []) {
    mergeRecording(recorder, await runOnce(session, { ...further, network }), why, isPage);
  }
  if (recorder.looks.size === 0 || showsHarm(recorder, file)) return;
  for (const place of otherPlaces(file.text)) {
    const why = place.isPhone ? 'on a phone, at a later time' : 'in another country, at an earlier time';
    mergeRecording(recorder, await runOnce(session, { ...further, place }), why, true);
  }
}

const isLong = ({ limits }: Recorder) => [...limits].some((limit) => /^steps$|of time/.test(limit));

/** Findings about problems of the run or about hiding, which do not show the purpose of the script. */
const NO_PURPOSE = new Set(['behaviour-limit-reached', 'behaviour-page-decoded-code', 'behaviour-decoded-code']);

/** Returns true when the recording already shows the purpose of the script. */
const showsHarm = (recorder: Recorder, file: ScriptFile): boolean =>
  judge(recorder, file).some(({ id, level }: Finding) => level !== 'benign' && !NO_PURPOSE.has(id));
