/** WMI methods. A script calls a method by its name, or with an object that holds the arguments. */
import { com } from './automation.js';
import { lower, Str } from './bridge.js';
import { started } from './disk.js';

export const parameters = () => {
  const m = Object.create(null);
  const item = (name) => ({
    get value() {
      return m[lower(Str(name))];
    },
    set value(v) {
      m[lower(Str(name))] = v;
    },
    get Value() {
      return this.value;
    },
    set Value(v) {
      this.value = v;
    },
  });
  m.properties_ = com('Properties', { item, add: (name) => item(name) }, item);
  m.spawninstance_ = parameters;
  return com('parameters', m);
};
export const method = () => com('Method', { inparameters: parameters(), name: 'Create' });
export const methods = () => com('Methods', { item: method }, method);
export const calledBy = (cls, name, args) => {
  const command = args && args.commandline;
  if (/^create$/i.test(Str(name)) && command !== undefined) started(command, undefined, 'WMI ' + cls);
  return com('result', { returnvalue: 0, processid: 4388 });
};
