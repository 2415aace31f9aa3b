import { Link } from '@tanstack/react-router';
import type { Agent } from '../../../api/types';
import { Card } from '../../../parts/card';
import { Snippet } from '../../../parts/snippet';
import { hasRole, useMe } from '../../../session/me';
import { ConnectSnippets, KEY_VARIABLE } from './connect-snippets';
import styles from './connect-tab.module.css';

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
              <Link to="/agents/$id/keys" params={{ id }} className="link">
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
