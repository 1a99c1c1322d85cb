/**
 * The text of a list of the operator: known files, hosts and links, with date, source and reason. Lines `verdict:`, `source:`, `since:` and
 * `reason:` count for the entries after them. An entry may have its own since, reason and source after bars. Pure.
 */
import { parseUrl } from '../../formats/urls/parse-url.ts';
import { ConfigError } from '../errors.ts';
import { LISTED_VERDICTS, type ListEntry } from '../ledger/list-entry.ts';

/** The most faults of one text that are reported. */
const MAX_FAULTS = 20;
const MAX_LINE = 8_192;
const MAX_WORDS = 300;
const SETTING = /^(verdict|source|since|reason):\s*(.*)$/;
const HOST = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

type Settings = { -readonly [Name in 'verdict' | 'source' | 'since' | 'reason']: string };

/**
 * Returns the entries of a list. A list with any fault is refused as a whole, because nobody would notice a rule that silently does
 * nothing. Throws ConfigError with `NAME:LINE: what is wrong` for each fault.
 *
 * @example
 * ```ts
 * const text = 'verdict: malicious\nsource: SOC\nsince: 2026-11-01\nreason: phishing\nevil.example\n';
 * parseOperatorList('soc.txt', text).map(({ kind, value }) => [kind, value]); // => [['domain', 'evil.example']]
 * ```
 */
export function parseOperatorList(name: string, text: string): ListEntry[] {
  const entries: ListEntry[] = [];
  const faults: string[] = [];
  const settings: Settings = { verdict: '', source: '', since: '', reason: '' };
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const setting = SETTING.exec(line);
    const made = setting === null ? entryOf(line, settings, name, index + 1) : set(settings, setting);
    if (typeof made === 'string') faults.push(`${name}:${index + 1}: ${made}`);
    else if (made !== null) entries.push(made);
    if (faults.length >= MAX_FAULTS) break;
  }
  if (faults.length > 0) throw new ConfigError(`the list ${name}`, faults);
  return entries;
}

/** Returns what is wrong with a line; null when it is valid. */
function set(settings: Settings, [, name = '', value = '']: RegExpExecArray): string | null {
  const isVerdict = LISTED_VERDICTS.some((verdict) => verdict === value);
  if (name === 'verdict' && !isVerdict)
    return `the verdict must be ${LISTED_VERDICTS.join(', ')}, and not ${quoted(value)}`;
  if (name === 'since' && !isDay(value)) return `since must be a day, such as 2026-11-01, and not ${quoted(value)}`;
  if (value === '' || value.length > MAX_WORDS) return `${name} needs 1 to ${MAX_WORDS} characters`;
  settings[name as keyof Settings] = value;
  return null;
}

const isDay = (text: string) => DAY.test(text) && !Number.isNaN(Date.parse(text));
const quoted = (text: string) => JSON.stringify(text.slice(0, 60));

function entryOf(text: string, settings: Settings, list: string, line: number): ListEntry | string {
  if (text.length > MAX_LINE) return `a line has at most ${MAX_LINE} characters`;
  const [written = '', since = settings.since, reason = settings.reason, source = settings.source, ...more] = text
    .split('|')
    .map((part) => part.trim());
  if (more.length > 0) return 'behind an entry stand at most its since, reason and source, with bars between them';
  const verdict = LISTED_VERDICTS.find((known) => known === settings.verdict);
  if (verdict === undefined) return 'a line with "verdict:" must stand in front of the first entry';
  if (!isDay(since))
    return `since must be a day, such as 2026-11-01, in a line "since:" or behind the entry: ${quoted(since)}`;
  const missing = reason === '' ? 'reason' : source === '' ? 'source' : null;
  if (missing !== null)
    return `it has no ${missing}: give one behind the entry, or in a line "${missing}:" in front of it`;
  const what = whatIs(written);
  return typeof what === 'string' ? what : { ...what, verdict, source, since, reason, list, line };
}

function whatIs(written: string): Pick<ListEntry, 'kind' | 'value'> | string {
  if (/^[0-9a-f]{64}$/i.test(written)) return { kind: 'sha256', value: written.toLowerCase() };
  if (/^[0-9a-f]{32}$|^[0-9a-f]{40}$/i.test(written))
    return 'files are known by SHA-256, and this is a hash of another kind';
  if (written.includes('://')) return urlOf(written);
  if (/[/@?#:\\%\s]/.test(written) || !written.includes('.'))
    return `${quoted(written)} is neither a SHA-256, nor a host such as evil.example, nor an address that begins with https://`;
  const host = parseUrl(`http://${written}/`)?.hostname.replace(/\.+$/, '') ?? '';
  return HOST.test(host) ? { kind: 'domain', value: host } : `${quoted(written)} is no name of a host`;
}

function urlOf(written: string): Pick<ListEntry, 'kind' | 'value'> | string {
  const url = parseUrl(written);
  if (url === null || !/^(?:https?|ftp):$/.test(url.protocol)) return `${quoted(written)} is no address of the web`;
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    return 'the beginning of an address has no user, no password and nothing behind #';
  return { kind: 'url', value: url.href };
}
