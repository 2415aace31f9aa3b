import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { dataFolderLine, summaryOf } from '../src/app.summary.js';
import { secretFileSettings } from '../src/platform/config/secret-files.js';
import { Settings } from '../src/platform/config/settings.js';
import { settingsSchema } from '../src/platform/config/settings.schema.js';
import { transitions } from '../src/work/issue-status/issue-status.js';
import { printedBlock } from './support/shell-blocks.js';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs')).flatMap((name) => (/\.md$/.test(name) ? `docs/${name}` : [])),
];

describe('the pages of documentation', () => {
  it.each(pages)('link from %s only to files that exist', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path!);
    const lost = links.filter((path) => !existsSync(join(root, dirname(page), path)));
    expect(lost).toEqual([]);
  });

  it('are all linked from the README', () => {
    const lost = pages.slice(1).filter((page) => !read('README.md').includes(`(${page})`));
    expect(lost).toEqual([]);
  });

  it('name only commands of package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name!),
    );
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('the commands of the pages', () => {
  /** Commands that no test runs, by page and first line, with the reason. */
  const NOT_RUN: Record<string, Record<string, string>> = {
    'README.md': {
      'npm install agent-work-platform    # or the file .tgz that `npm run package` makes':
        'packages.api-spec.ts installs the package from such a file and starts it',
      'npm start    # installs, builds, starts an embedded PostgreSQL, migrates, creates the Owner, listens':
        'each API test starts the service, and a test of a test run would run itself',
      'npm run demo': 'demo.api-spec.ts runs it on a running service and compares its steps with the page',
      'for name in POSTGRES DATABASE; do echo ${name}_PASSWORD=$(openssl rand -hex 16); done > .env':
        'the hosts of the tests have no Docker',
    },
    'CONTRIBUTING.md': {
      'npm test -- --selectProjects unit -- test/contract             # unit tests of one file, without a service':
        'a test of a test run would run itself',
    },
    'docs/operations.md': {
      'PUBLIC_URL=https://awp.example.com': 'settings of a provider that the hosts of the tests do not have',
    },
    'docs/api-guide.md': {
      'export URL=http://127.0.0.1:3000': 'the tests set both to those of their service',
      'AWP_URL=http://127.0.0.1:3000 AWP_KEY=awp_a_… node worker.mjs ./do-the-work':
        'guide-worker.api-spec.ts runs the worker with other commands',
    },
    'docs/catalogue.md': {
      'npm run catalog -- check stock.json STOCK_TOKEN=test':
        'catalog-check.api-spec.ts checks entries of its own',
      'npm run catalog:import -- npm:@acme/mcp --network api.acme.example':
        'catalog-import.api-spec.ts imports from a registry of its own',
      'npm run catalog:import -- io.github.acme/weather@1.2.0 --network api.acme.example':
        'catalog-import.api-spec.ts imports from a registry of its own',
      'post() { curl -sS --fail-with-body -H "Authorization: Bearer $KEY" -H \'Content-Type: application/json\' "$@"; }':
        'oauth-sign-in.api-spec.ts sends the same requests, and signs in at the address that is returned',
      'post "$URL/api/mcp/installed/$SERVER/credential-sets" -d \'{"name":"team-a"}\'':
        'oauth-refresh.api-spec.ts and profiles.api-spec.ts send the same requests',
      'jq -n --rawfile key key.pem \'{catalogId: "orders", envValues: {ORDERS_CLIENT_ID: "awp", ORDERS_PRIVATE_KEY: $key}}\' |':
        'oauth-client-credentials.api-spec.ts signs in with a private key',
    },
    'docs/connect.md': {
      'npx mcp-remote "$URL/mcp" --header "Authorization: Bearer $AGENT_KEY" --allow-http':
        'connect-page.api-spec.ts runs the same package from a folder of its own',
    },
  };
  const tests = readdirSync(join(root, 'test/api'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.api-spec.ts'))
    .map((name) => read(`test/api/${name}`))
    .join('\n');

  it.each(pages)('of %s are run by a test, or named above with a reason', (page) => {
    const blocks = [...read(page).matchAll(/(?:<!-- ([^>]+?) -->\s*)?```sh\n([^\n]*)/g)];
    const unknown = blocks.filter(([, name, first]) =>
      name === undefined ? !NOT_RUN[page]?.[first!] : !new RegExp(`'${name}'`).test(tests),
    );
    expect(unknown.map(([, name, first]) => name ?? first)).toEqual([]);
    const first = blocks.map((block) => block[2]);
    expect(Object.keys(NOT_RUN[page] ?? {}).filter((line) => !first.includes(line))).toEqual([]);
  });

  it.each(pages)('of %s have an output that a test compares', (page) => {
    const printed = [...read(page).matchAll(/<!-- prints: ([^>]+?) -->/g)].map(([, name]) => name!);
    const compared = `${tests}\n${read('test/docs.spec.ts')}`;
    expect(printed.filter((name) => !new RegExp(`printedBlock\\([^)]*'${name}'`).test(compared))).toEqual([]);
  });
});

describe('the table of states in docs/concepts.md', () => {
  it('has the rows of the table in the code, in their order', () => {
    const table = read('docs/concepts.md').split('<!-- the table of states -->')[1] ?? '';
    const rows = [...table.matchAll(/^\| (\w+) +\| ([\w, ]+?) +\| (\w+) +\|/gm)].slice(1);
    expect(rows.map(([, trigger, from, to]) => ({ trigger, from: from!.split(', '), to }))).toEqual(
      transitions.map(({ trigger, from, to }) => ({ trigger, from: [...from], to })),
    );
  });

  it('agrees with the picture, except for what a person may always do', () => {
    const drawn = [...read('docs/concepts.md').matchAll(/^ {4}(\w+) --> (\w+):/gm)].map(
      ([, from, to]) => `${from} ${to}`,
    );
    const possible = transitions.flatMap(({ from, to }) => from.map((one) => `${one} ${to}`));
    expect(drawn.filter((arrow) => !possible.includes(arrow))).toEqual([]);
    const left = possible.filter((arrow) => !drawn.includes(arrow) && !/ (Resolved|Closed)$/.test(arrow));
    expect([...new Set(left)]).toEqual(['WaitingOnDependency WaitingOnDependency']);
  });
});

describe('CONTRIBUTING.md and docs/architecture.md', () => {
  it.each(['CONTRIBUTING.md', 'docs/architecture.md'])('name only files that exist in %s', (page) => {
    const paths = [...read(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?)`/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(10);
    expect(
      paths.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'src', path))),
    ).toEqual([]);
  });
});

describe('docs/operations.md', () => {
  const page = read('docs/operations.md');
  const sources = ['src', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|mjs)$/.test(name) && !/\.spec\.ts$/.test(name))
      .map((name) => read(join(folder, name))),
  );
  const code = sources.join('\n');

  it('quotes only messages that the code has', () => {
    const quoted = [...page.matchAll(/^\| ('[^|]+?) +\|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/'([^']+)'/g)].map(([, text]) => text!),
    );
    expect(quoted.length).toBeGreaterThan(5);
    const parts = quoted.flatMap((text) => text.split('…').map((part) => part.trim())).filter(Boolean);
    expect(parts.filter((part) => !code.includes(part))).toEqual([]);
  });

  it('shows what a start prints, line by line', () => {
    const place = new Settings(
      settingsSchema.parse({ DATA_DIR: '/var/lib/agent-work-platform', PROCESSES: '2' }),
    );
    const address = 'http://127.0.0.1:3000';
    expect([
      dataFolderLine(place),
      ...summaryOf(place, { database: null, sandbox: 'bubblewrap', address }),
    ]).toEqual(printedBlock('docs/operations.md', 'start').trim().split('\n'));
  });

  it('names only settings that exist, and every setting of a retention', () => {
    const ofCompose = [...read('docker-compose.yml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name!);
    const known = [...Object.keys(settingsSchema.shape), ...secretFileSettings, ...ofCompose];
    const named = [...page.matchAll(/`([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)(?:=\S*)?`/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    const retentions = known.filter((name) => /_RETENTION_DAYS$|^SESSION_/.test(name));
    expect(retentions.filter((name) => !named.includes(name))).toEqual([]);
  });

  it('lists every command of the key ring', () => {
    const commands = readdirSync(join(root, 'scripts/keys')).map((name) => name.replace('.mjs', ''));
    const listed = [...page.matchAll(/^\| `npm run keys -- (\w+)/gm)].map(([, name]) => name!);
    expect(listed.toSorted()).toEqual(['add', 'check', 'init', 'retire', 'rotate']);
    expect(listed.filter((name) => !commands.includes(name))).toEqual([]);
  });
});

describe('the files for deployment', () => {
  it.each<[string, RegExp]>([
    ['docker-compose.yml', /^ {6}([A-Z][A-Z0-9_]+): (?!.*(POSTGRES_|DATABASE_PASSWORD:))/gm],
    ['Dockerfile', /([A-Z][A-Z0-9_]+)=/g],
    ['deploy/agent-work-platform.service', /(?:Environment=| )([A-Z][A-Z0-9_]+)=\S+/g],
  ])('sets only settings that exist in %s', (file, pattern) => {
    const known = [...Object.keys(settingsSchema.shape), 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD'];
    const set = [...read(file).matchAll(pattern)].map(([, name]) => name!);
    expect(set.length).toBeGreaterThan(1);
    expect(set.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('copies everything into the stage of the build that the builds of service and dashboard are made from', () => {
    const stage = read('Dockerfile').split('\nFROM ')[1]!;
    const copied = [...stage.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, list]) => list!.split(' '));
    for (const script of ['scripts/build.mjs', 'scripts/build-dashboard.mjs']) {
      const list = /^const sources = \[([^\]]+)\]/m.exec(read(script))?.[1] ?? '';
      const sources = [...list.matchAll(/'([^']+)'/g)].map(([, path]) => path!);
      expect(sources.length).toBeGreaterThan(1);
      const missing = sources.filter(
        (path) => !copied.some((one) => path === one || path.startsWith(`${one}/`)),
      );
      expect({ script, missing }).toEqual({ script, missing: [] });
    }
  });

  it('runs the image on Node 24 and Debian slim, as a user of its own, with a health check', () => {
    const file = read('Dockerfile');
    expect(file).toMatch(/^USER (?!root)\w+$/m);
    expect(file).toMatch(/^FROM node:24-\w+-slim$/m);
    expect(file).toMatch(/^HEALTHCHECK/m);
  });

  it('mounts only files that exist in docker-compose.yml, and names each image by a version', () => {
    const file = read('docker-compose.yml');
    const mounted = [...file.matchAll(/- (\.\/[^:]+):/g)].map(([, path]) => path!);
    expect(mounted.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    for (const [, image] of file.matchAll(/^ +image: (.+)$/gm)) expect(image).toMatch(/:\d+(\.\d+)*$/);
  });

  it('lets systemd try the start for ever, except after 78', () => {
    const unit = read('deploy/agent-work-platform.service');
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(unit).not.toMatch(/^StartLimitBurst/m);
    expect(unit).toMatch(/^RestartPreventExitStatus=78$/m);
    expect(unit).toMatch(/^ExecReload=\/bin\/kill -HUP \$MAINPID$/m);
  });

  it('trusts the address of its proxy alone in docker-compose.yml, not a network in which others are', () => {
    const [, trusted = ''] = /^ +TRUSTED_PROXIES: (.+)$/m.exec(read('docker-compose.yml'))!;
    expect(isIP(trusted)).toBe(4);
  });

  it.each(['deploy/nginx.conf', 'deploy/nginx.two.conf'])('shows no metrics to the outside in %s', (file) => {
    // nginx takes an exact location first, and a regular expression before any prefix.
    const locations = [...read(file).matchAll(/^ *location (?:([=~^*]+) )?(\S+) \{([^}]*)\}/gm)];
    const exact = locations.filter(([, kind, path = '']) => kind === '=' && path.startsWith('/metrics'));
    const chosenFor = (path: string) =>
      locations.find(([, kind, pattern = '']) => kind === '~' && new RegExp(pattern).test(path));
    for (const [, , , body] of exact) expect(body).toMatch(/^\s*return 404;\s*$/);
    for (const path of ['/metrics', '/metrics/', '/metrics//', '/metrics/x'])
      expect({ path, body: chosenFor(path)?.[3]?.trim() }).toEqual({ path, body: 'return 404;' });
  });
});
