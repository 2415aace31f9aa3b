/**
 * How to try the npm entries of the shipped catalogue without an account: the values to give each, and how many tools
 * the pinned version then lists. Values are invented unless noted.
 */
export function trials({ folder, databaseUrl }) {
  return {
    airtable: { tools: 16, envValues: { AIRTABLE_API_KEY: 'patMadeUp000000.0123456789abcdef' } },
    azure: {
      tools: 61,
      envValues: { AZURE_TENANT_ID: NO_ONE, AZURE_CLIENT_ID: NO_ONE, AZURE_CLIENT_SECRET: 'made-up-secret' },
    },
    'brave-search': { tools: 8, envValues: { BRAVE_API_KEY: 'BSA-made-up-0123456789' } },
    'cloud-run': {
      tools: 8,
      envValues: { GOOGLE_APPLICATION_CREDENTIALS: SERVICE_ACCOUNT, GOOGLE_CLOUD_PROJECT: 'made-up' },
    },
    context7: { tools: 2, envValues: {} },
    // A real, empty database, because the server connects before it responds.
    dbhub: { tools: 2, envValues: { DSN: databaseUrl } },
    digitalocean: { tools: 50, envValues: { DIGITALOCEAN_API_TOKEN: 'dop_v1_made_up' } },
    everything: { tools: 13, envValues: {} },
    exa: { tools: 2, envValues: { EXA_API_KEY: 'made-up-0123456789' } },
    filesystem: { tools: 14, envValues: { ALLOWED_DIRECTORY: folder } },
    firecrawl: { tools: 26, envValues: { FIRECRAWL_API_KEY: 'fc-made-up-0123456789' } },
    gitlab: { tools: 118, envValues: { GITLAB_PERSONAL_ACCESS_TOKEN: 'glpat-made-up-0123456789' } },
    kubernetes: { tools: 14, envValues: { KUBECONFIG } },
    memory: { tools: 9, envValues: {} },
    mongodb: { tools: 18, envValues: { MDB_MCP_CONNECTION_STRING: 'mongodb://127.0.0.1:9/made-up' } },
    notion: { tools: 24, envValues: { NOTION_TOKEN: 'ntn_made_up_0123456789' } },
    perplexity: { tools: 4, envValues: { PERPLEXITY_API_KEY: 'pplx-made-up-0123456789' } },
    playwright: { tools: 25, envValues: {} },
    sentry: { tools: 22, envValues: { SENTRY_ACCESS_TOKEN: 'sntryu_made_up_0123456789' } },
    'sequential-thinking': { tools: 1, envValues: {} },
    'shopify-dev': { tools: 5, envValues: {} },
    supabase: { tools: 10, envValues: { SUPABASE_ACCESS_TOKEN: `sbp_${'0'.repeat(40)}` } },
    tavily: { tools: 5, envValues: { TAVILY_API_KEY: 'tvly-made-up-0123456789' } },
    todoist: { tools: 45, envValues: { TODOIST_API_KEY: 'made-up-0123456789' } },
  };
}

/** npm entries that cannot be tried this way, with the reason. */
export const NOT_TRIED = { slack: 'asks Slack for the account before it answers' };

const NO_ONE = '00000000-0000-0000-0000-000000000000';

const KUBECONFIG = `apiVersion: v1
kind: Config
clusters: [{ name: none, cluster: { server: 'https://127.0.0.1:9' } }]
users: [{ name: nobody, user: { token: made-up } }]
contexts: [{ name: none, context: { cluster: none, user: nobody } }]
current-context: none
`;

const SERVICE_ACCOUNT = JSON.stringify({
  type: 'service_account',
  project_id: 'made-up',
  client_email: 'nobody@made-up.iam.gserviceaccount.com',
  private_key: 'made up',
});
