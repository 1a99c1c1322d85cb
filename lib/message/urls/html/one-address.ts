/** Says whether the text of a box can go on with the address in the box in front of it. */
import { isTopLevel } from '../autolinks.ts';

/** The rest of an address behind its scheme or `www.`, without a sign at its end. Group 1 is the last label of its host. */
const WHOLE = /^(?:[^\s/?#@\\]*\.)?([a-z]{2,})(?::\d+)?(?:[/?#]\S*[^\s./:@?#%&=\\_-])?[.,;:!?)\]]*$/i;
const HAS_SIGN = /^[./:@?#%&=\\_-]|^[^\s]*[./@\\]/;

/** An address begins anew. Tables list them side by side. */
const BEGINS = /^(?:[a-z][a-z0-9+.-]{0,20}:\/\/|www\.)/i;

/** Signs of an address, each of them also over the edge of two texts. */
const SCHEME = '://';
const SIGN = /[:%][\\/%]|www\./i;
const WWW = /www\./i;
const SIGN_LENGTH = 4;
/** Characters behind a scheme that are looked at. Every text behind them may go on. */
const MAX_REST = 300;

/** Follows one word over several texts. The cost of a text is its own length. */
export class AddressWord {
  /** True when it holds a sign of an address. */
  mayBeAddress = false;
  private last = '';
  /** The text behind the last scheme, or behind `www.`. */
  private rest: string | null = null;

  add(text: string): void {
    const joined = this.last + text;
    this.last = joined.slice(1 - SIGN_LENGTH);
    this.mayBeAddress ||= SIGN.test(joined);
    const scheme = joined.lastIndexOf(SCHEME);
    const www = scheme < 0 && this.rest === null ? joined.search(WWW) : -1;
    if (scheme >= 0) this.rest = joined.slice(scheme + SCHEME.length);
    else if (www >= 0) this.rest = joined.slice(www + SIGN_LENGTH);
    else if (this.rest !== null && this.rest.length <= MAX_REST) this.rest += text;
  }

  /**
   * Returns false for an address and an ordinary word behind it: `https://shop.com` and `Home`. Both stand side by side in many pages, and
   * nobody reads them as one. Everything else may go on: `http://evil.co` and `m/x`.
   */
  goesOnWith(next: string): boolean {
    if (this.rest === null || this.rest.length > MAX_REST) return true;
    if (BEGINS.test(next)) return false;
    const last = WHOLE.exec(this.rest)?.[1];
    if (last === undefined || !isTopLevel(last)) return true;
    const letters = /^[a-z]*/i.exec(next.slice(0, MAX_LABEL))?.[0] ?? '';
    return HAS_SIGN.test(next) || (letters !== '' && isTopLevel(`${last}${letters}`));
  }
}

/** A label of a host is no longer (RFC 1035 §2.3.4). */
const MAX_LABEL = 63;
