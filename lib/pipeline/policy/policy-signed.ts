/** The part of the policy about signed mail, and about whose signatures are trusted. */
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
      /** `whole`: byte for byte with its signature when nothing in it must go. `content`: always without. */
      mail: z._default(z.enum(['whole', 'content']), 'whole'),
      /**
       * Whose signature keeps a picture as it came, in which nothing but the picture was found. `any_signer`: also one that nobody knows, although
       * colours and values of a picture can carry bytes that a sender chose. `none`: all pictures are made anew, and a signature over one goes.
       */
      pictures: z._default(z.enum(['verified', 'any_signer', 'none']), 'verified'),
      /** The same for a PDF. It can hold more than a picture, so only a signer who is trusted counts. */
      pdf: z._default(z.enum(['verified', 'none']), 'verified'),
      /** Certificates in PEM of the authorities for S/MIME, or of single signers. */
      authorities: trusted('CERTIFICATE'),
      /** OpenPGP public keys in armor. */
      keys: trusted('PGP PUBLIC KEY BLOCK'),
    }),
    {},
  ),
);
