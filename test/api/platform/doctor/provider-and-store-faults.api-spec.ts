import { type IncomingMessage } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { aCertificate, type Certificate } from '../../../support/certificate.js';
import { OidcProvider } from '../../../support/oidc/provider.js';
import { S3Server } from '../../../support/s3-server.js';
import { byHand, bySetting, plantEach, SECRET } from './fault.js';
import { Forwarding } from './forwarding.js';

const store = new S3Server();
const provider = new OidcProvider();
let certificate: Certificate;
let forwarding: Forwarding;
let folder = '';
/** What the store refuses, in its own words, while the test says so. */
let refusal: ((request: IncomingMessage) => string | null) | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-faults-'));
  certificate = await aCertificate(90);
  await store.start();
  await provider.start();
  forwarding = new Forwarding(certificate);
  await forwarding.proxy('store', endpoint, (request) => refusal?.(request) ?? null);
  await forwarding.secureProxy('secureStore', endpoint);
});
afterAll(async () => {
  forwarding.close();
  await certificate.remove();
  await provider.stop();
  await store.remove();
  await rm(folder, { recursive: true, force: true });
});

const endpoint = () => store.settings['S3_ENDPOINT']!;
/** Before the first start. */
const fresh = () => ({ settings: { DATA_DIR: join(folder, 'data') } });

describe('npm run doctor names what is wrong with the OpenID provider, and its fix works:', () => {
  const PUBLIC = 'http://127.0.0.1:3999';
  beforeAll(() => provider.register(PUBLIC, {}));
  const client = (more: object) => ({
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    redirect_uris: [`${PUBLIC}/api/auth/oidc/callback`],
    ...more,
  });
  plantEach(
    () => ({ settings: { ...fresh().settings, ...provider.settings, PUBLIC_URL: PUBLIC } }),
    [
      {
        fault: 'one that is away',
        check: 'sign in',
        says: /^the provider at http:\S+ gives no usable answer \(\w+\)$/,
        plant: () => provider.stop(),
        follow: byHand(/^bring the provider back/, async () => {
          await provider.start();
          await provider.register(PUBLIC, {});
        }),
      },
      {
        fault: 'one that calls itself by another name',
        check: 'sign in',
        says: /^the provider at http:\/\/localhost:\d+ calls itself by another name$/,
        plant: () => ({ settings: { OIDC_ISSUER: provider.issuer.replace('127.0.0.1', 'localhost') } }),
        follow: byHand(
          /^set OIDC_ISSUER to the issuer in its/,
          bySetting(() => ({ OIDC_ISSUER: provider.issuer })),
        ),
      },
      {
        fault: 'a wrong secret of the client',
        check: 'sign in',
        says: /refuses the client awp or its secret \((invalid_client|401)\)$/,
        plant: () => ({ settings: { OIDC_CLIENT_SECRET: SECRET } }),
        follow: byHand(
          /^set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET/,
          bySetting(() => ({ OIDC_CLIENT_SECRET: provider.clientSecret })),
        ),
      },
      {
        fault: 'a client that it does not know',
        check: 'sign in',
        says: /refuses the client other or its secret \((invalid_client|401)\)$/,
        plant: () => ({ settings: { OIDC_CLIENT_ID: 'other' } }),
        follow: byHand(
          /^set OIDC_CLIENT_ID and OIDC_CLIENT_SECRET/,
          bySetting(() => ({ OIDC_CLIENT_ID: provider.clientId })),
        ),
      },
      {
        fault: 'a redirect URI that it does not know',
        check: 'sign in',
        says: /refuses the redirect URI http:\/\/127\.0\.0\.1:3999\/api\/auth\/oidc\/callback \(\d+\)$/,
        plant: async () => void (await provider.register('http://127.0.0.1:4001', {})),
        follow: byHand(
          /^register it at the provider/,
          async () => void (await provider.register(PUBLIC, {})),
        ),
      },
      {
        fault: 'a client without the authorization code flow',
        check: 'sign in',
        says: /refuses sign-ins of the client awp \((unauthorized_client|unsupported_response_type|invalid_request)\)$/,
        plant: async () => {
          const only = { response_types: ['none'], grant_types: ['client_credentials'] };
          await provider.change({ clients: [client(only)] });
        },
        follow: byHand(
          /^allow the authorization code flow with PKCE/,
          async () => void (await provider.change({ clients: [client({})] })),
        ),
        clean: () => provider.register(PUBLIC, {}),
      },
    ],
  );
});

describe('npm run doctor names what is wrong with the object store, and its fix works:', () => {
  plantEach(
    () => ({ settings: { ...fresh().settings, ...store.settings } }),
    [
      {
        fault: 'a bucket that does not exist',
        check: 'attachments',
        says: /^other at 127\.0\.0\.1:\d+ does not work \(NoSuchBucket\)$/,
        plant: () => ({ settings: { S3_BUCKET: 'other' } }),
        follow: byHand(/or set S3_BUCKET to an existing one$/, bySetting({ S3_BUCKET: 'files' })),
      },
      {
        fault: 'a key that it does not know',
        check: 'attachments',
        says: /does not work \(InvalidAccessKeyId\)$/,
        plant: () => ({ settings: { S3_ACCESS_KEY_ID: 'other' } }),
        follow: byHand(/^set S3_ACCESS_KEY_ID to a key/, bySetting({ S3_ACCESS_KEY_ID: 'S3RVER' })),
      },
      {
        fault: 'the secret of another key',
        check: 'attachments',
        says: /does not work \(SignatureDoesNotMatch\)$/,
        plant: () => {
          // s3rver checks no signature of an upload.
          refusal = () => 'SignatureDoesNotMatch';
          return { settings: { S3_ENDPOINT: forwarding.urlOf('store'), S3_SECRET_ACCESS_KEY: SECRET } };
        },
        follow: byHand(/^set S3_SECRET_ACCESS_KEY/, () => {
          refusal = null;
          return { settings: { S3_SECRET_ACCESS_KEY: 'S3RVER' } };
        }),
      },
      {
        fault: 'a store that is down',
        check: 'attachments',
        says: /does not work \(ECONNREFUSED\)$/,
        plant: () => store.stop(),
        follow: byHand(/^start the store/, async () => void (await store.start())),
      },
      {
        fault: 'a host name that does not exist',
        check: 'attachments',
        says: /^files at store\.invalid does not work \((ENOTFOUND|EAI_AGAIN)\)$/,
        plant: () => ({ settings: { S3_ENDPOINT: 'http://store.invalid' } }),
        follow: byHand(
          /^correct the host in S3_ENDPOINT/,
          bySetting(() => ({ S3_ENDPOINT: endpoint() })),
        ),
      },
      {
        fault: 'HTTPS to a store without it',
        check: 'attachments',
        says: /does not work \(EPROTO\)$/,
        plant: () => ({
          settings: { S3_ENDPOINT: endpoint().replace('http:', 'https:') },
        }),
        follow: byHand(
          /^set S3_ENDPOINT to http:\/\//,
          bySetting(() => ({ S3_ENDPOINT: endpoint() })),
        ),
      },
      {
        fault: 'a certificate that no one knows',
        check: 'attachments',
        says: /does not work \((DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_\w+\)$/,
        plant: () => ({ settings: { S3_ENDPOINT: forwarding.urlOf('secureStore', 'https') } }),
        follow: byHand(
          /^name the certificate of its authority with NODE_EXTRA_CA_CERTS/,
          bySetting(() => ({ NODE_EXTRA_CA_CERTS: certificate.certificate })),
        ),
      },
      {
        fault: 'a key without the right to write',
        check: 'attachments',
        says: /does not work \(AccessDenied\)$/,
        plant: () => {
          refusal = ({ method }) => (method === 'PUT' ? 'AccessDenied' : null);
          return { settings: { S3_ENDPOINT: forwarding.urlOf('store') } };
        },
        follow: byHand(/^allow this key to put, get and delete objects/, () => void (refusal = null)),
      },
      {
        fault: 'another region',
        check: 'attachments',
        says: /does not work \(AuthorizationHeaderMalformed\)$/,
        plant: () => {
          refusal = ({ headers }) =>
            headers.authorization?.includes('/eu-west-3/') ? null : 'AuthorizationHeaderMalformed';
          return { settings: { S3_ENDPOINT: forwarding.urlOf('store') } };
        },
        follow: byHand(/^set S3_REGION to the region/, bySetting({ S3_REGION: 'eu-west-3' })),
        clean: () => (refusal = null),
      },
    ],
  );
});
