/** Changes bytes at random. The same seed gives the same changes. */

export type Random = (below: number) => number;

/** Numbers from 0 up to `below`. The same seed gives the same row (xorshift). */
export function random(seed: number): Random {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(1, below);
  };
}

/** Makes one change: inserts a token, removes, doubles or flips bytes, or appends the tail of another file. */
export function mutate(bytes: Buffer, corpus: readonly Buffer[], tokens: readonly string[], below: Random): Buffer {
  const at = below(bytes.length);
  const length = below(below(2) === 0 ? 8 : 400);
  const head = bytes.subarray(0, at);
  const rest = bytes.subarray(at + length);
  switch (below(6)) {
    case 0:
      return Buffer.concat([head, Buffer.from(tokens[below(tokens.length)] ?? '', 'latin1'), bytes.subarray(at)]);
    case 1:
      return Buffer.concat([head, rest]);
    case 2:
      return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
    case 3: {
      const other = corpus[below(corpus.length)] ?? bytes;
      return Buffer.concat([head, other.subarray(below(other.length))]);
    }
    case 4: {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[at] = below(256);
      return copy;
    }
    default:
      return Buffer.concat([head, Buffer.from(tokens[below(tokens.length)] ?? '', 'latin1'), rest]);
  }
}
