/** The words for a password in many languages, and the ways in which people write one down. */
import { describe, expect, test } from 'vitest';
import { passwordCandidates, plainTextOf } from '../../../lib/message/containers/passwords.ts';

/** Fewer than there are customary passwords, which come before all words that stand near no word for a password. */
const FIRST = 24;
const PROSE = 'lorem ipsum dolor sit amet consetetur sadipscing elitr sed diam nonumy eirmod tempor '.repeat(5);

const first = (text: string, ...names: readonly string[]) => passwordCandidates({ texts: [text], names }, FIRST);
const all = (text: string, ...names: readonly string[]) => passwordCandidates({ texts: [text], names }, 1_000);

/** Sentences with the password `Tango-19`. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  English: [
    'your passwd Tango-19',
    'the passcode is Tango-19',
    'the passphrase is Tango-19',
    'the pass word is Tango-19',
    'the pwd is Tango-19',
    'the p/w is Tango-19',
    'PW: Tango-19',
    'pass: Tango-19',
    'the pass is Tango-19',
    'PIN: Tango-19',
    'the pin code is Tango-19',
    'THE PASSWORD IS Tango-19',
  ],
  German: ['das Passwort ist Tango-19', 'das Kennwort ist Tango-19', 'die Losung ist Tango-19'],
  French: ['le mot de passe est Tango-19', 'mdp Tango-19', 'le code secret est Tango-19'],
  Spanish: ['la contraseña es Tango-19', 'la contrasena es Tango-19', 'la clave es Tango-19'],
  Portuguese: ['a senha é Tango-19', 'a palavra-passe é Tango-19', 'a palavra passe é Tango-19'],
  Italian: ['la parola segreta è Tango-19', 'la chiave è Tango-19'],
  Dutch: ['het wachtwoord is Tango-19'],
  Swedish: ['lösenordet är Tango-19', 'losenordet ar Tango-19'],
  Norwegian: ['passordet er Tango-19'],
  Danish: ['adgangskoden er Tango-19', 'kodeordet er Tango-19'],
  Finnish: ['salasana on Tango-19'],
  Icelandic: ['lykilorðið er Tango-19'],
  Estonian: ['parool on Tango-19'],
  Latvian: ['parole ir Tango-19'],
  Lithuanian: ['slaptažodis yra Tango-19'],
  Polish: ['hasło to Tango-19', 'haslo to Tango-19'],
  Czech: ['heslo je Tango-19'],
  Hungarian: ['a jelszó Tango-19', 'a jelszo Tango-19'],
  Slovene: ['geslo je Tango-19'],
  Croatian: ['lozinka je Tango-19', 'zaporka je Tango-19'],
  Serbian: ['лозинка је Tango-19'],
  Russian: ['пароль Tango-19', 'ПАРОЛЬ Tango-19'],
  Bulgarian: ['паролата е Tango-19', 'паролът е Tango-19'],
  Greek: ['ο κωδικός είναι Tango-19', 'Ο ΚΩΔΙΚΟΣ ΕΙΝΑΙ Tango-19', 'ο κωδικος ειναι Tango-19'],
  Turkish: ['şifre Tango-19', 'sifre Tango-19', 'ŞİFRE Tango-19', 'parola Tango-19'],
  Hebrew: ['הסיסמה היא Tango-19', 'הסיסמא היא Tango-19'],
  Arabic: ['كلمة المرور هي Tango-19', 'كلمة السر هي Tango-19'],
  Persian: ['رمز عبور Tango-19'],
  Hindi: ['पासवर्ड Tango-19'],
  Thai: ['รหัสผ่าน Tango-19'],
  Vietnamese: ['mật khẩu là Tango-19', 'mat khau la Tango-19'],
  Indonesian: ['kata sandi Tango-19', 'sandinya Tango-19'],
  Chinese: ['密码是Tango-19', '密碼是Tango-19', '口令是Tango-19', '解压码Tango-19', '解壓碼Tango-19'],
  Japanese: ['パスワードはTango-19', 'ﾊﾟｽﾜｰﾄﾞはTango-19', '暗証番号はTango-19'],
  Korean: ['비밀번호는 Tango-19', '암호는 Tango-19', '패스워드는 Tango-19'],
};

test.each(
  Object.entries(SENTENCES).flatMap(([language, sentences]) => sentences.map((sentence) => [language, sentence])),
)('in a long text, a password is found by the word for it: %s, %s', (_, sentence) => {
  expect(first(`${PROSE}\n${sentence}\n${PROSE}`)).toContain('Tango-19');
});

test('letters whose small form is longer do not move what is looked at', () => {
  expect(first(`${'İ'.repeat(150)} ${PROSE} the Password is Tango-19`)).toContain('Tango-19');
});

test('a word of another script is tried as it is', () => {
  expect(all('слово').slice(26)).toEqual(['слово']);
  expect(all('文书abc').slice(26)).toEqual(['abc', '文书abc']);
});

/** What malware senders and people use without telling it. */
const CUSTOMARY =
  'infected 1234 12345 123456 123 111 1111 0000 12345678 123456789 password Password1 malware virus abc123 qwerty admin test secret document invoice 2024 2025 2026 321 777';

test('a text that names no password is tried with the customary ones first, and then with its words', () => {
  const found = all('Dear Bob, see the attached report.');
  expect(found.slice(0, 26).sort()).toEqual(CUSTOMARY.split(' ').sort());
  expect(found[0]).toBe('infected');
  expect(found.slice(26)).toEqual(['Dear', 'Bob', 'Bob,', 'see', 'the', 'attached', 'report', 'report.']);
});

describe('how a password is written down', () => {
  const PHRASE = 'correct horse staple';
  test.each(['"_"', "'_'", '“_”', '„_“', '„_”', '«_»', '‘_’', '「_」', '『_』', '【_】', '`_`', '[_]', '(_)'])(
    'in quotation marks: %s',
    (marks) => {
      const quoted = marks.replace('_', PHRASE);
      expect(first(`${PROSE} the password is ${quoted} ${PROSE}`)).toContain(PHRASE);
      expect(all(`please use ${quoted} to open it`)).toContain(PHRASE);
      expect(all(`please use ${PHRASE} to open it`)).not.toContain(PHRASE);
    },
  );

  test.each([':', '=', '：', ': \t\u3000'])('as the rest of the line behind %j', (separator) => {
    expect(first(`${PROSE} password for the file${separator}${PHRASE}\n${PROSE}`)).toContain(PHRASE);
    expect(first(`${PROSE} password for the file${separator}${PHRASE}\n${PROSE}`)).toContain('correct');
  });

  test.each([',', ';', '、', '。', '，'])('in front of %j', (sign) => {
    expect(first(`${PROSE} password: Tango-19${sign}thanks`)).toContain('Tango-19');
  });

  test('behind many blanks', () => {
    expect(first(`${PROSE} the password ${' '.repeat(20)} Tango-19`)).toContain('Tango-19');
  });

  test('with signs around it that belong to the sentence, or to the password', () => {
    for (const [front, behind] of [
      ['<', '>'],
      ['{', '}'],
      ['=', '!'],
      ['：', '。'],
      ['(', ').'],
    ])
      expect(first(`${PROSE} your password ${front}Tango-19${behind}`)).toContain('Tango-19');
    expect(first(`${PROSE} your password !Tango-19!`)).toContain('!Tango-19!');
  });

  test('in front of the word for it, the nearest first', () => {
    const found = first(`${PROSE} open it with Tango-19 as your password`);
    expect(found.filter((word) => /^(?:open|it|with|Tango-19|as|your)$/.test(word))).toEqual([
      'your',
      'as',
      'Tango-19',
      'with',
    ]);
  });

  test('near several words for it, in the order of the text', () => {
    const found = first(`the pwd is One-1 ${'x '.repeat(120)} the password is Two-2`);
    expect(found.indexOf('One-1')).toBeGreaterThanOrEqual(0);
    expect(found.indexOf('One-1')).toBeLessThan(found.indexOf('Two-2'));
  });

  test('among many that are quoted or near it, leaves room for the customary ones', () => {
    const many = Array.from({ length: 40 }, (_, at) => `password "q${at}" w${at}`).join(' ');
    expect(passwordCandidates({ texts: [many], names: [] }, 60)).toEqual(
      expect.arrayContaining([...CUSTOMARY.split(' '), 'q0', 'q1', 'w0']),
    );
  });

  test('far from the word for it, it is one of many words', () => {
    expect(first(`password ${'x '.repeat(80)} Tango-19`)).not.toContain('Tango-19');
    expect(all(`password ${'x '.repeat(80)} Tango-19`)).toContain('Tango-19');
  });

  test('in 64 characters, and no more', () => {
    for (const quote of ['', '"']) {
      expect(first(`the password is ${quote}${'a'.repeat(64)}${quote}`)).toContain('a'.repeat(64));
      expect(all(`the password is ${quote}${'a'.repeat(65)}${quote}`)).not.toContain('a'.repeat(65));
    }
  });

  test('a word of digits, of signs, or of both cases is tried before the words of prose', () => {
    const odd = ['x4711', 'blueSky', 'a#b', 'a$b', 'a%b', 'a&b', 'a*b', 'a@b', 'a!b', 'a_b'];
    const found = all(`some prose here ${odd.join(' ')} and there`);
    expect(found.slice(26, 26 + odd.length)).toEqual(odd);
    // Two characters are no password that anybody would call one.
    expect(all('some prose a1').slice(26)).toEqual(['some', 'prose', 'a1']);
  });
});

describe('names of files', () => {
  test('give passwords near the word for one before the customary ones', () => {
    expect(first(PROSE, '4711x password.zip')).toContain('4711x');
  });

  test.each([
    ['the name without its extension', 'Blue Sky.zip', 'Blue Sky'],
    ['the whole name', 'Blue Sky.zip', 'Blue Sky.zip'],
    ['a part of it', 'report-Sky99_final.zip', 'Sky99'],
    ['a part in brackets', 'report (Sky99)[b].7z', 'Sky99'],
    ['its digits', 'report99123x.zip', '99123'],
    ['a name that has no extension', 'Sky99', 'Sky99'],
  ])('give %s', (_, name, password) => {
    expect(all('', name)).toContain(password);
    expect(all('', 'other.zip', name)).toContain(password);
  });

  test('of two digits give no number', () => {
    expect(all('', 'report12x.zip')).not.toContain('12');
  });
});

describe('what is looked at is bounded', () => {
  test('by the texts and names: 64 of each', () => {
    const texts = (at: number) => Array.from({ length: at }, () => 'x').concat('Tango-19');
    expect(passwordCandidates({ texts: texts(63), names: [] }, 1_000)).toContain('Tango-19');
    expect(passwordCandidates({ texts: texts(64), names: [] }, 1_000)).not.toContain('Tango-19');
    expect(passwordCandidates({ texts: [], names: texts(63) }, 1_000)).toContain('Tango-19');
    expect(passwordCandidates({ texts: [], names: texts(64) }, 1_000)).not.toContain('Tango-19');
  });

  test('by the names near a word for one: 64, too', () => {
    const names = (at: number) => Array.from({ length: at }, () => 'x').concat('Tango-19 password.zip');
    expect(passwordCandidates({ texts: [], names: names(63) }, 1_000)).toContain('Tango-19');
    expect(passwordCandidates({ texts: [], names: names(64) }, 1_000)).not.toContain('Tango-19');
  });

  test('by the characters of a text: 65,536', () => {
    expect(all(`${' '.repeat(65_528)}Tango-19`)).toContain('Tango-19');
    expect(all(`${' '.repeat(65_529)}Tango-19`)).not.toContain('Tango-19');
  });

  test('by the number that is asked for', () => {
    for (const most of [0, 1, 7]) expect(passwordCandidates({ texts: [PROSE], names: [] }, most)).toHaveLength(most);
  });
});

describe('an HTML body', () => {
  test('is read by lines, so that a password ends where its line does', () => {
    for (const element of ['br', 'p', 'div class="x"', 'tr', 'li', 'td'])
      expect(plainTextOf(`password: a b<${element}>then`)).toBe('password: a b\nthen');
    expect(plainTextOf('pass<b>word</b>: <i>a</i><pre>b</pre>')).toBe('password: ab');
  });

  test('has its signs, by name and by number', () => {
    expect(plainTextOf('&lt;&gt;&quot;&apos;&AMP;&nbsp;&#65;&#x42;&#X1f600;')).toBe('<>"\'& AB😀');
    expect(plainTextOf('&#1114111;|&#1114112;|&#x110000;|&copy;|&lt')).toBe(
      '\u{10ffff}|&#1114112;|&#x110000;|&copy;|&lt',
    );
  });

  test('of more than 131,072 characters is read in part', () => {
    expect(plainTextOf(`${'<b>'.repeat(43_690)}abc`)).toBe('ab');
  });
});
