/**
 * Notices mail servers that pass mail on and never name its client, though their XFORWARD would be believed. The folder `without-xforward`
 * of the spool has an empty file for each such address, where `airlock gateway status` finds it.
 */
import { isIP } from 'node:net';
import { type Files, writeDurably } from './files.ts';

export interface XforwardWatch {
  /** Called for each accepted message of a server that would be believed: its address, and whether it named the client. */
  took(address: string, isTold: boolean): void;
  /** Resolves when the result is written down. */
  settled(): Promise<void>;
}

const FOLDER = 'without-xforward';
/** Messages in a row of one server. A person who only tests the gateway sends fewer. */
const UNTOLD = 10;
const pathOf = (address: string) => `${FOLDER}/${encodeURIComponent(address)}`;

/** Begins anew and forgets the results of an earlier process, because the servers may have better settings since. */
export async function watchXforward(
  files: Files,
  onNoticed: (address: string) => void,
  onFault: (error: unknown) => void,
): Promise<XforwardWatch> {
  for (const address of await serversWithoutXforward(files)) await files.remove(pathOf(address));
  const untold = new Map<string, number>();
  let last = Promise.resolve();
  const inOrder = (work: () => Promise<void>) => {
    last = last.then(work).catch(onFault);
  };
  return {
    settled: () => last,
    took(address, isTold) {
      const before = untold.get(address) ?? 0;
      untold.set(address, isTold ? 0 : before + 1);
      if (isTold && before >= UNTOLD) inOrder(() => files.remove(pathOf(address)));
      if (isTold || before + 1 !== UNTOLD) return;
      onNoticed(address);
      inOrder(async () => {
        await files.makeFolder(FOLDER);
        await writeDurably(files, pathOf(address), new Uint8Array());
      });
    },
  };
}

/** Returns the addresses of these servers. */
export async function serversWithoutXforward(files: Files): Promise<string[]> {
  return (await files.list(FOLDER)).map((name) => decodeURIComponent(name)).filter((address) => isIP(address) !== 0);
}

/** Says to operators what it means that a mail server sends no XFORWARD, and how to change that. */
export const withoutXforward = (address: string): string =>
  `${address} hands on mail without XFORWARD, so all of its clients look like one: they share one turn, and nothing says whose a mail was. Postfix sends it with smtp_send_xforward_command=yes (docs/gateway.md).`;
