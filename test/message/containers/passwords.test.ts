import { describe, expect, test } from 'vitest';
import { passwordCandidates, plainTextOf } from '../../../lib/message/containers/passwords.ts';

/** How far down the list a password stands, from 1; 0 when it is not in it. */
function rank(password: string, text: string, names: readonly string[] = []): number {
  return passwordCandidates({ texts: [text], names }, 200).indexOf(password) + 1;
}

describe('a password that the message tells is among the first to be tried', () => {
  test.each([
    ['English', 'Hi,\nthe password is: Blue-Sky7.\nRegards', 'Blue-Sky7'],
    ['English, behind', 'Use Blue-Sky7 as the password for it.', 'Blue-Sky7'],
    ['English, short', 'PW: 4711', '4711'],
    ['English, with spaces', 'Password: correct horse battery\nBye', 'correct horse battery'],
    ['German', 'Das Passwort lautet "Gärten!2"', 'Gärten!2'],
    ['German', 'Kennwort für die Datei: 2211', '2211'],
    ['French', 'Le mot de passe est « soleil99 ».', 'soleil99'],
    ['Spanish', 'La contraseña es sol2026, gracias', 'sol2026'],
    ['Portuguese', 'A senha é abc987', 'abc987'],
    ['Italian', 'La parola chiave: luna77', 'luna77'],
    ['Dutch', 'Wachtwoord = fiets12', 'fiets12'],
    ['Swedish', 'Lösenordet är sommar5', 'sommar5'],
    ['Danish', 'Adgangskoden er hygge1', 'hygge1'],
    ['Finnish', 'Salasana on kesa44', 'kesa44'],
    ['Polish', 'Hasło do archiwum: zamek8', 'zamek8'],
    ['Czech', 'Heslo je praha3', 'praha3'],
    ['Hungarian', 'A jelszó: duna55', 'duna55'],
    ['Russian', 'Пароль от архива: река77', 'река77'],
    ['Greek', 'Ο κωδικός είναι nisi21', 'nisi21'],
    ['Turkish', 'Dosyanın şifresi deniz34', 'deniz34'],
    ['Arabic', 'كلمة المرور هي qamar12', 'qamar12'],
    ['Hebrew', 'הסיסמה היא yam67', 'yam67'],
    ['Chinese', '附件密码是abc123x，请查收', 'abc123x'],
    ['Chinese', '解压码：8899', '8899'],
    ['Japanese', '添付ファイルのパスワードは「sakura5」です。', 'sakura5'],
    ['Korean', '비밀번호는 seoul88 입니다', 'seoul88'],
    ['Vietnamese', 'Mật khẩu: hanoi9', 'hanoi9'],
  ])('%s: %j', (_, text, password) => {
    expect(rank(password, text)).toBeGreaterThan(0);
    expect(rank(password, text)).toBeLessThanOrEqual(24);
  });

  test('when it stands at the end of a long mail', () => {
    const text = `${'Lorem ipsum dolor sit amet. '.repeat(500)}\nThe password: Zug-4711`;
    expect(rank('Zug-4711', text)).toBeLessThanOrEqual(12);
  });

  test('in the name of the file', () => {
    expect(rank('7788', '', ['invoice_pass_7788.zip'])).toBeGreaterThan(0);
    expect(rank('report99', '', ['report99.zip'])).toBeGreaterThan(0);
  });

  test('when it is a quoted or odd word without a keyword', () => {
    expect(rank('Kx9#q', 'open it with "Kx9#q", please')).toBeGreaterThan(0);
    expect(rank('Kx9#q', 'open it with Kx9#q please')).toBeGreaterThan(0);
  });
});

test('customary passwords are tried when the message names none', () => {
  expect(passwordCandidates({ texts: [], names: [] }, 200)).toEqual(expect.arrayContaining(['infected', '1234']));
});

test('each password is tried once, and no more than the limit', () => {
  const found = passwordCandidates({ texts: ['password infected infected '.repeat(1_000)], names: [] }, 30);
  expect(new Set(found).size).toBe(found.length);
  expect(found.length).toBeLessThanOrEqual(30);
});

test('megabytes of keywords, quotes and brackets are read quickly', () => {
  for (const piece of ['password', '"', '("', '[', 'pw: ', '密码', '<p', '&#'])
    expect(
      passwordCandidates({ texts: [plainTextOf(piece.repeat(500_000))], names: [piece.repeat(1_000)] }, 200).length,
    ).toBeLessThanOrEqual(200);
});

test('HTML is read as a person sees it', () => {
  expect(plainTextOf('<p>The pass&#119;ord is<b>&nbsp;a&amp;b</b></p>').trim()).toBe('The password is a&b');
});
