/** Windows Management Instrumentation: its classes, queries and instances. */
import { blank, com, listing } from './automation.js';
import { lower, rec, Str } from './bridge.js';
import { started } from './disk.js';
import { calledBy, methods, parameters } from './wmi-methods.js';

const PROCESSES = [
  'System Idle Process',
  'System',
  'smss.exe',
  'csrss.exe',
  'winlogon.exe',
  'services.exe',
  'lsass.exe',
  'svchost.exe',
  'explorer.exe',
  'OUTLOOK.EXE',
  'msedge.exe',
  'Teams.exe',
  'MsMpEng.exe',
  'EXCEL.EXE',
  'SearchIndexer.exe',
  'RuntimeBroker.exe',
  'dwm.exe',
  'fontdrvhost.exe',
  'sihost.exe',
  'taskhostw.exe',
  'ctfmon.exe',
  'StartMenuExperienceHost.exe',
  'SearchApp.exe',
  'spoolsv.exe',
  'audiodg.exe',
  'OneDrive.exe',
  'SecurityHealthSystray.exe',
  'conhost.exe',
  'dllhost.exe',
  'TextInputHost.exe',
  'wscript.exe',
].concat(Array(28).fill('svchost.exe'));
const WMI = {
  win32_process: PROCESSES.map((name, i) => ({
    name,
    caption: name,
    processid: 4 + i * 212,
    executablepath: 'C:\\Windows\\System32\\' + name,
    commandline: name,
  })),
  win32_operatingsystem: [
    {
      caption: 'Microsoft Windows 10 Pro',
      version: '10.0.19045',
      buildnumber: '19045',
      osarchitecture: '64-bit',
      csname: 'FIN-WS-0417',
      installdate: '20230411083012.000000+060',
      lastbootuptime: '20260302071502.500000+060',
      totalvisiblememorysize: '16653256',
      freephysicalmemory: '7340032',
      serialnumber: '00330-80000-00000-AA512',
      oslanguage: 1033,
      locale: '0409',
      countrycode: '49',
      registereduser: 'm.keller',
      organization: '',
    },
  ],
  win32_computersystem: [
    {
      name: 'FIN-WS-0417',
      manufacturer: 'Dell Inc.',
      model: 'OptiPlex 7090',
      domain: 'finance.example',
      partofdomain: true,
      totalphysicalmemory: '17053540352',
      username: 'FINANCE\\m.keller',
      numberofprocessors: 1,
      numberoflogicalprocessors: 8,
    },
  ],
  win32_bios: [
    {
      manufacturer: 'Dell Inc.',
      serialnumber: '7JQ4KX3',
      version: 'DELL   - 1072009',
      smbiosbiosversion: '1.17.0',
      name: '1.17.0',
    },
  ],
  win32_processor: [
    { name: 'Intel(R) Core(TM) i7-10700 CPU @ 2.90GHz', numberofcores: 8, processorid: 'BFEBFBFF000A0655' },
  ],
  win32_logicaldisk: [
    {
      deviceid: 'C:',
      name: 'C:',
      size: '511101108224',
      freespace: '231928233984',
      volumeserialnumber: '4697C1D5',
      drivetype: 3,
      filesystem: 'NTFS',
    },
  ],
  win32_diskdrive: [{ model: 'Samsung SSD 870 EVO 500GB', size: '500107862016' }],
  win32_videocontroller: [{ name: 'Intel(R) UHD Graphics 630', caption: 'Intel(R) UHD Graphics 630' }],
  win32_networkadapterconfiguration: [{ macaddress: 'D8:9E:F3:1A:40:7C', ipaddress: ['10.20.4.117'], ipenabled: true }],
  antivirusproduct: [{ displayname: 'Windows Defender', productstate: 397568 }],
  win32_timezone: [{ bias: 60 }],
};
const instances = (cls) =>
  listing(
    (WMI[lower(Str(cls))] || []).map((facts) =>
      com(
        cls,
        Object.assign(
          {
            terminate: () => {
              rec('process-end', facts.name);
              return 0;
            },
            properties_: blank('Properties_'),
          },
          facts,
        ),
      ),
    ),
  );
export const wmiClass = (name) =>
  com(name, {
    create: (command) => {
      started(command, undefined, 'WMI ' + name);
      return 0;
    },
    get methods_() {
      return methods();
    },
    spawninstance_: parameters,
    execmethod_: (how, args) => calledBy(name, how, args),
    instances_: () => instances(name),
    properties_: blank('Properties_'),
    getstringvalue: () => 0,
    setstringvalue: (h, key, value, data) => {
      rec('registry-write', key + '\\' + value, data);
      return 0;
    },
  });
export const wmi = () =>
  com('SWbemServices', {
    execquery: (query) => {
      rec('wmi-query', query);
      const found = /from\s+(\w+)/i.exec(Str(query));
      return instances(found ? found[1] : '');
    },
    instancesof: (cls) => {
      rec('wmi-query', cls);
      return instances(cls);
    },
    get: (cls) => {
      rec('wmi-query', cls);
      return wmiClass(Str(cls));
    },
    execnotificationquery: (query) => {
      rec('wmi-query', query);
      return com('events', { nextevent: () => blank('event') });
    },
    security_: blank('Security_'),
    connectserver: () => wmi(),
    execmethod: calledBy,
  });
