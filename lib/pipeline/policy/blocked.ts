/** The part of the policy that lists what people have blocked: files, links, hosts and senders. */
import * as z from 'zod/mini';
import { domain } from './texts.ts';

/** More than a person writes by hand. */
const MOST = 100_000;

const list = (schema: z.ZodMiniType<string, string>) => z._default(z.array(schema).check(z.maxLength(MOST)), []);

const hash = () => z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in small letters'));
const link = () => z.string().check(z.maxLength(8_192), z.regex(/^[a-z][a-z0-9+.-]*:/, 'must be a whole address'));
const sender = () =>
  z
    .string()
    .check(
      z.maxLength(320),
      z.regex(
        /^(?:[^\s<>,;:"'()[\]@\p{Lu}]+@)?[^\s<>,;:"'()[\]@\p{Lu}]+\.[^\s<>,;:"'()[\]@\p{Lu}]+$/u,
        'must be an address or a domain in small letters',
      ),
    );

export const Blocked = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /** SHA-256 of files in any place of a message. */
      files: list(hash()),
      /** Links as the ledger has them. */
      urls: list(link()),
      /** Hosts of links. Hosts below them count, too. */
      hosts: list(domain()),
      /** Addresses in `From`, or domains with those below them. */
      senders: list(sender()),
    }),
    {},
  ),
);
export type Blocked = z.infer<typeof Blocked>;
