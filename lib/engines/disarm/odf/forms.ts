/** The words that the controls of a form show. The form itself is removed, and its words stay in the places of its controls. */
import type { OdfAttribute } from './xml.ts';

/** Elements of controls whose words nobody sees. */
const UNSEEN = /^form:(?:hidden|password|file|grid|image|form|properties|property|list-property|list-value)$/;
/** Longer words are cut: one control can be shown many times. */
const MAX_LENGTH = 2_000;
const MAX_CONTROLS = 10_000;

/** Collects the controls of a document in their order, before the places at which they are shown. */
export class FormWords {
  private readonly words = new Map<string, string>();
  private last = '';

  /** Takes an element inside of `office:forms`. */
  take(key: string | null, attributes: readonly OdfAttribute[]): void {
    if (key === null || !key.startsWith('form:') || UNSEEN.test(key)) return;
    const value = (name: string) => attributes.find((each) => each.key === name)?.value ?? '';
    if (key === 'form:option' || key === 'form:item') {
      if (isOn(value('form:current-selected')) || isOn(value('form:selected')))
        this.add(this.last, value('form:label'));
      return;
    }
    this.last = value('form:id') || value('xml:id');
    this.add(
      this.last,
      `${markOf(key, value)}${value('form:label') || value('form:current-value') || value('form:value')}`,
    );
  }

  /** Returns the words of a control; empty when it is unknown or shows none. */
  of(id: string): string {
    return this.words.get(id) ?? '';
  }

  private add(id: string, words: string): void {
    if (id === '' || words === '' || (this.words.size >= MAX_CONTROLS && !this.words.has(id))) return;
    const before = this.words.get(id);
    this.words.set(id, (before === undefined ? words : `${before}, ${words}`).slice(0, MAX_LENGTH));
  }
}

const isOn = (value: string) => value === 'true' || value === 'checked';

/** Returns the sign of a box that is ticked or not; empty for controls without a box. */
function markOf(key: string, value: (name: string) => string): string {
  if (key === 'form:checkbox') return isOn(value('form:current-state') || value('form:state')) ? '\u2612 ' : '\u2610 ';
  if (key !== 'form:radio') return '';
  return isOn(value('form:current-selected') || value('form:selected')) ? '\u25c9 ' : '\u25cb ';
}

/** The automatic style of the boxes: without it, programs fill a box with their own colour. */
const STYLE = 'Airlock_form';
const END = '</office:automatic-styles>';
const MARKUP = `<style:style style:name="${STYLE}" style:family="graphic"><style:graphic-properties draw:stroke="none" draw:fill="none"/></style:style>`;

/** Returns the attribute that gives a box this style; empty when the part has no automatic styles. */
export const boxStyle = (written: readonly string[]): string =>
  stylesEnd(written) === -1 ? '' : ` draw:style-name="${STYLE}"`;

/** Puts the style of the boxes after the automatic styles of the part, which come before everything that is shown. */
export function addBoxStyle(written: string[]): void {
  const at = stylesEnd(written);
  if (at !== -1) written.splice(at, 0, MARKUP);
}

/** Returns the end of the automatic styles in the written pieces. Their closing tag is three pieces. */
const stylesEnd = (written: readonly string[]): number =>
  written.findIndex((piece, index) => piece === '</' && `${piece}${written[index + 1]}${written[index + 2]}` === END);
