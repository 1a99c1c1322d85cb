/** Words that are common in the names of phishing sites. */
import { oneOf } from '../../formats/patterns.ts';

/** Words about an account. */
const STRONG = new Set(
  `login logon signin log sign verify verification verified validate validation account accounts password passwd unlock suspended
  webmail auth authenticate authentication authorize wallet recovery recover confirm confirmation banking ebanking netbank
  credential secure security identity billing unusual limited voicemail mailbox quota wbmail webmails validator restore reactivate refund claim webscr signon kyc 2fa otp`.split(
    /\s+/,
  ),
);
/** Words that fill up a name. */
const WEAK = new Set(
  `id my online update support service services help helpdesk customer user team center centre alert notice portal mail email web
  app page official info bank pay payment invoice access client device www de uk us eu com net org parcel track tracking delivery
  package post post-office redelivery shipment document docs file files share shared voice fax gift bonus airdrop promo
  now toll tolls fine fines fee fees redeliver refunds connect connectwallet walletconnect dapp dapps extension
  io start web3 swap stake staking claim reward rewards migrate migration sync rectify com net org`.split(/\s+/),
);
const LONGEST_WORD = 14;

/** Counts the different login words in the labels, which hyphens or dots separate. */
export function strongWordsIn(host: string): ReadonlySet<string> {
  return new Set(host.split(/[.-]/).filter((word) => STRONG.has(word)));
}

export const isLoginWord = (word: string): boolean => STRONG.has(word) || WEAK.has(word);

/** Whether the text is nothing but such words written together: `securelogin`. At most 63 characters are looked at. */
export function isMadeOfLoginWords(text: string): boolean {
  const label = text.slice(0, 63).replace(/[0-9]/g, '');
  const reachable = [true];
  for (let end = 1; end <= label.length; end += 1) {
    for (let start = Math.max(0, end - LONGEST_WORD); start < end && !reachable[end]; start += 1)
      if (reachable[start] && isLoginWord(label.slice(start, end))) reachable[end] = true;
  }
  return reachable[label.length] === true;
}

/** Paths that ask to sign in. */
export const LOGIN_PATH = new RegExp(
  `(?:^|[/_.?=&-])${oneOf(`
    log-?in sign-?in log-?on sign-?on verify verification validate webscr secure unlock
    update-?(?:account|info|billing|payment) account-?(?:update|verify|confirm|recovery) confirm-?(?:account|identity)
    authenticate webmail owa office365 o365 reset-?password
  `)}(?:$|[/_.?=&-])`,
  'i',
);
