/** The text that replaces a missing file or text: what it was, why it is not here, and what to do. Pure. */
import { type Help, helpSentences, helpValues } from './help.ts';
import { escapedHtml, wordsIn } from './in-language.ts';
import type { KindOfFile, Language } from './words.ts';

export interface PlaceholderFacts {
  readonly language: Language;
  /** Null for a text of the message. */
  readonly file: {
    /** The sender's name for it, already made safe to show; null when it had no name. */
    readonly name: string | null;
    readonly kind: KindOfFile;
    readonly sizeBytes: number;
  } | null;
  /** The sentence that gives the reason. */
  readonly why: string;
  /** The request to make of the sender; null when nothing would help. */
  readonly advice: 'asPdf' | 'asPicture' | 'asFilm' | 'unpacked' | 'withoutPassword' | null;
  /** True when the file is still being analysed, and follows. */
  readonly isLater: boolean;
  readonly help: Help;
  readonly runId: string;
  /** The hash, for people who analyse the file. */
  readonly sha256: string;
}

interface Row {
  readonly label: string;
  readonly lines: readonly string[];
}

function rowsOf({ language, file, why, advice, isLater, help, runId }: PlaceholderFacts): Row[] {
  const { page } = wordsIn(language);
  const { labels } = page;
  const asked = [...(advice === null ? [] : [page[advice]]), ...helpSentences(page.release, language, help, runId)];
  const steps = isLater ? [page.laterAdvice] : asked;
  const what =
    file === null
      ? []
      : [
          { label: labels.name, lines: [file.name ?? page.noName] },
          { label: labels.what, lines: [`${page.kinds[file.kind]}, ${sizeIn(language, file.sizeBytes)}`] },
        ];
  return [...what, { label: labels.why, lines: [why] }, { label: labels.whatToDo, lines: steps }];
}

/** Returns a size such as `3.4 kB` or `3,4 ko`. */
function sizeIn(language: Language, bytes: number): string {
  const [value, unit] =
    bytes < 1_000
      ? [bytes, 'byte' as const]
      : bytes < 1_000_000
        ? [bytes / 1_000, 'kilobyte' as const]
        : [bytes / 1_000_000, 'megabyte' as const];
  return formatOf(language, unit).format(value);
}

/** Formats by language and unit. Making a format takes longer than the rest of the page. */
const FORMATS = new Map<string, Intl.NumberFormat>();

function formatOf(language: Language, unit: 'byte' | 'kilobyte' | 'megabyte'): Intl.NumberFormat {
  const name = `${language} ${unit}`;
  const known = FORMATS.get(name);
  if (known !== undefined) return known;
  const unitDisplay = unit === 'byte' ? 'long' : 'short';
  const made = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay, maximumFractionDigits: 1 });
  FORMATS.set(name, made);
  return made;
}

function titleOf({ language, file, isLater }: PlaceholderFacts): string {
  const { textTitle, fileTitle, laterTitle } = wordsIn(language).page;
  if (isLater) return laterTitle;
  return file === null ? textTitle : fileTitle;
}

/** Returns plain text with CRLF line ends. */
export function placeholderText(facts: PlaceholderFacts): string {
  const rows = rowsOf(facts).flatMap(({ label, lines }) => [`${label}:`, ...lines.map((line) => `  ${line}`), '']);
  return [titleOf(facts), '', ...rows, `SHA-256: ${facts.sha256}`, ''].join('\r\n');
}

const STYLE = [
  'body{margin:0;background:#f3f4f6;color:#1f2328;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif}',
  'main{max-width:38em;margin:2.5em auto;padding:1.5em 2em;background:#fff;border:1px solid #d0d7de;border-top:6px solid #c77700;border-radius:6px}',
  'h1{font-size:1.35em;margin:0 0 .8em}dt{font-weight:bold;margin-top:.9em}dd{margin:.15em 0 0;overflow-wrap:anywhere}',
  'footer{margin-top:1.6em;padding-top:.8em;border-top:1px solid #d0d7de;color:#59636e;font-size:.75em;overflow-wrap:anywhere}',
].join('');

/** Returns a page that loads nothing and runs nothing. Its only link is the address of the operator's own page. */
export function placeholderPage(facts: PlaceholderFacts): string {
  const { language, help, runId } = facts;
  const title = escapedHtml(titleOf(facts));
  const rows = rowsOf(facts).map(
    ({ label, lines }) =>
      `<dt>${escapedHtml(label)}</dt>\n${lines.map((line) => `<dd>${escapedHtml(line)}</dd>`).join('\n')}`,
  );
  return [
    '<!DOCTYPE html>',
    `<html lang="${language}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${title}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    '<main>',
    `<h1>${title}</h1>`,
    `<dl>\n${linked(rows.join('\n'), help, runId)}\n</dl>`,
    `<footer>Mail Airlock · SHA-256: ${facts.sha256}</footer>`,
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/**
 * Returns the address of the operator's page as a link. It occurs only in our own sentence, because a text of the sender has no address
 * left.
 */
function linked(html: string, help: Help, runId: string): string {
  const { desk } = helpValues('en', help, runId);
  const shown = escapedHtml(desk ?? '');
  return desk === null ? html : html.replace(shown, () => `<a href="${shown}">${shown}</a>`);
}
