/**
 * The attacks on consoles of quarantines that are known from products of others, and the tests that try each here. What another console has and this one
 * has not is said: there is one organisation per desk, no export of tables, no account of ours, and no setting that is changed in a browser.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Files of this folder, unless it is said otherwise, each with a piece of the name of a test. */
const ATTACKS: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  'text of a sender becomes a part of a page (MailWatch, Roundcube, Zimbra CVE-2023-37580)': [
    ['hostile-texts.test.ts', 'is text wherever a page shows it, and can be read there'],
    ['hostile-texts.test.ts', 'a page shows the texts that are listed for it, and no others'],
    ['pages.test.ts', 'is text on every page'],
    ['guard.test.ts', 'every answer forbids frames, scripts, other addresses and copies'],
    ['cloud-desk.test.ts', 'every answer forbids frames, scripts, other addresses and copies'],
  ],
  'a preview runs or loads something of the mail': [
    ['part.test.ts', 'as a PNG of ours that has its pixels and nothing else of it'],
    ['part.test.ts', 'is text in a frame without a place, network or scripts'],
    ['cloud-preview.test.ts', 'that is a text stands in a frame without anything'],
    ['cloud-preview.test.ts', 'comes as a zip with a password, byte for byte'],
    ['seen-parts.test.ts', 'has pictures inside, smaller than they came, and its policy lets in nothing else'],
    ['seen-parts.test.ts', 'shows the text of the message inert on both sides'],
  ],
  'a page of another place sends a form (Trend Micro IMSVA CVE-2020-27016)': [
    ['guard.test.ts', 'a form that is not ours decides nothing'],
    ['guard.test.ts', 'and a GET changes nothing'],
    ['cloud-desk.test.ts', 'a form that is not ours does nothing'],
    ['cloud-decisions.test.ts', 'decides nothing by a GET'],
    ['cloud-desk.test.ts', 'with the state of another sign-in'],
  ],
  'somebody changes an id, or asks for more than his role may': [
    ['roles.test.ts', 'decides what is for this role, and nothing else'],
    ['cloud-roles.test.ts', 'decides what is for this role, and nothing else reaches whoever carries it out'],
    ['cloud-roles.test.ts', 'nobody without a role gets a page or decides anything'],
    ['cloud-roles.test.ts', 'no page of a mail, of its parts or of its report is there for another id'],
    ['recipients.test.ts', 'by the form of another message, or of another recipient'],
  ],
  'a link of a digest is opened by a scanner, forwarded, replayed or guessed': [
    ['recipients.test.ts', 'by a GET, as a scanner of mail sends it, however often'],
    ['recipients.test.ts', 'opening does not use it up'],
    ['recipients.test.ts', 'asks once: the same form again, many at once, or after a decision, notes nothing more'],
    ['recipients.test.ts', 'with any one character changed shows nothing'],
    ['recipients.test.ts', 'ends, and says so'],
    ['recipients.test.ts', 'leads nowhere else'],
    ['links.test.ts', 'is a public key, from which nobody makes the secret or a link'],
  ],
  'a search becomes a query, a filter has a name that is none (FortiMail CVE-2021-24007)': [
    ['pages.test.ts', 'takes %s for nothing'],
    ['pages.test.ts', 'lists nothing for %s, and says which value is wrong'],
  ],
  'another spelling of an address gets around the rules (SonicWall CVE-2021-20021)': [
    ['guard.test.ts', 'there is nothing at %s'],
    ['guard.test.ts', 'nobody gets anything without a cookie at %s'],
    ['guard.test.ts', 'a reader decides nothing at %s'],
    ['cloud-desk.test.ts', 'nobody gets anything without signing in, whatever way he writes'],
    ['cloud-desk.test.ts', 'a reader decides nothing, whatever way he writes'],
  ],
  'a policy or a file that is brought in runs something (Proofpoint CVE-2023-0089)': [
    ['policy.test.ts', 'what cannot be tried is told, and shown again as it was typed'],
    ['policy.test.ts', 'a policy of 50 kB fits, one of a megabyte does not'],
    ['cloud-drop.test.ts', 'a form that is longer than a function may be called with is refused before it is read'],
  ],
  'a session is fixed, guessed, copied or does not end': [
    ['guard.test.ts', 'nobody after any number of wrong tries, which tell nothing'],
    ['guard.test.ts', 'nobody with a cookie that he brought along, nor with that of another desk'],
    ['guard.test.ts', 'nobody with a copied cookie or an old form once the person has signed out'],
    ['guard.test.ts', 'two browsers of one person, with one session'],
    ['guard.test.ts', 'which a hostile name server may lead here'],
    ['cloud-desk.test.ts', 'is that of the token that the issuer gave, and not one that a browser brought along'],
    ['cloud-desk.test.ts', 'ends after twelve hours'],
    ['cloud-desk.test.ts', 'of which somebody has a copy ends for him with its token'],
    ['cloud-desk.test.ts', 'is begun by none of twenty wrong codes, which tell nothing'],
  ],
  'what is released is not what was looked at': [
    ['replaced.test.ts', 'delivers nothing of it, and the page says what became of it'],
    ['replaced.test.ts', 'an original of which no copy is as it was judged is not released'],
    ['pages.test.ts', 'with %j is refused'],
    ['cloud-decisions.test.ts', 'who release the same mail at once: one release'],
    ['cloud-decisions.test.ts', 'of whom one looked before the other decided: he is told'],
    ['pages.test.ts', 'nothing is shown of a chain that was changed'],
    ['../pipeline/review.test.ts', 'of two people who release at once, one does'],
    ['../pipeline/audit.test.ts', 'with any one byte changed'],
    ['../local/killed-decisions.test.ts', 'that is killed %s is done once'],
    ['../local/killed-releases.test.ts', 'is killed %s is done once, with the names of both'],
    ['../local/killed-releases.test.ts', 'several mails whose release with one form is killed'],
  ],
};

test.each(Object.entries(ATTACKS))('%s: each of its tests is there', (_, tests) => {
  const isThere = ([file, name]: readonly [string, string]) =>
    readFileSync(new URL(file, import.meta.url), 'utf8').includes(name);
  expect(tests.filter((one) => !isThere(one))).toEqual([]);
});
