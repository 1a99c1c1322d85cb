/** The object of a run. */
import * as z from 'zod/mini';
import { Text } from './fields.ts';

/** One version of an object in the intake bucket. The uploader may choose `untrustedKey`. */
export const IntakeObject = z.object({
  bucket: Text,
  untrustedKey: Text,
  /** Empty in a bucket without versions. */
  versionId: Text,
  size: z.nullable(z.int().check(z.nonnegative())),
  /** Distinguishes uploads under one key in a bucket without versions: the ETag of the bytes, and S3's sequencer of the upload. */
  upload: z.optional(z.object({ etag: Text, sequencer: Text })),
  /** The ETag in the event of S3, if the version distinguishes uploads. Absent when nobody named one. */
  etag: z.optional(Text),
  /** True for a copy that a person dropped at a desk. It is sent to nobody, and nobody is told of it. */
  dropped: z.optional(z.literal(true)),
  /**
   * The sender and the recipients, if it came with an envelope: addresses as written between the angle brackets. The header decides
   * nothing.
   */
  envelope: z.optional(
    z.object({ sender: z.string().check(z.maxLength(512)), recipients: z.array(z.string().check(z.maxLength(512))) }),
  ),
});
export type IntakeObject = z.infer<typeof IntakeObject>;
