/**
 * The language of code. Each language has its own dangerous calls: a page that evaluates text is ordinary, and a macro that does is not.
 */
import { VBA_SOURCE } from '../findings/module.ts';

export type Language = 'javascript' | 'basic' | 'macro' | 'powershell' | 'batch' | 'host' | 'unix' | 'other';

const LANGUAGES: Readonly<Record<string, Language>> = {
  'text/javascript': 'javascript',
  'text/vbscript': 'basic',
  [VBA_SOURCE]: 'macro',
  'application/x-powershell': 'powershell',
  'text/x-msdos-batch': 'batch',
  // Applications of the Windows script host can hold JScript and VBScript in one file.
  'application/hta': 'host',
  'application/x-wsf': 'host',
  'text/scriptlet': 'host',
  // Scripts of servers and developers fetch files and start programs as a matter of course.
  'text/x-shellscript': 'unix',
  'text/x-python': 'unix',
};

/** Returns the language of a script type; `other` for the rest. */
export function languageOf(type: string): Language {
  return LANGUAGES[type] ?? 'other';
}
