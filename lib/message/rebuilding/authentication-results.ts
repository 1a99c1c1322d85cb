/** Decides which Authentication-Results are delivered (RFC 8601). Mail programs show them, and anybody can write them. */

/** The blanks and comments in front of the name of the server that checked (RFC 8601 §2.2). */
const NAME = /^(?:\s|\((?:[^()\\]|\\.){0,500}\))*(?:"([^"\\]{1,253})"|([^\s;()"]{1,253}))(?=[\s;(]|$)/;

/**
 * True when the field says that one of these servers wrote it. Names are compared in small letters. A field of which programs could read
 * another name is of none.
 */
export function isFromServer(value: string, servers: readonly string[]): boolean {
  const [, quoted, plain] = NAME.exec(value) ?? [];
  return servers.includes((quoted ?? plain ?? '').toLowerCase());
}
