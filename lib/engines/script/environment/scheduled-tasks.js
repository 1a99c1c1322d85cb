/** Scheduled tasks. The program of a task counts as started. */
import { blank, com, listing } from './automation.js';
import { push, rec } from './bridge.js';
import { started } from './disk.js';
import { ENV } from './machine.js';

const action = () => com('Action', { path: '', arguments: '', workingdirectory: '', id: '' });
const taskDefinition = () => {
  const made = [];
  const child = (name) => com(name, { settings: blank(name), repetition: com('Repetition', {}) });
  return com('TaskDefinition', {
    made,
    registrationinfo: child('RegistrationInfo'),
    settings: child('Settings'),
    principal: child('Principal'),
    triggers: com('Triggers', { create: () => child('Trigger') }),
    actions: com('Actions', {
      create: () => {
        const a = action();
        push(made, a);
        return a;
      },
    }),
    xmltext: '',
  });
};
const registerTask = (name, definition) => {
  for (const a of (definition && definition.made) || []) {
    rec('task', name, a.path + ' ' + a.arguments);
    started(a.path, a.arguments, 'scheduled task ' + name);
  }
  if (typeof definition === 'string') rec('task', name, definition);
  return registeredTask(name);
};
const registeredTask = (name) =>
  com('RegisteredTask', {
    name,
    enabled: true,
    run: () => {
      rec('asked', 'run of the task ' + name, '');
    },
  });
const taskFolder = () =>
  com('TaskFolder', {
    registertaskdefinition: registerTask,
    registertask: registerTask,
    gettask: registeredTask,
    gettasks: () => listing([]),
    getfolders: () => listing([]),
    getfolder: () => taskFolder(),
    createfolder: () => taskFolder(),
    deletetask: () => {},
    path: '\\',
  });
export const scheduler = () =>
  com('Schedule.Service', {
    connect: () => {},
    connected: true,
    getfolder: () => taskFolder(),
    newtask: () => taskDefinition(),
    getrunningtasks: () => listing([]),
    targetserver: ENV.computername,
  });
