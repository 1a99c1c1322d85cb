/**
 * Hostile URLs on names that were bought or taken over for one attack. Names are reserved unless the name itself is the sign. None
 * is ever visited.
 */
import type { HostileUrls } from './techniques.ts';

export const THROWAWAY_URLS: readonly HostileUrls[] = [
  {
    technique: 'top-level domain in the middle',
    level: 'suspicious',
    finds: ['suffix-in-the-middle', 'borrowed-brand'],
    urls: [
      'https://parcel.com-track81.example/us',
      'https://portal.bank.com.login-7f3a.example/',
      'https://toll-road.com-k3x9.top/i',
    ],
  },
  {
    technique: 'host like a file',
    level: 'suspicious',
    finds: ['suffix-like-a-file'],
    urls: ['https://invoice-2024.zip/', 'https://update.mov/'],
  },
  {
    technique: 'redirector to a throwaway name',
    level: 'suspicious',
    finds: ['redirector-to-throwaway'],
    urls: [
      'https://www.google.com/url?q=https%3A%2F%2Fnotice-board.top%2F&sa=D',
      'https://l.facebook.com/l.php?u=https%3A%2F%2Fk3jd9x2mq7z1.example%2F',
    ],
  },
  {
    technique: 'reader in a parameter of a throwaway name',
    level: 'suspicious',
    finds: ['recipient-in-query'],
    urls: [
      'https://notice-board.top/share/?e=ap%40firma.example',
      `https://k3jd9x2mq7z1.example/o/?u=${Buffer.from('ap@firma.example').toString('base64')}`,
    ],
  },
  {
    technique: 'page among uploads and caches of a site',
    level: 'suspicious',
    finds: ['site-internals'],
    urls: [
      'https://club.example/wp-content/uploads/2023/a/login.php',
      'https://club.example/.well-known/acme-challenge/mail/index.html',
      'https://club.example/administrator/cache/doc/verify.html',
    ],
  },
  {
    technique: 'dots that are none',
    level: 'suspicious',
    finds: ['needless-encoding'],
    urls: ['http://evil\u3002example/login'],
  },
];
