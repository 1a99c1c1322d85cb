/** Requests that no client would send. */
import { connect } from 'node:net';

/** Sends bytes as they are to the port of an address of this machine, and returns what comes back until the connection closes. */
export async function exchange(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}
