/** What the desk believes of an issuer: its addresses, its answers, and the claims of its tokens. */
import { expect, test } from 'vitest';
import { createIssuer, IssuerAwayError } from '../../lib/desk/issuer.ts';
import { CLIENT, startIssuer } from './local-issuer.ts';

const BEGUN = { state: 's', nonce: 'n', verifier: 'v' };
const BACK = 'https://desk.example.org/signed-in';

async function rig() {
  const local = await startIssuer();
  return { local, issuer: createIssuer({ issuer: local.url, clientId: CLIENT, roleClaim: 'groups' }) };
}

test('a token endpoint that fails is an issuer that is away, and no refusal', async () => {
  const { local, issuer } = await rig();
  local.instead.set('/token', { status: 503, body: { id_token: 'x' } });
  await expect(issuer.tokenFor('c', BACK, BEGUN)).rejects.toThrow(IssuerAwayError);
});

test('a refusal gives no token, also when one stands in it', async () => {
  const { local, issuer } = await rig();
  local.instead.set('/token', { status: 400, body: { id_token: await local.token() } });
  expect(await issuer.tokenFor('c', BACK, BEGUN)).toBe(null);
});

test('an issuer that calls itself otherwise is none', async () => {
  const { local, issuer } = await rig();
  const pages = { authorization_endpoint: `${local.url}/authorize`, token_endpoint: `${local.url}/token` };
  const body = { issuer: 'https://another.example', ...pages, jwks_uri: `${local.url}/keys` };
  local.instead.set('/.well-known/openid-configuration', { status: 200, body });
  await expect(issuer.signInUrl(BACK, BEGUN, 'x')).rejects.toThrow(IssuerAwayError);
  local.instead.clear();
  expect(await issuer.signInUrl(BACK, BEGUN, 'x')).toContain(`${local.url}/authorize?`);
});

test.each(['/.well-known/openid-configuration', '/token'])('no redirect of %s is followed', async (path) => {
  const { local, issuer } = await rig();
  local.instead.set(path, { status: 307, location: `${local.url}/elsewhere` });
  await expect(issuer.tokenFor('c', BACK, BEGUN)).rejects.toThrow(IssuerAwayError);
  expect(local.calls).not.toContain('/elsewhere');
});

test('a token that is too long is not read at all', async () => {
  const { local, issuer } = await rig();
  const token = await local.token({ groups: ['analyst', 'x'.repeat(8_000)] });
  expect(await issuer.whoHas(token)).toBe(null);
  expect(local.calls).toEqual([]);
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['the address', {}, 'pat@example.org'],
  [
    'the name that the issuer gave, where nobody checked the address',
    { email_verified: false, preferred_username: 'pat' },
    'pat',
  ],
  ['the id, where there is nothing else', { email: ' ', preferred_username: 7 }, 'somebody'],
  ['no more than a hundred characters', { email: 'x'.repeat(300) }, 'x'.repeat(100)],
])('a person is called by %s', async (_, claims, name) => {
  const { local, issuer } = await rig();
  expect(await issuer.whoHas(await local.token(claims))).toMatchObject({ name, id: 'somebody' });
});

test.each([
  [['reader', 'admin', 'analyst'], 'admin'],
  [['analyst', 'reader'], 'analyst'],
])('of the roles %j the highest counts', async (groups, role) => {
  const { local, issuer } = await rig();
  expect((await issuer.whoHas(await local.token({ groups })))?.role).toBe(role);
});
