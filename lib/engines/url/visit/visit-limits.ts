/** Limits of a visit, each with the attack it stops. */

/** A server that answers a byte a minute: everything together, redirects included. Milliseconds. */
export const VISIT_MS = 30_000;
/** A name server or a host that never answers. */
export const LOOKUP_MS = 5_000;
export const CONNECT_MS = 8_000;
export const HEADERS_MS = 10_000;
export const BODY_IDLE_MS = 8_000;
/** Redirects without end. */
export const HOPS = 10;
/** A body without end, packed. */
export const WIRE_BYTES = 10 * 1024 * 1024;
/** A small body that unpacks into a huge one. */
export const BODY_BYTES = 20 * 1024 * 1024;
/** A page is read by a parser; what comes after that much of it, no person scrolls to. */
export const PAGE_BYTES = 4 * 1024 * 1024;
/** Headers without end. */
export const HEADER_BYTES = 16 * 1024;
/** Headers kept for the report, and characters of each. */
export const KEPT_HEADERS = 60;
export const HEADER_CHARACTERS = 1_000;
/** A redirect to a URL that is its own flood. */
export const HOP_CHARACTERS = 16_384;
/** Addresses that a host may have: all of them are checked. */
export const ADDRESSES = 64;
/** A visitor that anyone can send anywhere must not become a scanner of ports. */
export const PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
/** Visits at the same time: each holds a body. */
export const CONCURRENT_VISITS = 8;
