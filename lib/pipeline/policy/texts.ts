/** The part of the policy about the texts for recipients and operators. */
import * as z from 'zod/mini';
import { NEEDED_IN_TEMPLATE } from '../../words/banner.ts';
import { isPlainAddress } from '../../words/notice.ts';
import { LANGUAGES } from '../../words/words.ts';

export const domain = () =>
  z
    .string()
    .check(z.regex(/^(?=.{1,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/, 'Expected a domain in small letters'));

/** A domain alone, or, with a dot in front of it, every domain below it. */
const ownDomain = () =>
  z
    .string()
    .check(
      z.regex(
        /^\.?(?=.{1,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/,
        'Expected a domain in small letters, or a dot and a domain for all below it',
      ),
    );

/** Words of the operator in mail. They may not contain anything that breaks a line or a sentence of ours. */
const phrase = () =>
  z.string().check(z.maxLength(200), z.regex(/^[^\p{C}<>{}]*$/u, 'must be one line without < > { }'));
const deskUrl = () =>
  z.string().check(z.maxLength(500), z.regex(/^https:\/\/[^\s"'<>\\^`]+$/, 'must be an https address'));
const template = () => z.string().check(z.maxLength(20_000));

/** The messages to recipients, and their form. */
export const Told = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /** The language of every text, unless the domain of the recipient has another. */
      language: z._default(z.enum(LANGUAGES), 'en'),
      /** The language by the domain of the recipient; subdomains count. */
      languageByDomain: z._default(z.record(domain(), z.enum(LANGUAGES)), {}),
      /** The place of the banner in a message in which something was changed or withheld. */
      banner: z._default(z.enum(['top', 'bottom', 'off']), 'top'),
      /** The form of the placeholder for a file that was removed. */
      placeholder: z._default(z.enum(['html', 'text']), 'html'),
      /** Whom to ask, in the middle of a sentence. Empty: the words of the language. */
      contact: z._default(phrase(), ''),
      /** The page on which a release is asked for; `{reference}` is replaced by the reference. Empty: there is no such page. */
      deskUrl: z._default(z.union([z.literal(''), deskUrl()]), ''),
      /** Banners of the operator, by language. In a policy file, `{ "file": "banner.de.html" }` names a file beside it. */
      templates: z._default(
        z.partialRecord(
          z.enum(LANGUAGES),
          z.strictObject({ html: z.optional(template()), text: z.optional(template()) }),
        ),
        {},
      ),
    }),
    {},
  ),
);

const address = () => z.string().check(z.refine(isPlainAddress, 'must be a plain address'));

/** The people who are informed of a held message. */
export const Notices = z.lazy(() =>
  z.prefault(
    z.strictObject({
      /** The recipient, the operator, or nobody. It is never the sender. */
      notify: z._default(z.enum(['none', 'recipient', 'admin']), 'none'),
      /** The sender of notices. */
      from: z._default(z.union([z.literal(''), address()]), ''),
      /**
       * Your own domains: `example.org` is this domain alone, `.example.org` all domains below it. Only recipients in these domains are
       * told, because a sender writes the header of his mail.
       */
      domains: z._default(z.array(ownDomain()), []),
      /** The addresses that `admin` tells. */
      admin: z._default(z.union([z.literal(''), address()]), ''),
      /** Notices about one sender in one hour of the clock. A message over the limit is held without a notice. */
      perSenderHourly: z._default(z.int().check(z.minimum(1), z.maximum(20)), 5),
    }),
    {},
  ),
);

/** Returns the settings that are missing before anybody can be told. */
export function incompleteNotices({ notify, from, domains, admin }: z.infer<typeof Notices>): string[] {
  if (notify === 'none') return [];
  return [
    ...(from === '' ? ['notices.from: must be the address that notices come from'] : []),
    ...(notify === 'recipient' && domains.length === 0
      ? ['notices.domains: must name the domains of your recipients']
      : []),
    ...(notify === 'admin' && admin === '' ? ['notices.admin: must be the address that is told'] : []),
  ];
}

/** Returns templates without a variable that readers need. */
export function incompleteTemplates({ templates: byLanguage }: z.infer<typeof Told>): string[] {
  return Object.entries(byLanguage).flatMap(([language, templates]) =>
    Object.entries(templates ?? {}).flatMap(([format, template]) =>
      NEEDED_IN_TEMPLATE.filter((variable) => !template?.includes(variable)).map(
        (variable) => `told.templates.${language}.${format}: must contain ${variable}`,
      ),
    ),
  );
}
