/** Blobs, files and `data:` URLs, and the downloads of them. */
import { indexOf, rec, Str, slice } from './bridge.js';
import { bytesOfView, fromBase64, viewOfBytes } from './bytes.js';
import { flow } from './network.js';

const blobs = Object.create(null);
let blobId = 0;
export const objectUrlOf = (blob) => {
  const url = 'blob:null/' + ++blobId;
  blobs[url] = blob instanceof Blob ? blob : new Blob([]);
  rec('object-url', url, blobs[url].type);
  return url;
};
export const bytesOf = (part) =>
  part instanceof Blob
    ? part.data
    : part instanceof ArrayBuffer
      ? bytesOfView(new Uint8Array(part))
      : ArrayBuffer.isView(part)
        ? bytesOfView(new Uint8Array(part.buffer, part.byteOffset, part.byteLength))
        : rec('utf8', part);
export class Blob {
  constructor(parts, options) {
    let data = '';
    for (const part of parts || []) data += bytesOf(part);
    this.data = data;
    this.size = data.length;
    this.type = options && options.type ? Str(options.type) : '';
    rec('blob', this.type, data.length);
  }
  slice(a, b) {
    const part = new Blob([]);
    part.data = slice(this.data, a, b);
    part.size = part.data.length;
    return part;
  }
  stream() {
    return flow(this.data);
  }
  text() {
    return Promise.resolve(this.data);
  }
  arrayBuffer() {
    return Promise.resolve(viewOfBytes(this.data).buffer);
  }
}
export class File extends Blob {
  constructor(parts, name, options) {
    super(parts, options);
    this.name = name;
  }
}
const dataUrl = (url) => {
  const comma = indexOf(url, ',');
  const head = slice(url, 5, comma);
  let body = slice(url, comma + 1);
  try {
    body = decodeURIComponent(body);
  } catch {}
  return /;base64/i.test(head) ? fromBase64(body) : body;
};
export const contentOf = (url) =>
  /^blob:/.test(url) ? (blobs[url] ? blobs[url].data : '') : /^data:/i.test(url) ? dataUrl(url) : null;
export const download = (url, name, how) => {
  const data = contentOf(Str(url));
  if (data === null) {
    rec('navigate', url, how);
    return;
  }
  rec('download', name || 'download', data, how);
};
