/** XML documents of MSXML. Scripts decode data with their elements, and their style sheets run scripts. */
import { com, listing } from './automation.js';
import { lower, parseJson, rec, Str, TAG } from './bridge.js';
import { Bytes, fromBase64, toBase64 } from './bytes.js';
import { runSheet } from './class-ids.js';
import { request } from './requests.js';

const xmlElement = (name) => {
  let data = '';
  const m = {
    datatype: '',
    nodename: name,
    get text() {
      return /hex/.test(Str(m.datatype))
        ? rec('hex-encode', data)
        : /base64/.test(Str(m.datatype))
          ? toBase64(data)
          : data;
    },
    set text(v) {
      data = /hex/.test(Str(m.datatype))
        ? rec('hex-decode', v)
        : /base64/.test(Str(m.datatype))
          ? fromBase64(Str(v))
          : Str(v);
    },
    get nodetypedvalue() {
      return new Bytes(data);
    },
    set nodetypedvalue(v) {
      data = v && v.data !== undefined ? v.data : Str(v);
    },
    setattribute: () => {},
    getattribute: () => '',
    appendchild: (x) => x,
  };
  return com('XMLElement', m);
};
const xmlNode = (facts) => {
  const e = xmlElement(facts.tag),
    a = facts.attributes;
  e.datatype = a['dt:dt'] || a.datatype || '';
  e.text = facts.text;
  e.getattribute = (name) => {
    const value = a[lower(Str(name))];
    return value === undefined ? null : value;
  };
  e[TAG] = facts.tag;
  return e;
};
export const xmlDocument = () => {
  let nodes = [];
  const named = (path) => {
    const last = /([\w.*-]+)\s*(?:\[[^\]]*\]|\/text\(\))?\s*$/.exec(Str(path));
    const tag = last ? lower(last[1]) : '';
    return nodes.filter((e) => tag === '*' || e[TAG] === tag);
  };
  const m = {
    async: true,
    parseerror: com('ParseError', { errorcode: 0 }),
    createelement: (n) => {
      const e = xmlElement(n);
      m.documentelement = e;
      return e;
    },
    loadxml: (text) => {
      rec('xml-load', text);
      m.xml = Str(text);
      nodes = parseJson(rec('xml', m.xml)).map((e) => xmlNode(e));
      if (nodes.length > 0) m.documentelement = nodes[0];
      return true;
    },
    load: (url) => {
      if (/^[a-z]+:\/\//i.test(Str(url))) request('GET', url);
      return true;
    },
    transformnode: (sheet) => {
      rec('xsl-transform', 'transformNode', sheet && sheet.xml);
      runSheet((sheet && sheet.xml) || '');
      return '';
    },
    setproperty: () => {},
    selectsinglenode: (path) => (nodes.length === 0 ? xmlElement('node') : named(path)[0] || null),
    selectnodes: (path) => listing(named(path)),
    getelementsbytagname: (tag) => listing(named(tag)),
    documentelement: xmlElement('root'),
    xml: '',
    appendchild: (x) => x,
    createnode: (t, n) => xmlElement(n),
    readystate: 4,
  };
  return com('DOMDocument', m);
};
