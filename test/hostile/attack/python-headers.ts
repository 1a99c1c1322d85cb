/** Header fields as Python's email package finds them, where Python is installed: one process for a whole class. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { createInterface, type Interface } from 'node:readline';
import { isInstalled } from '../../checkers/tools.ts';

/** A message in base64 a line in; its fields a line out: of the message, of its parts, and of the messages inside it. */
const SCRIPT = `
import base64, email, json, sys
for line in sys.stdin:
    found = []
    message = email.message_from_bytes(base64.b64decode(line))
    for part in message.walk():
        found += [[name, str(value), part is not message] for name, value in part.items()]
    print(json.dumps(found), flush=True)
`;

export type PythonField = readonly [name: string, value: string, isPart: boolean];

interface Running {
  readonly process: ChildProcessWithoutNullStreams;
  readonly lines: Interface;
}

let running: Running | null = null;

function start(): Running {
  const process = spawn('python3', ['-c', SCRIPT]);
  return { process, lines: createInterface({ input: process.stdout }) };
}

/** Ends when the last question that was asked is answered: an answer does not say which question it belongs to. */
let lastAnswer: Promise<unknown> = Promise.resolve();

/** The fields of a message; empty, with a line on stderr the first time, where there is no Python. May be called many times at once. */
export function fieldsPythonFinds(message: Uint8Array): Promise<readonly PythonField[]> {
  if (!hasPython()) return Promise.resolve([]);
  const fields = lastAnswer.then(() => askPython(message));
  lastAnswer = fields.catch(() => {});
  return fields;
}

async function askPython(message: Uint8Array): Promise<readonly PythonField[]> {
  running ??= start();
  const { process, lines } = running;
  const handles = [process, process.stdin as unknown as Socket, process.stdout as unknown as Socket];
  // Idle, it keeps nobody waiting, and it ends when its input does.
  for (const handle of handles) handle.ref();
  const answer = new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    process.once('exit', (code) => reject(new Error(`Python ended with ${code}`)));
  });
  process.stdin.write(`${Buffer.from(message).toString('base64')}\n`);
  try {
    return JSON.parse(await answer) as PythonField[];
  } finally {
    process.removeAllListeners('exit');
    for (const handle of handles) handle.unref();
  }
}

let isThere: boolean | null = null;

function hasPython(): boolean {
  if (isThere === null) {
    isThere = isInstalled('python3');
    if (!isThere)
      process.stderr.write('python3 is not installed: headers are judged by three parsers instead of four\n');
  }
  return isThere;
}
