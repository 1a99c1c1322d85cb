/** The requests of recipients, as files of a folder: one for each recipient and message. */
import { join } from 'node:path';
import { LimitExceededError } from '../../pipeline/errors.ts';
import { keys, sha256Hex } from '../../pipeline/keys.ts';
import { RUN_ID } from '../../pipeline/ledger/run-id.ts';
import type { Asks, Blobs } from '../../pipeline/ports.ts';
import { Ask } from '../../pipeline/review/ask.ts';
import { safeJson } from '../../pipeline/safe-text.ts';
import { namesIn } from './list-names.ts';

const MAX_BYTES = 10_000;
const SHA256 = /^[0-9a-f]{64}$/;

/** Makes the port below `root`, the folder of these blobs. A file that is no request counts as absent. */
export function directoryAsks(root: string, blobs: Blobs): Asks {
  const of = async (runId: string): Promise<Ask[]> => {
    const names = (await namesIn(join(root, 'work', 'asks', runId))).filter((name) => SHA256.test(name));
    const found = await Promise.all(names.map((name) => readAsk(blobs, keys.ask(runId, name))));
    return found.filter((ask) => ask !== null).sort((one, other) => one.at.localeCompare(other.at));
  };
  return {
    put: (ask) => {
      const bytes = new TextEncoder().encode(safeJson(ask));
      return blobs.put('work', keys.ask(ask.runId, sha256Hex(ask.recipient)), bytes, { ifAbsent: true });
    },
    of,
    list: async (most) => {
      const runs = (await namesIn(join(root, 'work', 'asks'))).filter((name) => RUN_ID.test(name));
      const all: Ask[] = [];
      for (const runId of runs) all.push(...(await of(runId)));
      return all.sort((one, other) => other.at.localeCompare(one.at)).slice(0, most);
    },
  };
}

async function readAsk(blobs: Blobs, key: string): Promise<Ask | null> {
  try {
    const bytes = await blobs.get('work', key, { maxBytes: MAX_BYTES });
    const ask = Ask.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return ask.success ? ask.data : null;
  } catch (error) {
    if (error instanceof LimitExceededError || error instanceof SyntaxError) return null;
    throw error;
  }
}
