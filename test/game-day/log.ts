import { problemsOf, type MetricRow, type Result } from './scene.js';
import type { Said } from './watch.js';

/** More lines of the service's log would hide those that matter. */
const MOST_LINES = 12;
const LONGEST = 220;

/** What is said of a whole day. */
export interface Day {
  results: Result[];
  /** What was wrong at its end, after all scenes. */
  end: string[];
  /** How many acknowledged writes, events and deliveries were compared at the end. */
  compared: { writes: number; repeated: number; events: number; deliveries: number };
  processors: number;
  postgres: string;
}

/** Writes the log of a game day as Markdown: a table of all scenes, and a section for each. */
export function markdown(day: Day): string {
  const { results, compared, end } = day;
  return [
    '# A game day',
    INTRODUCTION,
    `What follows is the log of one run, on ${day.processors} processors that other programs used as well, with PostgreSQL ${day.postgres}. Seconds are facts of that run and no promises.`,
    '## All scenes',
    table(
      [
        'scene',
        'first noticed',
        'alert, and what it waits for',
        'clients go on',
        'requests',
        'lost',
        'doubled',
      ],
      results.map(rowOf),
    ),
    `At the end of the day ${compared.writes} acknowledged writes were read back, ${compared.repeated} requests had been sent a second time with their idempotency key, ${compared.events} events were received once and in order, and the receiver of webhooks had all ${compared.deliveries} events that it was to get. ${end.length === 0 ? 'Nothing was lost or doubled, and no invariant was violated.' : end.join(' ')}`,
    ...results.map(section),
  ].join('\n\n');
}

const INTRODUCTION = `\`npm run game-day\` starts an installation as an operator has it: the service over TLS with its secrets in files, a PostgreSQL with a synchronous standby, an object store, a receiver of webhooks and MCP servers, all reached by name. People and agents work all the time: they write issues and comments, upload files, finish issues, call tools and follow events. Then one thing after the other goes wrong. The command ends with 1 where something was not noticed, did not recover, or was lost. \`npm run game-day -- --log FILE\` writes this page, \`--only NAME,NAME\` plays some scenes, and \`--pretend lost-write\` (or \`double-write\`, \`silent-alerts\`, \`no-recovery\`, \`broken-invariant\`) shows that it can fail. It needs root on Linux, PostgreSQL with its tools as Debian has it, and Chromium.`;

function rowOf(result: Result): string[] {
  const { scene, noticed, recovered, outcomes, findings } = result;
  const seen = noticed.filter(({ seconds }) => seconds !== null);
  const first = seen.toSorted((one, other) => one.seconds! - other.seconds!)[0];
  const clients = recovered.find(({ what }) => what.startsWith('every client'));
  const refused = Object.entries(outcomes).filter(([outcome]) => !/^2/.test(outcome));
  const total = sum(Object.values(outcomes));
  return [
    `[${scene.name}](#${scene.name})`,
    first ? `${first.what}, ${seconds(first.seconds)}` : 'never',
    alertsOf(result).join('; ') || 'none',
    seconds(clients?.seconds ?? null),
    `${total}, of which ${sum(refused.map(([, count]) => count))} were refused`,
    String(findings.lost.length),
    String(findings.doubled.length),
  ];
}

/** The alerts that the scene waits for, each with the time after which its expression was true. */
function alertsOf({ noticed, alerting }: Result): string[] {
  return noticed.flatMap(({ what, seconds: after }) => {
    const name = /^the alert (\w+)$/.exec(what)?.[1];
    if (!name) return [];
    const waits = alerting.find(({ rule }) => rule.name === name)?.rule.waits;
    return [`${name} ${seconds(after)}${waits ? ` + ${waits}` : ''}`];
  });
}

function section(result: Result): string {
  const { scene, noticed, recovered, endedAt, alerting, said, lines, page, outcomes } = result;
  const problems = problemsOf(result);
  const others = alerting.filter(({ from }) => from >= 0);
  return [
    `### ${scene.name}`,
    `${scene.does} The cause lasted ${endedAt.toFixed(1)} s; the longest request took ${(result.longestMs / 1000).toFixed(1)} s.`,
    ...(problems.length > 0 ? [`**Failed:** ${problems.join(' ')}`] : []),
    `Noticed: ${noticed.map(({ what, seconds: at }) => `${what} (${seconds(at)})`).join('; ')}.`,
    `Recovered, after the remedy: ${recovered.map(({ what, seconds: at }) => `${what} (${seconds(at)})`).join('; ')}.`,
    `Alerts whose expression was true: ${others.map(({ rule, from, to }) => `${rule.name} (${rule.severity}) from ${seconds(from)}${to === null ? '' : ` to ${seconds(to)}`}`).join(', ') || 'none'}.`,
    table(['metric', 'before', 'meanwhile', 'after'], result.metrics.map(metricRow)),
    table(
      ['who', 'said'],
      [
        ...(['readyz', 'livez'] as const).map((source) => [`/${source}`, history(said[source])]),
        ['attention', history(said.attention)],
        ['halt banner', history(said.halt)],
        ['about', history(said.about)],
        ...(page.length > 0
          ? [['page in a browser', page.map((text) => `“${cell(text) || 'nothing'}”`).join(', then ')]]
          : []),
        [
          'clients',
          Object.entries(outcomes)
            .map(([outcome, count]) => `${cell(outcome, 60)}: ${count}`)
            .join(', '),
        ],
      ],
    ),
    lines.length === 0
      ? 'The log had no line but those of requests that succeeded.'
      : table(
          ['after', 'level', 'lines', 'log'],
          lines
            .slice(0, MOST_LINES)
            .map(({ seconds: at, level, count, text }) => [seconds(at), level, String(count), cell(text)]),
        ),
    ...(lines.length > MOST_LINES ? [`And ${lines.length - MOST_LINES} further texts.`] : []),
  ].join('\n\n');
}

function metricRow({ name, before, during, after }: MetricRow): string[] {
  return [
    `\`${name.replaceAll(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"…"')}\``,
    ...[before, during, after].map(value),
  ];
}

const value = (number: number | null): string =>
  number === null ? 'absent' : String(Math.round(number * 1000) / 1000);

const history = (all: Said[]): string =>
  all.map(({ seconds: at, text }) => `${at < 0 ? '' : `${seconds(at)}: `}${cell(text)}`).join('; ');

const seconds = (at: number | null): string => (at === null ? 'never' : `${at.toFixed(1)} s`);

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

/** A text in a cell of a table: in one line, and not too long. */
function cell(text: string, longest = LONGEST): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    .replaceAll(/[|\\*_<>[\]`]/g, (sign) => `\\${sign}`);
  return line.length > longest ? `${line.slice(0, longest).replace(/\\$/, '')}…` : line;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
