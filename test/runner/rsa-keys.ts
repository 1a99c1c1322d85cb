/**
 * RSA keys for tests. One takes a quarter of a second of processor time, and hardly a test needs one that nobody had before. So a process
 * makes four, and gives them out in turn: what a test takes after each other differs.
 */
import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';

const PAIRS = 4;
const pairs: KeyPairKeyObjectResult[] = [];
let given = 0;

/** A pair of 2048 bits. Four in a row are four different ones. */
export function nextRsaKeys(): KeyPairKeyObjectResult {
  const turn = given % PAIRS;
  given += 1;
  pairs[turn] ??= generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return pairs[turn];
}
