/**
 * The parts that a rebuild left unchanged. The result of the filter for a part depends on its bytes and on the rules that judged it, so a
 * second look at the output need not read them again: the same packed bytes under the same rules give the same result.
 */
import type { PackedPart } from './zip-write.ts';

interface UnchangedPart {
  readonly packed: PackedPart;
  readonly judgedBy: string;
}

export class UnchangedParts {
  private readonly parts = new Map<string, UnchangedPart>();

  /** Remembers a part under its name in the output. `judgedBy` is everything on which its verdict depends besides its bytes. */
  remember(name: string, packed: PackedPart, judgedBy: string): void {
    this.parts.set(name, { packed, judgedBy });
  }

  /** Returns whether a part was found to stay unchanged. Every one of its packed bytes is compared. */
  isUnchanged(name: string, { method, data, crc, size }: PackedPart, judgedBy: string): boolean {
    const known = this.parts.get(name);
    if (known === undefined || known.judgedBy !== judgedBy) return false;
    const { packed } = known;
    return packed.method === method && packed.crc === crc && packed.size === size && isSameData(packed.data, data);
  }
}

function isSameData(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && Buffer.compare(one, other) === 0;
}
