/**
 * Decides which fields of a message's own header are delivered: a closed list of known names, and unknown names with values that no program
 * interprets. Fields that programs act on are left out.
 */

import { oneOf } from '../../formats/patterns.ts';
import { CONTROLS, type RawField } from './raw-fields.ts';

const words = (list: string) => new Set(list.trim().split(/\s+/));

/** Fields of senders and recipients. Programs show them and answer to them, so the message makes no sense without them. */
const ADDRESSES = words(`
  from sender reply-to to cc bcc
  resent-from resent-sender resent-reply-to resent-to resent-cc resent-bcc
`);

/**
 * Fields of RFC 5322, 2369, 2919, 8058, 3834, 8601, 8617, 6376, 7208 and 9228; requests for a receipt, because programs ask before they
 * answer; and notes of mail programs and gateways about themselves.
 */
const KNOWN = words(`
  date message-id in-reply-to references subject comments keywords resent-date resent-message-id return-path received
  delivered-to x-original-to x-delivered-to envelope-to x-envelope-to x-envelope-from x-received received-spf
  list-id list-help list-unsubscribe list-unsubscribe-post list-subscribe list-post list-owner list-archive archived-at
  auto-submitted precedence priority importance sensitivity x-priority x-msmail-priority x-auto-response-suppress
  authentication-results authentication-results-original arc-seal arc-message-signature arc-authentication-results
  dkim-signature domainkey-signature dkim-filter x-google-dkim-signature x-dkim x-authentication-warning
  organization organisation user-agent x-mailer x-newsreader x-mimeole x-originating-ip x-originalarrivaltime
  feedback-id x-feedback-id x-report-abuse x-report-abuse-to x-csa-complaints x-complaints-to x-abuse-reports-to
  disposition-notification-to disposition-notification-options return-receipt-to x-confirm-reading-to errors-to
  expires reply-by thread-topic thread-index x-thread-topic x-thread-index accept-language x-accept-language
  autocrypt x-beenthere x-loop x-failed-recipients x-universally-unique-identifier x-attachment-id
  x-incomingtopheadermarker x-incomingheadercount x-eopattributedmessage x-eoptenantattributedmessage x-smtpapi
`);
/** Fields of well-known mailers and gateways. They hold opaque ids and results. */
const KNOWN_FAMILY = new RegExp(
  `^x-${oneOf(String.raw`
    ms-exchange ms-publictraffictype ms-traffictypediagnostic ms-office365 microsoft forefront exchange google gm ses sg mc
    mailgun mandrill pm postmark sendgrid sib mailchimp campaign\w* spam virus amavis rspamd mailman proofpoint mimecast
    ironport barracuda yandex ymail yahoo mailru me sonic github gitlab jira linkedin
  `)}(?:-|$)`,
);

/**
 * Fields that programs act on, or that a program writes for itself. By such a field a program may open an address as an attachment,
 * complete relative links, draw a picture, send from another account, show a draft, or believe that a server wrote it.
 */
const ACTED_ON = new RegExp(
  `^${oneOf(`
    x[-_]?airlock x-moz x-apple x-uniform-type x-mail-created x-unsent x-evolution x-kmail x-claws x-sylpheed
    x-ms-exchange-(?:organization|forest)- x-ms-olk x-account-key x-identity x-template x-uidl x-imap x-status x-keywords
    x-gmail-labels x-face x-image x-url face$ bimi-(?!selector$) fcc$ status$ control$ also-control location$ refresh$ set-cookie
    link$ base$ url$ content-
  `)}`,
);

/** The kind of a root field: a sender or recipient, known, unknown but harmless, or one to leave out. */
export type RootFieldKind = 'address' | 'known' | 'unknown' | 'left-out';

/** Returns the kind of a field that is not a Content- field. */
export function kindOfRootField({ name, text, value }: RawField): RootFieldKind {
  if (ACTED_ON.test(name)) return 'left-out';
  if (ADDRESSES.has(name)) return 'address';
  if (name === 'mime-version') return 'known';
  if (LINK_LISTS.has(name) && !leadsOnlyWhereProgramsAsk(value)) return 'left-out';
  if (KNOWN.has(name) || KNOWN_FAMILY.test(name)) return 'known';
  return saysNothing(text, value) ? 'unknown' : 'left-out';
}

/** Fields that programs show as buttons (RFC 2369). A click opens a link in angle brackets as it is. */
const LINK_LISTS = words('list-help list-unsubscribe list-subscribe list-post list-owner list-archive archived-at');

function leadsOnlyWhereProgramsAsk(value: string): boolean {
  return [...value.matchAll(/<([^>]*)>?/g)].every(([, link = '']) => /^\s*(?:https?|mailto):/i.test(link));
}

/** Characters of ids, hashes and signatures. */
const OPAQUE = /^[\w+/=.-]*$/;
/** A host with a path, or a path of words. Encoded bytes soon have capitals and digits, so they do not match. */
const OPAQUE_PLACE = /^(?:www\d{0,3}|ftp)\.|\.[a-z]{2,}\/|^\.{0,2}\/[a-z._-]+(?:\/[\w.-]+)*$/;
/** A scheme, a share, a path or a spelled-out host. A time, or a number behind a colon, does not match. */
const LEADS_SOMEWHERE =
  /:\/|\\|\bwww\d{0,3}\.|(?:^|[\s"'<(=,;])(?:[a-z][a-z0-9+.-]*:(?=[^\s\d])|(?:~|\.{0,2})\/(?=\w))|[\w-]\.[a-z]{2,}\/|%[0-9a-f]{2}|&#/i;

/** Returns true for a value that no program takes for an address, a path or a command. It must be ASCII and properly folded. */
function saysNothing(text: string, value: string): boolean {
  if (!/^[\t\r\n\x20-\x7e]*$/.test(text) || isOddlyFolded(text)) return false;
  const joined = value.replace(/\s+/g, '');
  if (OPAQUE.test(joined)) return !OPAQUE_PLACE.test(joined);
  return !value.includes('=?') && !LEADS_SOMEWHERE.test(value);
}

/**
 * Returns true when a line inside the field does not begin with a blank or does not end in a line feed. Also returns true when a line would
 * be a field that programs act on if its blank were missing.
 */
export function isOddlyFolded(text: string): boolean {
  if (/\r(?!\n)|\n(?![ \t]|$)/.test(text)) return true;
  // In the lists of names in signatures no blank follows the colon, so they do not match.
  return [...text.matchAll(/\n[ \t]+([\w-]{1,80})[ \t]*:[ \t]+\S/g)].some(([, name = '']) =>
    ACTED_ON.test(name.toLowerCase()),
  );
}

/** Returns true when a program may see more or less than one value in the field, because of controls, NUL or odd folds. */
export function hasActingBytes(text: string): boolean {
  return isOddlyFolded(text) || text.search(CONTROLS) !== -1;
}
