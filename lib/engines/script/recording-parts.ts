/**
 * Sends a recording out of the thread while it is made. Each part holds everything since the last one. When the thread is ended, the sent
 * parts are the recording.
 */
import { RUNS_OF_FILE } from './limits.ts';
import { mergeRecording } from './merge-recordings.ts';
import { createRecorder, type Recorder, type ScriptHost } from './recorder.ts';

type Growing = Pick<Recorder, 'events' | 'processes' | 'requests' | 'files' | 'errors'>;
type Sets = Pick<Recorder, 'limits' | 'missing' | 'skipped'>;

/** The entries that one run of a file added to each list, and the entries of each set. */
export type RecordingPart = { readonly run: number } & {
  readonly [List in keyof Growing]?: readonly Growing[List][number][];
} & { readonly [Names in keyof Sets]?: readonly string[] };

/** Takes each part as soon as it is made. */
export type RecordingSink = (part: RecordingPart) => void;

const LISTS = ['events', 'processes', 'requests', 'files', 'errors'] as const;
const SETS = ['limits', 'missing', 'skipped'] as const;

/** Returns a function that sends the new part of the recording of the run. The first part is sent at once and says that the run began. */
export function sendParts(recorder: Recorder, run: number, sink: RecordingSink): () => void {
  const sent = Object.fromEntries([...LISTS, ...SETS].map((name) => [name, 0]));
  const send = () => {
    const part: Record<string, unknown> = {};
    for (const name of LISTS) {
      if (recorder[name].length > (sent[name] ?? 0)) part[name] = recorder[name].slice(sent[name]);
      sent[name] = recorder[name].length;
    }
    for (const name of SETS) {
      if (recorder[name].size > (sent[name] ?? 0)) part[name] = [...recorder[name]].slice(sent[name]);
      sent[name] = recorder[name].size;
    }
    return part;
  };
  sink({ run, ...send() });
  return () => {
    const part = send();
    if (Object.keys(part).length > 0) sink({ run, ...part });
  };
}

/** Joins the parts of a recording. It names the limit of the thread, because later parts were not seen. */
export function recordingOf(parts: readonly RecordingPart[], host: ScriptHost, isPage: boolean): Recorder {
  const runs = Array.from({ length: RUNS_OF_FILE }, (_, run) => parts.filter((part) => part.run === run));
  const began = runs.filter((ofRun) => ofRun.length > 0).map((ofRun) => recordingOfRun(ofRun, host));
  const [recorder = createRecorder(host), ...further] = began;
  for (const run of further) mergeRecording(recorder, run, 'in a further run', isPage);
  recorder.limits.add('the time or the memory of its thread');
  return recorder;
}

function recordingOfRun(parts: readonly RecordingPart[], host: ScriptHost): Recorder {
  const recorder = createRecorder(host);
  recorder.processes.length = 0;
  for (const part of parts) {
    recorder.events.push(...(part.events ?? []));
    recorder.processes.push(...(part.processes ?? []));
    recorder.requests.push(...(part.requests ?? []));
    recorder.errors.push(...(part.errors ?? []));
    for (const file of part.files ?? []) recorder.keepFile(file);
    for (const name of SETS) for (const text of part[name] ?? []) recorder[name].add(text);
  }
  return recorder;
}
