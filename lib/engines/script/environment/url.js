/** `URL` and `URLSearchParams`. */
import { objectUrlOf } from './blobs.js';
import { DATA, indexOf, join, replaceText, Str, slice, split } from './bridge.js';
import { scriptGlobal } from './script-global.js';

// A part that is set changes the address, because a script may build an address out of parts.
const partsOf = (href) => {
  const m = /^(\w+:)(?:\/\/)?([^/:?#]*)(?::(\d+))?([^?#]*)(\?[^#]*)?(#.*)?/.exec(href) || [];
  return {
    protocol: m[1] || '',
    hostname: m[2] || '',
    port: m[3] || '',
    pathname: m[4] || '',
    search: m[5] || '',
    hash: m[6] || '',
  };
};
class URL {
  constructor(url, base) {
    let text = Str(url);
    if (base !== undefined && !/^\w+:/.test(text)) {
      const b = partsOf(Str(base));
      text =
        b.protocol +
        '//' +
        b.hostname +
        (b.port ? ':' + b.port : '') +
        (text[0] === '/' ? '' : replaceText(b.pathname, /[^/]*$/, '') || '/') +
        text;
    }
    this[DATA] = text;
  }
  get href() {
    return this[DATA];
  }
  set href(v) {
    this[DATA] = Str(v);
  }
  get host() {
    const { hostname, port } = partsOf(this[DATA]);
    return hostname + (port ? ':' + port : '');
  }
  set host(v) {
    this.hostname = v;
  }
  get origin() {
    return partsOf(this[DATA]).protocol + '//' + this.host;
  }
  get searchParams() {
    return new URLSearchParams(partsOf(this[DATA]).search);
  }
  toString() {
    return this[DATA];
  }
  toJSON() {
    return this[DATA];
  }
  static createObjectURL(blob) {
    return objectUrlOf(blob);
  }
  static revokeObjectURL() {}
}
for (const part of ['protocol', 'hostname', 'port', 'pathname', 'search', 'hash'])
  Object.defineProperty(URL.prototype, part, {
    get() {
      return partsOf(this[DATA])[part];
    },
    set(v) {
      const p = partsOf(this[DATA]);
      p[part] = Str(v);
      this[DATA] = p.protocol + '//' + p.hostname + (p.port ? ':' + p.port : '') + p.pathname + p.search + p.hash;
    },
    configurable: true,
  });
class URLSearchParams {
  constructor(text) {
    this.map = Object.create(null);
    for (const pair of split(replaceText(Str(text || ''), /^\?/, ''), '&')) {
      const at = indexOf(pair, '=');
      if (at > 0) this.map[slice(pair, 0, at)] = decodeURIComponent(slice(pair, at + 1));
    }
  }
  get(n) {
    return n in this.map ? this.map[n] : null;
  }
  has(n) {
    return n in this.map;
  }
  set(n, v) {
    this.map[n] = Str(v);
  }
  append(n, v) {
    this.map[n] = Str(v);
  }
  toString() {
    return join(
      Object.keys(this.map).map((k) => k + '=' + encodeURIComponent(this.map[k])),
      '&',
    );
  }
}
scriptGlobal.URLSearchParams = URLSearchParams;
export const useUrls = () => {
  scriptGlobal.URL = scriptGlobal.webkitURL = URL;
  scriptGlobal.URLSearchParams = URLSearchParams;
};
