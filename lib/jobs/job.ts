/** A job for an engine, and the ports of its sender and of its worker. A job names its artifact by hash and carries no bytes. */
import * as z from 'zod/mini';
import { KINDS, type Kind } from '../pipeline/model.ts';

/** Files of the wire have short names, and a password in a mail is one word. A job must fit into a message of a queue. */
const MAX_NAME_LENGTH = 200;
const MAX_TEXT_LENGTH = 16_384;

const sha256 = () => z.string().check(z.regex(/^[0-9a-f]{64}$/));
const common = () => ({
  /** The name of the report (`engineQuestion`), and so of the keys that are written. */
  question: sha256(),
  /** The run of the job. The jobs of a run share one budget. */
  group: z.string().check(z.minLength(1), z.maxLength(MAX_NAME_LENGTH)),
  /** The versions of the engines that the sender expects. */
  versions: z.string().check(z.maxLength(MAX_NAME_LENGTH)),
});

const fileJob = () =>
  z.object({
    ...common(),
    kind: z.enum(['static', 'sandbox', 'cdr']),
    /** The bytes are in the work bucket under this hash. */
    artifact: sha256(),
    filename: z.string().check(z.minLength(1), z.maxLength(MAX_NAME_LENGTH)),
    password: z.nullable(z.string().check(z.maxLength(MAX_TEXT_LENGTH))),
  });
const urlJob = () =>
  z.object({
    ...common(),
    kind: z.literal('url_analysis'),
    url: z.string().check(z.minLength(1), z.maxLength(MAX_TEXT_LENGTH)),
  });

/** It is built when a job is sent or received: `poll` and `fetch` do neither. */
export const Job = z.lazy(() => z.discriminatedUnion('kind', [fileJob(), urlJob()]));
export type FileJob = z.infer<ReturnType<typeof fileJob>>;
export type Job = z.infer<typeof Job>;

/** The queue of jobs for an engine. It may give out a job more than once, and late. */
export interface JobQueue {
  /** Throws TransientError when a later try can succeed. */
  send(job: Job): Promise<void>;
}

/** The versions of the engines behind each kind. */
export type KindVersions = Readonly<Record<Kind, string>>;

/** Returns a record of all kinds, each with the value that `make` returns for it. */
export function forEachKind<T>(make: (kind: Kind) => T): Readonly<Record<Kind, T>> {
  return Object.fromEntries(KINDS.map((kind) => [kind, make(kind)])) as Record<Kind, T>;
}
