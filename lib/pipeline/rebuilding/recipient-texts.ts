/** The texts for the recipient of a message, about its changes, in his language and with the words of the operator. Pure. */
import type { Help } from '../../words/help.ts';
import { filled, linkWordsIn, summaryOf, whyOf, wordsIn } from '../../words/in-language.ts';
import { referenceOf } from '../../words/reference.ts';
import { type Counts, LANGUAGES, type Language } from '../../words/words.ts';
import { blockedUrlIds, isTakenOut } from '../judging/blocked-urls.ts';
import { PASSIVE_KINDS } from '../judging/body-removals.ts';
import type { Artifact } from '../ledger/artifact.ts';
import { leavesOf } from '../ledger/artifacts-of.ts';
import type { Ledger, Part } from '../ledger/ledger.ts';
import type { Policy } from '../policy/policy.ts';
import { passwordsFrom } from '../runs/sentence.ts';
import { WHY_OF_CODE } from './why-words.ts';

/** Returns the contacts that the operator names, for the texts of lib/words. */
export function helpOf({ told }: Policy): Help {
  return { contact: told.contact, deskUrl: told.deskUrl };
}

/** A header of a megabyte is not searched for domains. */
const RECIPIENT_LENGTH = 2_000;

/** Returns the language of the first recipient whose domain has one, otherwise the language of the policy. */
export function languageFor({ told }: Policy, { message }: Ledger): Language {
  const recipients = (message?.untrustedTo ?? '').slice(0, RECIPIENT_LENGTH).toLowerCase();
  for (const [, domain = ''] of recipients.matchAll(/@([a-z0-9.-]{1,253})/g)) {
    const language = languageOfDomain(told, domain);
    if (language !== null) return language;
  }
  return told.language;
}

/**
 * Returns the language of a page for one address: the language of its domain. Otherwise the first of our languages in the list of the
 * browser (RFC 9110 §12.5.4), or the language of the policy.
 */
export function languageOfReader({ told }: Policy, address: string, acceptLanguage: string): Language {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return languageOfDomain(told, domain) ?? wantedLanguage(acceptLanguage) ?? told.language;
}

function wantedLanguage(acceptLanguage: string): Language | null {
  const wanted = acceptLanguage
    .slice(0, 200)
    .toLowerCase()
    .split(',')
    .map((one) => {
      const [name = '', weight = ''] = one.trim().split(/\s*;\s*q=/);
      return { name: name.split('-')[0], weight: weight === '' ? 1 : Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  for (const { name } of wanted) {
    const found = LANGUAGES.find((language) => language === name);
    if (found !== undefined) return found;
  }
  return null;
}

/** Returns the language of one address. */
export function languageOfAddress({ told }: Policy, address: string): Language {
  return languageOfDomain(told, address.slice(address.lastIndexOf('@') + 1).toLowerCase()) ?? told.language;
}

function languageOfDomain({ languageByDomain }: Policy['told'], domain: string): Language | null {
  const labels = domain.replace(/\.+$/, '').split('.');
  for (let from = 0; from < labels.length; from++) {
    const language = languageByDomain[labels.slice(from).join('.')];
    if (language !== undefined) return language;
  }
  return null;
}

/** Returns the changes of a decided message that a person would notice. */
export function countsOf(ledger: Ledger): Counts {
  const counts = {
    filesMadeSafe: 0,
    filesAsPreview: 0,
    textsMadeSafe: 0,
    linksOff: 0,
    filesWithheld: 0,
    textsWithheld: 0,
    filesLater: 0,
    isWhole: ledger.early === undefined ? 0 : 1,
  };
  // A notice replaces a signature.
  const signatures = new Set(ledger.signatures.map(({ signaturePath }) => signaturePath));
  for (const { part, artifact } of leavesOf(ledger)) {
    if (signatures.has(part.path)) continue;
    const isBody = part.role === 'body';
    if (artifact.removedFor === 'still_examined') counts.filesLater++;
    else if (artifact.disposition === 'remove') counts[isBody ? 'textsWithheld' : 'filesWithheld']++;
    else if (artifact.disposition === 'disarm' && isShownAsPreview(part)) counts.filesAsPreview++;
    // A text that only lost links has its own line.
    else if (artifact.disposition === 'disarm' && hasLosses(artifact))
      counts[isBody ? 'textsMadeSafe' : 'filesMadeSafe']++;
  }
  const blocked = blockedUrlIds(ledger);
  const places = ledger.urls.filter((url) => blocked.has(url.artifactId) && isTakenOut(url));
  const judged = new Set(places.map(({ artifactId }) => artifactId)).size;
  return { ...counts, linksOff: judged + unanalysedOff(ledger) };
}

/** Returns the number of links beyond the analysed ones, if a delivered text has lost some of them. */
function unanalysedOff(ledger: Ledger): number {
  const paths = new Set(
    ledger.warnings.filter(({ code }) => code === 'links_not_analysed').map((warning) => warning.path),
  );
  const isLost = leavesOf(ledger).some(
    ({ part, artifact }) => paths.has(part.path) && artifact.disposition !== 'remove' && part.disposition === 'disarm',
  );
  return isLost ? ledger.urlsOverLimit : 0;
}

/**
 * Returns true for documents of Apple, Photoshop and Illustrator. The delivered file can be viewed, but not edited in the program that made
 * it.
 */
function isShownAsPreview({ detectedType, untrustedNames }: Part): boolean {
  if (detectedType === 'application/pdf') return untrustedNames.some((name) => /\.ai$/i.test(name));
  return (
    detectedType === 'image/vnd.adobe.photoshop' || detectedType?.startsWith('application/vnd.apple.iwork') === true
  );
}

/** Removals that no reader misses: data about the author and his computer. */
const QUIET_LOSSES =
  /metadata|propert|^author$|^base address$|thumbnail|printer settings|private|document variables|smart tag|program information|generator/i;

/**
 * Returns true when the disarm removed something that a reader could miss. A picture that was only drawn anew, and a page that lost its
 * loaded content, say the same as before. A banner on each of them would teach people to ignore banners.
 */
function hasLosses(artifact: Artifact): boolean {
  const disarm = artifact.submissions.find(({ kind }) => kind === 'cdr');
  const losses = [...(disarm?.untrustedRemoved ?? []), ...(disarm?.untrustedSanitized ?? [])];
  const isQuiet = (loss: string) => PASSIVE_KINDS.has(loss) || QUIET_LOSSES.test(loss);
  return losses.some((loss) => !isQuiet(loss));
}

/** Returns one line about the changes; empty when nothing was changed. */
export function summaryFor(language: Language, ledger: Ledger): string {
  return summaryOf(language, countsOf(ledger));
}

/** Returns the reason why a file or a text is not in the message, as a sentence. */
export function whyRemoved(language: Language, { removedFor }: Artifact, subject: 'file' | 'message'): string {
  return whyOf(language, WHY_OF_CODE[removedFor ?? 'unknown'], subject);
}

/** Returns the reasons why a message was held: a sentence for each different reason. */
export function whyHeld(language: Language, { reasons }: Ledger): string[] {
  return [...new Set(reasons.map(({ code }) => whyOf(language, WHY_OF_CODE[code], 'message')))].slice(0, MAX_REASONS);
}

const MAX_REASONS = 3;

/** Returns a sentence for each other message whose password opened something in this one. */
export function openedByOther(language: Language, ledger: Ledger): string[] {
  const { otherMail } = wordsIn(language).notice;
  return passwordsFrom(ledger).map((runId) => filled(otherMail, { reference: referenceOf(runId) }));
}

/** Returns the words in the place of blocked links. */
export function linkWordsFor(policy: Policy, ledger: Ledger) {
  return linkWordsIn(languageFor(policy, ledger));
}

/** Returns the words in the place of a picture of another server. */
export function pictureNoteFor(policy: Policy, ledger: Ledger): string {
  return wordsIn(languageFor(policy, ledger)).banner.pictureOff;
}
