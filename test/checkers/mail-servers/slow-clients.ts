/** Clients that send a byte now and then, and ordinary mail beside them. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { untilArrived } from './mailboxes.ts';
import { inPlace } from './place.ts';
import { loadIn, recipeIn, sendLoad, type Trial } from './trial-parts.ts';

const CLIENTS = 50;
const LOAD = 60;
/** Milliseconds between two bytes of one client. */
const DRIP_MS = 200;
/** Ordinary mail may take so many times as long beside them. On a machine that does much else, the clock says little more than that. */
const MAX_TIMES = 3;
/** Each client begins to send one of these byte by byte. The first is a command line, the second the header of a message. */
const BEFORE = ['', 'EHLO slow.example\r\nMAIL FROM:<slow@sender.example>\r\nRCPT TO:<bo@example.com>\r\nDATA\r\n'];

/** Connects from another address, and drips. */
async function slowClient(port: number, number: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.3' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  await once(socket, 'data');
  socket.resume().write(BEFORE[number % BEFORE.length] ?? '');
  const text = 'X'.repeat(40);
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text.charAt(at % text.length));
    at += 1;
  }, DRIP_MS);
  socket.once('close', () => clearInterval(timer));
  return socket;
}

async function loadMs(port: number): Promise<{ ms: number; problems: string[] }> {
  const began = performance.now();
  const problems = await sendLoad(port, LOAD);
  return { ms: performance.now() - began, problems };
}

export const slowClients: Trial = {
  name: `${CLIENTS} slow connections beside ordinary mail`,
  run: (folder) =>
    inPlace(folder, async (place) => {
      const { ports, mail } = place;
      await place.dovecot();
      await place.gateway(recipeIn(place, 'Before Dovecot').gateway);
      // The first messages wait until functions are compiled.
      const first = await loadMs(ports.gateway);
      const alone = await loadMs(ports.gateway);
      const clients = await Promise.all(
        Array.from({ length: CLIENTS }, (_, number) => slowClient(ports.gateway, number)),
      );
      const beside = await loadMs(ports.gateway);
      const isOpen = clients.filter(({ closed }) => !closed).length;
      const arrived = loadIn(await untilArrived(mail, 3 * LOAD)).length;
      for (const client of clients) client.destroy();
      return [
        ...[first, alone, beside].flatMap(({ problems }) => problems),
        ...(isOpen === CLIENTS ? [] : [`only ${isOpen} slow connections were open, so this says little`]),
        ...(arrived === 3 * LOAD ? [] : [`${arrived} of ${3 * LOAD} messages arrived`]),
        ...(beside.ms <= MAX_TIMES * alone.ms
          ? []
          : [`ordinary mail took ${(beside.ms / alone.ms).toFixed(1)} times as long beside them`]),
      ];
    }),
};
