/**
 * Hostile files are read in a process whose environment holds no secret. On Linux every thread of a process can read the environment
 * that the process was started with, whatever was deleted from it since. So a process that was started with secrets starts itself
 * once more without them and hands them over by message; it then does nothing but pass on signals and the exit code.
 */
import { type ChildProcess, spawn } from 'node:child_process';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What of a process is used here: `process`, or a stand-in. */
export type Self = Pick<
  NodeJS.Process,
  'argv' | 'channel' | 'env' | 'execArgv' | 'execPath' | 'exit' | 'kill' | 'on' | 'once' | 'pid' | 'send'
>;

/** Names of variables that hold secrets: ours, those of cloud accounts, forges and registries. */
const SECRET = /KEY|TOKEN|SECRET|PASS(?:W|PHRASE)|CREDENTIAL|AUTH/i;
/** Set for the second process, and what it reads first. */
const MARK = 'AIRLOCK_STARTED_WITHOUT_SECRETS';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The environment to work with, secrets included; null in the process that only stands in front of the one that works. */
export async function environmentApart(self: Self): Promise<Environment | null> {
  if (self.env[MARK] !== undefined && self.send !== undefined) return { ...self.env, ...(await secretsOfParent(self)) };
  const names = Object.keys(self.env).filter((name) => SECRET.test(name));
  if (names.length === 0) return self.env;
  mirror(self, startWithout(self, names));
  return null;
}

function secretsOfParent(self: Self): Promise<Environment> {
  // Whoever ends the process that was started means this one too.
  self.once('disconnect', () => self.exit(3));
  return new Promise((resolve) =>
    self.once('message', (secrets) => {
      // The work alone decides when this process ends.
      self.channel?.unref();
      resolve(secrets as Environment);
    }),
  );
}

function startWithout(self: Self, names: readonly string[]): ChildProcess {
  const open = Object.entries(self.env).filter(([name]) => !names.includes(name));
  const child = spawn(self.execPath, [...self.execArgv, ...self.argv.slice(1)], {
    env: { ...Object.fromEntries(open), [MARK]: '1' },
    // In a group of its own, so that a Ctrl-C reaches it once, from here: two of them mean "at once".
    detached: true,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  child.send(Object.fromEntries(names.map((name) => [name, self.env[name]])));
  return child;
}

function mirror(self: Self, child: ChildProcess): void {
  for (const signal of SIGNALS) self.on(signal, () => child.kill(signal));
  child.once('error', () => self.exit(3));
  child.once('exit', (code, signal) => {
    if (code !== null) self.exit(code);
    // It was killed: so is this process, as whoever waits for it expects.
    self.kill(self.pid, signal ?? 'SIGKILL');
  });
}
