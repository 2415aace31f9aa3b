// Every screen of the dashboard with the steps that lead to it.

/** How each screen is looked at. */
export const looks = {
  light: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  middle: { colorScheme: 'light', viewport: { width: 1024, height: 768 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  'dark-phone': { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  forced: { forcedColors: 'active', viewport: { width: 1440, height: 900 } },
};

/** How the two pictures of README.md are taken. */
export const readme = {
  names: ['board', 'issue'],
  look: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
};

const settled = (page) => page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: 10_000 });

/** A screen at an address, and what is done there before the picture. */
function at(name, path, act = async () => undefined) {
  return {
    name,
    open: async (page, data) => {
      const address = typeof path === 'function' ? path(data) : path;
      if (address === undefined) throw new Error('the data of this screen is missing');
      await page.goto(address);
      await settled(page);
      await act(page, data);
    },
  };
}

const stuck = ({ board }) => board.issues.get('Reconcile refunds with the ledger every night').key;
const worked = ({ board }) => board.issues.get('Refund fails for cards that were replaced').key;
const first = ({ servers }) => servers[0]?.id;

async function elevated(page, { person }) {
  const field = page.getByLabel('Password');
  await field.waitFor({ timeout: 10_000 });
  await field.fill(person.password);
  await page.getByRole('button', { name: 'Manage servers for 15 minutes' }).click();
  await field.waitFor({ state: 'detached', timeout: 10_000 });
  await settled(page);
}

/** The key of elevated mode is gone with a reload, so each of these screens confirms again. */
const managed = (name, path, act = async () => undefined) =>
  at(name, path, async (page, data) => {
    await elevated(page, data);
    await act(page, data);
  });

/** Opens the form of the decision whose title has the words. */
const decide = (words) => async (page) => {
  const row = page.getByRole('listitem').filter({ hasText: words });
  await row.getByRole('button', { name: /^(Own words|More|Fill in|Answer)/ }).click({ timeout: 10_000 });
  await row.getByRole('group', { name: 'Answers' }).waitFor({ timeout: 10_000 });
};

/** Sends a number that the form of a server does not accept, so that its message is shown. */
const refused = async (page) => {
  await decide('Please provide inputs')(page);
  await page.getByLabel('String', { exact: true }).fill('Ada Lovelace');
  const number = page.getByLabel('Integer (optional)');
  await number.fill('1000');
  await page.getByRole('button', { name: 'Send the answer' }).click();
  await page.getByText('must be <= 100', { exact: true }).waitFor({ timeout: 10_000 });
  await number.scrollIntoViewIfNeeded();
};

/** Puts where the time went into view, with a mark chosen. */
const lanes = async (page) => {
  const region = page.getByRole('region', { name: 'Where the time went' });
  const lease = region.getByRole('button', { name: /^Lease of/ }).first();
  await lease.click({ timeout: 10_000 });
  await region.evaluate((element) => element.scrollIntoView({ block: 'start' }));
};

const press = (key) => (page) => page.keyboard.press(key);

export async function signIn(page, { email, password }) {
  await page.goto('/login');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/');
  await settled(page);
}

/** The screen before the sign-in; all others are taken after it. */
export const login = at('login', '/login?next=/projects');

export const screens = [
  at('needs-you', '/'),
  at('needs-you-question', '/', decide('Which name do finance')),
  at('needs-you-approval', '/', decide('asks to call')),
  at('needs-you-form', '/', decide('Please provide inputs')),
  at('needs-you-form-refused', '/', refused),
  at('projects', '/projects'),
  at('board', '/p/PAY/board'),
  at('board-panel', (data) => `/p/PAY/board?issue=${stuck(data)}`),
  at('board-move', '/p/PAY/board', async (page) => {
    await page
      .getByRole('button', { name: /^Move / })
      .first()
      .click();
  }),
  at('list', '/p/PAY/list', async (page) => {
    await page
      .getByRole('button', { name: /^Sub-issues of/ })
      .first()
      .click({ timeout: 10_000 });
  }),
  at('list-chosen', '/p/PAY/list', async (page) => {
    for (const index of [0, 1]) await page.getByRole('checkbox').nth(index).check();
  }),
  at('list-groups', '/p/PAY/list?group=status'),
  at('list-empty', '/p/PAY/list?q=nothinghasthisword'),
  at('list-view', '/p/PAY/list', async (page) => {
    await page.keyboard.press('v');
    await page.getByRole('menuitem', { name: /^Save as/ }).click({ timeout: 10_000 });
  }),
  at('labels', '/p/PAY/labels'),
  at('plan', '/p/PAY/plan', async (page) => {
    await page
      .getByRole('textbox')
      .first()
      .fill('- Release\n  - Notes {#notes}\n  - Tell customers after: notes');
    await page.getByRole('button', { name: 'Check plan' }).click({ timeout: 10_000 });
    await page.getByRole('region', { name: /^Graph/ }).waitFor({ timeout: 10_000 });
  }),
  at('usage', '/p/PAY/usage'),
  at('graph', (data) => `/p/PAY/graph?focus=${stuck(data)}`),
  at('issue', (data) => `/i/${stuck(data)}`),
  at(
    'issue-calls',
    (data) => `/i/${stuck(data)}`,
    (page) => page.getByText('Tool calls', { exact: true }).click(),
  ),
  at('issue-runs', (data) => `/i/${worked(data)}`),
  at('issue-lanes', (data) => `/i/${worked(data)}`, lanes),
  at('issue-review', ({ board }) => `/i/${board.issues.get('Make refunds idempotent').key}`),
  at(
    'issue-edit',
    (data) => `/i/${stuck(data)}`,
    (page) => page.getByRole('button', { name: 'Edit', exact: true }).click(),
  ),
  at('issue-assign', (data) => `/i/${stuck(data)}`, press('a')),
  at('create', '/p/PAY/board', press('c')),
  at('palette', '/p/PAY/board', press('Control+k')),
  at('help', '/p/PAY/board', press('?')),
  at('agents', '/agents'),
  at('agent', ({ board }) => `/agents/${board.agents[0].id}`),
  at('agent-failing', ({ board }) => `/agents/${board.agents[3].id}`),
  at('agent-tools', ({ board }) => `/agents/${board.agents[0].id}/tools`),
  at('agent-access', ({ board }) => `/agents/${board.agents[1].id}/access`),
  managed('agent-calls', ({ board }) => `/agents/${board.agents[0].id}/calls`),
  at('agent-usage', ({ board }) => `/agents/${board.agents[0].id}/usage`),
  at('agent-keys', ({ board }) => `/agents/${board.agents[0].id}/keys`),
  at('agent-connect', ({ board }) => `/agents/${board.agents[0].id}/connect`),
  at('elevate', '/servers'),
  managed('servers', '/servers'),
  managed('server-verify', (data) => first(data) && `/servers/${first(data)}`),
  managed('server-tools', (data) => first(data) && `/servers/${first(data)}/tools`),
  managed('server-access', (data) => first(data) && `/servers/${first(data)}/access`),
  managed('server-credentials', (data) => first(data) && `/servers/${first(data)}/credentials`),
  managed('server-calls', (data) => first(data) && `/servers/${first(data)}/calls`),
  managed('server-logs', (data) => first(data) && `/servers/${first(data)}/logs`),
  managed('catalog', '/catalog'),
  managed('install', '/catalog/github'),
  managed('access', '/access'),
  managed('access-panel', '/access', async (page) => {
    await page.getByRole('button', { name: /^Test writer, Everything/ }).click();
    await page.getByRole('group', { name: 'echo' }).waitFor({ timeout: 10_000 });
  }),
  at('activity', '/activity'),
  at('settings', '/settings'),
  at('settings-keys', '/settings/keys'),
  at('settings-users', '/settings/users'),
  at('settings-webhooks', '/settings/webhooks'),
  at('settings-about', '/settings/about'),
  at('not-found', '/p/NOPE/board'),
  at('no-issue', '/p/PAY/board?issue=PAY-999'),
];
