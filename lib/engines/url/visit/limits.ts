/** The limits of a visit, each with the attack that it stops. */

/** Stops servers that answer a byte a minute: the milliseconds for a whole visit with its redirects. */
export const VISIT_MS = 30_000;
/** Stops name servers and hosts that never answer. */
export const LOOKUP_MS = 5_000;
export const CONNECT_MS = 8_000;
export const HEADERS_MS = 10_000;
export const BODY_IDLE_MS = 8_000;
/** Stops redirects without end. */
export const HOPS = 10;
/** Stops bodies without end: the bytes before they are unpacked. */
export const WIRE_BYTES = 10 * 1024 * 1024;
/** Stops small bodies that unpack into huge ones. */
export const BODY_BYTES = 20 * 1024 * 1024;
/** Stops pages that keep the parser busy. No person reads beyond this number of bytes. */
export const PAGE_BYTES = 4 * 1024 * 1024;
/** Stops headers without end. */
export const HEADER_BYTES = 16 * 1024;
/** The most headers in a report, and the most characters of each. */
export const KEPT_HEADERS = 60;
export const HEADER_CHARACTERS = 1_000;
/** Stops redirects to huge URLs. */
export const HOP_CHARACTERS = 16_384;
/** The most addresses of a host. All of them are checked. */
export const ADDRESSES = 64;
/** The ports that may be visited, so that nobody can use visits to scan ports. */
export const PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);
/** The most visits at the same time. Each holds a body in memory. */
export const CONCURRENT_VISITS = 8;
