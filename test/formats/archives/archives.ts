/** Archives for tests, packed by 7-Zip itself, so that what is opened is what the world's programs write. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { SevenZipModule } from '7z-wasm';

const require = createRequire(import.meta.url);
const create = require('7z-wasm') as (options: object) => Promise<SevenZipModule>;
/** Node has it, but the types for Node do not declare it. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: Record<'Module' | 'Instance', new (...args: unknown[]) => object>;
};
/** Compiled once: that takes longer than to pack. */
const sevenZip = new wasm.Module(readFileSync(require.resolve('7z-wasm/7zz.wasm')));
const instantiateWasm = (imports: object, take: (instance: object) => void) =>
  take(new wasm.Instance(sevenZip, imports));

export interface PackOptions {
  readonly password?: string;
  /** More switches of 7-Zip, for example `-mhe=on`. */
  readonly switches?: readonly string[];
}

/** An archive of the files, in one of the formats that 7-Zip writes. */
export async function packed(
  type: '7z' | 'zip' | 'tar' | 'gzip' | 'bzip2' | 'xz',
  files: Readonly<Record<string, string | Uint8Array>>,
  { password, switches = [] }: PackOptions = {},
): Promise<Buffer> {
  const lines: string[] = [];
  const keep = (line: string) => void lines.push(line);
  const before = process.exitCode;
  const module = await create({ instantiateWasm, print: keep, printErr: keep });
  module.FS.mkdir('/files');
  module.FS.chdir('/files');
  for (const [name, content] of Object.entries(files)) {
    const folder = name.split('/').slice(0, -1).join('/');
    if (folder !== '') (module.FS as unknown as { mkdirTree(path: string): void }).mkdirTree(folder);
    module.FS.writeFile(name, typeof content === 'string' ? content : new Uint8Array(content));
  }
  const secret = password === undefined ? [] : [`-p${password}`];
  const names = type === 'gzip' || type === 'bzip2' || type === 'xz' ? Object.keys(files) : ['.'];
  try {
    module.callMain(['a', `-t${type}`, '-y', ...secret, ...switches, '/archive', ...names]);
  } finally {
    // 7-Zip sets the exit code of the process that it runs in.
    process.exitCode = before;
  }
  const found = (module.FS.readdir('/') as string[]).find((name) => name.startsWith('archive'));
  if (found === undefined) throw new Error(`nothing was packed: ${lines.join('\n')}`);
  return Buffer.from(module.FS.readFile(`/${found}`));
}
