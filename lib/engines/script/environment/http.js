/** The request objects of MSXML, WinHTTP and pages. */
import { com } from './automation.js';
import { Blob, contentOf } from './blobs.js';
import { lower, rec, Str } from './bridge.js';
import { Bytes, viewOfBytes } from './bytes.js';
import { awaited, replies } from './requests.js';

const callHandler = (m, handler) => {
  if (typeof m[handler] === 'function') m[handler]();
};
const failed = (m, name) => {
  m.status = 0;
  callHandler(m, 'onerror');
  if (name !== 'XMLHttpRequest') throw new Error('The server name or address could not be resolved');
};
const arrived = (m, name, isAnswered) => {
  m.status = isAnswered ? 200 : 404;
  m.statustext = isAnswered ? 'OK' : 'Not Found';
  callHandler(m, 'onreadystatechange');
  callHandler(m, 'onload');
  if (name === 'XMLHttpRequest') callHandler(m, 'onloadend');
};
export const http = (name) => {
  let method = 'GET';
  let url = '';
  let answer = '';
  const m = {
    open: (a, b) => {
      method = Str(a);
      url = Str(b);
      m.readystate = 1;
    },
    send: (body) => {
      const own = name === 'XMLHttpRequest' ? contentOf(url) : null;
      answer = own === null ? awaited(method, url, body) : own;
      m.readystate = 4;
      if (replies === 'silent' && own === null) failed(m, name);
      else arrived(m, name, own !== null || replies === 'answers');
    },
    setrequestheader: (a, b) => {
      rec('http-header', Str(a), Str(b));
    },
    getresponseheader: (n) => (/type/i.test(Str(n)) ? 'application/octet-stream' : Str(answer.length)),
    getallresponseheaders: () => 'Content-Type: application/octet-stream\r\nContent-Length: ' + answer.length + '\r\n',
    setoption: () => {},
    setproxy: () => {},
    setcredentials: () => {},
    settimeouts: () => {},
    setclientcertificate: () => {},
    waitforresponse: () => true,
    abort: () => {},
    overridemimetype: () => {},
    addeventlistener: (t, f) => {
      m['on' + t] = f;
    },
    option: () => undefined,
    readystate: 0,
    status: 0,
    statustext: '',
    onreadystatechange: null,
    get responsebody() {
      return new Bytes(answer);
    },
    get responsestream() {
      return new Bytes(answer);
    },
    get responsetext() {
      return answer;
    },
    get response() {
      if (name !== 'XMLHttpRequest') return answer;
      const kind = lower(Str(m.responsetype));
      if (kind === 'arraybuffer') return viewOfBytes(answer).buffer;
      return kind === 'blob' ? Object.assign(new Blob([]), { data: answer, size: answer.length }) : answer;
    },
    responsexml: null,
    responsetype: '',
  };
  return com(name, m);
};
