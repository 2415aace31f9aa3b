import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Agent } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Snippet } from '../../../parts/snippet';
import { hasRole, useMe } from '../../../session/me';
import styles from './connect-tab.module.css';

/** The variable that holds the agent's key. Snippets name it, so that no key lands in a file or a shell history. */
const KEY_VARIABLE = 'AWP_AGENT_KEY';

interface ClientSnippet {
  client: string;
  /** The file that the text belongs to; none for a command. */
  place?: string;
  text: string;
}

const json = (value: object): string => JSON.stringify(value, null, 2);

/** How each client reaches the MCP endpoint at `url`. */
export function snippetsFor(url: string): ClientSnippet[] {
  return [
    {
      client: 'Claude Code',
      text: `claude mcp add --transport http work \\\n  ${url} \\\n  --header "Authorization: Bearer $${KEY_VARIABLE}"`,
    },
    {
      client: 'Codex',
      place: '~/.codex/config.toml',
      text: `[mcp_servers.work]\nurl = "${url}"\nbearer_token_env_var = "${KEY_VARIABLE}"`,
    },
    {
      client: 'Gemini CLI',
      place: '~/.gemini/settings.json',
      text: json({
        mcpServers: { work: { httpUrl: url, headers: { Authorization: `Bearer $${KEY_VARIABLE}` } } },
      }),
    },
    {
      client: 'Cursor',
      place: '.cursor/mcp.json',
      text: json({
        mcpServers: { work: { url, headers: { Authorization: `Bearer \${env:${KEY_VARIABLE}}` } } },
      }),
    },
    {
      client: 'Any MCP client',
      text: `URL        ${url}\nTransport  Streamable HTTP\nHeader     Authorization: Bearer $${KEY_VARIABLE}`,
    },
  ];
}

/** What to copy for the client that the agent runs in; one client at a time. */
export function ConnectSnippets({ url }: { url: string }) {
  const snippets = snippetsFor(url);
  const [client, setClient] = useState(snippets[0]!.client);
  const chosen = snippets.find((snippet) => snippet.client === client)!;
  return (
    <div className={styles.connect}>
      <div className={styles.clients} role="group" aria-label="Client">
        {snippets.map((snippet) => (
          <Button
            key={snippet.client}
            small
            aria-pressed={snippet.client === client}
            onClick={() => setClient(snippet.client)}
          >
            {snippet.client}
          </Button>
        ))}
      </div>
      <Snippet
        key={client}
        title={chosen.client}
        text={chosen.text}
        {...(chosen.place === undefined ? {} : { place: chosen.place })}
      />
    </div>
  );
}

/** How the agent's client reaches the platform: one address and one key give it all its tools. */
export function ConnectTab({ agent: { id } }: { agent: Agent }) {
  const url = `${location.origin}/mcp`;
  const admin = hasRole(useMe(), 'Admin');
  return (
    <div className={styles.columns}>
      <Card title="Configure the client">
        <div className="stack">
          <ConnectSnippets url={url} />
          <p className="soft small">
            The client then has the tools of every server that the agent is granted, named{' '}
            <code>server__tool</code>, and the platform’s own, named <code>platform__…</code>.
          </p>
        </div>
      </Card>
      <Card title="Set the key">
        <div className="stack">
          <p>
            Every snippet reads the key from the variable <code>{KEY_VARIABLE}</code>. Set it where the client
            runs.{' '}
            {admin ? (
              <Link to="/agents/$id/$tab" params={{ id, tab: 'keys' }} className="link">
                Create a key
              </Link>
            ) : (
              'An Admin creates one'
            )}{' '}
            if you have none.
          </p>
          <Snippet title="Shell" text={`read -rs ${KEY_VARIABLE} && export ${KEY_VARIABLE}`} />
          <p className="soft small">This asks for the key without showing it or keeping it in the history.</p>
        </div>
      </Card>
    </div>
  );
}
