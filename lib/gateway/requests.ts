/**
 * What a person asks of a running gateway, as empty files in the folder `requests`: `ID.retry` and `ID.drop`. The gateway looks for them
 * every few seconds. Whoever may write into the spool may ask.
 */
import { type Files, writeDurably } from './files.ts';

export const REQUESTS = ['retry', 'drop'] as const;
export type RequestKind = (typeof REQUESTS)[number];

export interface Request {
  readonly id: string;
  readonly kind: RequestKind;
}

const FOLDER = 'requests';
const NAME = /^([0-9a-z]{21})\.(retry|drop)$/;

/** True for what can be the id of a message. */
export const isMessageId = (text: string): boolean => NAME.test(`${text}.retry`);

/** Leaves a request for the gateway. */
export async function makeRequest(files: Files, { id, kind }: Request): Promise<void> {
  await files.makeFolder(FOLDER);
  await writeDurably(files, `${FOLDER}/${id}.${kind}`, new Uint8Array());
}

/** Takes all requests: each is returned once. */
export async function takeRequests(files: Files): Promise<Request[]> {
  const found: Request[] = [];
  for (const name of await files.list(FOLDER)) {
    const [, id, kind] = NAME.exec(name) ?? [];
    if (id === undefined || kind === undefined) continue;
    await files.remove(`${FOLDER}/${name}`);
    found.push({ id, kind: kind as RequestKind });
  }
  return found;
}
