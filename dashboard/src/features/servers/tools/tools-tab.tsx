import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServerTool } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { Empty, Loaded } from '../../../parts/notice';
import { inputClass } from '../../../parts/field';
import { MarkedText } from '../../../parts/marked-text';
import { FilterBar } from '../../../parts/page';
import { Pill } from '../../../parts/status';
import { Time } from '../../../parts/time';
import { announce } from '../../../parts/toasts';
import { toolsQuery } from '../../../shared/mcp/queries';
import { useApprove } from '../changes';
import { matching, toolStates, type ToolWords, whatDiffers, withheld } from './tool-states';
import styles from './tools.module.css';

interface ToolRowProps {
  tool: ServerTool;
  open?: boolean;
  choice?: { chosen: boolean; onChoose: (chosen: boolean) => void };
}

/** One tool: its name and state, and everything that agents read of it. */
function ToolRow({ tool, open = false, choice }: ToolRowProps) {
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
            {tool.approved ? <Compared tool={tool} approved={tool.approved} /> : <ToolText tool={tool} />}
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

/** The text of a changed tool beside the one that a person approved, and which of its parts differ. */
function Compared({ tool, approved }: { tool: ServerTool; approved: ToolWords }) {
  return (
    <>
      <p>{whatDiffers(tool, approved)}</p>
      <div className={styles.compared}>
        <section aria-label={`${tool.name} as it was approved`}>
          <h3>As it was approved</h3>
          <ToolText tool={approved} />
        </section>
        <section aria-label={`${tool.name} as it is now`}>
          <h3>As it is now</h3>
          <ToolText tool={tool} />
        </section>
      </div>
    </>
  );
}

/** The texts as agents read them, with markers in place of characters that cannot be seen. */
function ToolText({ tool: { title, description, inputSchema, annotations } }: { tool: ToolWords }) {
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

/** Tools that agents do not have until a person approves them: all of them, or those that are chosen. */
function ApprovalCard({ id, tools }: { id: string; tools: readonly ServerTool[] }) {
  const approve = useApprove(id);
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const chosen = tools.filter(({ name }) => !refused.has(name));
  const choose = (name: string, on: boolean) => {
    const next = new Set(refused);
    if (on) next.delete(name);
    else next.add(name);
    setRefused(next);
  };
  const save = () =>
    approve.mutate(chosen, {
      onSuccess: () =>
        announce(
          chosen.length === 1 ? `${chosen[0]!.name} is approved` : `${chosen.length} tools are approved`,
        ),
    });
  return (
    <Card
      title={
        tools.length === 1 ? '1 tool waits for your approval' : `${tools.length} tools wait for your approval`
      }
      flush
      footer={
        <>
          <Button
            look="primary"
            busy={approve.isPending}
            aria-disabled={chosen.length === 0}
            onClick={chosen.length > 0 ? save : undefined}
          >
            {verb(chosen.length, tools.length)}
          </Button>
          <span className="soft small">
            Read what agents will read. Until it is approved, no agent has a tool of this list.
          </span>
        </>
      }
    >
      <ul>
        {tools.map((tool) => (
          <ToolRow
            key={tool.name}
            tool={tool}
            open
            choice={{ chosen: !refused.has(tool.name), onChoose: (on) => choose(tool.name, on) }}
          />
        ))}
      </ul>
    </Card>
  );
}

function verb(chosen: number, all: number): string {
  if (chosen === 0) return 'Choose a tool to approve';
  if (all === 1) return 'Approve it';
  return chosen === all ? `Approve all ${all}` : `Approve ${chosen} of ${all}`;
}

/** A server's tools: those that wait for an approval first, then all the others. */
export function ToolsTab({ id }: { id: string }) {
  const tools = useQuery(toolsQuery(id));
  return (
    <Loaded query={tools} what="The tools">
      {(all) => (all.length === 0 ? <NoTools /> : <Tools id={id} tools={all} />)}
    </Loaded>
  );
}

function Tools({ id, tools }: { id: string; tools: readonly ServerTool[] }) {
  const [search, setSearch] = useState('');
  const waiting = withheld(tools);
  const others = tools.filter((tool) => !waiting.includes(tool));
  const shown = matching(others, search);
  return (
    <div className="stack">
      {waiting.length > 0 && <ApprovalCard id={id} tools={waiting} />}
      {others.length > 0 && (
        <div>
          <FilterBar end={`${shown.length} of ${others.length}`}>
            <input
              className={`${inputClass} ${styles.find}`}
              type="search"
              aria-label="Search tools"
              placeholder="Search tools"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          </FilterBar>
          <Card title="Tools" count={others.length} flush>
            {shown.length === 0 ? (
              <Empty icon="filter" title="Nothing matches">
                No tool of this server has these words in its name or description.
              </Empty>
            ) : (
              <ul>
                {shown.map((tool) => (
                  <ToolRow key={tool.name} tool={tool} />
                ))}
              </ul>
            )}
          </Card>
        </div>
      )}
    </div>
  );
}

function NoTools() {
  return (
    <Empty icon="tool" title="No tools listed yet">
      Tools are listed and approved as they are at the first verification. Verify the server to see them.
    </Empty>
  );
}
