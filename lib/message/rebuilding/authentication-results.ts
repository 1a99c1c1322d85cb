/** Decides which Authentication-Results are delivered (RFC 8601). Mail programs show them, and anybody can write them. */

/** The blanks and comments before the name of the server that checked (RFC 8601 §2.2). */
const NAME = /^(?:\s|\((?:[^()\\]|\\.){0,500}\))*(?:"([^"\\]{1,253})"|([^\s;()"]{1,253}))(?=[\s;(]|$)/;

/**
 * Returns true when the field says that one of these servers wrote it. Names are compared in small letters. If programs could read another
 * name in the field, it belongs to no server.
 */
export function isFromServer(value: string, servers: readonly string[]): boolean {
  const [, quoted, plain] = NAME.exec(value) ?? [];
  return servers.includes((quoted ?? plain ?? '').toLowerCase());
}
