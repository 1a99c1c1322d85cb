/** The whole airlock on one machine, with the real engines: mail in, what a recipient would get out. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { openSession } from '../../../lib/local/session.ts';
import type { Ledger } from '../../../lib/pipeline/ledger.ts';
import { DEFAULT_POLICY, type Policy } from '../../../lib/pipeline/policy.ts';

/** What became of one message. */
export interface Scan {
  readonly state: string;
  /** The reasons of a quarantine or a failure, for a person who reads a result. */
  readonly why: string;
  readonly ledger: Ledger | null;
  /** The delivered message, or the one delivered file when a bare file came in; null when nothing was delivered. */
  readonly message: Uint8Array | null;
  /** What is delivered as files of its own, by the name it has in the clean bucket. */
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

export interface Airlock {
  /** Never rejects for what is in the bytes. */
  scan(bytes: Uint8Array | string, name: string): Promise<Scan>;
  close(): Promise<void>;
}

/** Opens an airlock that writes to a folder of its own, which goes when it is closed. Text is taken as latin1. */
export async function openAirlock(policy: Policy = DEFAULT_POLICY): Promise<Airlock> {
  const out = await mkdtemp(join(tmpdir(), 'airlock-attack-'));
  const session = await openSession({
    ...{ out, policy, service: null, cdrService: null },
    signal: new AbortController().signal,
    onStage: () => {},
  });
  let count = 0;
  return {
    async scan(content, name) {
      const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
      const label = `${count++}/${name}`;
      const outcome = await session.scan({ kind: 'bytes', label, name, open: () => inOnePiece(bytes) });
      if (!('ledger' in outcome)) return { ...NOTHING, state: outcome.state, why: outcome.message };
      const { ledger, written, state } = outcome;
      const files = await Promise.all(
        written.files.map(async (path) => ({ name: basename(path), bytes: await readFile(path) })),
      );
      const message = written.message === null ? (files[0]?.bytes ?? null) : await readFile(written.message);
      return {
        state,
        why: ledger.reasons.map(({ code, text }) => `${code}: ${text}`).join('; '),
        ledger,
        message,
        files,
      };
    },
    async close() {
      await session.close();
      await rm(out, { recursive: true, force: true });
    },
  };
}

const NOTHING = { ledger: null, message: null, files: [] };

async function* inOnePiece(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes;
}
