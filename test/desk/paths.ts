/** Spellings of addresses by which people got around the rules of other consoles. */

/** Nothing is there, also for whoever is let in. */
export const NOWHERE: readonly string[] = [
  ...['/mails/..%2f..%2fetc%2fpasswd', '/mails/%2e%2e/%2e%2e/secrets/deliver.key', '/mails/..;/style.css'],
  ...['//mails', '///mails', '/./mails//', '/%2fmails', '/mails%2f', '/MAILS', '/Mails', '/mails/', '/mails;x=1'],
  ...['/mails%00', '/mails%20', '/mails.json', '/mails%3fstate=', '/%2e%2fmails', '/%252e%252e/mails', '/\\mails'],
  ...[
    '/style.css/../..;/mails',
    '/style.css/..;/mails',
    '/style.css/x',
    '/style.css%2f..%2fmails',
    '/favicon.ico/..%2fmails',
  ],
  ...[
    `/mails/${'A'.repeat(32)}`,
    `/mails/${'a'.repeat(33)}`,
    `/mails/${'a'.repeat(32)}`,
    `/mails/${'a'.repeat(32)}%00`,
  ],
  ...[`/mails/${'a'.repeat(32)}/release/..%2fdelete`, `/mails/${'a'.repeat(32)}/parts/../../blocks`],
  ...['/%ff', '/mails/%', '/%c0%afmails', '/\u{ff0f}mails'],
];

/** Ways to a page beside the one that asks who it is. */
export const WAYS_AROUND: readonly string[] = [
  ...[
    '/mails',
    '//mails',
    '/mails/',
    '/MAILS',
    '/./mails',
    '/x/../mails',
    '/x/%2e%2e/mails',
    '/..;/mails',
    '/%2e%2e;/mails',
  ],
  ...[
    '/style.css/../mails',
    '/style.css/..;/mails',
    '/style.css%2f..%2fmails',
    '/favicon.ico/%2e%2e/mails',
    '/mails%2f',
  ],
  ...['/api/mails', '/api/..;/mails', '/api/../mails', '/api//mails', '/api/%2e%2e/mails', '/API/mails', '//api/mails'],
  ...['/sign-in/../mails', '/sign-in/..;/mails', '/signed-in/%2e%2e/mails', '/sign-in%2f..%2fmails', '/sign-in//mails'],
  ...[
    '/mails/RUN',
    '//mails/RUN',
    '/mails//RUN',
    '/mails/RUN/',
    '/mails/RUN/report.html',
    '/mails/RUN;x',
    '/mails/RUN%3f',
  ],
  ...['/api/mails/RUN', '/api/..;/mails/RUN', '/style.css/..;/mails/RUN', '/mails/RUN/parts/1.1', '/mails?token=x'],
];

/** Ways to the form of a decision. */
export const DECIDING_WAYS: readonly string[] = [
  ...['/mails/RUN/release', '//mails/RUN/release', '/mails//RUN/release', '/mails/RUN//release', '/mails/RUN/release/'],
  ...[
    '/mails/RUN/%72elease',
    '/mails/RUN/Release',
    '/mails/RUN/RELEASE',
    '/mails/RUN/release;x=1',
    '/mails/RUN/release%00',
  ],
  ...['/mails/RUN/x/../release', '/mails/RUN/x/..;/release', '/mails/RUN/%2e/release', '/mails/RUN%2frelease'],
  ...['/style.css/../mails/RUN/release', '/style.css/..;/mails/RUN/release', '/policy/..;/mails/RUN/release'],
  ...[
    '/policy/../mails/RUN/delete',
    '/sign-out/../mails/RUN/delete',
    '/sign-out/..;/mails/RUN/delete',
    '/api/..;/mails/RUN/delete',
  ],
];
