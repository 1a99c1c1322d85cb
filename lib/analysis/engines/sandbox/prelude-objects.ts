/** Automation objects beyond those of every script: class ids, WMI methods, tasks, Office, .NET and style sheets. Text for QuickJS; see prelude-core.ts. */
export const PRELUDE_OBJECTS = String.raw`
// --- a user's machine has files; scripts count them before they go on, or take them hostage
const files = ['Desktop\\Team.lnk', 'Desktop\\Plan 2026.xlsx', 'Desktop\\Notes.txt', 'Documents\\Contract.docx', 'Documents\\Budget 2026.xlsx', 'Documents\\Minutes.docx', 'Documents\\Offer.pdf', 'Documents\\Customers.xlsx', 'Pictures\\Holiday.jpg', 'Pictures\\Team.jpg'];
for (let i = 1; i <= 24; i++) push(files, 'AppData\\Roaming\\Microsoft\\Windows\\Recent\\Document ' + i + '.lnk');
const spelled = Object.create(null);
for (const name of files) { const path = ENV.userprofile + '\\' + name; spelled[lower(path)] = path; disk[lower(path)] = 'Contents of ' + name; }
const folders = ['C:\\Windows', 'C:\\Windows\\System32', 'C:\\Program Files', 'C:\\ProgramData', 'C:\\Users', 'C:\\Users\\Public', ENV.userprofile];
for (const name of ['Desktop', 'Documents', 'Downloads', 'Pictures', 'AppData', 'AppData\\Local', 'AppData\\Roaming', 'AppData\\Roaming\\Adobe', 'AppData\\Roaming\\Microsoft', 'AppData\\Roaming\\Mozilla', 'AppData\\Roaming\\Microsoft\\Windows', 'AppData\\Roaming\\Microsoft\\Windows\\Recent']) push(folders, ENV.userprofile + '\\' + name);
const inFolder = (path, names) => { const start = keyOf(path) + '\\'; return names.filter((name) => indexOf(lower(name), start) === 0 && indexOf(name, '\\', start.length) < 0); };
const filesIn = (path) => inFolder(path, Object.keys(disk)).map((key) => fileObject(spelled[key] || key));
const foldersIn = (path) => inFolder(path, folders).map((name) => folderObject(name));

// --- WMI: a class is called by its name, or by an object that holds what it is called with
const parameters = () => { const m = Object.create(null); const item = (name) => ({ get value() { return m[lower(Str(name))]; }, set value(v) { m[lower(Str(name))] = v; }, get Value() { return this.value; }, set Value(v) { this.value = v; } }); m.properties_ = com('Properties', { item, add: (name) => item(name) }, item); m.spawninstance_ = parameters; return com('parameters', m); };
const method = () => com('Method', { inparameters: parameters(), name: 'Create' });
const methods = () => com('Methods', { item: method }, method);
const calledBy = (cls, name, args) => { const command = args && args.commandline; if (/^create$/i.test(Str(name)) && command !== undefined) started(command, undefined, 'WMI ' + cls); return com('result', { returnvalue: 0, processid: 4388 }); };

// --- scheduled tasks
const action = () => com('Action', { path: '', arguments: '', workingdirectory: '', id: '' });
const taskDefinition = () => { const made = []; const child = (name) => com(name, { settings: blank(name), repetition: com('Repetition', {}) }); return com('TaskDefinition', { made, registrationinfo: child('RegistrationInfo'), settings: child('Settings'), principal: child('Principal'), triggers: com('Triggers', { create: () => child('Trigger') }), actions: com('Actions', { create: () => { const a = action(); push(made, a); return a; } }), xmltext: '' }); };
const registerTask = (name, definition) => { for (const a of definition && definition.made || []) { rec('task', name, a.path + ' ' + a.arguments); started(a.path, a.arguments, 'scheduled task ' + name); } if (typeof definition === 'string') rec('task', name, definition); return registeredTask(name); };
const registeredTask = (name) => com('RegisteredTask', { name, enabled: true, run: () => { rec('asked', 'run of the task ' + name, ''); } });
const taskFolder = () => com('TaskFolder', { registertaskdefinition: registerTask, registertask: registerTask, gettask: registeredTask, gettasks: () => listing([]), getfolders: () => listing([]), getfolder: () => taskFolder(), createfolder: () => taskFolder(), deletetask: () => {}, path: '\\' });
const scheduler = () => com('Schedule.Service', { connect: () => {}, connected: true, getfolder: () => taskFolder(), newtask: () => taskDefinition(), getrunningtasks: () => listing([]), targetserver: ENV.computername });

// --- Office and management console, which start programs
const fromFormula = (formula) => { const text = Str(formula); const run = /\b(?:EXEC|SHELL)\s*\(\s*"((?:[^"]|"")*)"/i.exec(text); if (run) started(run[1], undefined, 'ExecuteExcel4Macro'); else rec('asked', 'macro formula', text); return 0; };
const office = (name) => com(name, { visible: false, displayalerts: true, name, version: '16.0', username: 'M. Keller', executeexcel4macro: fromFormula, ddeinitiate: (program, topic) => { started(program, topic, name + '.DDEInitiate'); return 1; }, ddeexecute: (channel, text) => { started(text, undefined, name + '.DDEExecute'); }, registerxll: (path) => { started(path, undefined, name + '.RegisterXLL'); return true; }, quit: () => {}, wait: () => { advance(5000); return true; },
  workbooks: blank(name + '.Workbooks'), documents: blank(name + '.Documents') });
const mail = () => com('MailItem', { to: '', cc: '', bcc: '', subject: '', body: '', htmlbody: '', attachments: com('Attachments', { add: (path) => { rec('asked', 'attachment', path); } }), recipients: com('Recipients', { add: (who) => { rec('asked', 'recipient', who); } }), save: () => {}, display: () => {}, send() { rec('mail', this.to, this.subject); } });
// Office counts from 1.
const contact = () => com('Contact', { email1address: 'a.berg@finance.example', fullname: 'A. Berg', address: 'a.berg@finance.example' });
const contacts = () => com('Items', { count: 1, item: contact, [ITEMS]: [contact()] }, contact);
const mailbox = () => com('folder', { items: contacts(), folders: () => mailbox(), name: 'Contacts' });
const outlook = () => com('Outlook.Application', { createitem: () => mail(), getnamespace: () => com('NameSpace', { getdefaultfolder: (n) => { rec('asked', 'mail folder ' + n, ''); return mailbox(); }, addresslists: listing([com('AddressList', { addressentries: contacts(), name: 'Contacts' })]), logon: () => {} }), session: com('Session', { getdefaultfolder: () => mailbox() }), quit: () => {}, createobject: (name) => createObject(name) });
const console_ = () => com('MMC20.Application', { document: com('Document', { activeview: com('View', { executeshellcommand: (file, dir, args) => { started(file, args, 'MMC20.Application'); } }) }) });
const browserWindow = () => com('ShellBrowserWindow', { document: com('Document', { application: shellApplication() }), navigate: (url) => { request('GET', url); }, visible: true });
const shellWindows = () => com('ShellWindows', { count: 1, item: browserWindow });

// --- .NET by its COM names: a program in a text, loaded without a file
const encoding = () => com('ASCIIEncoding', { getbytecount_2: (text) => Str(text).length, getbytes_4: (text) => new Bytes(Str(text)), getstring: (bytes) => Str(bytes) });
const memoryStream = () => { let data = ''; const m = { position: 0, write: (bytes, at, count) => { data += slice(bytes && bytes.data !== undefined ? bytes.data : Str(bytes), at || 0, (at || 0) + floor(Num(count))); }, toarray: () => new Bytes(data), close: () => {}, get length() { return data.length; }, get [DATA]() { return data; } }; return com('MemoryStream', m); };
const deserialize = (from) => { rec('assembly', 'BinaryFormatter', from && from[DATA] || ''); return com('Delegate', { dynamicinvoke: () => com('Assembly', { createinstance: (name) => { rec('asked', 'instance of ' + name, ''); return blank(Str(name)); }, entrypoint: blank('EntryPoint') }) }); };
const arrayList = () => { const items = []; return com('ArrayList', { add: (v) => { push(items, v); return items.length - 1; }, toarray: () => items, get count() { return items.length; }, item: (i) => items[i] }); };
const base64Transform = () => com('FromBase64Transform', { transformfinalblock: (bytes) => new Bytes(fromBase64(Str(bytes))) });

// --- scripts in a style sheet run when it is applied
const runSheet = (text) => { const script = /<[\w:-]*script\b[^>]*>([\s\S]*?)<\/[\w:-]*script\s*>/gi; const body = Str(text); for (let m = script.exec(body); m !== null; m = script.exec(body)) { const code = replaceText(m[1], /^\s*<!\[CDATA\[|\]\]>\s*$/g, ''); if (/language\s*=\s*["']?vb/i.test(m[0])) rec('skipped', 'VBScript in a style sheet', code); else realEval(layer(code, 'style sheet')); } };

const CLASSES = [[/72c24dd5-d70a-438b-8a42-98424b88afb8|f935dc22-1cf0-11d0-adb9-00c04fd58a0b/, shell], [/13709620-c279-11ce-a49e-444553540000/, shellApplication], [/9ba05972-f6a8-11cf-a442-00a0c90a8f39/, shellWindows], [/c08afd90-f2a1-11d1-8455-00a0c91f3880/, browserWindow], [/49b2791a-b1ae-4c90-9b8e-e860ba07f889/, console_], [/0d43fe01-f093-11cf-8940-00a0c9054228/, fileSystem], [/00000566-0000-0010-8000-00aa006d2ea4/, stream], [/ee09b103-97e0-11cf-978f-00a02463e06f/, dictionary], [/f5078f3[25]-c551-11d3-89b9-0000f81fe221|f6d90f16-9c73-11d3-b32e-00c04f990bb4|88d96a0[5a]-f192-11d4-a65f-0040963251e5|afba6b42-5692-48ea-8141-dc517dcf0ef1|2087c2f4-2cef-4953-a8ab-66779b670495/, () => http('XMLHTTP')], [/093ff999-1ea0-4079-9525-9614c3504b74/, network], [/0f87369f-a4e5-4cfc-bd3e-73e6154572dd/, scheduler]];
const ofClass = (id) => { const low = lower(Str(id)); for (const [pattern, make] of CLASSES) if (pattern.test(low)) return make(); return null; };
MAKERS.push([/^mmc20\.application/, console_], [/^schedule\.service/, scheduler], [/^outlook\.application/, outlook], [/^(excel|word|powerpoint)\.application/, office], [/^system\.text\.\w*encoding/, encoding], [/^system\.io\.memorystream/, memoryStream], [/^system\.runtime\.serialization\.formatters\.binary\.binaryformatter/, () => com('BinaryFormatter', { deserialize, deserialize_2: deserialize })], [/^system\.security\.cryptography\.frombase64transform/, base64Transform], [/^system\.collections\.arraylist/, arrayList], [/^scriptlet\.typelib/, () => com('TypeLib', { guid: '{5F2C0C3E-7C61-4B0A-9B7E-6A1D5A0F3C11}' })], [/^new:|^\{?[0-9a-f]{8}-/, () => blank('class')]);
// An object that a page or a script file declares by name is a variable of its scripts.
const declareObjects = (elements) => { for (const { tag, attributes } of elements) if (tag === 'object' && attributes.id) { const made = attributes.progid ? createObject(attributes.progid) : ofClass(attributes.classid || attributes.clsid); if (made) G[attributes.id] = made; } };
`;
