/** Unpacks Outlook's compressed rich text, and refuses it when it is damaged. */
import { decompressRtf, type RtfFault } from '../../../formats/mapi/compressed-rtf.ts';
import { EngineError } from '../../engine.ts';

const FAILURES: Readonly<Record<RtfFault, readonly ['unreadable' | 'oversize', string]>> = {
  'cut-off': ['unreadable', 'the formatted text of the message is cut off'],
  'unknown-kind': ['unreadable', 'the formatted text of the message is damaged'],
  'too-long': ['oversize', 'the formatted text of the message is too long'],
};

/** Returns the rich text. Throws EngineError `unreadable` when it is damaged, `oversize` above `maxBytes`. */
export function inflateRtf(bytes: Uint8Array, maxBytes: number): Uint8Array {
  const refuse = (fault: RtfFault): never => {
    throw new EngineError(...FAILURES[fault]);
  };
  return decompressRtf(bytes, maxBytes, refuse) ?? refuse('unknown-kind');
}
