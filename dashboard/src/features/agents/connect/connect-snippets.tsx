import { useState } from 'react';
import { Button } from '../../../parts/button';
import { Snippet } from '../../../parts/snippet';
import styles from './connect-snippets.module.css';
import { snippetsFor } from './snippets';

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
