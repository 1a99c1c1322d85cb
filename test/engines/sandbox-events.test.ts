/** Everything that a page does is recorded, also in handlers of events, on other objects, and in unusual forms. */
import { describe, expect, test } from 'vitest';
import { runScript } from '../hostile/attack/sandbox-run.ts';

const TO = 'http://next.example/';
const GO = `location = "${TO}"`;

async function goes(content: string) {
  const { level, events } = await runScript('a.html', content);
  const isSeen = events.some(({ operation, target }) => operation === 'navigate' && target.includes('next.example'));
  return { isSeen, level };
}

const EVENTS = [
  'unhandledrejection',
  'beforeunload',
  'pagehide',
  'visibilitychange',
  'blur',
  'resize',
  'online',
  'storage',
  'hashchange',
  'popstate',
  'message',
  'contextmenu',
  'paste',
  'wheel',
  'dblclick',
  'dragstart',
  'beforeprint',
  'copy',
  'transitionend',
  'selectionchange',
  'mouseleave',
  'toggle',
  'close',
  'invalid',
  'neverheardof',
];

const WAYS: Readonly<Record<string, (event: string) => string>> = {
  'a listener of the window': (event) => `<script>addEventListener("${event}", () => { ${GO} })</script>`,
  'a listener of the document': (event) =>
    `<script>document.addEventListener("${event}", { handleEvent() { ${GO} } })</script>`,
  'a handler of the body': (event) => `<body><script>document.body.on${event} = () => { ${GO} }</script>`,
  'an attribute': (event) => `<p on${event}='${GO}'>a</p><script>var a = 1</script>`,
  'a handler of an element in no page': (event) => `<script>new Image().on${event} = () => { ${GO} }</script>`,
};

describe.each(Object.entries(WAYS))('%s is called', (_, page) => {
  test.each(EVENTS)('at %s', async (event) => {
    expect(await goes(page(event))).toEqual({ isSeen: true, level: 'suspicious' });
  });
});

const module = `data:text/javascript,${encodeURIComponent(GO)}`;

test.each([
  ['a module of data', `<script>import("${module}")</script>`],
  ['a module of a blob', `<script>import(URL.createObjectURL(new Blob(['${GO}'])))</script>`],
  [
    'markup in pieces',
    `<script>document.write("<scr"); document.write('ipt>${GO}</scr'); document.write("ipt>")</script>`,
  ],
  [
    'text put into a script',
    `<script>var s = document.createElement("script"); s.append(document.createTextNode('${GO}')); document.body.append(s)</script>`,
  ],
  ['a place in a with statement', `<script>with (location) href = "${TO}"</script>`],
  ['the host alone', '<script>location.host = "next.example"</script>'],
  ['an area', `<map><area id="a" href="${TO}"></map><script>document.getElementById("a").click()</script>`],
  ['a base', `<base href="${TO}"><a href="a">a</a><script>document.links[0].click()</script>`],
  ['a link that is a script', `<a href='javascript:${GO}'>a</a>`],
  ['a form that is a script', `<form action='javascript:${GO}'></form>`],
  ['a frame of its own text', `<iframe srcdoc='<script>${GO}</script>'></iframe>`],
  [
    'what an observer calls',
    `<p></p><script>new IntersectionObserver(() => { ${GO} }).observe(document.body)</script>`,
  ],
  [
    'an answer of a worker',
    `<script>new Worker(URL.createObjectURL(new Blob(['postMessage("${TO}")']))).onmessage = (e) => { location = e.data }</script>`,
  ],
  ['a message to itself', `<script>onmessage = (e) => { location = e.data }; postMessage("${TO}", "*")</script>`],
  ['an interval that counts', `<script>var n = 0; setInterval(() => { if (++n === 90) ${GO} }, 100)</script>`],
  [
    'an interval that waits',
    `<script>var t = Date.now(); setInterval(() => { if (Date.now() - t > 3e6) ${GO} }, 100)</script>`,
  ],
  [
    'the end of a request',
    `<script>var x = new XMLHttpRequest(); x.open("GET", "/a"); x.onloadend = () => { ${GO} }; x.send()</script>`,
  ],
])('%s leads elsewhere', async (_, content) => {
  expect((await goes(content)).isSeen).toBe(true);
});

test.each([
  [
    'a listener that wants more of its event',
    '<script>addEventListener("message", (e) => { n = e.data.type.length })</script>',
  ],
  [
    'a page that answers itself',
    '<script>addEventListener("message", () => { parent.postMessage("a", "*") }); postMessage("a", "*")</script>',
  ],
  [
    'a worker that answers',
    '<script>var w = new Worker(URL.createObjectURL(new Blob(["onmessage = (e) => postMessage(e.data * 2)"]))); w.onmessage = (e) => { n = e.data }; w.postMessage(2)</script>',
  ],
  ['many intervals', '<script>for (var i = 0; i < 20; i++) setInterval(() => { document.title = "a" }, 1000)</script>'],
  ['a form and a button beside it', '<button onclick="n = 1">a</button><form action="https://search.example/"></form>'],
])('%s is benign', async (_, content) => {
  expect((await goes(content)).level).toBe('benign');
});

test.each([
  ['addMenuItem', 'app.addMenuItem({ cName: "a", cParent: "File", cExec: "app.launchURL(\'http://next.example/\')" })'],
  ['addToolButton', 'app.addToolButton({ cName: "a", cExec: "app.launchURL(\'http://next.example/\')" })'],
  [
    'a replaced launchURL',
    'app.launchURL = function () {}; delete app.launchURL; app.launchURL("http://next.example/")',
  ],
])('a document by %s opens a link', async (_, code) => {
  const pdf = `%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(${code.replace(/[\\()]/g, '\\$&')})>>>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF`;
  const { events } = await runScript('a.pdf', pdf);
  expect(events.map(({ operation, target }) => `${operation} ${target}`)).toContain('launch-url http://next.example/');
});

test.each([
  ['a drive', 'new ActiveXObject("WScript.Network").MapNetworkDrive("Z:", "\\\\\\\\next.example\\\\a")'],
  ['a file elsewhere', 'GetObject("http://next.example/a.hta")'],
])('a script for Windows that asks for %s reaches a host', async (_, code) => {
  expect((await runScript('a.js', code)).findings.map(({ id }) => id)).toContain('behaviour-contacts-host');
});
