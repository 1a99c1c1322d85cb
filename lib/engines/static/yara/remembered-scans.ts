/**
 * Remembers what the rules say of small files. A scan costs milliseconds for any bytes, and mails repeat files: a logo, a footer, a note
 * in each archive. The answer follows from the bytes and the rules alone, so it is the same the next time.
 */
import { createHash } from 'node:crypto';

/** The most answers that a thread remembers. A flood of different files would fill its memory. The oldest is forgotten first. */
const MAX_ANSWERS = 2_000;
/** Larger files take longer to hash, and they are seldom the same. */
const MAX_BYTES = 256 * 1024;

/** A scan that remembers its answers. What it throws is not remembered. */
export function remembered<Answer>(scan: (bytes: Uint8Array) => Answer): (bytes: Uint8Array) => Answer {
  const answers = new Map<string, Answer>();
  return (bytes) => {
    if (bytes.byteLength > MAX_BYTES) return scan(bytes);
    const key = createHash('sha256').update(bytes).digest('base64');
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = scan(bytes);
    answers.set(key, answer);
    const [oldest] = answers.keys();
    if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest);
    return answer;
  };
}
