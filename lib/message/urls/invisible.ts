/**
 * Invisible characters, with which a URL may be cut: controls that are no white space, soft hyphens, zero-width and directional
 * characters, variation selectors, and the soft line end of quoted-printable, which some programs do not decode.
 */
export const INVISIBLE = new RegExp(
  '[\\0-\\x08\\x0e-\\x1f\\x7f-\\x9f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5' +
    '\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff]+|=\\r?\\n',
  'g',
);
