/** The members of all elements. Setting some attributes loads something, runs code or leads to another page. */
import { blank } from './automation.js';
import { download } from './blobs.js';
import { lower, OWN, parseJson, push, rec, replaceText, Str, slice } from './bridge.js';
import { adopt, document, element, elements, markSelected, nameGlobal } from './elements.js';
import { compileHandler } from './evaluation.js';
import { fire } from './events.js';
import { navigate, writeHtml } from './navigation.js';
import { scriptGlobal } from './script-global.js';

export const NODE = {
  get id() {
    return this[OWN].attributes.id || '';
  },
  set id(v) {
    this.setAttribute('id', v);
  },
  get className() {
    return this[OWN].attributes.class || '';
  },
  set className(v) {
    this[OWN].attributes.class = Str(v);
  },
  setAttribute(name, value) {
    const low = lower(Str(name));
    this[OWN].attributes[low] = Str(value);
    if (this[OWN].done && (low === 'id' || low === 'name')) nameGlobal(this);
    if (/^on/.test(low)) this[low] = compileHandler(Str(value));
    else if (low === 'src' || (low === 'data' && this.tagName === 'OBJECT')) this[OWN].load(value);
    else if (low === 'httpequiv') this[OWN].attributes['http-equiv'] = Str(value);
    else if (low === 'srcdoc' && this.tagName === 'IFRAME') writeHtml(Str(value), 'srcdoc');
  },
  getAttribute(name) {
    const value = this[OWN].attributes[lower(Str(name))];
    return value === undefined ? null : value;
  },
  hasAttribute(name) {
    return lower(Str(name)) in this[OWN].attributes;
  },
  removeAttribute(name) {
    delete this[OWN].attributes[lower(Str(name))];
  },
  setAttributeNS(n, a, v) {
    this.setAttribute(replaceText(Str(a), /^\w+:/, ''), v);
  },
  getAttributeNS(n, a) {
    return this.getAttribute(a);
  },
  get innerHTML() {
    return this[OWN].text;
  },
  set innerHTML(html) {
    this[OWN].text = Str(html);
    const page = parseJson(rec('html', html, 'innerHTML'));
    for (const e of page.elements) fire(adopt(e), 'error');
  },
  get outerHTML() {
    return this[OWN].text;
  },
  set outerHTML(html) {
    this.innerHTML = html;
  },
  insertAdjacentHTML(where, html) {
    this.innerHTML = html;
  },
  insertAdjacentElement(where, child) {
    return this.appendChild(child);
  },
  insertAdjacentText(where, text) {
    this[OWN].text += Str(text);
  },
  before(...all) {
    this.append(...all);
  },
  after(...all) {
    this.append(...all);
  },
  replaceWith(...all) {
    this.append(...all);
  },
  hasChildNodes() {
    return this.childNodes.length > 0;
  },
  getAttributeNames() {
    return Object.keys(this[OWN].attributes);
  },
  toggleAttribute(name) {
    this.setAttribute(name, '');
    return true;
  },
  attachShadow() {
    return this;
  },
  getRootNode() {
    return document;
  },
  setAttributeNode() {},
  getClientRects() {
    return [this.getBoundingClientRect()];
  },
  get innerText() {
    return this[OWN].text;
  },
  set innerText(v) {
    this[OWN].text = Str(v);
  },
  get textContent() {
    return this[OWN].text;
  },
  set textContent(v) {
    this[OWN].text = Str(v);
  },
  get text() {
    return this[OWN].text;
  },
  set text(v) {
    this[OWN].text = Str(v);
  },
  get dataset() {
    const out = {};
    for (const name in this[OWN].attributes)
      if (/^data-/.test(name))
        out[replaceText(slice(name, 5), /-(\w)/g, (a, c) => c.toUpperCase())] = this[OWN].attributes[name];
    return out;
  },
  appendChild(child) {
    push(this.childNodes, child);
    if (child && child[OWN] && child.tagName === '#TEXT' && this.tagName === 'SCRIPT') {
      this[OWN].text += child[OWN].text;
      if (this[OWN].done) this[OWN].runText();
    }
    if (child && child[OWN]) {
      child.parentNode = this;
      child[OWN].insert();
    }
    return child;
  },
  append(...all) {
    for (const c of all) this.appendChild(c);
  },
  prepend(...all) {
    for (const c of all) this.appendChild(c);
  },
  insertBefore(child) {
    return this.appendChild(child);
  },
  replaceChild(child) {
    return this.appendChild(child);
  },
  removeChild(child) {
    return child;
  },
  remove() {},
  replaceChildren(...all) {
    this.append(...all);
  },
  cloneNode() {
    return element(this.tagName);
  },
  contains() {
    return true;
  },
  closest() {
    return this;
  },
  matches() {
    return true;
  },
  focus() {},
  blur() {},
  select() {
    markSelected(this);
  },
  setSelectionRange() {
    markSelected(this);
  },
  scrollIntoView() {},
  animate() {},
  reset() {},
  click() {
    fire(this, 'click');
    const a = this[OWN].attributes;
    if (/^(A|AREA)$/.test(this.tagName) && a.href !== undefined) {
      if (a.download !== undefined) download(a.href, a.download, 'anchor');
      else if (/^\s*blob:/i.test(a.href)) download(a.href, 'download', 'anchor');
      else navigate(a.href, 'anchor');
    }
    if (/^(submit|image)$/i.test(a.type || '') || (this.tagName === 'BUTTON' && a.type === undefined)) {
      const form = this.form;
      if (form) {
        if (a.formaction !== undefined) form[OWN].attributes.action = a.formaction;
        form.submit();
      }
    }
  },
  submit() {
    fire(this, 'submit');
    if (/^\s*javascript:/i.test(this[OWN].attributes.action || '')) {
      navigate(this[OWN].attributes.action, 'form');
      return;
    }
    let sent = '';
    for (const e of elements)
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(e.tagName))
        sent += (e[OWN].attributes.name || e.id) + '=' + (e[OWN].attributes.type || 'text') + '&';
    rec('form', this[OWN].attributes.action || '', sent);
  },
  requestSubmit() {
    this.submit();
  },
  get form() {
    for (const e of elements) if (e.tagName === 'FORM') return e;
    return null;
  },
  getBoundingClientRect() {
    return { x: 10, y: 10, top: 10, left: 10, right: 210, bottom: 40, width: 200, height: 30 };
  },
  querySelector(q) {
    return document.querySelector(q);
  },
  querySelectorAll(q) {
    return document.querySelectorAll(q);
  },
  getElementsByTagName(t) {
    return document.getElementsByTagName(t);
  },
  getElementsByClassName(c) {
    return document.getElementsByClassName(c);
  },
  getContext() {
    return blank('canvas');
  },
  toDataURL() {
    return 'data:image/png;base64,AAAA';
  },
  get contentWindow() {
    return scriptGlobal;
  },
  get contentDocument() {
    return document;
  },
  get firstChild() {
    return this.childNodes[0] || null;
  },
  get lastChild() {
    return this.childNodes[this.childNodes.length - 1] || null;
  },
  get children() {
    return this.childNodes;
  },
  get parentElement() {
    return this.parentNode;
  },
  get ownerDocument() {
    return document;
  },
  get offsetWidth() {
    return 200;
  },
  get offsetHeight() {
    return 30;
  },
  get clientWidth() {
    return 1280;
  },
  get clientHeight() {
    return 720;
  },
  get checked() {
    return this[OWN].checked === true;
  },
  set checked(v) {
    this[OWN].checked = v;
  },
  nodeType: 1,
};
