/** The recipes of docs/gateway.md, so that what is tried here is what an administrator copies, but for ports and folders. */
import { readFileSync } from 'node:fs';

/** The blocks below one heading: settings of Postfix, services of its master, and the command line of the gateway. */
export interface Recipe {
  readonly main: string;
  readonly master: string;
  /** What is added to sendmail.mc, and the parts of a configuration of Exim. */
  readonly sendmail: string;
  readonly exim: Readonly<Record<'main' | 'router' | 'transport', string>>;
  readonly gateway: readonly string[];
  /** The verb of that line. */
  readonly verb: string;
}

const DOCUMENT = new URL('../../../docs/gateway.md', import.meta.url);

/** The recipe below a heading, with other words in the place of some. Throws when the document no longer has such a heading or word. */
export function recipeOf(heading: string, instead: Readonly<Record<string, string>>): Recipe {
  const text = readFileSync(DOCUMENT, 'utf8');
  const [, section] = new RegExp(`\\n#{2,3} ${heading}\\n([\\s\\S]*?)(?=\\n#{2,3} )`).exec(text) ?? [];
  if (section === undefined) throw new Error(`docs/gateway.md has no heading ${heading}`);
  const blocks = [...section.matchAll(/```\n([\s\S]*?)```/g)].map(([, block = '']) => replaced(block, instead));
  const command = blocks.find((block) => /^airlock (?:gateway|milter) /.test(block)) ?? '';
  const [, verb = 'gateway', ...options] = command.replaceAll('\\\n', ' ').split(/\s+/).filter(Boolean);
  return {
    main: blocks.filter((block) => /^\w+ = /.test(block)).join('\n'),
    master: blocks.filter((block) => / (?:inet|unix) /.test(block)).join('\n'),
    sendmail: blocks.filter((block) => /^DAEMON_OPTIONS\(/.test(block)).join('\n'),
    exim: {
      main: blocks.find((block) => /^local_interfaces /.test(block)) ?? '',
      router: blocks.find((block) => / driver = manualroute\n/.test(block)) ?? '',
      transport: blocks.find((block) => / driver = smtp\n/.test(block)) ?? '',
    },
    gateway: options,
    verb,
  };
}

function replaced(block: string, instead: Readonly<Record<string, string>>): string {
  return Object.entries(instead).reduce((text, [word, other]) => text.replaceAll(word, other), block);
}
