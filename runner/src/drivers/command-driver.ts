import { existsSync, readFileSync, rmSync } from 'node:fs';
import { durationText } from '../config/duration.js';
import { Child } from '../processes/child.js';
import { takeAnswers, type Job } from './driver.js';
import { review, stopped, type Outcome } from './outcome.js';
import { firstPrompt } from './prompts.js';

const GIVE_BACK = 75;
const MAX_RESULT = 16_384;

/** Runs a plain command for an issue: the brief on its standard input and in a file, its end as an exit code. */
export async function runCommand(job: Job): Promise<Outcome> {
  const { workspace, stop, config, state } = job;
  const files = await workspace.download(job.service, job.item.newAttachments);
  await workspace.hook('before_turn', stop.now);
  const brief = firstPrompt(job.item, config.prompt, files, takeAnswers(job));
  const result = workspace.write('result.md', '');
  rmSync(result);
  const child = start(job, workspace.write('brief.md', brief), result);
  job.update({ pid: child.pid ?? null, startTime: child.startTime, turns: state.turns + 1 });
  child.stdin.end(brief);
  let isLate = false;
  const timer = setTimeout(() => void ((isLate = true), child.stop()), config.limits.turn);
  const cancel = () => void child.stop();
  stop.now.addEventListener('abort', cancel);
  if (stop.now.aborted) cancel();
  const how = await child.ended;
  clearTimeout(timer);
  stop.now.removeEventListener('abort', cancel);
  const said = existsSync(result) ? readFileSync(result, 'utf8').slice(0, MAX_RESULT) : child.lastWords;
  if (stop.now.aborted) return stopped(stop.reason ?? 'shutdown');
  if (isLate) return review(said, `The command lasted longer than ${durationText(config.limits.turn)}.`);
  if (child.code === GIVE_BACK)
    return { kind: 'release', comment: said, reason: 'The command gave the issue back.' };
  if (child.code !== 0 || child.flooded) return review(said, `The command ${how}.`);
  // A result that comes after a pause is kept, and a person decides.
  if (stop.reason !== null)
    return stop.reason === 'paused' ? review(said, 'Paused meanwhile.') : stopped(stop.reason);
  await workspace.hook('after_run', stop.now);
  if (config.review) return review(said, 'Done; review is on.');
  return { kind: 'finish', status: 'Resolved', comment: said, reason: 'The command ended with code 0.' };
}

function start(
  { connect, workspace, command, mark, log, config, update }: Job,
  brief: string,
  result: string,
): Child {
  const token = (connect.headers['Authorization'] ?? connect.headers['authorization'] ?? '').replace(
    /^Bearer /,
    '',
  );
  const env = {
    ...workspace.env,
    AWP_BRIEF: brief,
    AWP_RESULT: result,
    AWP_MCP_URL: connect.url,
    AWP_MCP_TOKEN: token,
  };
  const maxOutput = config.limits.output_mb * 2 ** 20;
  const onLine = (stream: string, text: string) => {
    log.write(stream, text);
    update({ lastLine: text.trim().split('\n').at(-1) ?? '' });
  };
  const child = new Child({ command, cwd: workspace.folder, env, mark, maxOutput, onLine });
  child.readText();
  return child;
}
