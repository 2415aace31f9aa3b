// The minimum cost of a request: the service's own SQL through pg alone, behind a bare Express handler that checks the
// same key. It neither validates nor maps; rows are sent as they arrive.
import cluster from 'node:cluster';
import express from 'express';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { hashOfKey } from '../dist/src/platform/authentication/key-format-and-authentication.service.js';
import { ApiKeyRepository } from '../dist/src/platform/authentication/api-key.repository.js';
import { KeysetPagesService } from '../dist/src/platform/database/keyset-pages.service.js';
import { ServiceClient } from '../dist/src/platform/database/service.client.js';
import { IssueListRepository } from '../dist/src/work/issue-reading/issue-lists-and-agent-work.service.js';
import { IssueRepository } from '../dist/src/work/issue-status/issue.repository.js';
import { IssueLeaseRepository } from '../dist/src/work/issue-status/issue-lease.repository.js';
import { PickUpsRepository } from '../dist/src/work/leases/pick-ups.service.js';
import { ProjectRepository } from '../dist/src/work/projects/projects-members-and-graph-lock.repository.js';
import { StatusChangesService } from '../dist/src/work/issue-status/status-changes.service.js';
import { HeartbeatRepository } from '../dist/src/gateway/heartbeat/heartbeat.repository.js';
import { JournalService } from '../dist/src/platform/journal/journal.service.js';
import { JournalRepository } from '../dist/src/platform/journal/journal-rows-and-months.repository.js';
import { EventCountersService } from '../dist/src/platform/journal/journal.service.js';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, Client: ServiceClient });

/** The service's data source, as its repositories use it, on a client or the pool. */
function sourceOver(connection) {
  const query = async (text, values) => {
    const { command, rows, rowCount } = await connection.query(text, values);
    return command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows;
  };
  return { query, manager: { query } };
}

/** Pages of lists, as the service reads them, on a client or the pool. */
const pagesOver = (connection) =>
  new KeysetPagesService(sourceOver(connection), { limits: { pageMaxBytes: 4_194_304 } });

const over = (connection) => {
  const source = sourceOver(connection);
  const journal = new JournalService(
    new JournalRepository(source),
    { afterCommit: () => undefined },
    new EventCountersService(),
  );
  const issues = new IssueRepository(source);
  const leases = new IssueLeaseRepository(source);
  return {
    journal,
    keys: new ApiKeyRepository(source),
    projects: new ProjectRepository(source, null),
    issues,
    lists: new IssueListRepository(pagesOver(connection)),
    pickUps: new PickUpsRepository(source),
    heartbeats: new HeartbeatRepository(source),
    // Work that is picked up locks no graph, and has neither dependents nor gates to look at.
    statusChanges: new StatusChangesService(null, null, issues, null, leases, null, journal),
  };
};
const pooled = over(pool);

async function inTransaction(work) {
  const client = await pool.connect();
  try {
    await client.query('START TRANSACTION ISOLATION LEVEL READ COMMITTED');
    const result = await work(over(client));
    await client.query('COMMIT');
    return result;
  } catch (fault) {
    await client.query('ROLLBACK');
    throw fault;
  } finally {
    client.release();
  }
}

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(async (request, response, next) => {
  const hash = hashOfKey((request.headers.authorization ?? '').slice(7));
  const [found] = await pooled.keys.findByHashes([hash]);
  if (!found) return void response.status(401).end();
  request.caller = found.agent_id
    ? { type: 'agent', id: found.agent_id, name: found.agent_name }
    : { type: 'user', id: found.user_id, name: found.user_name, role: found.user_role, roleCap: null };
  next();
});

app.get('/api/projects/issues/:issueId', async (request, response) => {
  response.json(await pooled.issues.findWhole(request.caller, request.params.issueId));
});

app.get('/api/projects/:projectId/issues', async (request, response) => {
  const project = await pooled.projects.findSeen(request.caller, request.params.projectId);
  const page = { limit: Number(request.query.limit), after: null, countUpTo: null };
  response.json(
    (
      await pooled.lists.list(request.caller, { projectId: project.id }, '-createdAt', page, {
        summary: false,
        ranked: false,
      })
    ).rows,
  );
});

app.post('/api/projects/:projectId/issues', express.json(), async (request, response) => {
  const project = await pooled.projects.findSeen(request.caller, request.params.projectId);
  const id = uuidv7();
  const issue = {
    id,
    projectId: project.id,
    status: 'Open',
    priority: 0,
    assignedAgentId: null,
    assigneeUserId: null,
    goalId: null,
    labelCount: 0,
    parentId: null,
    holdsParent: false,
    createdBy: request.caller,
    ...request.body,
  };
  await inTransaction(async ({ issues, journal }) => {
    await issues.add(issue);
    await journal.record(event('issue.created', issue, { title: issue.title, status: 'Open' }));
  });
  response.status(201).json(await pooled.issues.read(id));
});

app.put('/api/projects/issues/:issueId', express.json(), async (request, response) => {
  const seen = await pooled.issues.findSeen(request.caller, request.params.issueId);
  const row = await inTransaction(async ({ issues, journal }) => {
    const present = await issues.lock(seen.id);
    await issues.setFields(present, { title: request.body.title });
    await journal.record(
      event('issue.updated', present, { title: { old: present.title, new: request.body.title } }),
    );
    return issues.read(seen.id);
  });
  response.json(row);
});

app.post('/api/agents/me/heartbeat', express.json(), async (request, response) => {
  const agent = await pooled.heartbeats.readAgent(request.caller.id);
  if (agent.lastSeenIsStale) await pooled.heartbeats.touch(agent.id);
  if (!agent.hasWork) return void response.json({ agent });
  response.json({ agent, pickedUp: await inTransaction((rooms) => claim(rooms, agent.id)) });
});

async function claim({ heartbeats, pickUps, statusChanges, issues, journal }, agentId) {
  await heartbeats.lockAgent(agentId);
  await heartbeats.readAgent(agentId);
  const taken = await pickUps.lockCandidates(agentId, 1, []);
  if (taken.length === 0) return [];
  const open = taken.filter(({ status }) => status === 'Open');
  await statusChanges.apply(open, 'pickUp', 'InProgress', { cause: 'picked_up' });
  const ids = taken.map(({ id }) => id);
  const [granted] = await pickUps.grant(agentId, ids, 180, null);
  await journal.record(
    ...taken.map((issue) => event('issue.picked_up', issue, { agentId, token: granted.token })),
  );
  return issues.readAll(ids);
}

function event(type, issue, data) {
  return {
    type,
    subject: { type: 'issue', id: issue.id },
    projectId: issue.projectId,
    issueId: issue.id,
    data,
  };
}

const processes = Number(process.env.PROCESSES) || 1;
if (cluster.isPrimary && processes > 1) {
  let waiting = processes;
  cluster.on('listening', (_, { port }) => {
    waiting -= 1;
    if (waiting === 0) console.log(`ceiling ready at http://127.0.0.1:${port}`);
  });
  for (let count = 0; count < processes; count += 1) cluster.fork();
} else {
  const server = app.listen(0, '127.0.0.1', () => {
    if (cluster.isPrimary) console.log(`ceiling ready at http://127.0.0.1:${server.address().port}`);
  });
}
process.on('SIGTERM', () => process.exit(0));
