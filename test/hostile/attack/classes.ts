/** Every class of attack, in the order of the report. A class is a file beside this one, a row here, and a test of five lines. */
import type { AttackClass } from './attack-class.ts';
import { bareLinks } from './bare-links.ts';
import { calendarLinks } from './calendar-links.ts';
import { charsets } from './charsets.ts';
import { completedLinks } from './completed-links.ts';
import { halfLinks } from './half-links.ts';
import { headerNames } from './header-names.ts';
import { identity } from './identity.ts';
import { mimeGrammar } from './mime-grammar.ts';
import { names } from './names.ts';
import { oldEncodings } from './old-encodings.ts';
import { outsideText } from './outside-text.ts';
import { partHeaders } from './part-headers.ts';
import { pdfInlinePictures } from './pdf-inline-pictures.ts';
import { pdfValues } from './pdf-values.ts';
import { removedNames } from './removed-names.ts';
import { rootHeaders } from './root-headers.ts';
import { sandboxBlinding } from './sandbox-blinding.ts';
import { sandboxEvasion } from './sandbox-evasion.ts';
import { sandboxLostRecords } from './sandbox-lost-records.ts';
import { secondLook } from './second-look.ts';
import { shares } from './shares.ts';
import { signedParts } from './signed-parts.ts';
import { starvation } from './starvation.ts';
import { textSchemes } from './text-schemes.ts';
import { twoOpinions } from './two-opinions.ts';
import { wordBodies } from './word-bodies.ts';
import { writtenLinks } from './written-links.ts';

export const CLASSES: readonly AttackClass[] = [
  identity,
  removedNames,
  twoOpinions,
  wordBodies,
  headerNames,
  mimeGrammar,
  oldEncodings,
  signedParts,
  halfLinks,
  charsets,
  rootHeaders,
  outsideText,
  partHeaders,
  names,
  pdfInlinePictures,
  pdfValues,
  starvation,
  sandboxBlinding,
  sandboxEvasion,
  sandboxLostRecords,
  secondLook,
  bareLinks,
  writtenLinks,
  completedLinks,
  textSchemes,
  shares,
  calendarLinks,
];
