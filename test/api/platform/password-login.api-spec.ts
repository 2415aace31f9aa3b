import { describe, expect, it } from '@jest/globals';
import { anonymous, aPerson, PASSWORD, signedIn } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { OWNER, useService } from '../../support/service.js';

const service = useService({
  settings: {
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'awp',
    OIDC_CLIENT_SECRET: 'x',
    OIDC_NAME: 'Acme',
    PASSWORD_LOGIN: 'off',
    TRUSTED_PROXIES: '127.0.0.1',
  },
});
/** What a proxy on this host forwards. */
const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' };
const login = (body: object, options = {}) => anonymous(service).post('/api/auth/login', body, options);

describe('with PASSWORD_LOGIN=off', () => {
  it('only the Owner of the first start signs in with a password, from this host alone', async () => {
    expect((await login(OWNER)).status).toBe(200);
    expect(await login(OWNER, { headers })).toMatchObject(refused(403, 'password_login_off'));
    const { email } = await aPerson(service, 'Admin');
    expect(await login({ email, password: PASSWORD })).toMatchObject(refused(401, 'unauthenticated'));
  });

  it('elevated mode takes that password from this host alone', async () => {
    const owner = await signedIn(service, OWNER, OWNER.password);
    const elevate = (options = {}) => owner.post('/api/auth/elevate', { password: OWNER.password }, options);
    expect((await elevate()).status).toBe(201);
    const cookie = `__Host-${owner.headers['cookie']!}`;
    expect(await elevate({ headers: { ...headers, cookie } })).toMatchObject(
      refused(403, 'password_login_off'),
    );
  });

  it('the sign-in page learns what is offered where it is', async () => {
    const oidc = { name: 'Acme', url: '/api/auth/oidc/login' };
    const methods = async (options = {}) => (await anonymous(service).get('/api/auth/methods', options)).body;
    expect(await methods()).toEqual({ password: true, oidc });
    expect(await methods({ headers })).toEqual({ password: false, oidc });
  });

  it('an Owner with nothing but a password does not replace the last Owner', async () => {
    await aPerson(service, 'Owner');
    const { id } = (await service.owner.get<{ id: string }>('/api/auth/me')).body;
    expect(await service.owner.put(`/api/users/${id}`, { role: 'Admin' })).toMatchObject(
      refused(409, 'last_owner'),
    );
  });
});
