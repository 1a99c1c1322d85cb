/** DKIM for tests: a key that is made for the occasion, signing, and verifying without the network. */
import { generateKeyPairSync } from 'node:crypto';
import { dkimSign } from 'mailauth/lib/dkim/sign.js';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';

export const DOMAIN = 'sender.example';
export const SELECTOR = 'k1';

/** What newsletters and letters sign. */
const FIELDS =
  'From:To:Cc:Subject:Date:Message-ID:Reply-To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Unsubscribe:List-Unsubscribe-Post:List-Id:Feedback-ID';

export interface Dkim {
  /** The TXT record of the key. */
  readonly record: string;
  /** The message with a signature on top. The bytes below it stay. */
  readonly sign: (message: Uint8Array, canonicalization?: string) => Promise<Buffer>;
  /** `pass`, or what is wrong. */
  readonly verify: (message: Uint8Array) => Promise<string>;
}

/** Makes a key. */
export function createDkim(): Dkim {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    record,
    async sign(message, canonicalization = 'relaxed/relaxed') {
      // The types of the library do not say what it takes. Without a time it asks the clock twice: one signature in two hundred does not fit.
      const key = { signingDomain: DOMAIN, selector: SELECTOR, privateKey: pem };
      const options: object = { canonicalization, headerList: FIELDS, signatureData: [key], signTime: new Date() };
      const { signatures, errors } = await dkimSign(Buffer.from(message), options as Parameters<typeof dkimSign>[1]);
      if (errors.length > 0) throw new Error(`not signed: ${JSON.stringify(errors)}`);
      return Buffer.concat([Buffer.from(signatures), message]);
    },
    async verify(message) {
      const { results } = await dkimVerify(Buffer.from(message), { resolver: async () => [[record]] });
      const [first] = results;
      if (first === undefined) return 'no signature';
      const { result, comment } = first.status;
      return result === 'pass' ? 'pass' : `${result}: ${comment ?? ''}`;
    },
  };
}
