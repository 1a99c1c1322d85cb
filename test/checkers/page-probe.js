/**
 * What the real browser is asked about a page that it has opened: run in the page, it gives the addresses as the browser itself
 * completes them, and what acts without an address. JavaScript, as nothing translates it on the way.
 */
(() => {
  const PROPERTIES = ['href', 'src', 'action', 'formAction', 'data', 'poster', 'longDesc', 'cite'];
  const ATTRIBUTES = ['href', 'xlink:href', 'background', 'ping'];
  const ACTIVE = /^(?:script|iframe|frame|object|embed|applet|fencedframe)$/;
  const completed = (value) => (URL.canParse(value, document.baseURI) ? new URL(value, document.baseURI).href : value);

  function* addressesIn(element) {
    const tag = element.tagName.toLowerCase();
    for (const name of PROPERTIES)
      if (element.hasAttribute(name) && typeof element[name] === 'string') yield [`${tag} ${name}`, element[name]];
    for (const name of ATTRIBUTES)
      if (element.hasAttribute(name)) yield [`${tag} ${name}`, completed(element.getAttribute(name))];
    for (const candidate of (element.getAttribute('srcset') ?? '').trim().split(/\s*,\s+/))
      if (candidate !== '') yield [`${tag} srcset`, completed(candidate.split(/\s/)[0])];
    if (element.hasAttribute('style')) yield* addressesInStyle(`${tag} style`, element.style?.cssText ?? '');
  }

  function* addressesInStyle(where, style) {
    for (const [, url] of style.matchAll(/url\("((?:[^"\\]|\\.)*)"\)/g)) yield [where, completed(url)];
  }

  function* addressesInSheet(sheet) {
    for (const rule of sheet.cssRules)
      if (rule instanceof CSSImportRule) yield ['@import', completed(rule.href)];
      else yield* addressesInStyle('style sheet', rule.cssText);
  }

  function* activeIn(element) {
    const tag = element.tagName.toLowerCase();
    if (ACTIVE.test(tag)) yield `<${tag}>`;
    if (tag === 'meta' && /^refresh$/i.test(element.httpEquiv)) yield 'meta refresh';
    for (const { name } of element.attributes)
      if (/^on/i.test(name) && typeof element[name.toLowerCase()] === 'function') yield `${tag} ${name}`;
  }

  const treesIn = (root) => [
    root,
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot === null ? [] : treesIn(shadowRoot))),
  ];
  const trees = treesIn(document);
  const elements = trees.flatMap((root) => [...root.querySelectorAll('*')]);
  // A sheet of another host hides its rules; it was asked for, which is seen elsewhere.
  const sheets = trees.flatMap((root) => [...root.styleSheets]).filter(({ href }) => href === null);
  const addresses = [
    ...elements.flatMap((element) => [...addressesIn(element)]),
    ...sheets.flatMap((sheet) => [...addressesInSheet(sheet)]),
  ];
  return {
    addresses: addresses.map(([where, url]) => ({ where, url })),
    active: elements.flatMap((element) => [...activeIn(element)]),
    text: document.documentElement?.textContent ?? '',
  };
})();
