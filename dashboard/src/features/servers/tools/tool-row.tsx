import { useState } from 'react';
import type { ServerTool } from '../../../api/types';
import { Pill } from '../../../parts/status';
import { Time } from '../../../parts/time';
import { MarkedText } from '../../../parts/marked-text';
import { toolStates } from './tool-states';
import styles from './tools.module.css';

interface ToolRowProps {
  tool: ServerTool;
  open?: boolean;
  choice?: { chosen: boolean; onChoose: (chosen: boolean) => void };
}

/** One tool: its name and state, and everything that agents read of it. */
export function ToolRow({ tool, open = false, choice }: ToolRowProps) {
  const { word, icon, tone, says } = toolStates[tool.state];
  const [shown, setShown] = useState(open);
  return (
    <li className={styles.tool}>
      {choice && (
        <input
          type="checkbox"
          className={styles.check}
          aria-label={`Approve ${tool.name}`}
          checked={choice.chosen}
          onChange={(event) => choice.onChoose(event.target.checked)}
        />
      )}
      <details open={shown} onToggle={(event) => setShown(event.currentTarget.open)}>
        <summary>
          <code>
            <MarkedText text={tool.name} />
          </code>
          <span className={styles.brief}>{!shown && <MarkedText text={firstLine(tool.description)} />}</span>
          <Pill tone={tone} icon={icon}>
            {word}
          </Pill>
        </summary>
        {shown && (
          <div className={styles.detail}>
            <p className="soft small">
              {says} {tool.reason && <MarkedText text={`Its server has to change it: ${tool.reason}.`} />}{' '}
              <History tool={tool} />
            </p>
            <ToolText tool={tool} />
          </div>
        )}
      </details>
    </li>
  );
}

function History({ tool: { firstSeenAt, changedAt, approvedBy } }: { tool: ServerTool }) {
  return (
    <>
      First seen <Time iso={firstSeenAt} />
      {changedAt && (
        <>
          , changed <Time iso={changedAt} />
        </>
      )}
      {approvedBy && `, last approved by ${approvedBy.name}`}.
    </>
  );
}

/** The texts as agents read them, with markers in place of characters that cannot be seen. */
function ToolText({ tool: { title, description, inputSchema, annotations } }: { tool: ServerTool }) {
  return (
    <>
      {title && (
        <p>
          <b>
            <MarkedText text={title} />
          </b>
        </p>
      )}
      <p className={styles.description}>
        {description ? <MarkedText text={description} /> : <span className="soft">No description.</span>}
      </p>
      <Json label="Arguments" value={inputSchema} />
      {annotations && <Json label="What the server claims" value={annotations} />}
    </>
  );
}

function Json({ label, value }: { label: string; value: object }) {
  return (
    <div className={styles.json}>
      <h4>{label}</h4>
      <pre tabIndex={0} role="region" aria-label={label}>
        <MarkedText text={JSON.stringify(value, null, 2)} />
      </pre>
    </div>
  );
}

function firstLine(text: string | null): string {
  return text?.trim().split('\n', 1)[0] ?? '';
}
