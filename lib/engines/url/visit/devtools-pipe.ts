/** The DevTools protocol over the pipes of a Chromium with --remote-debugging-pipe. Each message is JSON that ends in NUL. */
import type { Readable, Writable } from 'node:stream';

export interface Devtools {
  /** Calls a method and returns its result. Rejects when it fails or the pipe closes. */
  ask(method: string, params: object, sessionId?: string): Promise<Readonly<Record<string, unknown>>>;
}

interface Message {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}
interface Waiting {
  readonly resolve: (result: Readonly<Record<string, unknown>>) => void;
  readonly reject: (error: Error) => void;
}

/** The longest answer. The picture in base64 is the largest one. */
const MESSAGE_CHARACTERS = 16 * 1024 * 1024;

/** Talks over the two pipes, which are the third and fourth of the process. */
export function devtools(toBrowser: unknown, fromBrowser: unknown): Devtools {
  const [input, output] = [toBrowser as Writable, fromBrowser as Readable];
  const waiting = new Map<number, Waiting>();
  let [lastId, text] = [0, ''];
  const close = () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser closed its pipe'));
    waiting.clear();
    output.destroy();
  };
  input.on('error', close);
  output.on('error', close).on('close', close).setEncoding('utf8');
  output.on('data', (chunk: string) => {
    text += chunk;
    if (text.length > MESSAGE_CHARACTERS) return close();
    if (!chunk.includes('\0')) return;
    const messages = text.split('\0');
    text = messages.pop() ?? '';
    for (const message of messages) settle(waiting, JSON.parse(message) as Message);
  });
  return {
    ask: (method, params, sessionId) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        input.write(`${JSON.stringify({ id: lastId, method, params, ...(sessionId && { sessionId }) })}\0`);
      }),
  };
}

function settle(waiting: Map<number, Waiting>, { id, result, error }: Message): void {
  const asked = id === undefined ? undefined : waiting.get(id);
  if (id === undefined || !asked) return;
  waiting.delete(id);
  if (error) asked.reject(new Error(error.message));
  else asked.resolve(result ?? {});
}
