/**
 * Adds to the recording of the first run everything that only a further run did: requests to second addresses, and the events that follow
 * them.
 */
import { EVENTS_KEPT } from './limits.ts';
import type { Recorder } from './recorder.ts';

/** Returns a key for the act of an event. The same call with the same target is the same act. */
const actOf = ({ operation, target }: { readonly operation: string; readonly target: string }) =>
  `${operation} ${target}`;

/**
 * Adds the new events, behind an event that says `why`. Errors of a further run are not added, because its requests were made to fail. Its
 * limits are added, except for a page: an ordinary page may ask again until it gets an answer.
 */
export function mergeRecording(recorder: Recorder, further: Recorder, why: string, isPage: boolean): void {
  const known = new Set(recorder.events.map(actOf));
  const events = further.events.filter((event) => !known.has(actOf(event)));
  if (events.length > 0) recorder.add('network', 'run-again', why, '', 0);
  for (const event of events.slice(0, Math.max(0, EVENTS_KEPT - recorder.events.length))) {
    recorder.events.push({ ...event, id: recorder.events.length + 1 });
  }
  const asked = new Set(recorder.requests.map(({ url }) => url));
  recorder.requests.push(...further.requests.filter(({ url }) => !asked.has(url)));
  const started = new Set(recorder.processes.map(({ commandLine }) => commandLine));
  for (const process of further.processes.filter(({ commandLine }) => !started.has(commandLine))) {
    recorder.addProcess(process.name, process.commandLine, process.timeMs);
  }
  for (const file of further.files) recorder.keepFile(file);
  for (const name of further.missing) recorder.missing.add(name);
  for (const reason of further.skipped) recorder.skipped.add(reason);
  if (!isPage) for (const limit of further.limits) recorder.limits.add(limit);
}
