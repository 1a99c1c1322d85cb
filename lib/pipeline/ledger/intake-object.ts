/** Which object a run is about. */
import * as z from 'zod/mini';

/** One version of an object in the intake bucket. `untrustedKey` is chosen by the uploader. */
export const IntakeObject = z.object({
  bucket: z.string(),
  untrustedKey: z.string(),
  /** Empty in a bucket without versions. */
  versionId: z.string(),
  size: z.nullable(z.int().check(z.nonnegative())),
  /** Tells uploads under one key apart in a bucket without versions: the ETag of the bytes, and S3's sequencer of the upload. */
  upload: z.optional(z.object({ etag: z.string(), sequencer: z.string() })),
  /** The ETag that the event of S3 names, where the version tells uploads apart. Absent where nobody named one. */
  etag: z.optional(z.string()),
  /** A person dropped it at a desk: it is a copy, and nobody is sent it or told of it. */
  dropped: z.optional(z.literal(true)),
  /**
   * The sender and the recipients, where it came with an envelope: addresses as they stood between the angle brackets. The header decides
   * nothing.
   */
  envelope: z.optional(
    z.object({ sender: z.string().check(z.maxLength(512)), recipients: z.array(z.string().check(z.maxLength(512))) }),
  ),
});
export type IntakeObject = z.infer<typeof IntakeObject>;
