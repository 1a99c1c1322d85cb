/** A folder and ports for one trial, and what it starts there. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import type { Recipe } from './recipes.ts';
import { freePort, type Server, startDovecot, startPostfix } from './servers.ts';

/** What a trial has started, in a folder of its own. Everything ends with it. */
export interface Place {
  readonly folder: string;
  readonly spool: string;
  readonly mail: string;
  readonly ports: Readonly<Record<'front' | 'gateway' | 'back' | 'lmtp' | 'auth', number>>;
  dovecot(): Promise<void>;
  postfix(
    name: string,
    port: number,
    recipe: Pick<Recipe, 'main' | 'master'>,
    settings: readonly string[],
  ): Promise<Server>;
  gateway(options: readonly string[], env?: Readonly<Record<string, string>>, verb?: string): Promise<GatewayProcess>;
}

/** Gives work a place, and ends what it started. */
export async function inPlace(
  folder: string,
  work: (place: Place) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const started: { stop(): Promise<void> }[] = [];
  const keep = <T extends { stop(): Promise<void> }>(one: T): T => {
    started.push(one);
    return one;
  };
  const [front, gateway, back, lmtp, auth] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const [spool, mail] = [join(folder, 'spool'), join(folder, 'dovecot/mail')];
  try {
    return await work({
      ...{ folder, spool, mail, ports: { front, gateway, back, lmtp, auth } },
      async dovecot() {
        await mkdir(join(folder, 'dovecot'), { recursive: true });
        keep(await startDovecot(join(folder, 'dovecot'), lmtp, auth));
      },
      postfix: async (name, port, recipe, settings) =>
        keep(await startPostfix({ folder: join(folder, name), port, recipe, settings })),
      gateway: async (options, env, verb) =>
        keep(await startGateway(options, gateway, join(folder, 'gateway.log'), env, verb)),
    });
  } finally {
    for (const one of started.reverse()) await one.stop();
  }
}
