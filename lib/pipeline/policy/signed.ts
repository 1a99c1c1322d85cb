/** The part of the policy about signed mail and trusted signers. */
import * as z from 'zod/mini';

const trusted = (label: string) =>
  z._default(
    z
      .array(
        z
          .string()
          .check(
            z.regex(new RegExp(`^-----BEGIN ${label}-----`), `Expected -----BEGIN ${label}-----`),
            z.maxLength(100_000),
          ),
      )
      .check(z.maxLength(200)),
    [],
  );

export const Signed = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /** `whole`: byte for byte with its signature when nothing in it must be removed. `content`: always without the signature. */
      mail: z._default(z.enum(['whole', 'content']), 'whole'),
      /**
       * The signers whose signature keeps a picture unchanged, if nothing but the picture was found in it. `any_signer`: also unknown
       * signers, although colours and values of a picture can carry bytes of a sender. `none`: all pictures are made anew, and a signature
       * over one is removed.
       */
      pictures: z._default(z.enum(['verified', 'any_signer', 'none']), 'verified'),
      /** The same for a PDF. It can hold more than a picture, so only a trusted signer counts. */
      pdf: z._default(z.enum(['verified', 'none']), 'verified'),
      /** Certificates in PEM of authorities for S/MIME, or of single signers. */
      authorities: trusted('CERTIFICATE'),
      /** OpenPGP public keys in armor. */
      keys: trusted('PGP PUBLIC KEY BLOCK'),
    }),
    {},
  ),
);
