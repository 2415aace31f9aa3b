import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anonymous } from '../../support/callers.js';
import { aCertificate } from '../../support/certificate.js';
import { ProtectedServer } from '../../support/mcp-servers/protected.js';
import { OidcProvider } from '../../support/oidc/provider.js';
import { anAdminAtBrowser, begunBy, signInPath, signInTo } from '../../support/oidc/server-sign-in.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, callTool } from './servers.js';

const tls = await aCertificate();
// The provider fetches the document of the service, whose certificate it has to know.
const provider = await new OidcProvider({ NODE_EXTRA_CA_CERTS: tls.certificate }).start();
await provider.change({ documents: true, registration: true, accounts: { ada: {} } });
const protectedServer = await ProtectedServer.start('modern', provider.issuer);
const catalog = new LocalCatalog().http('hosted', protectedServer.url);
const service = useService({
  settings: {
    CATALOG_DIRS: catalog.folder,
    ...tls.settings,
    OUTBOUND_ALLOWED_HOSTS: `${new URL(provider.issuer).host},${protectedServer.host}`,
  },
});
let documentUrl: string;
beforeAll(() => {
  documentUrl = `${service.baseUrl}/api/mcp/oauth/client.json`;
});
afterAll(async () => {
  await Promise.all([provider.stop(), protectedServer.close(), tls.remove()]);
  catalog.remove();
});

describe('the metadata document of the service as a client', () => {
  it('is public and has its own address as its id', async () => {
    expect((await anonymous(service).get('/api/mcp/oauth/client.json')).body).toMatchObject({
      client_id: documentUrl,
      redirect_uris: [`${service.baseUrl}/api/mcp/oauth/callback`],
      token_endpoint_auth_method: 'none',
    });
  });

  it('is fetched by an authorization server that takes one, and no client is registered', async () => {
    const admin = await anAdminAtBrowser(service);
    const server = await aServer(service.owner, 'hosted');
    expect(new URL(await begunBy(admin, server)).searchParams.get('client_id')).toBe(documentUrl);
    expect(await signInTo(admin, server)).toBe(`/servers/${server.id}?signIn=done`);
    const { text } = await callTool(service.owner, server, 'echo', { value: 'hello' });
    expect(text).toContain('hello');
    expect([...protectedServer.tokens.values()]).toEqual([documentUrl]);
    expect(provider.registered).toEqual([]);
  });

  it('is not given to an authorization server that does not promise to name itself: it registers a client, or none', async () => {
    await provider.change({ namesItself: false });
    const admin = await anAdminAtBrowser(service);
    const server = await aServer(service.owner, 'hosted');
    const url = new URL(await begunBy(admin, server));
    await provider.change({ registration: false });
    expect(provider.registered).toEqual([url.searchParams.get('client_id')]);
    await service.sql('DELETE FROM oauth_clients');
    const answer = await admin.elevated.post<{ detail: string }>(signInPath(server), {});
    expect(answer).toMatchObject(refused(502, 'sign_in_unavailable'));
    expect(answer.body.detail).toContain('RFC 9207');
  });
});
