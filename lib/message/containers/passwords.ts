/**
 * Passwords for archives, from the message itself. The sender of an encrypted archive tells the recipient how to open it: in the text, the
 * subject or the name of the file. The password of an attacker can be found there, too.
 */
import { anyOf } from '../../formats/patterns.ts';

/** The words people write in front of (or behind) a password, lower case. Matched anywhere: many scripts have no word breaks. */
const KEYWORDS = [
  'password',
  'passwd',
  'passcode',
  'passphrase',
  'pass word',
  'pwd',
  'p/w',
  'pw:',
  'pass:',
  'pass is',
  'pin:',
  'pin code',
  'passwort',
  'kennwort',
  'losung',
  'mot de passe',
  'mdp',
  'code secret',
  'contraseña',
  'contrasena',
  'clave',
  'senha',
  'palavra-passe',
  'palavra passe',
  'parola',
  'chiave',
  'wachtwoord',
  'lösenord',
  'losenord',
  'passord',
  'adgangskode',
  'kodeord',
  'salasana',
  'lykilorð',
  'parool',
  'parole',
  'slaptažodis',
  'hasło',
  'haslo',
  'heslo',
  'jelszó',
  'jelszo',
  'geslo',
  'lozinka',
  'zaporka',
  'лозинка',
  'пароль',
  'парол',
  'парола',
  'κωδικός',
  'κωδικος',
  'şifre',
  'sifre',
  'סיסמה',
  'סיסמא',
  'كلمة المرور',
  'كلمة السر',
  'رمز عبور',
  'पासवर्ड',
  'รหัสผ่าน',
  'mật khẩu',
  'mat khau',
  'kata sandi',
  'sandi',
  '密码',
  '密碼',
  '口令',
  '解压码',
  '解壓碼',
  'パスワード',
  'ﾊﾟｽﾜｰﾄﾞ',
  '暗証番号',
  '비밀번호',
  '암호',
  '패스워드',
];

/** Passwords that people and malware senders use without stating them. */
export const CUSTOMARY_PASSWORDS: readonly string[] = [
  'infected',
  '1234',
  '12345',
  '123456',
  '123',
  '111',
  '1111',
  '0000',
  '12345678',
  '123456789',
  'password',
  'Password1',
  'malware',
  'virus',
  'abc123',
  'qwerty',
  'admin',
  'test',
  'secret',
  'document',
  'invoice',
  '2024',
  '2025',
  '2026',
  '321',
  '777',
];

/** Longer ones are not typed by anybody. */
const LONGEST = 64;
/** How far from the keyword a password may be, in characters. */
const WINDOW = 120;
/** The number of characters of each text that are searched. A person would not find a password in a text of megabytes. */
const TEXT_LENGTH = 64 * 1024;
const KEYWORD_HITS = 200;
const SOURCES = 64;

export interface PasswordSources {
  /** Bodies and subjects as plain text, the nearest to the archive first. */
  readonly texts: readonly string[];
  /** Names of files. The file to be opened comes first. */
  readonly names: readonly string[];
}

/** Returns candidates, each once, the most likely first, and at most `most` of them. Linear in the texts. Never throws. */
export function passwordCandidates({ texts, names }: PasswordSources, most: number): string[] {
  const looked = texts.slice(0, SOURCES).map((text) => text.slice(0, TEXT_LENGTH));
  const found = new Set<string>();
  const add = (list: readonly string[]) => {
    for (const word of list) for (const form of formsOf(word)) if (found.size < most) found.add(form);
  };
  const near = looked.map(nearKeywords);
  for (const { quoted, words } of near) add([...quoted.slice(0, 4), ...words.slice(0, 12)]);
  for (const name of names.slice(0, SOURCES)) add(nearKeywords(name).words);
  // The customary passwords keep a reserved place, because a long mail has hundreds of words.
  add(CUSTOMARY_PASSWORDS);
  for (const { quoted, words } of near) add([...quoted, ...words]);
  for (const text of looked) add(quotedIn(text));
  for (const name of names.slice(0, SOURCES)) add(wordsOfName(name));
  for (const text of looked) add(wordsIn(text).filter(looksLikePassword));
  for (const text of looked) add(wordsIn(text));
  return [...found];
}

/** A mail with at most this many words may consist of nothing but a password. */
const FEW_WORDS = 30;

/**
 * Returns true when these texts of one mail may exist to tell a password. One of them names the word for it, or is so short that it may be
 * only a password. Linear in the texts.
 */
export function mayTellPassword(texts: readonly string[]): boolean {
  return texts.slice(0, SOURCES).some((whole) => {
    const text = whole.slice(0, TEXT_LENGTH);
    const searched = text.replaceAll('İ', 'i').toLowerCase();
    if (KEYWORDS.some((keyword) => searched.includes(keyword))) return true;
    const words = text.split(/\s+/u).filter((word) => word !== '');
    return words.length <= FEW_WORDS && words.some(looksLikePassword);
  });
}

/** Returns the word as written, and without the punctuation of the sentence around it. */
function formsOf(word: string): string[] {
  if (word.length > LONGEST * 2) return [];
  const bare = word.replace(
    /^[\s"'“”„«»‘’「」『』()[\]{}<>:：=]+|[\s"'“”„«»‘’「」『』()[\]{}<>.,;:!?。、，；：！？]+$/gu,
    '',
  );
  return [bare, word.trim()].filter((form) => form.length > 0 && form.length <= LONGEST);
}

interface Near {
  readonly quoted: string[];
  readonly words: string[];
}

function nearKeywords(text: string): Near {
  // The one letter whose lower case is longer (Unicode SpecialCasing): positions would not match, nor would words in Turkish capitals.
  const searched = text.replaceAll('İ', 'i').toLowerCase();
  const hits = new Set<number>();
  for (const keyword of KEYWORDS) {
    let at = searched.indexOf(keyword);
    for (let count = 0; at >= 0 && count < KEYWORD_HITS; count++) {
      hits.add(at + keyword.length);
      at = searched.indexOf(keyword, at + keyword.length);
    }
  }
  const near: Near = { quoted: [], words: [] };
  for (const at of [...hits].sort((a, b) => a - b).slice(0, KEYWORD_HITS)) {
    const after = text.slice(at, at + WINDOW);
    near.quoted.push(...quotedIn(after));
    near.words.push(...afterSeparator(after), ...wordsIn(after).slice(0, 5));
    near.words.push(
      ...wordsIn(text.slice(Math.max(0, at - WINDOW), at))
        .slice(-5)
        .reverse(),
    );
  }
  return near;
}

/** Returns everything between the first colon or equals sign and the end of the line, because passwords may contain spaces. */
function afterSeparator(text: string): string[] {
  const rest = /^[^\n\r:：=]{0,24}[:：=][ \t\u3000]*([^\n\r]{1,64})/u.exec(text)?.[1];
  return rest === undefined ? [] : [rest.split(/[\s,;、。，]/u, 1)[0] ?? '', rest];
}

const QUOTES = anyOf(
  [
    /"([^"\n]{1,64})"|'([^'\n]{1,64})'|`([^`\n]{1,64})`/u,
    /“([^”\n]{1,64})”|„([^“”\n]{1,64})[“”]|«([^»\n]{1,64})»|‘([^’\n]{1,64})’/u,
    /「([^」\n]{1,64})」|『([^』\n]{1,64})』|【([^】\n]{1,64})】/u,
    /\[([^\]\n]{1,64})\]|\(([^)\n]{1,64})\)/u,
  ],
  'gu',
);

function quotedIn(text: string): string[] {
  return [...text.matchAll(QUOTES)].map((match) => match.slice(1).find((group) => group !== undefined) ?? '');
}

/** Words between white space, and, for scripts without it, runs of ASCII inside them. */
function wordsIn(text: string): string[] {
  return text
    .split(/\s+/u)
    .flatMap((word) => (/[^!-~]/.test(word) ? [...(word.match(/[!-~]+/g) ?? []), word] : [word]));
}

function wordsOfName(name: string): string[] {
  const stem = name.replace(/\.[^.]{1,8}$/, '');
  return [stem, name, ...stem.split(/[\s_\-.()[\]]+/), ...(stem.match(/\d{3,}/g) ?? [])];
}

/** Returns true for digits, letters of both cases, or signs. Words of prose do not look like this. */
function looksLikePassword(word: string): boolean {
  return word.length >= 3 && word.length <= LONGEST && (/\d/.test(word) || /[a-z].*[A-Z]|[#$%&*@!_]/.test(word));
}

/** Returns the text of an HTML body roughly as a person reads it. It is good enough to find a password. Linear. */
export function plainTextOf(html: string): string {
  return html
    .slice(0, TEXT_LENGTH * 2)
    .replace(/<(?:br|p|div|tr|li|td)\b[^>]{0,500}>/gi, '\n')
    .replace(/<[^>]{0,500}>/g, '')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(nbsp|amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}

const ENTITIES: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
