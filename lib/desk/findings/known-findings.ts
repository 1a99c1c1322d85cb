/**
 * The findings of the engines of this project, recognised in the texts of a report, which have no codes. Findings of other services are not
 * known.
 */
import { OWN_FINDINGS, type OwnFindingIds } from '../../service/server/views/own-findings.ts';
import { BEHAVIOUR_DE } from './behaviour-de.ts';
import { CODE_DE } from './code-de.ts';
import { FORMATS_DE } from './formats-de.ts';
import type { GermanText } from './german-text.ts';
import { HOSTS_DE } from './hosts-de.ts';
import { LINKS_DE } from './links-de.ts';
import { RULES_DE } from './rules-de.ts';
import { TYPES_DE } from './types-de.ts';
import { VISITS_DE } from './visits-de.ts';

/** The compiler asks for the German text of each code. */
const GERMAN: { readonly [By in keyof OwnFindingIds]: Readonly<Record<OwnFindingIds[By], GermanText>> } = {
  file: { ...TYPES_DE, ...CODE_DE, ...FORMATS_DE },
  link: { ...HOSTS_DE, ...LINKS_DE },
  visit: VISITS_DE,
  script: BEHAVIOUR_DE,
  rule: RULES_DE,
};

export interface KnownFinding {
  readonly german: GermanText;
  /** The ids of techniques of MITRE ATT&CK, sorted. */
  readonly techniques: readonly string[];
}

/** By the text that a report has for a finding without its place. */
const KNOWN: ReadonlyMap<string, KnownFinding> = new Map(
  OWN_FINDINGS.flatMap(({ by, id, text, techniques }) => {
    const texts: Readonly<Record<string, GermanText>> = GERMAN[by];
    const german = texts[id];
    return german === undefined ? [] : [[text, { german, techniques }] as const];
  }),
);

/** All known texts, for the tests of the table. */
export const KNOWN_TEXTS: readonly string[] = [...KNOWN.keys()];

/**
 * Returns the finding of a text of a report, and the text behind it: its place in brackets, or nothing. Returns null for any other text.
 */
export function knownFinding(text: string): (KnownFinding & { readonly place: string }) | null {
  const whole = KNOWN.get(text);
  if (whole !== undefined) return { ...whole, place: '' };
  // The description may have brackets of its own.
  for (let end = text.indexOf(' ('); end !== -1; end = text.indexOf(' (', end + 1)) {
    const found = KNOWN.get(text.slice(0, end));
    if (found !== undefined) return { ...found, place: text.slice(end) };
  }
  return null;
}
