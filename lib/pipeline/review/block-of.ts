/** Reads the text of a person who blocks something. */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { normaliseUrl } from '../../message/urls/normalise.ts';
import { Blocked } from '../policy/blocked.ts';
import type { Block, BlockKind } from './block.ts';

const FIELD = { file: 'files', url: 'urls', host: 'hosts', sender: 'senders' } as const;
const MAX_URL_CHARS = 8_192;

/** Returns the text of a person in the form in which it is compared. Returns null when it is not of this kind. */
export function blockOf(kind: BlockKind, text: string): Block | null {
  const value = FORM[kind](text.trim());
  if (value === null) return null;
  return Blocked.safeParse({ [FIELD[kind]]: [value] }).success ? { kind, value } : null;
}

const FORM: Readonly<Record<BlockKind, (text: string) => string | null>> = {
  file: (text) => text.toLowerCase(),
  url: (text) => normaliseUrl(text, null, MAX_URL_CHARS),
  host: (text) => parseUrl(`http://${text}/`)?.hostname.replace(/\.$/, '') ?? null,
  sender: (text) => text.toLowerCase().replace(/^@/, ''),
};
