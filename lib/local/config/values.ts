/** The values of `airlock.config.json`: the words for people, the form, and whether it is a path. */
import * as z from 'zod/mini';
import { SECRET_VARIABLE } from '../options/secret-variable.ts';

/** A kind of value. */
export interface Value {
  /** The accepted values: "a whole number from 0 to 65535". */
  readonly accepts: string;
  readonly schema: z.ZodMiniType;
  /** Returns whether a text of it is a path, which is relative to the folder of the configuration. */
  readonly isPath: (text: string) => boolean;
  /** The found value is not shown, because people put secrets there. */
  readonly isHidden: boolean;
}

const never = () => false;
const always = () => true;
const value = (accepts: string, schema: z.ZodMiniType, isPath: Value['isPath'] = never, isHidden = false): Value => ({
  accepts,
  schema,
  isPath,
  isHidden,
});
const formed = (pattern: RegExp) => z.string().check(z.maxLength(2_000), z.regex(pattern));
const PATH = formed(/^[^\0\r\n]+$/);

export const file = value('the path of a file', PATH, always);
export const folder = value('the path of a folder', PATH, always);
export const program = value('the path of a program, or `none`', PATH, (text) => text !== 'none');
export const filesPlace = value(
  'the path of a folder, or `s3://bucket/prefix`',
  PATH,
  (text) => !text.startsWith('s3://'),
);
export const flag = value('`true` or `false`', z.boolean());
export const text = value('a text of one line', formed(/^[^\0\r\n]+$/));
export const webUrl = value(
  'an address such as `https://analysis.example/`, without a password in it',
  formed(/^https?:\/\/[^\s@]+$/),
  never,
  true,
);
export const proxyUrl = value(
  '`http://host:port`, without a password in it',
  formed(/^http:\/\/[^\s@/?#]+\/?$/),
  never,
  true,
);
export const database = value(
  '`postgres://user@host/name`, without a password in it (`PGPASSWORD` has it)',
  formed(/^postgres(?:ql)?:\/\/(?:[^\s:@/?#]+@)?[^\s@/?#]+\/(?!\S*password=)[^\s@]+$/i),
  never,
  true,
);
export const place = value('`HOST:PORT`', formed(/^(?:\[[0-9A-Za-z:.-]+\]|[0-9A-Za-z.-]+):\d{1,5}$/));
export const mailPlace = value(
  '`HOST:PORT`, or `lmtp:HOST:PORT`',
  formed(/^(?:(?:smtp|lmtp):)?(?:\[[0-9A-Za-z:.-]+\]|[0-9A-Za-z.-]+):\d{1,5}$/),
);
export const milterPlace = value(
  '`HOST:PORT`, or `unix:PATH`',
  formed(/^(?:unix:.+|(?:\[[0-9A-Za-z:.-]+\]|[0-9A-Za-z.-]+):\d{1,5})$/),
);
export const host = value('an address of this machine, or `localhost`', formed(/^(?:localhost|[0-9A-Fa-f:.]+)$/));
export const hostName = value('a host name', formed(/^[A-Za-z0-9.-]{1,255}$/));
export const mailAddress = value('a mail address', formed(/^[^\s@]+@[^\s@]+$/));
/** An entry of a list of addresses, or a range of them. */
export const range = value('an address or a range such as `10.0.0.0/8`', formed(/^[0-9A-Fa-f:.]+(?:\/\d{1,3})?$/));
export const domain = value('a domain', formed(/^[\p{L}\p{N}_.-]{1,255}$/u));

export function whole(least: number, most: number): Value {
  return value(`a whole number from ${least} to ${most}`, z.int().check(z.gte(least), z.lte(most)));
}

export function oneOf(values: readonly string[]): Value {
  return value(`one of ${values.map((each) => `\`${each}\``).join(', ')}`, z.enum(values as [string, ...string[]]));
}

export function oneNumberOf(values: readonly number[]): Value {
  return value(`one of ${values.join(', ')}`, z.literal([...values]));
}

export function listOf({ accepts, schema, isPath, isHidden }: Value): Value {
  return value(
    `a list, of which each entry is ${accepts}`,
    z.array(schema).check(z.maxLength(1_000)),
    isPath,
    isHidden,
  );
}

/** The place of a secret. The secret itself has no form here, so the file cannot contain it. */
export const Secret = z.union([
  z.strictObject({ env: formed(SECRET_VARIABLE).check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/)) }),
  z.strictObject({ file: PATH }),
]);
export type Secret = z.infer<typeof Secret>;

export const secret = value(
  '`{ "env": NAME }` or `{ "file": PATH }`: the name of a variable (with KEY, TOKEN, SECRET or PASSWORD in it) or the path of a file, never the secret itself',
  Secret,
  never,
  true,
);
