/**
 * The ports of the stage that reads hostile content. Each port reads in its own thread, which starts with the first content of its kind.
 */
import { createUnpacker } from '../../lib/formats/archives/unpacker.ts';
import { createCodeReader } from '../../lib/formats/codes/reader.ts';
import { createSignatureReader } from '../../lib/formats/signed/signature-reader.ts';
import { threadClock } from '../../lib/formats/threads/thread-time.ts';
import { executionPorts } from './ports.ts';
import type { Ports } from './runtime.ts';

/** Returns the ports of `parse`, which also starts executions. */
export async function parsePorts(): Promise<ReturnType<typeof readerPorts> & Pick<Ports, 'executions'>> {
  return { ...(await executionPorts()), ...readerPorts() };
}

function readerPorts(): Pick<Ports, 'unpacker' | 'signatures' | 'codes' | 'work'> {
  return {
    unpacker: createUnpacker(),
    signatures: createSignatureReader(),
    codes: createCodeReader(),
    work: threadClock,
  };
}
