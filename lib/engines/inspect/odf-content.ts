/** Content of OpenDocument markup that takes more than one name to judge: addresses by their element, settings, and pictures in base64. */
import type { Findings } from './fact.ts';
import { namesOf } from './fact.ts';
import { isLiveLink } from './live-values.ts';

/** Elements that a reader clicks. */
const CLICKED = 'a area-rectangle area-circle area-polygon';
/** Elements that show a picture of the package. */
const SHOWN = 'image fill-image background-image list-level-style-image';
/** Elements whose addresses are judged. No other element may have one. */
export const ADDRESSED = `${CLICKED} ${SHOWN}`;
/** Elements whose whole text is judged. */
export const JUDGED_TEXTS = 'binary-data config-item';
const IS_CLICKED = new Set(namesOf(CLICKED));
const IS_SHOWN = new Set(namesOf(SHOWN));
/** The name of a picture in the package. */
const IN_PACKAGE = /^(?:\.\/)*(?:Pictures|media|ObjectReplacements)\/[^/\\]+$/i;
/** Settings are numbers and short names. Addresses and data of programs are none. */
const NO_SETTING = /^[\p{Cc}\p{Cf}\s]*(?:[a-z][\w.+-]*:|[\\/]{2}|\.\.[\\/])|^[\s\S]{256}/iu;

/** Judges the addresses of one part, each with its element. */
export function openAddresses(where: string, findings: Findings) {
  let address: string | null = null;
  const unnamed = () => {
    if (address !== null && address !== '') findings.add('odf-linked-content', where);
    address = null;
  };
  return {
    /** The address of an element whose name follows if its addresses are judged. */
    address(value: string) {
      unnamed();
      address = value;
    },
    element(name: string, attributes: ReadonlyMap<string, string>) {
      const own = attributes.get('href') ?? null;
      if (own === null) unnamed();
      address = null;
      if (own === null || own === '') return;
      if (IS_CLICKED.has(name) ? isLiveLink(own) : !(IS_SHOWN.has(name) && IN_PACKAGE.test(own)))
        findings.add('odf-linked-content', `${where} <${name}>`);
    },
    end: unnamed,
  };
}

/** Judges the text of a setting. */
export function judgeOdfSetting(text: string, where: string, findings: Findings): void {
  if (NO_SETTING.test(text)) findings.add('odf-setting', where);
}
