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
    technique: 'brand written together with other words',
    level: 'suspicious',
    finds: ['brand-glued', 'borrowed-brand'],
    urls: [
      'https://paypalgold.top/',
      'https://metamaskbonusday.xyz/',
      'https://wellsfargo-secure09a.example/',
      'https://disneyplus-abo-problem.example/',
      'https://chase-secure09a.example/',
    ],
  },
  {
    technique: 'brand in the name that a user of free hosting chose',
    level: 'suspicious',
    finds: ['borrowed-brand'],
    urls: [
      'https://coinbaseprologinen.webflow.io/',
      'https://mynetflixpage2.netlify.app/',
      'https://thepaypalclub.duckdns.org/',
    ],
  },
  {
    technique: 'name on free hosting that asks for a login',
    level: 'suspicious',
    finds: ['bait-name'],
    urls: [
      'https://mail-100478.weeblysite.com/',
      'https://page-copyright-infringement-appeal.vercel.app/form',
      'https://mailboxupgrade.yolasite.com/',
      'https://walletrectify.pages.dev/',
      'https://sites.google.com/view/webmail-quota-team',
    ],
  },
  {
    technique: 'top-level domain as a word of the name',
    level: 'suspicious',
    finds: ['written-suffix'],
    urls: ['https://card-co-jp.top/', 'https://club-net-com.icu/', 'https://www.shop-co-jp.login-update.example/'],
  },
  {
    technique: 'government that is none',
    level: 'suspicious',
    finds: ['government-words'],
    urls: ['https://gov.uk-claim-refund.example/', 'https://irs-gov-refund.tax-claim.example/'],
  },
  {
    technique: 'page in a bucket without a name',
    level: 'suspicious',
    finds: ['page-in-bucket'],
    urls: [`https://pub-${'3a9e'.repeat(8)}.r2.dev/owa.html`],
  },
  {
    technique: 'dots that are none',
    level: 'suspicious',
    finds: ['needless-encoding'],
    urls: ['http://evil\u3002example/login'],
  },
];
