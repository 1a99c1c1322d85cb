/** The requests of recipients over S3: an object of the work bucket for each recipient and message, written once. */
import type { S3Client } from '@aws-sdk/client-s3';
import { mapBounded } from '../../pipeline/bounded.ts';
import { LimitExceededError, NotFoundError } from '../../pipeline/errors.ts';
import { keys, sha256Hex } from '../../pipeline/keys.ts';
import type { Asks, Blobs } from '../../pipeline/ports.ts';
import { Ask } from '../../pipeline/review/ask.ts';
import { safeJson } from '../../pipeline/safe-text.ts';
import { httpStatusOf } from '../aws-errors.ts';
import { type FoundName, namesBelow } from './list-names.ts';

export interface S3AsksOptions {
  readonly client: S3Client;
  /** The real name of the work bucket. */
  readonly workBucket: string;
  readonly blobs: Pick<Blobs, 'get' | 'put'>;
}

const MAX_BYTES = 10_000;
const READ_AT_ONCE = 10;
const [BAD_REQUEST, FORBIDDEN] = [400, 403];
/** The most requests about one message. A message has fewer recipients. */
const MAX_OF_ONE = 1_000;

/** S3 does not give this object, because it is encrypted with a foreign key, or archived. */
interface Withheld {
  readonly withheld: unknown;
}
const isWithheld = (read: Ask | Withheld | null): read is Withheld => read !== null && 'withheld' in read;

/** Makes the port. All methods throw TransientError. An object that is no request, or that S3 alone withholds, counts as absent. */
export function createS3Asks({ client, workBucket, blobs }: S3AsksOptions): Asks {
  const below = (prefix: string) => namesBelow(client, workBucket, prefix);
  const read = async (key: string): Promise<Ask | Withheld | null> => {
    try {
      const bytes = await blobs.get('work', key, { maxBytes: MAX_BYTES });
      const ask = Ask.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
      return ask.success && key === keyOf(ask.data) ? ask.data : null;
    } catch (error) {
      // Without this, another writer could put one object that is too large, and the desk would show nothing at all.
      if (error instanceof NotFoundError || error instanceof LimitExceededError || error instanceof SyntaxError)
        return null;
      if (httpStatusOf(error) === FORBIDDEN || httpStatusOf(error) === BAD_REQUEST) return { withheld: error };
      throw error;
    }
  };
  const readAll = async (found: readonly FoundName[]): Promise<Ask[]> => {
    const all = await mapBounded(found, READ_AT_ONCE, ({ key }) => read(key));
    const withheld = all.filter(isWithheld);
    // Somebody put one such object there. If S3 gives no object at all, a permission is missing.
    if (withheld.length === all.length && withheld[0] !== undefined) throw withheld[0].withheld;
    return all.filter((one): one is Ask => one !== null && !isWithheld(one));
  };
  return {
    put: (ask) =>
      blobs.put('work', keyOf(ask), new TextEncoder().encode(safeJson(ask)), {
        contentType: 'application/json',
        ifAbsent: true,
      }),
    of: async (runId) => {
      const asks = await readAll((await below(`${ALL}${runId}/`)).slice(0, MAX_OF_ONE));
      return asks.sort((one, other) => one.at.localeCompare(other.at));
    },
    list: async (most) => {
      const found = (await below(ALL)).sort((one, other) => other.at - one.at);
      return readAll(found.slice(0, most));
    },
  };
}

const ALL = 'asks/';
const keyOf = ({ runId, recipient }: Ask) => keys.ask(runId, sha256Hex(recipient));
