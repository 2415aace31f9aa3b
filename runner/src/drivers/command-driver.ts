import { existsSync, readFileSync, rmSync } from 'node:fs';
import { durationText } from '../config/values.js';
import { Child } from '../processes/child.js';
import { resolved, review, stopped, type Job, type Outcome } from './job.js';
import { firstPrompt } from './prompts.js';

const GIVE_BACK = 75;
const MAX_RESULT = 16_384;

/** Runs a plain command for an issue: the brief on its standard input and in a file, its end as an exit code. */
export async function runCommand(job: Job): Promise<Outcome> {
  const { workspace, stop, config, state } = job;
  const attached = await job.service.attachments(job.item.issueId);
  const files = await workspace.download(job.service, attached);
  await workspace.hook('before_turn', stop.now);
  const brief = firstPrompt(job.item, config.prompt, files, job.answers.splice(0));
  const result = workspace.write('result.md', '');
  rmSync(result);
  const child = start(job, workspace.write('brief.md', brief), result);
  job.update({ pid: child.pid ?? null, startTime: child.startTime, turns: state.turns + 1 });
  child.stdin.end(brief);
  const isLate = await child.within(config.limits.turn, stop.now);
  const said = existsSync(result) ? readFileSync(result, 'utf8').slice(0, MAX_RESULT) : child.lastWords;
  if (stop.now.aborted) return stopped(stop.reason);
  if (isLate) return review(said, `The command lasted longer than ${durationText(config.limits.turn)}.`);
  if (child.code === GIVE_BACK)
    return { kind: 'release', comment: said, reason: 'The command gave the issue back.' };
  if (child.code !== 0 || child.flooded) return review(said, `The command ${await child.ended}.`);
  // A result that comes after a pause is kept, and a person decides.
  if (stop.reason === 'paused') return review(said, 'Paused meanwhile.');
  if (stop.reason !== null) return stopped(stop.reason);
  await workspace.hook('after_run', stop.now);
  return resolved(config, said, 'The command ended with code 0.');
}

function start({ connect, workspace, command, mark, log, config, say }: Job, brief: string, result: string) {
  const { authorization, Authorization = authorization ?? '' } = connect.headers;
  const env = { ...workspace.env, AWP_BRIEF: brief, AWP_RESULT: result, AWP_MCP_URL: connect.url };
  Object.assign(env, { AWP_MCP_TOKEN: Authorization.replace(/^Bearer /, '') });
  const onText = (stream: string, text: string) => (log.write(stream, text), say(text));
  const maxOutput = config.limits.output_mb * 2 ** 20;
  const child = new Child({ command, cwd: workspace.folder, env, mark, maxOutput, onText });
  child.readText();
  return child;
}
