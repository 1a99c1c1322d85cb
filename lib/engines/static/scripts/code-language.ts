/** In which language code is read. What counts as a capability differs: a page that evaluates text is ordinary, a macro is not. */
import { VBA_SOURCE } from '../findings/module.ts';

export type Language = 'javascript' | 'basic' | 'macro' | 'powershell' | 'batch' | 'host' | 'unix' | 'other';

const LANGUAGES: Readonly<Record<string, Language>> = {
  'text/javascript': 'javascript',
  'text/vbscript': 'basic',
  [VBA_SOURCE]: 'macro',
  'application/x-powershell': 'powershell',
  'text/x-msdos-batch': 'batch',
  // Programs of the Windows script host: JScript and VBScript in one file.
  'application/hta': 'host',
  'application/x-wsf': 'host',
  'text/scriptlet': 'host',
  // Programs of servers and developers: fetching and starting things is what they are for.
  'text/x-shellscript': 'unix',
  'text/x-python': 'unix',
};

/** The language of a script type; `other` for the rest. */
export function languageOf(type: string): Language {
  return LANGUAGES[type] ?? 'other';
}
