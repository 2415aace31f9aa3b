import { beforeAll, describe, expect, it } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue, type Link, type Project } from '../../../support/builders.js';
import type { Answer } from '../../../support/answer.js';
import type { Caller } from '../../../support/caller.js';
import {
  anonymous,
  asAdmin,
  asAgent,
  asEditor,
  asUser,
  asViewer,
  withKey,
} from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { expectSuccess, pathOf, read } from './issue-requests.js';

const service = useService();
let editor: Caller;
beforeAll(async () => {
  editor = await asEditor(service);
});

interface Place {
  project: Project;
  issue: Issue;
  other: Issue;
  link: Link;
}

async function aPlace(fields: Record<string, unknown> = {}): Promise<Place> {
  const project = await aProject(editor, fields);
  const [issue, other] = [await anIssue(editor, project), await anIssue(editor, project)];
  return { project, issue, other, link: await aLink(editor, issue, other, 'RelatedTo') };
}

const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';
const STALE = { headers: { 'if-match': '"99"' } };

type Call = (caller: Caller, place: Place) => Promise<Answer>;
const READS: Record<string, Call> = {
  'GET an issue': (caller, { issue }) => caller.get(pathOf(issue)),
  'GET its links': (caller, { issue }) => caller.get(`${pathOf(issue)}/links`),
  "GET a project's issues": (caller, { project }) => caller.get(`/api/projects/${project.id}/issues`),
};
/** Each request is invalid, so it also changes nothing when the caller has the permission. */
const WRITES: Record<string, Call> = {
  'POST an issue': (caller, { project }) =>
    caller.post(`/api/projects/${project.id}/issues`, { title: 'x', blockedByIssueId: UNKNOWN }),
  'PUT an issue': (caller, { issue }) => caller.put(pathOf(issue), { title: 'x' }, STALE),
  'POST close': (caller, { issue }) => caller.post(`${pathOf(issue)}/close`, undefined, STALE),
  'POST pause': (caller, { issue }) => caller.post(`${pathOf(issue)}/pause`, undefined, STALE),
  'POST resume': (caller, { issue }) => caller.post(`${pathOf(issue)}/resume`, undefined, STALE),
  'DELETE an issue': (caller, { issue }) => caller.delete(pathOf(issue)),
  'POST a link': (caller, { issue, other }) =>
    caller.post(`${pathOf(issue)}/links`, { targetIssueId: other.id, linkType: 'RelatedTo' }),
};
/** Deletes data, so it is only sent by callers without the permission. */
const DELETE_LINK: Record<string, Call> = {
  'DELETE a link': (caller, { link }) => caller.delete(`/api/projects/links/${link.id}`),
};
const AGENTS_MAY = ['POST an issue', 'PUT an issue', 'POST a link'];

/** Returns the status of a refusal for lack of permission, or null when the caller has the permission. */
async function verdict(call: Call, caller: Caller, place: Place): Promise<number | null> {
  const { status } = await call(caller, place);
  return [401, 403, 404].includes(status) ? status : null;
}

describe('an open project', () => {
  let place: Place;
  beforeAll(async () => {
    place = await aPlace();
  });

  it.each(Object.keys({ ...READS, ...WRITES, ...DELETE_LINK }))(
    '%s returns 401 without a credential and with a wrong one',
    async (name) => {
      const call = { ...READS, ...WRITES, ...DELETE_LINK }[name]!;
      expect(await verdict(call, anonymous(service), place)).toBe(401);
      expect(await verdict(call, withKey(service, 'awp_u_wrong'), place)).toBe(401);
    },
  );

  it.each(Object.keys(READS))('%s is allowed for every user and agent', async (name) => {
    for (const caller of [
      await asViewer(service),
      await asEditor(service),
      await asAdmin(service),
      service.owner,
      await asAgent(service),
    ])
      expect(await verdict(READS[name]!, caller, place)).toBe(null);
  });

  it.each(Object.keys(WRITES))('%s requires an Editor: a Viewer gets 403', async (name) => {
    expect(await verdict(WRITES[name]!, await asViewer(service), place)).toBe(403);
    for (const caller of [await asEditor(service), await asAdmin(service), service.owner])
      expect(await verdict(WRITES[name]!, caller, place)).toBe(null);
  });

  it('DELETE a link requires an Editor: a Viewer gets 403 and the link stays', async () => {
    expect(await verdict(DELETE_LINK['DELETE a link']!, await asViewer(service), place)).toBe(403);
    expect((await read(editor, place.issue)).links).toHaveLength(1);
  });

  it('lets a Viewer write only where a membership makes it an Editor', async () => {
    const [elsewhere, viewer] = [await aPlace(), await asViewer(service)];
    await service.owner.put(`/api/projects/${place.project.id}/members`, {
      entries: [{ userId: viewer.id, role: 'Editor' }],
    });
    for (const call of Object.values(WRITES)) expect(await verdict(call, viewer, place)).toBe(null);
    for (const call of Object.values({ ...WRITES, ...DELETE_LINK }))
      expect(await verdict(call, viewer, elsewhere)).toBe(403);
  });

  it('limits a key that was narrowed to Viewer to reading', async () => {
    const narrowed = await asUser(service, 'Admin', { role: 'Viewer' });
    for (const call of Object.values(READS)) expect(await verdict(call, narrowed, place)).toBe(null);
    for (const call of Object.values({ ...WRITES, ...DELETE_LINK }))
      expect(await verdict(call, narrowed, place)).toBe(403);
  });

  it.each(Object.keys(WRITES))(
    '%s by an agent is allowed or refused as the contract defines',
    async (name) => {
      const agent = await asAgent(service);
      await expectSuccess(editor.put(pathOf(place.issue), { assignedAgentId: agent.id }));
      expect(await verdict(WRITES[name]!, agent, place)).toBe(AGENTS_MAY.includes(name) ? null : 403);
    },
  );
});

describe('a members-only project', () => {
  let place: Place;
  beforeAll(async () => {
    place = await aPlace({ visibility: 'members' });
  });
  const ALL = { ...READS, ...WRITES, ...DELETE_LINK };

  it.each(Object.keys(ALL))(
    '%s by others returns the same as for an object that does not exist',
    async (name) => {
      const nothing = {
        ...place,
        project: { ...place.project, id: UNKNOWN },
        issue: { ...place.issue, id: UNKNOWN },
        link: { ...place.link, id: UNKNOWN },
      };
      const byKey = {
        ...place,
        project: { ...place.project, id: place.project.key },
        issue: { ...place.issue, id: place.issue.key },
      };
      for (const caller of [await asViewer(service), await asEditor(service), await asAgent(service)]) {
        const unknown = await ALL[name]!(caller, nothing);
        for (const attempt of [place, byKey]) {
          const hidden = await ALL[name]!(caller, attempt);
          expect({ status: hidden.status, code: hidden.body['code'], detail: hidden.body['detail'] }).toEqual(
            {
              status: unknown.status,
              code: unknown.body['code'],
              detail: unknown.body['detail'],
            },
          );
        }
        expect([403, 404]).toContain(unknown.status);
      }
    },
  );

  it('gives members their role only there, whatever their role elsewhere', async () => {
    const [reader, writer, agent] = [
      await asEditor(service),
      await asViewer(service),
      await asAgent(service),
    ];
    const entries = [
      { userId: reader.id, role: 'Viewer' },
      { userId: writer.id, role: 'Editor' },
      { agentId: agent.id, role: 'Viewer' },
    ];
    await service.owner.put(`/api/projects/${place.project.id}/members`, { entries });
    for (const call of Object.values(READS))
      for (const caller of [reader, writer, agent, await asAdmin(service)])
        expect(await verdict(call, caller, place)).toBe(null);
    for (const call of Object.values(WRITES)) {
      expect(await verdict(call, reader, place)).toBe(403);
      expect(await verdict(call, writer, place)).toBe(null);
      expect(await verdict(call, await asAdmin(service), place)).toBe(null);
    }
    await service.owner.put(`/api/projects/${place.project.id}/members`, {
      entries: [{ userId: writer.id, role: null }],
    });
    for (const call of Object.values(READS)) expect(await verdict(call, writer, place)).toBe(404);
  });

  it('reveals nothing of itself through issues of other projects', async () => {
    const [hidden, open] = [place.issue, await anIssue(editor, await aProject(editor))];
    const stranger = await asEditor(service);
    for (const linkType of ['Blocks', 'BlockedBy', 'RelatedTo', 'DuplicateOf']) {
      const there = await stranger.post(`${pathOf(open)}/links`, { targetIssueId: hidden.id, linkType });
      const nowhere = await stranger.post(`${pathOf(open)}/links`, { targetIssueId: UNKNOWN, linkType });
      expect([there.status, there.body['errors']]).toEqual([nowhere.status, nowhere.body['errors']]);
      expect(there.status).toBe(400);
    }
    const created = await stranger.post(`/api/projects/${open.projectId}/issues`, {
      title: 'x',
      blockedByIssueId: hidden.key,
    });
    expect(created.body['errors']).toMatchObject([{ path: 'blockedByIssueId' }]);
  });
});
