/**
 * The requests of people to a running gateway, as empty files in the folder `requests`: `ID.retry` and `ID.drop`. The gateway looks for
 * them every few seconds. Everybody who may write into the spool may make requests.
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

/** Returns true for a possible id of a message. */
export const isMessageId = (text: string): boolean => NAME.test(`${text}.retry`);

/** Leaves a request for the gateway. */
export async function makeRequest(files: Files, { id, kind }: Request): Promise<void> {
  await files.makeFolder(FOLDER);
  await writeDurably(files, `${FOLDER}/${id}.${kind}`, new Uint8Array());
}

/** Returns every request that was not done yet. Requests that name nothing of ours are omitted. */
export async function requestsIn(files: Files): Promise<Request[]> {
  return (await files.list(FOLDER)).flatMap((name) => {
    const [, id, kind] = NAME.exec(name) ?? [];
    return id === undefined || kind === undefined ? [] : [{ id, kind: kind as RequestKind }];
  });
}

/** Forgets a request after it is done. Both kinds may be done twice. */
export async function removeRequest(files: Files, { id, kind }: Request): Promise<void> {
  await files.remove(`${FOLDER}/${id}.${kind}`);
}
