import type { Findings } from './ledger.js';
import type { Act } from './page.js';
import type { LogLine } from './log-lines.js';
import type { Alerting, Said, Source, Watch } from './watch.js';
import type { World } from './world.js';

/** What has to be seen while the cause lasts: each source that is named has to say so. */
export interface Notice {
  /** Rules whose expression has to become true. */
  alerts?: string[];
  readyz?: RegExp;
  /** A counter that has to rise. */
  rises?: string;
  log?: RegExp;
  attention?: RegExp;
  /** A text of the dashboard in a browser. */
  page?: RegExp;
  /** An outcome that a client sees. */
  clients?: RegExp;
}

/** One thing that goes wrong, and how a person puts it right. */
export interface Scene {
  /** Also its name for `--only`. */
  name: string;
  /** For the log, in whole sentences. */
  does: string;
  cause: (world: World) => Promise<void>;
  remedy: (world: World) => Promise<void>;
  /** What a person at the dashboard does while the cause lasts. */
  act?: Act;
  /** Puts back what the next scenes need. */
  afterwards?: (world: World) => Promise<void>;
  notices: Notice;
  /** Names of metrics whose values the log shows, beside those of readiness. */
  metrics?: string[];
  /** Outcomes of clients that are right in this scene; success, 409 and 503 where it names none. */
  outcomes?: RegExp;
  /** Seconds that the cause lasts at least. */
  lasts?: number;
  /** Alerts that go on after the recovery, since they look back over a longer time. */
  remain?: string[];
  /** Returns what else is wrong after the recovery. */
  check?: (world: World, watch: Watch) => Promise<string[]>;
}

/** Something that was waited for. `seconds` is null where it did not come. */
export interface Moment {
  what: string;
  seconds: number | null;
}

/** What a metric was before, during and after the cause; null where it was absent. */
export interface MetricRow {
  name: string;
  before: number | null;
  during: number | null;
  after: number | null;
}

/** All that the log says of a scene. */
export interface Result {
  scene: Pick<Scene, 'name' | 'does'>;
  /** Seconds after the cause. */
  noticed: Moment[];
  /** When the cause was removed, in seconds after it began. */
  endedAt: number;
  /** Seconds after the remedy. */
  recovered: Moment[];
  metrics: MetricRow[];
  alerting: Alerting[];
  said: Record<Source, Said[]>;
  lines: LogLine[];
  /** What the page of a browser said before, while the cause lasted, and after; empty without a browser. */
  page: string[];
  /** How often clients saw each outcome. */
  outcomes: Record<string, number>;
  unexpected: string[];
  longestMs: number;
  /** Acknowledged writes by the end of the scene, and what the comparison of all of them has found. */
  acknowledged: number;
  findings: Findings;
  invariants: number;
  /** What the scene's own check has found, or an error that ended the scene. */
  further: string[];
}

/** Returns why the scene failed, one sentence per reason; none where everything is as it has to be. */
export function problemsOf(result: Result): string[] {
  const { noticed, recovered, findings, unexpected, invariants, further } = result;
  return [
    ...(noticed.length === 0 ? ['Nothing was to be noticed, so nothing is proven.'] : []),
    ...noticed.filter(isMissing).map(({ what }) => `Not noticed: ${what}.`),
    ...(recovered.length === 0 ? ['Nothing was to recover, so nothing is proven.'] : []),
    ...recovered.filter(isMissing).map(({ what }) => `Not recovered: ${what}.`),
    ...findings.lost.map((what) => `Lost: ${what}.`),
    ...findings.doubled.map((what) => `Doubled: ${what}.`),
    ...(invariants === 0 ? [] : [`${invariants} invariants are violated.`]),
    ...(result.acknowledged > 0 ? [] : ['No write was acknowledged, so nothing is proven.']),
    ...unexpected.map((what) => `A client saw ${what}.`),
    ...further,
  ];
}

const isMissing = ({ seconds }: Moment): boolean => seconds === null;
