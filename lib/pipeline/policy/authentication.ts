/** The part of the policy about the results of servers about the sender (RFC 8601), and about passing them on (RFC 8617). */
import * as z from 'zod/mini';
import { domain } from './texts.ts';

/** The name of a server in Authentication-Results (RFC 8601 §2.5). */
const serverName = () =>
  z
    .string()
    .check(
      z.regex(/^[a-z0-9._-]{1,253}$/, 'Expected the name of a server in small letters, as in Authentication-Results'),
    );

export const Authentication = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /** The servers of the operator whose Authentication-Results are delivered. An empty list delivers those of all servers. */
      servers: z._default(z.array(serverName()).check(z.maxLength(100)), []),
      /** Puts an ARC set in front of each delivered message. The key is not here: only the delivering stage has it. */
      seal: z._default(
        z.nullable(
          z.strictObject({
            /** The domain whose DNS has the public key, at SELECTOR._domainkey.DOMAIN. */
            domain: domain(),
            selector: z
              .string()
              .check(z.regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'Expected a selector, such as arc2026')),
            /** The name of the airlock in ARC-Authentication-Results. */
            server: serverName(),
          }),
        ),
        null,
      ),
    }),
    {},
  ),
);

/** Returns what is wrong when the policy asks for ARC seals and names no servers. */
export function sealIssues({ seal, servers }: z.infer<typeof Authentication>): string[] {
  if (seal === null || servers.length > 0) return [];
  return [
    'authentication.seal: needs authentication.servers, the servers that say how SPF, DKIM, DMARC and earlier seals fared',
  ];
}
