/** The whole flow over the real engines, with storage in memory: mail in, what a recipient would get out. */
import { createCodeReader } from '../../../lib/formats/codes/reader.ts';
import { createSignatureReader } from '../../../lib/formats/signed/signature-reader.ts';
import { openAnalysis } from '../../../lib/local/session/analysis.ts';
import { LOCAL_SCHEDULE } from '../../../lib/pipeline/analysis/poll-schedule.ts';
import type { Context } from '../../../lib/pipeline/context.ts';
import { keys } from '../../../lib/pipeline/keys.ts';
import type { Ledger } from '../../../lib/pipeline/ledger/ledger.ts';
import { DEFAULT_POLICY, type Policy } from '../../../lib/pipeline/policy/policy.ts';
import type { Analyzer, Blobs, CodeReader } from '../../../lib/pipeline/ports.ts';
import { createRig, type Rig } from '../../pipeline/rig.ts';

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
  /** The same engines with another policy and empty storage. It needs no closing. */
  under(policy: Policy): Airlock;
  close(): Promise<void>;
}

/** One thread for all. It does not keep the process alive. */
const SIGNATURES = createSignatureReader();

/** Starts the engines. Text is taken as latin1. */
export async function openAirlock(): Promise<Airlock> {
  const { analyzerFor, close } = await openAnalysis(null, null, new AbortController().signal);
  return airlockUnder(DEFAULT_POLICY, analyzerFor, createCodeReader(), close);
}

type AnalyzerFor = (blobs: Blobs) => Analyzer;

function airlockUnder(
  policy: Policy,
  analyzerFor: AnalyzerFor,
  codes: CodeReader,
  close: () => Promise<void>,
): Airlock {
  const overrides = ({ blobs }: Context) => ({
    analyzer: analyzerFor(blobs),
    signatures: SIGNATURES,
    schedule: LOCAL_SCHEDULE,
    clock: { now: () => Date.now() },
  });
  const rig = createRig({ policy, codes, overrides });
  let count = 0;
  return {
    async scan(content, name) {
      const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
      try {
        const { ledger } = await rig.scan(bytes, `${count++}/${name}`);
        return await outcomeOf(rig, ledger);
      } catch (error) {
        return { state: 'failed', why: String(error), ledger: null, message: null, files: [] };
      }
    },
    under: (other) => airlockUnder(other, analyzerFor, codes, close),
    close,
  };
}

/** Larger than anything that a test delivers. */
const MAX_BYTES = 100_000_000;

async function outcomeOf({ blobs }: Rig, ledger: Ledger): Promise<Scan> {
  const { terminal } = ledger;
  if (terminal === null) throw new Error('the run ended without a terminal state');
  const clean = terminal.state === 'delivered' ? terminal.keys : [];
  const delivered = await Promise.all(
    clean.map(async (key) => ({
      name: key.slice(key.lastIndexOf('/') + 1),
      bytes: await blobs.get('clean', key, { maxBytes: MAX_BYTES }),
    })),
  );
  const files = delivered.filter((_, index) => clean[index] !== keys.cleanMessage(ledger.runId));
  const message = delivered.find((one) => !files.includes(one)) ?? files[0];
  return {
    state: terminal.state,
    why: ledger.reasons.map(({ code, text }) => `${code}: ${text}`).join('; '),
    ledger,
    message: message?.bytes ?? null,
    files,
  };
}
