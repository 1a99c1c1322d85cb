/** The keys of the stages in a simulation. A signature that was made here is known to be right; any other is checked. */
import { readKeyDocument, type SigningKey, signingKey, type VerifyingKey } from '../../lib/pipeline/ed25519.ts';
import { STAGE_NAMES, type Writer } from '../../lib/pipeline/model.ts';
import type { Signer } from '../../lib/pipeline/ports.ts';

const pairs = STAGE_NAMES.map((stage) => [stage, signingKey(`secret of ${stage}`)] as const);
const signing = Object.fromEntries(pairs) as Readonly<Record<Writer, SigningKey>>;
/** What was signed, by its signature. */
const made = new Map<string, Uint8Array>();
const MOST_REMEMBERED = 20_000;

function sign(stage: Writer, bytes: Uint8Array): { keyId: string; signature: string } {
  const { keyId, sign: signWith } = signing[stage];
  const signature = signWith(bytes);
  if (made.size >= MOST_REMEMBERED) made.clear();
  made.set(signature, bytes);
  return { keyId, signature };
}

const verifying = new Map<string, VerifyingKey>(
  pairs.flatMap(([stage, { keyId, documentFor }]) => {
    const key = readKeyDocument(documentFor(stage), stage, keyId);
    return key === null ? [] : [[`${stage} ${keyId}`, withMemory(key)] as const];
  }),
);

function withMemory(key: VerifyingKey): VerifyingKey {
  return {
    ...key,
    verifies(bytes, signature) {
      const known = made.get(signature);
      return (known !== undefined && Buffer.compare(known, bytes) === 0) || key.verifies(bytes, signature);
    },
  };
}

/** The signer of one process. Its keys are objects of its own: `deliver` remembers by them what it has copied. */
export function createSigner(): Signer {
  const own = new Map<string, VerifyingKey>();
  return {
    sign: async (stage, bytes) => sign(stage, bytes),
    async publicKey(stage, keyId) {
      const name = `${stage} ${keyId}`;
      const key = own.get(name) ?? verifying.get(name);
      if (key === undefined) return null;
      const mine = own.get(name) ?? { ...key };
      own.set(name, mine);
      return mine;
    },
  };
}
