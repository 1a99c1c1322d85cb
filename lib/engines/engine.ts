/**
 * The contract of an engine: bytes (or a URL) in, a report out. Engines know nothing of HTTP, submissions or the pipeline. They read
 * hostile bytes, so they only run in a worker thread under a deadline and a memory cap (pool.ts).
 */
import type { DetectedType } from '../formats/detection/detected-type.ts';
import type { BehaviourEvent, RecordedRequest, StartedProcess } from './behaviour.ts';
import type { FoundValue } from './found-value.ts';

/** The levels of the service. */
export type Level = 'benign' | 'suspicious' | 'malicious' | 'unknown';

/** Why an engine has no result. An engine that cannot do its work says so; it never answers `benign` instead. */
export const ENGINE_FAILURES = [
  /** A password is needed. */
  'encrypted',
  /** No module handles this type. */
  'unsupported',
  /** The file is larger, deeper or more expanded than a limit allows. Every kind of bomb ends here. */
  'oversize',
  /** The bytes are not what their type says, or are damaged. */
  'unreadable',
  /** The engine did not end within its deadline. */
  'timeout',
  /** No environment here can run this file. */
  'no_environment',
  /** A large package that this file needs is not installed here; the message names it. */
  'package_missing',
  /** A fault of the engine itself: a crash or the memory cap. */
  'engine_failed',
  /** A disarmed file did not pass the last inspection, so it was not delivered. The message names the findings. */
  'unsafe_output',
] as const;
/** Why an engine gave no result. Codes are stable, so programs may branch on them. */
export type EngineFailureCode = (typeof ENGINE_FAILURES)[number];

/** Why an engine gave no result, for programs and for people. */
export interface EngineFailure {
  readonly code: EngineFailureCode;
  /** A text for a person. It holds no bytes of the file. */
  readonly message: string;
}

/** Limits of one engine run, each with the attack it stops. */
export interface EngineLimits {
  /** Files that keep a parser busy forever (three of 2,129 real PDF test files do). Processor time, not clock time. */
  readonly timeoutMs: number;
  /** A mail of fifty such files. Processor time of all files that came together. */
  readonly groupTimeMs: number;
  /** One upload that fills the worker's memory. */
  readonly inputBytes: number;
  /** A small file that disarms into a huge one. */
  readonly outputBytes: number;
  /** Zip and stream bombs: total bytes inflated out of one file. */
  readonly inflatedBytes: number;
  /** Zip entries or PDF objects in one file. */
  readonly entries: number;
  /** Expansion of one entry larger than 1 MiB: above it, it is a bomb (a real presentation with 400:1 exists). */
  readonly ratio: number;
  /** Pixel floods: width x height x frames. */
  readonly pixels: number;
  /** Nesting of elements, objects or containers. */
  readonly depth: number;
  /** Heap of one worker thread, in MiB. */
  readonly workerHeapMb: number;
}

export const DEFAULT_ENGINE_LIMITS: EngineLimits = {
  timeoutMs: 30_000,
  groupTimeMs: 300_000,
  inputBytes: 100 * 1024 * 1024,
  outputBytes: 128 * 1024 * 1024,
  inflatedBytes: 512 * 1024 * 1024,
  entries: 20_000,
  ratio: 1_000,
  pixels: 100_000_000,
  depth: 200,
  workerHeapMb: 1_024,
};

export interface FileInput {
  readonly bytes: Uint8Array;
  /** The name that the submitter gave. It is a hint and never trusted. */
  readonly untrustedName: string;
  readonly password: string | null;
  /**
   * Disarm only: keeps title, author, dates and similar metadata, which is otherwise removed because it identifies people. @default
   * false
   */
  readonly keepMetadata?: boolean;
}

export interface Hashes {
  readonly md5: string;
  readonly sha1: string;
  readonly sha256: string;
}

/** A rule that matched, and why it matters. */
export interface Finding {
  /** Stable, kebab-case: `office-macro`, `pdf-javascript`, `eicar-test-file`. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly level: Exclude<Level, 'unknown'>;
  readonly score: number;
  /** Where in the file: an entry name, an object number, an offset. Null for the file as a whole. Untrusted. */
  readonly where: string | null;
  /** Name of the YARA rule that matched. Absent for findings of our own modules. */
  readonly rule?: string;
  /** Techniques of MITRE ATT&CK that the finding is a sign of. */
  readonly techniques?: readonly string[];
  /** The text that was found: a command line, a URL or a piece of code, cut to length. Untrusted. */
  readonly evidence?: string;
  /** Where in the record of a run: ids of processes and of events. Absent for findings that no single event shows. */
  readonly seenIn?: { readonly pids: readonly number[]; readonly eventIds: readonly number[] };
}

/** The findings of an analysis of a file. Nothing in it was run. */
export interface StaticReport {
  readonly outcome: 'completed';
  /** `benign` only when every module that applies to the type completed and found nothing. */
  readonly level: Level;
  readonly score: number;
  readonly type: DetectedType;
  readonly hashes: Hashes;
  readonly findings: readonly Finding[];
  /** Files that were extracted from the file and analysed too; absent when there were none. */
  readonly extracted?: readonly ProducedFile[];
  /** Values to search for elsewhere, from the file and its extracted files; absent when there are none. Untrusted. */
  readonly iocs?: readonly FoundValue[];
  /** Shannon entropy of the bytes: 0 to 8 bits a byte. */
  readonly entropy?: number;
  /** A YARA rule with distinctive strings of this file; absent when it has too few. */
  readonly yaraRule?: string;
  readonly engineVersion: string;
}

/** A file that a script produced, or that was inside the analysed file. */
export interface ProducedFile {
  readonly kind: 'dropped_file' | 'downloaded_file' | 'deobfuscated_code' | 'extracted_file';
  /** As the script named it. Untrusted. */
  readonly untrustedName: string;
  readonly bytes: Uint8Array;
  readonly hashes: Hashes;
  /** The level from the static engine; null when it did not or could not analyse the file. */
  readonly level: Level | null;
}

/** The actions of a script in an emulated environment. */
export interface DynamicReport {
  readonly outcome: 'completed';
  /** Key of the environment. */
  readonly environment: string;
  /** `benign` only when everything in the file ran to its end, nothing was missing and there were no findings. */
  readonly level: Level;
  readonly score: number;
  readonly findings: readonly Finding[];
  /** The host of the script first. */
  readonly processes: readonly StartedProcess[];
  readonly events: readonly BehaviourEvent[];
  readonly requests: readonly RecordedRequest[];
  readonly files: readonly ProducedFile[];
  readonly engineVersion: string;
}

/** One thing that a disarm removed or rewrote. */
export interface Removal {
  /** Kind of content, plain words, from a closed list per format: `macro`, `external template`, `JavaScript`. */
  readonly kind: string;
  readonly action: 'removed' | 'sanitized';
  /** Where it was: an entry, an object or an element. Untrusted. */
  readonly where: string;
}

/** Measurements of the last inspection of a disarmed file. The inspection shares no code with the disarm. */
export interface DisarmQuality {
  /** How the file was made: `rebuild`, or the name of the fallback that was used when the rebuild did not pass. */
  readonly strategy: string;
  /** Visible words in the original, and how many of them are in the result; null where they cannot be counted. */
  readonly words: { readonly before: number; readonly kept: number } | null;
  /** Pages, sheets or slides; null for formats without them, or where the original cannot be counted. */
  readonly units: {
    readonly kind: 'pages' | 'sheets' | 'slides' | 'samples' | 'places' | 'chapters' | 'marks';
    readonly before: number;
    readonly after: number;
  } | null;
  /** Size of the result divided by the size of the original. */
  readonly sizeRatio: number;
  /** Names of the checks that were made. Anything not named was not checked. */
  readonly checks: readonly string[];
}

/** A file that is safe to open, and what was removed from it. */
export interface DisarmReport {
  /** `already_safe`: nothing live was found, and `bytes` are the input's bytes unchanged. */
  readonly outcome: 'disarmed' | 'already_safe';
  readonly bytes: Uint8Array;
  /** The type of the output; a macro type becomes its macro-free twin. */
  readonly type: DetectedType;
  /**
   * The type as which the input was disarmed. Unchanged bytes were found harmless as this type only. `groupOf` (formats/file-types.ts)
   * gives the group of the type.
   */
  readonly readAs: DetectedType;
  /**
   * For a picture: every byte of the input belongs to its picture or to plain data about it, and the disarm had nothing else to remove. Two
   * readers that share no code found this. Absent when it is not known.
   */
  readonly isPlain?: true;
  readonly details: readonly Removal[];
  readonly quality: DisarmQuality;
  readonly engineVersion: string;
}

/** The answer for a file or link that an engine could not work on. It says nothing about whether it is harmless. */
export interface FailedReport {
  readonly outcome: 'failed';
  readonly failure: EngineFailure;
  readonly engineVersion: string;
}

/** Thrown inside an engine to end it with a failure. The entry point of the engine turns it into a FailedReport. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  constructor(
    readonly code: EngineFailureCode,
    message: string,
  ) {
    super(message);
  }
}
