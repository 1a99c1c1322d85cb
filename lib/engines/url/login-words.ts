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
  check premium prime renew renewal membership subscription resolution limited devices payee cancel registered alerts message messages nitro prize
  assist care desk protect safe safety register express pro plus ext extension usa ca au mobile app apps live suite upgrade
  suivi colis livraison facture remboursement amende amendes carte vitale compte paiement suspendu securipass abo
  sendung paket kunde kunden kundenservice konto aktualisierung bestaetigung sicherheit rechnung pushtan phototan tan problem
  pago aduanas entrega cliente clientes factura premios puntos pontos resgate sucursal virtual saque actualizar atualizacao
  conferma aggiorna accesso spedizione betaal rekening klant
  io start web3 swap stake staking claim reward rewards migrate migration sync rectify com net org`.split(/\s+/),
);
const MAX_WORD_LENGTH = 14;

/** Words with which a page asks for the login of a mail account or a wallet, or threatens to close an account. */
const BAIT = new Set(
  `mail email mailbox webmail webmails voicemail messagerie quota appeal infringement violation copyright restriction restricted badge verified
  wallet airdrop rectify dapp dapps helpdesk refund login logon signin verify verification suspended unlock kyc claim mailservice mailupdate
  webaccess owa`.split(/\s+/),
);
/** The words among them that need only one more login word beside them. */
const CLEAR_BAIT = new Set('mailbox webmail voicemail messagerie helpdesk appeal dapps'.split(' '));
/** A number like that of a case or an account. */
const CASE_NUMBER = /\d{5,}/;

/**
 * Returns whether a name that a user chose on free hosting asks for a login: two such words, one with the number of a case, or a clear one
 * with a login word.
 */
export function isBait(name: string): boolean {
  const words = name.split(/[.-]/).flatMap((part) => wordsIn(part.replace(/\d+/g, '')));
  const bait = new Set(words.filter((word) => BAIT.has(word)));
  if (bait.size > 1) return true;
  const isClear =
    words.some((word) => CLEAR_BAIT.has(word)) && words.some((word) => !BAIT.has(word) && isLoginWord(word));
  return isClear || (bait.size === 1 && CASE_NUMBER.test(name));
}

/** Splits a part into the words that it is made of, the longest first. Returns the part itself when it is not made of such words. */
function wordsIn(part: string): string[] {
  if (BAIT.has(part) || part.length > 40) return [part];
  for (let end = part.length - 3; end >= 4; end -= 1) {
    const [left, right] = [part.slice(0, end), part.slice(end)];
    if (BAIT.has(left) && (BAIT.has(right) || isLoginWord(right))) return [left, right];
    if (BAIT.has(right) && isLoginWord(left)) return [left, right];
  }
  return [part];
}

/** Counts the different login words in the labels, which hyphens or dots separate. */
export function strongWordsIn(host: string): ReadonlySet<string> {
  return new Set(host.split(/[.-]/).filter((word) => STRONG.has(word)));
}

/** Returns whether a word is a login word, also with a number behind it: `secure09a`, `login2`. */
export function isLoginWord(word: string): boolean {
  const plain = word.replace(/\d{1,4}[a-z]?$/, '');
  return STRONG.has(plain) || WEAK.has(plain);
}

/** Returns whether the text consists only of such words: `securelogin`. It reads at most 63 characters. */
export function isMadeOfLoginWords(text: string): boolean {
  const label = text.slice(0, 63).replace(/[0-9]/g, '');
  const reachable = [true];
  for (let end = 1; end <= label.length; end += 1) {
    for (let start = Math.max(0, end - MAX_WORD_LENGTH); start < end && !reachable[end]; start += 1)
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
