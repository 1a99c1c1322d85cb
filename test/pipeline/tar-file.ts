/** Small tars for tests (POSIX ustar). */

const BLOCK = 512;

/** A tar of these files, in their order. */
export function tarOf(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const blocks = Object.entries(files).map(([name, data]) => {
    const head = Buffer.alloc(BLOCK);
    head.write(name, 0, 99, 'latin1');
    head.write('0000644\0', 100);
    head.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124);
    head.write('14700000000\x00        0', 136);
    head.write('ustar\x0000', 257, 'latin1');
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    return Buffer.concat([head, data, Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK)]);
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** The names in a tar. */
export function readTar(tar: Uint8Array): string[] {
  const bytes = Buffer.from(tar);
  const names: string[] = [];
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    names.push(bytes.toString('latin1', at, at + 100).replace(/\0.*$/s, ''));
    const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 135), 8);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return names;
}
