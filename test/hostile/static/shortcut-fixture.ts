/** Small Windows shortcuts, disk images and notebooks for tests. */

const wide = (text: string) => {
  const size = Buffer.alloc(2);
  size.writeUInt16LE(text.length);
  return Buffer.concat([size, Buffer.from(text, 'utf16le')]);
};

/** A shortcut with a relative path, arguments and an icon ([MS-SHLLINK]). */
export function shortcutTo(path: string, untrustedArguments: string, icon: string): Buffer {
  const header = Buffer.alloc(0x4c);
  header.writeUInt32LE(0x4c, 0);
  Buffer.from('0114020000000000c000000000000046', 'hex').copy(header, 4);
  header.writeUInt32LE(0x8 | 0x20 | 0x40 | 0x80, 20);
  return Buffer.concat([header, wide(path), wide(untrustedArguments), wide(icon), Buffer.alloc(4)]);
}

const SECTOR = 2_048;

/** An ISO 9660 image with files in its root. */
export function isoOf(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const entries = Object.entries(files);
  const descriptor = Buffer.alloc(SECTOR);
  descriptor[0] = 1;
  descriptor.write('CD001', 1);
  descriptor.writeUInt32LE(18, 158);
  descriptor.writeUInt32LE(SECTOR, 166);
  const end = Buffer.alloc(SECTOR);
  end[0] = 255;
  end.write('CD001', 1);
  const folder = Buffer.alloc(SECTOR);
  const contents: Buffer[] = [];
  let at = 0;
  let sector = 19;
  for (const [name, content] of entries) {
    const length = 33 + name.length + (name.length % 2 === 0 ? 1 : 0);
    folder[at] = length;
    folder.writeUInt32LE(sector, at + 2);
    folder.writeUInt32LE(content.length, at + 10);
    folder[at + 32] = name.length;
    folder.write(name, at + 33, 'latin1');
    at += length;
    const sectors = Math.ceil(content.length / SECTOR);
    contents.push(Buffer.concat([content, Buffer.alloc(sectors * SECTOR - content.length)]));
    sector += sectors;
  }
  return Buffer.concat([Buffer.alloc(16 * SECTOR), descriptor, end, folder, ...contents]);
}

/** A OneNote section with embedded files ([MS-ONESTORE] 2.6.13). */
export function notebookOf(files: readonly Uint8Array[], name = ''): Buffer {
  const header = Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex');
  const objects = files.map((file) => {
    const size = Buffer.alloc(20);
    size.writeUInt32LE(file.length);
    return Buffer.concat([Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex'), size, file]);
  });
  return Buffer.concat([header, Buffer.alloc(1_024), Buffer.from(name, 'utf16le'), ...objects, Buffer.alloc(64)]);
}
