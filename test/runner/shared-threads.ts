/**
 * The threads of sessions in tests. To start the engines takes a thread a second of processor time, nearly all of it for rules that compile, and
 * tests open hundreds of sessions. So all sessions of a process have the same threads, which end with the process.
 */

import { createSecondLook as newSecondLook } from '../../lib/engines/returned/second-look.ts';
import type { EnginePool } from '../../lib/engines/threads/pool.ts';
import { createUnpacker as newUnpacker } from '../../lib/formats/archives/unpacker.ts';
import { createCodeReader as newCodeReader } from '../../lib/formats/codes/reader.ts';
import { createSignatureReader as newSignatureReader } from '../../lib/formats/signed/signature-reader.ts';
import { type LocalEngines, createLocalPool as newLocalPool } from '../../lib/local/session/local-engines.ts';

/** The first that was made, for everybody. Who closes it only stops to use it. */
function shared<T extends { close(): Promise<void> }>(make: () => T): () => T {
  let first: T | null = null;
  return () => {
    first ??= make();
    return { ...first, close: async () => undefined };
  };
}

const sharedPool = shared(() => newLocalPool({}));

/** A pool with options is one of its own. */
export function createLocalPool(engines: LocalEngines): EnginePool {
  return engines.visits || engines.rulesFolder !== undefined ? newLocalPool(engines) : sharedPool();
}

export const createUnpacker = shared(() => newUnpacker());
export const createCodeReader = shared(newCodeReader);
export const createSignatureReader = shared(newSignatureReader);
export const createSecondLook = shared(newSecondLook);
