/** Names that phishing borrows, and the domains that may use them. Short on purpose: an operator's own name belongs in policy. */

/** Brand word to the registrable domains that are theirs. */
export const BRANDS: Readonly<Record<string, readonly string[]>> = {
  paypal: ['paypal.com', 'paypal.me', 'paypalobjects.com'],
  microsoft: [
    'microsoft.com',
    'microsoftonline.com',
    'windows.net',
    'office.com',
    'azure.com',
    'live.com',
    'sharepoint.com',
  ],
  office365: ['office365.com', 'office.com', 'microsoft.com'],
  onedrive: ['onedrive.com', 'live.com', 'microsoft.com'],
  outlook: ['outlook.com', 'office.com', 'office365.com', 'microsoft.com', 'live.com'],
  sharepoint: ['sharepoint.com', 'microsoft.com'],
  apple: ['apple.com', 'icloud.com', 'apple.news'],
  icloud: ['icloud.com', 'apple.com'],
  google: [
    'google.com',
    'googleapis.com',
    'gstatic.com',
    'googleusercontent.com',
    'withgoogle.com',
    'goo.gl',
    'google-analytics.com',
    'youtube.com',
  ],
  gmail: ['gmail.com', 'google.com'],
  amazon: [
    'amazon.com',
    'amazon.de',
    'amazon.co.uk',
    'amazonaws.com',
    'media-amazon.com',
    'amazonses.com',
    'awstrack.me',
    'amazon-adsystem.com',
  ],
  facebook: ['facebook.com', 'facebookmail.com', 'fb.com', 'fbcdn.net', 'meta.com'],
  instagram: ['instagram.com', 'facebook.com', 'cdninstagram.com'],
  whatsapp: ['whatsapp.com', 'whatsapp.net', 'wa.me'],
  linkedin: ['linkedin.com', 'licdn.com', 'lnkd.in'],
  netflix: ['netflix.com', 'nflxext.com', 'nflximg.net'],
  dropbox: ['dropbox.com', 'dropboxusercontent.com', 'dropboxmail.com'],
  docusign: ['docusign.com', 'docusign.net'],
  adobe: ['adobe.com', 'adobelogin.com', 'typekit.net'],
  dhl: ['dhl.com', 'dhl.de'],
  fedex: ['fedex.com'],
  usps: ['usps.com'],
  coinbase: ['coinbase.com'],
  binance: ['binance.com'],
  metamask: ['metamask.io'],
  wellsfargo: ['wellsfargo.com'],
  bankofamerica: ['bankofamerica.com', 'bofa.com'],
  hsbc: ['hsbc.com', 'hsbc.co.uk'],
  santander: ['santander.com', 'santander.co.uk', 'santander.es'],
};

/** Suffixes under which anyone registers: their owner is one label further left. The common ones; others count as one label. */
const SECOND_LEVEL = /^(?:co|com|org|net|gov|ac|edu|gob|go|or|ne|nom|gv)\.[a-z]{2}$/;

/** The registrable domain of a host name: what its owner bought. A heuristic without the public suffix list. */
export function registrableDomain(host: string): string {
  const labels = host.replace(/\.$/, '').split('.');
  const lastTwo = labels.slice(-2).join('.');
  return SECOND_LEVEL.test(lastTwo) ? labels.slice(-3).join('.') : lastTwo;
}

/** Country domains of a brand (`amazon.fr`, `google.co.jp`) are its own as far as the name says. */
function isOwn(domain: string, brand: string, own: readonly string[]): boolean {
  return own.includes(domain) || domain.split('.')[0] === brand;
}

/** Digits and letters that are used for one another in look-alike names. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
};

/** Names that sites about a product, or a company's own installation of it, use for a subdomain: `apple.forum.example`. */
const SUBDOMAIN_WORDS = new Set(
  'outlook sharepoint onedrive office365 microsoft apple icloud google gmail amazon facebook instagram whatsapp linkedin adobe dropbox'.split(
    ' ',
  ),
);

const undisguised = (word: string) => word.replace(/[0-9]/g, (digit) => LOOK_ALIKES[digit] ?? digit);

/** The brand's word stands in the label, among others, alone, or spelled with digits. */
function carries(label: string, brand: string): boolean {
  if (label === brand) return !SUBDOMAIN_WORDS.has(brand);
  return label.split('-').some((word) => word === brand || undisguised(word) === brand);
}

/** The brand that a host name on another domain carries: its whole domain, or its name (`paypal-login`, `paypa1`); or null. */
export function borrowedBrand(host: string): string | null {
  const domain = registrableDomain(host);
  const labels = host.split('.');
  for (const [brand, own] of Object.entries(BRANDS)) {
    if (isOwn(domain, brand, own)) continue;
    const hasOwnDomain = own.some((name) => `.${host}`.includes(`.${name}.`));
    if (hasOwnDomain || labels.some((label) => carries(label, brand))) return brand;
  }
  return null;
}

/** True when the path of a URL on another domain begins with a brand's host name: `/www.paypal.com/signin`. */
export function hasBrandHostInPath(host: string, path: string): boolean {
  const domain = registrableDomain(host);
  const first = path.split('/').slice(1, 4);
  return first.some((segment) =>
    Object.values(BRANDS).some((own) =>
      own.some(
        (name) => name !== domain && !own.includes(domain) && (segment === name || segment.endsWith(`.${name}`)),
      ),
    ),
  );
}
