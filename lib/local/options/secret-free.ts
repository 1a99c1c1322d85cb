/**
 * Hostile files are read in a process whose environment holds no secret. On Linux every thread of a process can read the environment with
 * which the process was started, even after deletions. So a process that was started with secrets starts itself once more without them and
 * sends them to the second process by message. After that it only passes on signals and the exit code.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { SECRET_VARIABLE } from './secret-variable.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The members of `process` that are used here, so that tests can replace it. */
export type Self = Pick<
  NodeJS.Process,
  'argv' | 'channel' | 'env' | 'execArgv' | 'execPath' | 'exit' | 'kill' | 'on' | 'once' | 'pid' | 'send'
>;

/** The variable that marks the second process. */
const MARK = 'AIRLOCK_STARTED_WITHOUT_SECRETS';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Returns the environment with its secrets. Null in a first process, which only starts the second one and passes on its signals. */
export async function environmentApart(self: Self): Promise<Environment | null> {
  if (self.env[MARK] !== undefined && self.send !== undefined) return { ...self.env, ...(await secretsOfParent(self)) };
  const names = Object.keys(self.env).filter((name) => SECRET_VARIABLE.test(name));
  if (names.length === 0) return self.env;
  mirror(self, startWithout(self, names));
  return null;
}

function secretsOfParent(self: Self): Promise<Environment> {
  // When the first process ends, this one must end too.
  self.once('disconnect', () => self.exit(3));
  return new Promise((resolve) =>
    self.once('message', (secrets) => {
      // The open channel alone must not keep this process alive.
      self.channel?.unref();
      resolve(secrets as Environment);
    }),
  );
}

function startWithout(self: Self, names: readonly string[]): ChildProcess {
  const open = Object.entries(self.env).filter(([name]) => !names.includes(name));
  const child = spawn(self.execPath, [...self.execArgv, ...self.argv.slice(1)], {
    env: { ...Object.fromEntries(open), [MARK]: '1' },
    // It has its own process group, so that a Ctrl-C reaches it once, from here. Two of them mean "stop at once".
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
    // The second process was killed. This one ends by the same signal, as its parent expects.
    self.kill(self.pid, signal ?? 'SIGKILL');
  });
}
