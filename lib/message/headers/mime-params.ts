/** Lists the parameters of Content-Type and Content-Disposition that are delivered, and the values that each may have. */

const TOKEN = /^[\w.+-]{1,80}$/;
const MEDIA_TYPE = /^[a-z-]{1,40}\/[\w.+-]{1,120}$/i;
const DATE = /^[\w,: +()-]{1,80}$/;

/** The rule of each parameter. `name` means that the parameter gives the part a name, which is checked elsewhere. */
export const PARAMS: Readonly<Record<string, RegExp | 'name' | undefined>> = {
  name: 'name',
  filename: 'name',
  charset: /^[\w.:+-]{1,40}$/,
  // Printable ASCII. RFC 2046 §5.1.1 allows less, but senders use more.
  boundary: /^[!#-[\]-~](?:[ !#-[\]-~]{0,198}[!#-[\]-~])?$/,
  format: /^(?:flowed|fixed)$/i,
  delsp: /^(?:yes|no)$/i,
  type: MEDIA_TYPE,
  protocol: MEDIA_TYPE,
  start: /^<[\w.@$+-]{1,200}>$/,
  'start-info': MEDIA_TYPE,
  'report-type': TOKEN,
  micalg: TOKEN,
  'smime-type': TOKEN,
  'reply-type': TOKEN,
  method: /^[a-z]{1,20}$/i,
  component: /^[a-z]{1,20}$/i,
  header: /^(?:present|absent)$/i,
  'protected-headers': /^v1$/i,
  hp: /^(?:clear|cipher)$/i,
  'hp-legacy-display': /^1$/,
  // Apple Mail gives a saved file these rights, so a right to run it is not allowed.
  'x-unix-mode': /^0?[0246]{3}$/,
  'x-mac-type': /^0$/,
  'x-mac-creator': /^0$/,
  'x-apple-part-url': /^[0-9a-f-]{8,64}$/i,
  size: /^\d{1,12}$/,
  'creation-date': DATE,
  'modification-date': DATE,
  'read-date': DATE,
};

/** Returns true for a parameter of the list, with a value that it may have. */
export function hasSafeValue(param: string, value: string): boolean {
  const rule = Object.hasOwn(PARAMS, param) ? PARAMS[param] : undefined;
  return rule instanceof RegExp && rule.test(value);
}
