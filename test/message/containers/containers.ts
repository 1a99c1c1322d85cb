/** One container through the entry point of its kind, with an unpacker that opens nothing unless a test brings one. */
import type { Unpack } from '../../../lib/formats/archives/unpacking.ts';
import { createBudget } from '../../../lib/message/containers/budget.ts';
import { type Candidate, type Opened, opened } from '../../../lib/message/containers/container.ts';
import { containerOf } from '../../../lib/message/containers/containers.ts';

export const LIMITS = {
  containerDepth: 10,
  containerMembers: 100,
  containerBytes: 8 * 1024 * 1024,
  memberBytes: 4 * 1024 * 1024,
  containerRatio: 250,
  containerWorkSeconds: 20,
  nestedEmailBytes: 8 * 1024 * 1024,
  passwordTries: 50,
};
const READING = { headerBytes: 1 << 21, headerLines: 5_000, parts: 1_000, depth: 20, untrustedTextLength: 1_000 };

export interface Claims extends Partial<Omit<Candidate, 'bytes'>> {
  readonly limits?: Partial<typeof LIMITS>;
  readonly passwords?: readonly string[];
  /** @default one that opens nothing */
  readonly unpack?: Unpack;
}

const noUnpack: Unpack = async () => opened({ outcome: 'unsupported', detail: 'no unpacker here' });

/** Opens the bytes as what they are; `kind` is null when they are no container. */
export async function openAs(
  bytes: Uint8Array | string,
  { limits, passwords = [], unpack = noUnpack, ...claims }: Claims = {},
): Promise<Opened & { readonly kind: string | null }> {
  const candidate: Candidate = {
    bytes: typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes,
    untrustedNames: [],
    declaredType: 'application/octet-stream',
    detectedType: 'application/octet-stream',
    role: 'attachment',
    wasRead: false,
    depth: 1,
    ...claims,
  };
  const container = containerOf(candidate);
  if (container === null) return { ...opened({ outcome: 'opened' }), kind: null };
  const result = await container.open(candidate, {
    budget: createBudget({ ...LIMITS, ...limits }, () => 0),
    passwords,
    unpack,
    readingLimits: READING,
  });
  return { ...result, kind: container.name };
}

/** Names (the first) and contents of what was found. */
export function filesOf({ members }: Opened): (readonly [string, string])[] {
  return members.map(({ untrustedNames, bytes }) => [untrustedNames[0] ?? '', Buffer.from(bytes).toString('latin1')]);
}
