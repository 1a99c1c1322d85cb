/** Records the actions of a running script, within budgets. The recording is outside of the interpreter, so a script can only add to it. */
import { createHash } from 'node:crypto';
import type { BehaviourEvent, BehaviourType, RecordedRequest, StartedProcess } from '../behaviour.ts';
import type { ProducedFile } from '../engine.ts';
import {
  ACTS,
  EVENTS,
  EVENTS_KEPT,
  EVENTS_OF_A_KIND,
  FILE_BYTES_TOTAL,
  FILES_KEPT,
  PROCESSES,
  TEXT_CHARS,
} from './limits.ts';

/** Name and process id of the program that would have run the script. */
export interface ScriptHost {
  readonly pid: number;
  readonly name: string;
  readonly commandLine: string;
}

const FIRST_CHILD_PID = 5_204;

export type KeptFile = Omit<ProducedFile, 'level'> & { readonly how: string };

export interface Recorder {
  readonly host: ScriptHost;
  readonly events: BehaviourEvent[];
  readonly processes: StartedProcess[];
  readonly requests: RecordedRequest[];
  readonly files: KeptFile[];
  /** The limits that were hit, in words for a person. */
  readonly limits: Set<string>;
  /** Why scripts stopped early. */
  readonly errors: string[];
  /** Objects and calls that the script asked for and that are not emulated. */
  readonly missing: Set<string>;
  /** The code that was not run, and why. */
  readonly skipped: Set<string>;
  /** The properties of the place and the time of its run that the script read. */
  readonly looks: Set<string>;
  /** Set when the script ended itself. */
  hasQuit: boolean;
  /** Set when nothing more can be recorded, so that nothing more needs to run. */
  isFull: boolean;
  /** Set when the script made a request and waited for its answer. */
  hasAwaited: boolean;
  /** The actions of a script file as the script of a page, where it was run as one; null elsewhere. */
  asPage: { readonly recording: Recorder; readonly isWhole: boolean } | null;
  /** True for code in a language that no Windows Script Host compiles (reach.ts). */
  isNewerCode: boolean;
  /** The hashes of the layers that were seen. The same code again is no new layer. */
  readonly layers: Set<string>;
  add(type: BehaviourType, operation: string, target: string, detail: string, timeMs: number): void;
  addProcess(name: string, commandLine: string, timeMs: number): void;
  keep(kind: ProducedFile['kind'], untrustedName: string, content: string, how: string): void;
  keepFile(file: KeptFile): void;
}

export const cut = (text: string, chars = TEXT_CHARS): string =>
  text.length > chars ? `${text.slice(0, chars)}… (${text.length} characters)` : text;

/** Returns an empty recording. */
export function createRecorder(host: ScriptHost): Recorder {
  const seen = new Set<string>();
  const kinds = new Map<string, number>();
  let acts = 0;
  let keptBytes = 0;
  const recorder: Recorder = {
    host,
    events: [],
    processes: [{ pid: host.pid, ppid: 0, name: host.name, commandLine: host.commandLine, timeMs: 0 }],
    requests: [],
    files: [],
    limits: new Set(),
    errors: [],
    missing: new Set(),
    skipped: new Set(),
    looks: new Set(),
    hasQuit: false,
    isFull: false,
    hasAwaited: false,
    asPage: null,
    isNewerCode: false,
    layers: new Set(),
    add: (type, operation, target, detail, timeMs) => {
      acts += 1;
      const ofKind = (kinds.get(operation) ?? 0) + 1;
      kinds.set(operation, ofKind);
      if (acts > EVENTS) recorder.limits.add(`more than ${EVENTS} events`);
      if (acts > ACTS) recorder.isFull = true;
      if (ofKind > EVENTS_OF_A_KIND || recorder.events.length >= EVENTS_KEPT) return;
      const id = recorder.events.length + 1;
      recorder.events.push({ id, pid: host.pid, type, operation, target: cut(target), detail: cut(detail), timeMs });
    },
    addProcess: (name, commandLine, timeMs) => {
      if (recorder.processes.length >= PROCESSES) return;
      const pid = FIRST_CHILD_PID + 4 * recorder.processes.length;
      recorder.processes.push({ pid, ppid: host.pid, name, commandLine, timeMs });
    },
    keep: (kind, untrustedName, content, how) => {
      if (content === '') return;
      const bytes = bytesOf(content);
      recorder.keepFile({ kind, untrustedName: cut(untrustedName, 300), bytes, hashes: hashesOf(bytes), how });
    },
    keepFile: (file) => {
      const { kind, bytes, hashes } = file;
      if (seen.has(`${kind} ${hashes.sha256}`)) return;
      if (recorder.files.length >= FILES_KEPT || keptBytes + bytes.length > FILE_BYTES_TOTAL) {
        recorder.limits.add(`more than ${FILES_KEPT} files or ${FILE_BYTES_TOTAL} bytes of them`);
        return;
      }
      seen.add(`${kind} ${hashes.sha256}`);
      keptBytes += bytes.length;
      recorder.files.push(file);
    },
  };
  return recorder;
}

/** Returns the bytes of a text. A text with a character above 255 is written as UTF-8, and in any other a character is a byte. */
function bytesOf(content: string): Uint8Array {
  for (let at = 0; at < content.length; at++) if (content.charCodeAt(at) > 255) return Buffer.from(content, 'utf8');
  return Buffer.from(content, 'latin1');
}

function hashesOf(bytes: Uint8Array): ProducedFile['hashes'] {
  const digest = (name: string) => createHash(name).update(bytes).digest('hex');
  return { md5: digest('md5'), sha1: digest('sha1'), sha256: digest('sha256') };
}
