/** Files that hold several mails. */

/** Returns true for an mbox, which starts with a "From " line. An .eml file may have kept such a line, and is still one message. */
export function isMbox(path: string, head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 5)).toString('latin1') === 'From ' && !/\.eml$/i.test(path);
}
