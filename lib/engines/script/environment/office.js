/** Office, Outlook, the management console and the windows of the shell, all of which start programs. */
import { blank, com, listing } from './automation.js';
import { ITEMS, rec, Str } from './bridge.js';
import { advance } from './clock.js';
import { createObject } from './create-object.js';
import { started } from './disk.js';
import { request } from './requests.js';
import { shellApplication } from './shell.js';

const fromFormula = (formula) => {
  const text = Str(formula);
  const run = /\b(?:EXEC|SHELL)\s*\(\s*"((?:[^"]|"")*)"/i.exec(text);
  if (run) started(run[1], undefined, 'ExecuteExcel4Macro');
  else rec('asked', 'macro formula', text);
  return 0;
};
export const office = (name) =>
  com(name, {
    visible: false,
    displayalerts: true,
    name,
    version: '16.0',
    username: 'M. Keller',
    executeexcel4macro: fromFormula,
    ddeinitiate: (program, topic) => {
      started(program, topic, name + '.DDEInitiate');
      return 1;
    },
    ddeexecute: (channel, text) => {
      started(text, undefined, name + '.DDEExecute');
    },
    registerxll: (path) => {
      started(path, undefined, name + '.RegisterXLL');
      return true;
    },
    quit: () => {},
    wait: () => {
      advance(5000);
      return true;
    },
    workbooks: blank(name + '.Workbooks'),
    documents: blank(name + '.Documents'),
  });
const mail = () =>
  com('MailItem', {
    to: '',
    cc: '',
    bcc: '',
    subject: '',
    body: '',
    htmlbody: '',
    attachments: com('Attachments', {
      add: (path) => {
        rec('asked', 'attachment', path);
      },
    }),
    recipients: com('Recipients', {
      add: (who) => {
        rec('asked', 'recipient', who);
      },
    }),
    save: () => {},
    display: () => {},
    send() {
      rec('mail', this.to, this.subject);
    },
  });
// Office counts from 1.
const contact = () =>
  com('Contact', { email1address: 'a.berg@finance.example', fullname: 'A. Berg', address: 'a.berg@finance.example' });
const contacts = () => com('Items', { count: 1, item: contact, [ITEMS]: [contact()] }, contact);
const mailbox = () => com('folder', { items: contacts(), folders: () => mailbox(), name: 'Contacts' });
export const outlook = () =>
  com('Outlook.Application', {
    createitem: () => mail(),
    getnamespace: () =>
      com('NameSpace', {
        getdefaultfolder: (n) => {
          rec('asked', 'mail folder ' + n, '');
          return mailbox();
        },
        addresslists: listing([com('AddressList', { addressentries: contacts(), name: 'Contacts' })]),
        logon: () => {},
      }),
    session: com('Session', { getdefaultfolder: () => mailbox() }),
    quit: () => {},
    createobject: (name) => createObject(name),
  });
export const console_ = () =>
  com('MMC20.Application', {
    document: com('Document', {
      activeview: com('View', {
        executeshellcommand: (file, dir, args) => {
          started(file, args, 'MMC20.Application');
        },
      }),
    }),
  });
export const browserWindow = () =>
  com('ShellBrowserWindow', {
    document: com('Document', { application: shellApplication() }),
    navigate: (url) => {
      request('GET', url);
    },
    visible: true,
  });
export const shellWindows = () => com('ShellWindows', { count: 1, item: browserWindow });
