/** Objects that read and write bytes: `FileReader`, `TextEncoder`, `TextDecoder`, `FormData`. */
import { rec } from './bridge.js';
import { bytesOfView, toBase64, viewOfBytes } from './bytes.js';
import { fire, listen } from './events.js';
import { scriptGlobal } from './script-global.js';
import { addTimer } from './timers.js';

export const useReaders = () => {
  scriptGlobal.FileReader = class {
    constructor() {
      Object.assign(this, listen(this));
    }
    done(result) {
      this.result = result;
      this.readyState = 2;
      addTimer(
        () => {
          fire(this, 'load');
          fire(this, 'loadend');
        },
        1,
        [],
      );
    }
    readAsDataURL(b) {
      this.done('data:' + b.type + ';base64,' + toBase64(b.data));
    }
    readAsText(b) {
      this.done(b.data);
    }
    readAsBinaryString(b) {
      this.done(b.data);
    }
    readAsArrayBuffer(b) {
      this.done(viewOfBytes(b.data).buffer);
    }
  };
  scriptGlobal.TextEncoder = class {
    encode(text) {
      return viewOfBytes(rec('utf8', text));
    }
  };
  scriptGlobal.TextDecoder = class {
    decode(view) {
      return rec('utf8-decode', bytesOfView(view instanceof ArrayBuffer ? new Uint8Array(view) : view));
    }
  };
  scriptGlobal.FormData = class {
    constructor() {
      this.text = '';
    }
    append(n, v) {
      this.text += n + '=' + v + '&';
    }
    set(n, v) {
      this.append(n, v);
    }
    get() {
      return null;
    }
    toString() {
      return this.text;
    }
  };
};
