/** Navigation of the page, and markup that scripts write into it. */
import { contentOf } from './blobs.js';
import { layer, lower, OWN, parseJson, push, rec, Str, slice } from './bridge.js';
import { recordError } from './calls.js';
import { adopt, elements } from './elements.js';
import { fire } from './events.js';
import { request } from './requests.js';
import { realEval, scriptGlobal } from './script-global.js';

export const navigate = (url, how) => {
  const text = Str(url);
  const script = /^\s*javascript:(.*)/is.exec(text);
  if (script) {
    let code = script[1];
    try {
      code = decodeURIComponent(code);
    } catch {}
    realEval(layer(code, 'javascript: URL'));
    return;
  }
  if (/^\s*(blob|data):/i.test(text)) {
    const data = contentOf(text);
    if (data === null) return;
    rec('page-layer', data, how);
    if (/<[a-z!]/i.test(slice(data, 0, 4096))) writeHtml(data, how);
    return;
  }
  rec('navigate', based(text), how);
};
const based = (text) => {
  if (/^\s*([a-z][\w+.-]*:|\/\/|\\\\|#|$)/i.test(text)) return text;
  for (const e of elements)
    if (e.tagName === 'BASE' && /^\s*(https?:|\/\/)/i.test(e[OWN].attributes.href || ''))
      return new scriptGlobal.URL(text, e[OWN].attributes.href).href;
  return text;
};
export const writeHtml = (html, how) => {
  const page = parseJson(rec('html', html, how));
  return addPage(page);
};
// Markup that is written in pieces is read when a piece ends outside of tags and scripts, and at the latest when the page is loaded.
let pieces = '';
export const writePiece = (text) => {
  pieces += text;
  const low = lower(pieces);
  if (pieces.lastIndexOf('<') > pieces.lastIndexOf('>') || low.lastIndexOf('<script') > low.lastIndexOf('</script'))
    return;
  writeRest();
};
export const writeRest = () => {
  const html = pieces;
  pieces = '';
  if (html !== '') writeHtml(html, 'document.write');
};
const addPage = (page) => {
  const made = [];
  for (const e of page.elements) push(made, adopt(e));
  for (const s of page.scripts) {
    if (s.src) {
      request('GET', s.src);
      continue;
    }
    runScript(s);
  }
  for (const e of made) fire(e, 'load');
  return made;
};
const runScript = (script) => {
  try {
    realEval(script.code);
  } catch (error) {
    recordError(error);
  }
};
export const refresh = (kind, content) => {
  if (!/refresh/i.test(Str(kind))) return;
  const to = /url\s*=\s*['"]?([^'"]+)/i.exec(Str(content));
  if (to) navigate(to[1], 'refresh');
};
