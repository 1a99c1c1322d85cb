/**
 * Ends its process with SIGKILL at one of its writes, so that a test can end it at each of them. Node loads this file before the program (`--import`).
 * Writes are calls that change something below a folder: of the file system, and of SQLite. A file that the
 * fatal write makes is left with half of its bytes; any other fatal write is done, and its answer is lost.
 *
 * `AIRLOCK_TEST_KILL` is JSON: `folder`, `on` (a text that the path or the SQL has), and `nth`, the number among such writes.
 */
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const { folder, on, nth } = JSON.parse(process.env.AIRLOCK_TEST_KILL ?? '{}');
const WITH_BYTES = ['writeFile', 'writeFileSync', 'appendFile', 'appendFileSync'];
/** The places of the paths among the arguments: a copy and a link only change their target. */
const CHANGES = {
  ...{ rename: [0, 1], link: [1], copyFile: [1], symlink: [1] },
  ...{ mkdir: [0], rm: [0], rmdir: [0], unlink: [0], truncate: [0], chmod: [0], utimes: [0] },
};
const { writeFileSync } = fs;
let writes = 0;

const die = () => process.kill(process.pid, 'SIGKILL');
const isBelow = (path) => typeof path === 'string' && (path === folder || path.startsWith(folder + sep));
const isFatal = (what) => {
  if (what.includes(on)) writes += 1;
  return what.includes(on) && writes === nth;
};

/** Dies behind the call, whether it answers at once or later. */
function lastOf(answer) {
  if (typeof answer?.then === 'function') return answer.then(die, die);
  return die();
}

function counted(object, name, places) {
  const call = object[name];
  object[name] = function (...args) {
    const path = places.map((place) => args[place]).findLast(isBelow);
    const isLast = path !== undefined && isFatal(path);
    return isLast ? lastOf(call.apply(this, args)) : call.apply(this, args);
  };
}

function countedWithBytes(object, name) {
  const call = object[name];
  object[name] = function (...args) {
    const [path, bytes, ...how] = args;
    if (!isBelow(path) || !isFatal(path)) return call.apply(this, args);
    const whole = Buffer.from(bytes);
    writeFileSync(path, whole.subarray(0, whole.length >> 1), ...how);
    return die();
  };
}

/** All databases of the command line lie below its folder. */
function countedDatabases() {
  const Database = createRequire(import.meta.url)('libsql');
  const { exec, prepare } = Database.prototype;
  Database.prototype.exec = function (sql) {
    return isFatal(sql) ? lastOf(exec.call(this, sql)) : exec.call(this, sql);
  };
  Database.prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    const { run } = statement;
    statement.run = (...values) => (isFatal(sql) ? lastOf(run.apply(statement, values)) : run.apply(statement, values));
    return statement;
  };
}

if (isMainThread && folder !== undefined) {
  for (const [name, places] of Object.entries(CHANGES)) {
    counted(fs, `${name}Sync`, places);
    counted(fs.promises, name, places);
  }
  for (const name of WITH_BYTES) countedWithBytes(name.endsWith('Sync') ? fs : fs.promises, name);
  countedDatabases();
  syncBuiltinESMExports();
}
