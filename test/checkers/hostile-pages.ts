/** Pages that each try one way out. The judge must see every one of them, or it is blind and what it says is worth nothing. */

const EVIL = 'http://evil.example/x';

/** By what is tried. All inert: the hosts do not exist, and the scripts do nothing. */
export const HOSTILE_PAGES: Readonly<Record<string, string>> = {
  'a script': '<script>1</script>',
  'a script of a drawing': '<svg><script>1</script></svg>',
  'a script from elsewhere': `<script src="${EVIL}.js"></script>`,
  'a module': '<script type=module>1</script>',
  'a handler that runs at once': '<img src="data:," onerror="void 0">',
  'a handler that waits for a click': '<p onclick="void 0">x</p>',
  'a handler of an animation': '<svg><animate onbegin="void 0" attributeName=x dur=1s></svg>',
  'a dialog': '<script>alert(1)</script>',
  'a page that leaves': '<script>location = "http://evil.example/"</script>',
  'a redirection': `<meta http-equiv="refresh" content="0;url=${EVIL}">`,
  'a redirection that waits': `<meta http-equiv="Refresh" content="600;url=${EVIL}">`,
  'a script as a link': '<a href="java&#9;script:void 0">x</a>',
  'a link': `<a href="${EVIL}">x</a>`,
  'a link without a scheme': '<a href="/\\evil.example/x">x</a>',
  'a link to a file': '<a href="x.html">x</a>',
  'a question': '<a href="?x">x</a>',
  'a link to a share': '<a href="\\\\evil.example\\x">x</a>',
  'a link in a drawing': `<svg><a xlink:href="${EVIL}"><text>x</text></a></svg>`,
  'a link in a formula': `<math href="${EVIL}"><mi>x</mi></math>`,
  'a link of a map': `<map name=m><area href="${EVIL}"></map>`,
  'a link behind a base': '<base href="https://evil.example/"><a href="#x">x</a>',
  'a letter with a file': '<a href="mailto:a@b.example?%2561ttach=/etc/passwd">x</a>',
  'another program': '<a href="ms-msdt:/id x">x</a>',
  'a form': `<form action="${EVIL}"><input type=submit></form>`,
  'a button': `<form><button formaction="${EVIL}">x</button></form>`,
  'a picture': `<img src="${EVIL}.png">`,
  'a picture in several sizes': `<img srcset="${EVIL}.png 1x, ${EVIL}2.png 9x">`,
  'a picture of a file': '<img src="file://evil.example/x.png">',
  'a lazy picture': `<div style="height:99999px"></div><img loading=lazy src="${EVIL}.png">`,
  'a picture of a style': `<p style="background:u\\72l(${EVIL}.png)">x</p>`,
  'a picture of a sheet': `<style>@media print{.none{background:url(${EVIL}.png)}}</style>`,
  'a sheet': `<link rel=stylesheet href="${EVIL}.css">`,
  'an imported sheet': `<style>@import "${EVIL}.css";</style>`,
  'a font': `<style>@font-face{font-family:x;src:url(${EVIL}.woff)}</style>`,
  'a background': `<table background="${EVIL}.png"></table>`,
  'a frame': `<iframe src="${EVIL}"></iframe>`,
  'a frame with its page': '<iframe srcdoc="<script>1</script>"></iframe>',
  'an object': `<object data="${EVIL}.swf"></object>`,
  'a film': `<video poster="${EVIL}.png" src="${EVIL}.mp4"></video>`,
  'a preparation': `<link rel=dns-prefetch href="//evil.example/">`,
  'a page ahead': `<link rel=prefetch href="${EVIL}">`,
  'an open tree': `<div><template shadowrootmode=open><a href="${EVIL}">x</a></template></div>`,
  'a closed tree': `<div><template shadowrootmode=closed><a href="${EVIL}">x</a></template></div>`,
};

/** As many ways to stay in the message: none of them may be taken for a threat. */
export const HARMLESS_PAGE = `<!doctype html><title>x</title><style>p{color:red;background:url("data:image/gif;base64,AA==")}</style>
<p id=top>x <a href="#top">top</a> <a href="">here</a> <a href="mailto:a@b.example?subject=x">write</a>
<a href="tel:+49301234567">call</a> <img src="cid:a@b"> <blockquote cite="mid:a@b">x</blockquote> <a name=x>x</a></p>
<table background="cid:a@b"><tr><td>x</table> <form><input></form>`;
