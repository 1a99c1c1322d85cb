/** Files packaged as OLE objects: a double click on the icon in the document opens them. */
import type { Compound, CompoundStream } from './compound-streams.ts';
import { isProgram } from './executable.ts';

const PACKAGE = /(?:^|\/)\[1\]Ole10Native$/i;
/** Names, paths and lengths come before the file itself; in real packages they take a few hundred bytes. */
const HEADER_BYTES = 4_096;
const RUNNABLE_NAME = /\.(?:exe|scr|com|pif|bat|cmd|js|jse|vbs|vbe|wsf|hta|ps1|lnk|msi|jar)(?![\w.])/i;

/** The first package stream ([MS-OLEDS] 2.3.6) that holds a program or a file named like one. */
export function findPackagedProgram({ streams }: Compound): CompoundStream | undefined {
  return streams.find(({ path, bytes }) => PACKAGE.test(path) && holdsProgram(bytes));
}

function holdsProgram(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, HEADER_BYTES);
  for (let at = 4; at < head.length; at++) if (head[at] === 0x4d && isProgram(bytes.subarray(at))) return true;
  return RUNNABLE_NAME.test(Buffer.from(head).toString('latin1'));
}
