/** Copies of stdin and pipes, which can be read only once. A copy can be inspected before it is read completely. */
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StreamCopies {
  /** Reads stdin to its end, once. Returns the path of the copy. */
  ofStdin(): Promise<string>;
  ofPipe(path: string): Promise<string>;
  /** Removes every copy. */
  remove(): Promise<void>;
}

/** Makes the folder for copies below the folder for temporary files. Only this user may read it. */
export function createStreamCopies(stdin: AsyncIterable<Uint8Array | string>): StreamCopies {
  const folders: string[] = [];
  const copy = async (stream: AsyncIterable<Uint8Array | string>): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'airlock-'));
    folders.push(folder);
    const path = join(folder, 'stdin');
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const piece of stream) await file.writeFile(piece);
    } finally {
      await file.close();
    }
    return path;
  };
  let ofStdin: Promise<string> | null = null;
  return {
    ofStdin() {
      ofStdin ??= copy(stdin);
      return ofStdin;
    },
    ofPipe: (path) => copy(createReadStream(path)),
    async remove() {
      for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
    },
  };
}
