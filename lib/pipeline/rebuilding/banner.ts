/** Tells the recipient in the message itself what was changed, by a banner in the texts that are shown first. Pure. */
import { decodeText } from '../../formats/charsets/decode-text.ts';
import { numberOf, remembered } from '../../formats/remembered.ts';
import { type Marks, pageWithBanner, pageWithoutMarks } from '../../message/banner/page.ts';
import { textWithBanner, textWithoutMarks } from '../../message/banner/text.ts';
import { unflowed } from '../../message/encodings/flowed.ts';
import type { MessagePart } from '../../message/model.ts';
import { judgedText } from '../../message/reading/one-reading.ts';
import { findUrls } from '../../message/urls/find.ts';
import type { SearchLimits } from '../../message/urls/sources/source.ts';
import { BANNER_CLASS, type BannerFacts, bannerHtml, bannerText } from '../../words/banner.ts';
import { helpValues } from '../../words/help.ts';
import { wordsIn } from '../../words/in-language.ts';
import { type Recogniser, recogniser } from '../../words/recognise.ts';
import { type UrlId, urlIdOf } from '../ledger/artifact-id.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Policy } from '../policy/policy.ts';
import { keptSignatures } from '../signatures/signed-mail.ts';
import { countsOf, helpOf, languageFor } from './recipient-texts.ts';
import type { LeafSource, Replaced } from './replacement.ts';

/** The announcement for one message. */
export interface Announcement {
  readonly facts: BannerFacts;
  readonly marks: Marks;
  /** Null when the message gets no banner: nothing was changed, or policy wants none. */
  readonly place: 'top' | 'bottom' | null;
  /** The paths of the bodies that get it. */
  readonly shown: ReadonlySet<string>;
  /** The paths of parts that are delivered as they were signed. Nothing is added to them or removed from them. */
  readonly sealed: readonly string[];
}

/** Returns the announcement of a decided message. `changed` are the paths of the changed leaves. */
export function announcementOf(
  policy: Policy,
  ledger: Ledger,
  parts: readonly MessagePart[],
  changed: readonly string[],
): Announcement {
  const { told } = policy;
  const language = languageFor(policy, ledger);
  const counts = countsOf(ledger);
  const isChanged = Object.values(counts).some((count) => count > 0);
  return {
    facts: { language, counts, help: helpOf(policy), runId: ledger.runId, templates: told.templates[language] ?? {} },
    marks: { find: recogniserOf(policy), notOurs: wordsIn(language).banner.notOurs, bannerClass: BANNER_CLASS },
    place: isChanged && told.banner !== 'off' ? told.banner : null,
    shown: shownBodies(parts),
    sealed: keptSignatures(ledger)
      .map(({ contentPath }) => contentPath)
      .filter((path) => !changed.some((one) => isWithin(one, path))),
  };
}

const isWithin = (path: string, outer: string) => path === outer || path.startsWith(`${outer}.`);

/** A recogniser has a dozen expressions, and a process has one policy. */
const recognisers = new WeakMap<Policy, Recogniser>();

function recogniserOf(policy: Policy): Recogniser {
  const known = recognisers.get(policy) ?? recogniser(helpOf(policy), policy.told.templates);
  recognisers.set(policy, known);
  return known;
}

/**
 * Returns the bodies that programs show when they open the message: each form of a choice, otherwise the first body. A message inside has
 * its own.
 */
export function shownBodies(parts: readonly MessagePart[]): ReadonlySet<string> {
  const children = new Map<string | null, MessagePart[]>();
  for (const part of parts) children.set(part.parent, [...(children.get(part.parent) ?? []), part]);
  const shown = (part: MessagePart): string[] => {
    if (part.role !== 'multipart') return part.role === 'body' ? [part.path] : [];
    const inner = (children.get(part.path) ?? []).map(shown).filter((paths) => paths.length > 0);
    return part.declaredType === 'multipart/alternative' ? inner.flat() : (inner[0] ?? []);
  };
  return new Set((children.get(null) ?? []).flatMap(shown));
}

/** Returns the place of the banner in a leaf; null when it gets none. */
export function bannerPlace(
  { place, shown, sealed }: Announcement,
  { part, message }: LeafSource,
): 'top' | 'bottom' | null {
  const isOpen = part.role === 'body' && message !== null && !sealed.some((path) => isWithin(part.path, path));
  return isOpen && shown.has(part.path) ? place : null;
}

/**
 * Adds the banner to the replacement of a body that is shown first, and removes text that looks like a banner of ours. The banner comes
 * after all other changes. Any other part, and a body that needs neither, is returned unchanged.
 */
export function withBanner(announcement: Announcement, leaf: LeafSource, replaced: Replaced | null): Replaced | null {
  const { part, message } = leaf;
  const isSealed = announcement.sealed.some((path) => isWithin(part.path, path));
  if (part.role !== 'body' || message === null || isSealed) return replaced;
  const isPage = (replaced?.file.type ?? part.declaredType) === 'text/html';
  const place = bannerPlace(announcement, leaf);
  const { marks } = announcement;
  if (replaced === null && place === null && isUnmarked({ leaf, message, marks, isPage })) return null;
  const text = replaced ? decodeText(replaced.file.bytes, 'utf-8') : keptText(leaf, message, isPage);
  const unmarked = withoutMarks(text, marks, isPage);
  if (unmarked === null && place === null) return replaced;
  const told = place === null ? (unmarked ?? text) : announced(announcement, unmarked ?? text, isPage, place);
  const file = replaced?.file ?? {
    type: part.declaredType,
    charset: 'utf-8' as const,
    method: null,
    filename: null,
    isInline: message.isInline,
    keepContentId: true,
    isFlowed: leaf.linkReading.isFlowed && !isPage,
  };
  return {
    file: { ...file, bytes: new TextEncoder().encode(told) },
    extension: replaced?.extension ?? leaf.artifact.extension,
  };
}

/** Returns the text of a body that is not replaced. */
function keptText(leaf: LeafSource, { charset }: MessagePart, isPage: boolean): string {
  const read = judgedText(leaf.bytes(), { charset, isPage });
  // The new header no longer says that programs must join the lines.
  return leaf.linkReading.isDelSp && !isPage ? unflowed(read) : read;
}

const withoutMarks = (text: string, marks: Marks, isPage: boolean): string | null =>
  isPage ? pageWithoutMarks(text, marks) : textWithoutMarks(text, marks);

interface KeptBody {
  readonly leaf: LeafSource;
  readonly message: MessagePart;
  readonly marks: Marks;
  readonly isPage: boolean;
}

/** Many mails have the same text. */
const REMEMBERED = 200;

/** Returns true for a body without anything that looks like a banner of ours. */
const isUnmarked = remembered<KeptBody, boolean>(
  {
    most: REMEMBERED,
    keyOf: ({ leaf, message: { sha256, charset }, marks: { find, bannerClass }, isPage }) =>
      sha256 && JSON.stringify([sha256, charset, isPage, leaf.linkReading.isDelSp, numberOf(find), bannerClass]),
  },
  ({ leaf, message, marks, isPage }) => withoutMarks(keptText(leaf, message, isPage), marks, isPage) === null,
);

function announced({ facts }: Announcement, text: string, isPage: boolean, place: 'top' | 'bottom'): string {
  return isPage ? pageWithBanner(text, bannerHtml(facts), place) : textWithBanner(text, bannerText(facts), place);
}

/** Returns the links in our own words: the page of the operator, and the address that he names. They are no links of the sender. */
export function ownLinks({ facts }: Announcement, limits: SearchLimits): UrlId[] {
  const { contact, desk } = helpValues(facts.language, facts.help, facts.runId);
  const texts = [bannerText(facts), `${contact} ${desk ?? ''}`];
  const pages = [bannerHtml(facts)];
  return [
    ...texts.flatMap((text) => findUrls(text, 'text', limits)),
    ...pages.flatMap((page) => findUrls(page, 'html', limits)),
  ].map(({ normalised }) => urlIdOf(normalised));
}
