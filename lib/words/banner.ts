/**
 * The banner on top of a message in which something was changed or withheld. The operator may write his own template with the variables
 * `{sign}`, `{lead}`, `{summary}`, `{help}`, `{contact}` and `{reference}`. Pure.
 */
import { type Help, helpSentences, helpValues } from './help.ts';
import { escapedHtml, filled, summaryOf, wordsIn } from './in-language.ts';
import type { Counts, Language } from './words.ts';

/** The sign by which the airlock finds its banner again. It is removed from every text that has it and is no banner of ours. */
export const SIGN = '[ Mail Airlock ]';

/** The class of the outermost element. No element of a sender keeps it. */
export const BANNER_CLASS = 'mail-airlock-banner';

/** The templates of one language that replace those of the airlock. */
export interface Templates {
  readonly html?: string | undefined;
  readonly text?: string | undefined;
}

/** The content that an operator's banner must have. With it people can act on the banner, and the airlock finds it again. */
export const NEEDED_IN_TEMPLATE = ['{sign}', '{summary}', '{reference}'] as const;

export interface BannerFacts {
  readonly language: Language;
  readonly counts: Counts;
  readonly help: Help;
  readonly runId: string;
  readonly templates: Templates;
}

const RULE = '-'.repeat(70);

/** `{help}` contains the reference. */
export const TEXT_TEMPLATE = `{sign} {lead}\n{summary}\n{help}\n${RULE}\n`;

/**
 * Returns the style of an element. Each element sets all of its style with `!important`, which no style sheet overrules. Outlook for
 * Windows ignores declarations with that word, so attributes set the style for it.
 */
const RESET = (display: string) =>
  `all:initial!important;display:${display}!important;visibility:visible!important;opacity:1!important`;
const BOX = [
  RESET('table'),
  'position:relative!important;z-index:2147483647!important;clear:both!important;float:none!important',
  'width:100%!important;min-width:260px!important;margin:0 0 16px!important;border-collapse:collapse!important',
  'background:#fff4ce!important;border:1px solid #c77700!important;direction:ltr!important',
].join(';');
const CELL = [
  RESET('table-cell'),
  'padding:10px 14px!important;color:#262626!important;text-align:left!important',
  'font:14px/20px Arial,Helvetica,sans-serif!important',
].join(';');
const INLINE = 'color:#262626!important;font:14px/20px Arial,Helvetica,sans-serif!important';

export const HTML_TEMPLATE = [
  `<table class="${BANNER_CLASS}" role="note" width="100%" cellpadding="10" cellspacing="0" border="1" bordercolor="#c77700" bgcolor="#fff4ce" style="${BOX}">`,
  `<tbody style="${RESET('table-row-group')}"><tr style="${RESET('table-row')}"><td bgcolor="#fff4ce" style="${CELL}">`,
  `<b style="${RESET('inline')};${INLINE};font-weight:bold!important">{sign} {lead}</b><br style="${RESET('inline')}">`,
  `<span style="${RESET('inline')};${INLINE}">{summary}</span><br style="${RESET('inline')}">`,
  `<span style="${RESET('inline')};${INLINE}">{help}</span>`,
  '</td></tr></tbody></table>',
].join('');

function valuesOf({ language, counts, help, runId }: BannerFacts) {
  const { lead, ask } = wordsIn(language).banner;
  return {
    ...helpValues(language, help, runId),
    sign: SIGN,
    lead,
    summary: summaryOf(language, counts),
    help: helpSentences(ask, language, help, runId).join(' '),
  };
}

/** Returns the banner as lines of text, each with its line feed. */
export function bannerText(facts: BannerFacts): string {
  const { desk: _, ...values } = valuesOf(facts);
  const text = filled(facts.templates.text ?? TEXT_TEMPLATE, values);
  // In flowed text (RFC 3676), a blank at the end of a line would join it with the next line.
  return `${text.replace(/[ \t]+$/gm, '').trim()}\n`;
}

/** Returns the banner as one balanced piece of HTML. */
export function bannerHtml(facts: BannerFacts): string {
  const { desk: _, ...values } = valuesOf(facts);
  const escaped = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, escapedHtml(value)]));
  return filled(facts.templates.html ?? HTML_TEMPLATE, escaped);
}
