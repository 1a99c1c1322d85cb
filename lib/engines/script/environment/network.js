/** The parts of a page that use the network (`fetch`, `XMLHttpRequest`, sockets, streams), and workers. */
import { Blob, bytesOf, contentOf } from './blobs.js';
import { layer, push, rec, Str } from './bridge.js';
import { viewOfBytes } from './bytes.js';
import { element, workers } from './elements.js';
import { fire, listen, STUB } from './events.js';
import { http } from './http.js';
import { awaited, replies, request } from './requests.js';
import { realEval, scriptGlobal } from './script-global.js';
import { addTimer, soon } from './timers.js';

const response = (url, answer) => ({
  ok: replies === 'answers',
  status: replies === 'answers' ? 200 : 404,
  statusText: replies === 'answers' ? 'OK' : 'Not Found',
  url,
  headers: { get: () => 'application/octet-stream' },
  text: () => Promise.resolve(answer),
  json: () => Promise.resolve({}),
  get body() {
    return flow(answer);
  },
  blob: () => Promise.resolve(Object.assign(new Blob([]), { data: answer, size: answer.length })),
  arrayBuffer: () => Promise.resolve(viewOfBytes(answer).buffer),
  clone() {
    return this;
  },
});
export const flow = (data) => ({
  data,
  pipeThrough(through) {
    return flow(through && through.how ? rec('unpack', data, through.how) : data);
  },
  getReader() {
    let left = true;
    return {
      read: () => {
        const value = left ? { done: false, value: viewOfBytes(data) } : { done: true };
        left = false;
        return Promise.resolve(value);
      },
      releaseLock: () => {},
    };
  },
  cancel: () => Promise.resolve(),
});
export const useNetwork = () => {
  scriptGlobal.fetch = (url, options) => {
    const text = Str((url && url.href) || (url && url.url) || url);
    const own = contentOf(text);
    if (own !== null) return Promise.resolve(response(text, own));
    const answer = awaited((options && options.method) || 'GET', text, options && options.body);
    return replies === 'silent'
      ? Promise.reject(new TypeError('Failed to fetch'))
      : Promise.resolve(response(text, answer));
  };
  scriptGlobal.XMLHttpRequest = function () {
    return http('XMLHttpRequest');
  };
  scriptGlobal.WebSocket = function (url) {
    request('GET', url);
    const socket = {
      send: (d) => {
        rec('asked', 'web socket sent', d);
      },
      close: () => {},
      readyState: 1,
    };
    Object.assign(socket, listen(socket));
    addTimer(
      () => {
        fire(socket, 'open');
      },
      20,
      [],
    );
    return socket;
  };
  scriptGlobal.Image = function () {
    return element('img');
  };
  scriptGlobal.Audio = function (url) {
    const e = element('audio');
    if (url !== undefined) e.src = url;
    return e;
  };
  scriptGlobal.EventSource = function (url) {
    request('GET', url);
    const source = { close: () => {}, readyState: 0 };
    return Object.assign(source, listen(source));
  };
  scriptGlobal.Worker = function (url) {
    const code = contentOf(Str(url));
    if (code === null) request('GET', url);
    else
      soon(() => {
        realEval('(function () {' + layer(code, 'Worker') + '\n})()');
      });
    const worker = {
      postMessage: (data) => {
        soon(() => {
          fire(scriptGlobal, 'message', { data });
        });
      },
      terminate: STUB,
    };
    push(workers, worker);
    return Object.assign(worker, listen(worker));
  };
  scriptGlobal.DecompressionStream = class {
    constructor(how) {
      this.how = Str(how);
    }
  };
  scriptGlobal.Response = function (body) {
    const data = body && body.data !== undefined ? body.data : body === undefined || body === null ? '' : bytesOf(body);
    return Object.assign(response('', data), { ok: true, status: 200 });
  };
};
