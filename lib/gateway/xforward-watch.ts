/**
 * Notices mail servers that hand mail on and never say whose it is, though XFORWARD of them would be believed. What was noticed lies in
 * the folder `without-xforward` of the spool, as an empty file for each address, where `airlock gateway status` finds it.
 */
import { isIP } from 'node:net';
import { type Files, writeDurably } from './files.ts';

export interface XforwardWatch {
  /** Told of each accepted message of a server that would be believed: its address, and whether it said whose the message is. */
  took(address: string, isTold: boolean): void;
  /** Resolves when what was noticed is written down. */
  settled(): Promise<void>;
}

const FOLDER = 'without-xforward';
/** Messages in a row of one server. Somebody who only tries the gateway sends fewer. */
const UNTOLD = 10;
const pathOf = (address: string) => `${FOLDER}/${encodeURIComponent(address)}`;

/** Watches anew: what an earlier process noticed is forgotten, because the servers may have been set up better since. */
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

/** The addresses of servers of which it was noticed. */
export async function serversWithoutXforward(files: Files): Promise<string[]> {
  return (await files.list(FOLDER)).map((name) => decodeURIComponent(name)).filter((address) => isIP(address) !== 0);
}

/** What it means, for people. */
export const withoutXforward = (address: string): string =>
  `${address} hands on mail without XFORWARD, so all of its clients look like one: they share one turn, and nothing says whose a mail was. Postfix sends it with smtp_send_xforward_command=yes (docs/gateway.md).`;
