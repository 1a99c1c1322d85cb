/**
 * A script of a page that walks through all that it can reach: members, prototypes, what functions return and throw, for good and
 * bad arguments. Every object must be one of its own realm; it makes a request for each that is not, and one at its end.
 */
export const REACH = `(function () {
  var seen = new Set(), queue = [{ value: window, path: 'window' }], count = 0;
  var isObject = function (value) { return (typeof value === 'object' && value !== null) || typeof value === 'function' };
  var tell = function (path, what) { navigator.sendBeacon('https://foreign.example/' + encodeURIComponent(path + ' ' + what)) };
  var last = function (value) { for (var at = value, left = 50; left > 0; left--) { var next = Object.getPrototypeOf(at); if (next === null) return at; at = next } return at };
  var check = function (value, path) {
    if (!isObject(value)) return;
    count++;
    var end = last(value);
    if (end !== Object.prototype && end !== value) tell(path, 'has another Object');
    if (typeof value !== 'function' || value === Function.prototype) return;
    if (!(value instanceof Function)) tell(path, 'has another Function');
  };
  var add = function (value, path, self) { if (isObject(value) && !seen.has(value) && path.split('.').length < 7) { seen.add(value); queue.push({ value: value, path: path, self: self }) } };
  var bad = function () { throw new Error('a') };
  var given = [[], [{}], [Symbol()], ['a', 'b'], [{ toString: bad, get url() { bad() } }], [null, null], [function () {}, 1], [new Proxy({}, { get: bad })], [[1, [2]]], [new Uint8Array(4)]];
  var left = /^window\\.(location|open|close|stop|print|setTimeout|setInterval|Function)$/;
  while (queue.length > 0 && count < 5000) {
    var item = queue.shift(), value = item.value, path = item.path;
    check(value, path);
    Reflect.ownKeys(value).forEach(function (key) {
      var name = path + '.' + String(key);
      var own = Object.getOwnPropertyDescriptor(value, key);
      if (own) { add(own, name); add(own.get, name + '(get)'); add(own.set, name + '(set)') }
      try { add(value[key], name, value) } catch (e) { check(e, name) }
    });
    add(Object.getPrototypeOf(value), path + '.prototype of');
    if (typeof value === 'function' && !left.test(path) && path.split('.').length < 4) given.forEach(function (list) {
      try { add(Reflect.apply(value, item.self, list), path + '()') } catch (e) { check(e, path + ' thrown') }
      try { add(Reflect.construct(value, list), 'new ' + path) } catch (e) { check(e, path + ' thrown') }
    });
  }
  (function deep() { try { deep() } catch (e) { check(e, 'stack'); try { document.createElement('a').click() } catch (f) { check(f, 'stack of a call') } } })();
  navigator.sendBeacon('https://end.example/' + count);
})()`;
