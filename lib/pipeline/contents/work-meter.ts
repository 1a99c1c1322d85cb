/** Measures the work on one message: in this thread, and in the threads that open archives, read codes and check signatures. */
import type { Unpack } from '../../formats/archives/unpacking.ts';
import type { ReadCodes } from '../../formats/codes/request.ts';
import type { CheckSignature } from '../../formats/signed/signature-check.ts';
import type { ParseContext } from '../context.ts';

export interface WorkMeter {
  /** Returns milliseconds of processor time since the meter was made. */
  usedMs(): number;
  /** The readers of the context. Their use of processor time counts. */
  readonly unpack: Unpack;
  readonly readCodes: ReadCodes | null;
  readonly checkSignature: CheckSignature | null;
}

/** Returns a meter that starts at 0. */
export function meterWork(ctx: Pick<ParseContext, 'work' | 'unpacker' | 'codes' | 'signatures'>): WorkMeter {
  const { work, unpacker, codes, signatures } = ctx;
  const startMs = work.workMs();
  let elsewhereMs = 0;
  const add = (workMs: number) => {
    elsewhereMs += workMs;
  };
  return {
    usedMs: () => work.workMs() - startMs + elsewhereMs,
    unpack: (request) => unpacker.unpack(request, add),
    readCodes: codes === undefined ? null : (request) => codes.read(request, add),
    checkSignature: signatures === undefined ? null : (request) => signatures.check(request, add),
  };
}
