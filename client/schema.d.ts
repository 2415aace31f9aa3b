// Made by `npm run openapi` from docs/openapi.json: paths, bodies and answers as types.

export interface paths {
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the projects that the caller sees, oldest first. */
        get: operations["Projects.list"];
        put?: never;
        /** Creates a project. */
        post: operations["Projects.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the users whom issues can be assigned to, by name; with `projectId` those who see that project. */
        get: operations["People.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one project. */
        get: operations["Projects.get"];
        /** Changes a project; an absent field stays as it is. */
        put: operations["Projects.update"];
        post?: never;
        /** Deletes an empty project; needs confirm=true. */
        delete: operations["Projects.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns all of a project as lines of JSON, from one snapshot, which an import takes. With `attachments=true` they are
         *     `export.ndjson` in a tar that has the files too.
         */
        get: operations["Export.export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the imports of a project, newest first, without their reports. */
        get: operations["Imports.list"];
        put?: never;
        /**
         * Takes a file to import into the project: an export of this service, also the archive with its attachments, or one of another system
         *     by `format`. The work goes on after the response; the same file again makes nothing twice.
         */
        post: operations["Imports.start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns how far an import is, and what it could not take over. */
        get: operations["Imports.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the members of a project, oldest first. */
        get: operations["Members.list"];
        /** Merges: members that are not named stay, a role of null removes. All entries apply or none. */
        put: operations["Members.merge"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/goals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the goals of a project, oldest first. */
        get: operations["GoalsOfProject.list"];
        put?: never;
        /** Creates a goal in a project. */
        post: operations["GoalsOfProject.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/goals/{goalId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one goal. */
        get: operations["Goals.get"];
        /** Changes a goal; an absent field stays as it is. */
        put: operations["Goals.update"];
        post?: never;
        /** Deletes a goal. Its issues stay, without a goal. */
        delete: operations["Goals.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/issues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the issues of a project. */
        get: operations["IssuesOfProject.list"];
        put?: never;
        /** Creates an issue: Open, or WaitingOnDependency when `blockedByIssueId` names an unresolved issue. */
        post: operations["IssuesOfProject.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns how many unfinished issues each project has that the caller sees, oldest project first. */
        get: operations["ProjectCounts.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the issues of all projects that the caller sees. */
        get: operations["Issues.listAll"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one issue with its links. */
        get: operations["Issues.get"];
        /** Changes an issue. An absent field stays as it is, `null` clears it. The status `Resolved` marks the issue resolved. */
        put: operations["Issues.update"];
        post?: never;
        /** Deletes an issue with its comments, links and attachments, and unblocks what it blocked. Its sub-issues stay. Needs confirm=true. */
        delete: operations["Issues.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the timeline of an issue, oldest first unless `sort` says otherwise. */
        get: operations["Timeline.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the records of the tool calls that agents made for the issue, newest first. */
        get: operations["IssueCalls.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/children": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the sub-issues of an issue, oldest first unless `sort` says otherwise. */
        get: operations["Issues.children"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Closes an issue. Rejected while it blocks unresolved issues or issues below it are unresolved, unless `force=true`. */
        post: operations["Issues.close"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explains why no agent works on an issue, who must act, and what happens next. */
        get: operations["Explain.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pauses an issue. Its agent stops at its next turn; no agent gets the issue until it is resumed. */
        post: operations["Issues.pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resumes a paused issue. Its agent picks it up on its next heartbeat. */
        post: operations["Issues.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Reports the progress of the run under a lease: session, turn, usage, last lines of output, and why it stopped. */
        put: operations["Runs.report"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the runs that workers reported for the issue, newest first. */
        get: operations["Runs.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns how many issues the project has in each status, and what the waiting ones wait for. */
        get: operations["IssueCounts.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a part of the graph of what blocks what: around a focus, or the unfinished issues that most others wait for. */
        get: operations["Graph.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/issues/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns how many issues of the project match the filters, by status, agent, goal, blocker or root of what they wait for. */
        get: operations["IssueGroups.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates up to 500 issues and the links between them: all or none. `dryRun` checks the plan and returns an order of the
         *     work and its longest chain.
         */
        post: operations["Plans.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns what needs a person, one item per cause, what holds up most issues first. */
        get: operations["Attention.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/attention/snoozes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Puts items off for the caller until a time, or wakes them. They come back earlier where their cause grows worse. */
        put: operations["Attention.snooze"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the links of an issue as seen from it, outgoing and incoming, oldest first. */
        get: operations["Links.list"];
        put?: never;
        /** Creates a link. BlockedBy an unresolved issue makes this issue wait; Blocks makes the other one wait. */
        post: operations["Links.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a link. Deleting its last blocker unblocks an issue that waits. */
        delete: operations["Links.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/gates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Opens a gate, for which the issue waits: a question to a person, or the checks of its pull requests. Work on it ends until
         *     then. Checks that have ended already are answered at once.
         */
        post: operations["GatesOfIssue.ask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/gates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the gates that the caller sees, oldest first. */
        get: operations["Gates.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/gates/{gateId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one gate. */
        get: operations["Gates.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/gates/{gateId}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answers an open gate. The first answer counts, and unblocks the issue. */
        post: operations["Gates.answer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/gates/{gateId}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Withdraws an open gate, which unblocks the issue without an answer. An agent withdraws what it opened itself. */
        post: operations["Gates.withdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the labels of a project by name, each with the number of its unresolved issues. */
        get: operations["LabelsOfProject.list"];
        put?: never;
        /** Creates a label in a project. */
        post: operations["LabelsOfProject.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/labels/{labelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one label. */
        get: operations["Labels.get"];
        /** Changes a label; an absent field stays as it is. */
        put: operations["Labels.update"];
        post?: never;
        /** Deletes a label, and takes it off its issues. */
        delete: operations["Labels.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the branches, commits and pull requests of an issue, oldest first, at most 200. */
        get: operations["Code.list"];
        put?: never;
        /** Links a branch, commit or pull request to an issue. One that is linked already is returned as it is. */
        post: operations["Code.add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hooks/{provider}/{hookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receives a delivery of GitHub, GitLab or Gitea, which its signature authenticates. The same delivery again changes
         *     nothing.
         */
        post: operations["CodeDeliveries.receive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/code-hooks/{hookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a hook: its code host is refused from then on. What it has reported stays. */
        delete: operations["Code.deleteHook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/code/{codeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Removes a branch, commit or pull request from its issue. An agent removes what it linked itself. */
        delete: operations["Code.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/code-hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the hooks of a project, without their secrets. */
        get: operations["Code.listHooks"];
        /** Sets the hook of a code host. Its secret is returned when it is made, and never again. */
        put: operations["Code.setHook"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the schedules of a project, oldest first. */
        get: operations["SchedulesOfProject.list"];
        put?: never;
        /** Creates a schedule, which creates issues with the rights of the caller. `dryRun` checks it and returns its next times. */
        post: operations["SchedulesOfProject.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/schedules/{scheduleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one schedule. */
        get: operations["Schedules.get"];
        /** Changes a schedule; an absent field stays as it is. From then on it creates issues with the rights of the caller. */
        put: operations["Schedules.update"];
        post?: never;
        /** Deletes a schedule. Its issues stay. */
        delete: operations["Schedules.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/schedules/{scheduleId}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates the next issue of a schedule now, as an issue of the caller's. Its due times stay as they are. */
        post: operations["Schedules.run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the views of a project that are shared, and the caller's own, by name. */
        get: operations["ViewsOfProject.list"];
        put?: never;
        /** Keeps a view of a project for the caller; an Editor may share it. */
        post: operations["ViewsOfProject.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/views/{viewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes a view; an absent field stays as it is. */
        put: operations["Views.update"];
        post?: never;
        /** Deletes a view. */
        delete: operations["Views.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the comments on an issue, oldest first. */
        get: operations["Comments.list"];
        put?: never;
        /** Adds a comment. An agent that works on the issue gets it at its next turn. */
        post: operations["Comments.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/comments/{commentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Changes a comment. Only its author or an Admin may; it stays the author's. */
        put: operations["Comments.update"];
        post?: never;
        /** Deletes a comment. Only its author or an Admin may. */
        delete: operations["Comments.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the attachments of an issue, oldest first, without their bytes. */
        get: operations["Attachments.list"];
        put?: never;
        /** Uploads one file in the field `file`. Slashes and invisible characters are stripped from its name. */
        post: operations["Attachments.upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/attachments/{attachmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes an attachment. An agent may delete only its own uploads. */
        delete: operations["Attachments.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/attachments/{attachmentId}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the bytes, or one range of them. */
        get: operations["Attachments.download"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns all agents, oldest first. */
        get: operations["Agents.list"];
        put?: never;
        /** Creates an agent. The response contains its first key and how an MCP client connects with it. */
        post: operations["Agents.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/halt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns whether all agents are halted, and why. */
        get: operations["Halt.get"];
        /** Halts all agents, or ends the halt. While halted, no agent is given work or tools. */
        put: operations["Halt.set"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one agent. An agent may read itself. */
        get: operations["Agents.get"];
        /** Changes an agent; an absent field stays as it is. */
        put: operations["Agents.update"];
        post?: never;
        /** Retires the agent: its keys, grants and leases end; its name stays in the records. */
        delete: operations["Agents.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a row for every installed server. */
        get: operations["AgentAccess.list"];
        /** Merges: servers that the request does not name keep their access. All entries apply or none, at once. */
        put: operations["AgentAccess.set"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns an agent's keys, oldest first, without their secrets. */
        get: operations["AgentKeys.list"];
        put?: never;
        /** Creates a key for an agent. No other response contains it. */
        post: operations["AgentKeys.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes an agent's key, which stops working at once. */
        delete: operations["AgentKeys.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/today": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns what an agent picked up, finished, asked, called and spent since an instant, by issue and in sums. */
        get: operations["AgentToday.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns every tool of every installed server, and why the agent may or may not use it. */
        get: operations["AgentTools.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns what an agent works on, and its other unfinished issues in order, each with why it is not started yet. */
        get: operations["AgentWork.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/fleet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns what every agent does now and has done since an instant, with the sums of all. */
        get: operations["Fleet.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renews leases, lists the work to stop and hands out work, in one transaction. With `wait` it responds as soon as
         *     there is something to start or to stop.
         */
        post: operations["Heartbeat.send"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams the notifications of a session. */
        get: operations["McpEndpoint.get"];
        put?: never;
        /** Accepts JSON-RPC requests and notifications of an MCP client, in both protocol eras. */
        post: operations["McpEndpoint.post"];
        /** Ends a session. */
        delete: operations["McpEndpoint.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The turn boundary: returns whether to go on, new comments, and the agent's tools. */
        post: operations["Heartbeat.turn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finishes the work on an issue: status, comment and files in one transaction. The same request again returns the same
         *     response. A paused issue takes PendingReview from its last holder.
         */
        post: operations["Finish.finish"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Gives an issue back without counting an attempt, so that any worker of the agent may take it at once. */
        post: operations["Finish.release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Streams the notifications of a session. */
        get: operations["McpEndpoint.get2"];
        put?: never;
        /** Accepts JSON-RPC requests and notifications of an MCP client, in both protocol eras. */
        post: operations["McpEndpoint.post2"];
        /** Ends a session. */
        delete: operations["McpEndpoint.delete2"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the budget of an agent, and what is used of it. */
        get: operations["AgentBudget.get"];
        /** Sets the budget of an agent. A budget that is used up stops all work of the agent. */
        put: operations["AgentBudget.put"];
        post?: never;
        /** Removes the budget of an agent, if there is one. */
        delete: operations["AgentBudget.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/issues/{issueId}/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the budget of an issue, and what is used of it. */
        get: operations["IssueBudget.get"];
        /** Sets the budget of an issue. A budget that is used up makes the issue wait for a decision. */
        put: operations["IssueBudget.put"];
        post?: never;
        /** Removes the budget of an issue, if there is one. */
        delete: operations["IssueBudget.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{projectId}/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the budget of a project, and what is used of it. */
        get: operations["ProjectBudget.get"];
        /** Sets the budget of a project. A budget that is used up stops all agents in the project. */
        put: operations["ProjectBudget.put"];
        post?: never;
        /** Removes the budget of a project, if there is one. */
        delete: operations["ProjectBudget.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the usage of a window by agent, project, issue, model or day. Tokens and cost are as agents reported them. */
        get: operations["Usage.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All installed servers, oldest first. */
        get: operations["InstalledServers.list"];
        put?: never;
        /**
         * Fetches the entry's pinned package and stores the server, enabled and granted to no agent. Takes up to 120
         *     seconds.
         */
        post: operations["InstalledServers.install"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns every agent, every installed server, and which agent may use which server, as one consistent view. */
        get: operations["AccessMatrix.get"];
        /** Merges several grants: pairs that the request does not name keep their access. All entries apply or none, at once. */
        put: operations["AccessMatrix.set"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the records of tool calls, newest first: who called which tool for which issue, and how it ended. */
        get: operations["Calls.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/calls/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Summarises the tool calls of a window of at most 31 days; without `from` the last 24 hours. */
        get: operations["Calls.summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the servers of the catalogue, by id. */
        get: operations["Catalog.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/catalog/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Returns every error that an entry of CATALOG_DIRS would have. Nothing is stored or installed. */
        post: operations["Catalog.check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/catalog/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes an entry of a package of npm by its name, in the first folder of CATALOG_DIRS. Its README says which variables and
         *     arguments it has. With `dryRun` the entry is only shown, so that a person reviews it before it is stored.
         */
        post: operations["PackageImports.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/catalog/reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reads all entries again, including those of CATALOG_DIRS. If any entry is invalid, the old entries stay. */
        post: operations["Catalog.reload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/catalog/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the JSON Schema of an entry's file. */
        get: operations["Catalog.schema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/catalog/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one entry with its manifest and its variables. */
        get: operations["Catalog.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One installed server. */
        get: operations["InstalledServers.get"];
        /** Changes name and values. Live connections finish their calls; new calls use the new values. */
        put: operations["InstalledServers.update"];
        post?: never;
        /** Ends the server's processes and removes its credentials, its grants and its package. */
        delete: operations["InstalledServers.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns a row for every agent. */
        get: operations["ServerAccess.list"];
        /** Merges: agents that the request does not name keep their access. All entries apply or none, at once. */
        put: operations["ServerAccess.set"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/credential-sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The credential sets of a server: `default` first, the others by name. */
        get: operations["CredentialSets.list"];
        put?: never;
        /** Adds a set of values, which grants can name. Its processes are apart from those of the other sets. */
        post: operations["CredentialSets.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/credential-sets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Merges values. Live connections finish their calls; new calls use the new values. */
        put: operations["CredentialSets.change"];
        post?: never;
        /** Removes a set that no grant names, with its processes and their folders. */
        delete: operations["CredentialSets.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/credential-sets/{name}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deletes the values of a set and ends its processes. Calls with it are refused until it gets new values. */
        post: operations["CredentialSets.revoke"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/credential-sets/{name}/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begins a sign-in at the authorization server of a remote server. A browser that has the session of the caller opens the
         *     returned address within 10 minutes, and comes back with the outcome in the query `signIn`.
         */
        post: operations["CredentialSetSignIn.begin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the server's processes; agents' calls fail and say that it is disabled. */
        post: operations["InstalledServers.disable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lets the agents that have a grant use the server; also ends the status `error`. */
        post: operations["InstalledServers.enable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last stderr output of the server's processes and of its last verification, with secrets masked, from all
         *     processes of the service.
         */
        get: operations["ServerLogs.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tools of the last listing, by name. Empty until the server is verified or an agent asks for its tools for the
         *     first time.
         */
        get: operations["ServerTools.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/tools/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approves changed and new tools as they are now, and deletes removed ones. */
        post: operations["ServerTools.approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/tools/{toolName}/call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Calls a tool to try it out; the call is recorded like an agent's. */
        post: operations["TryOut.call"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/upgrade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetches the catalogue's version, verifies it with the stored credentials beside the running one, and then replaces
         *     the running one. Access and approvals stay; changed tools are withheld. A version that fails its verification is
         *     not installed.
         */
        post: operations["Upgrade.upgrade"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/verifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the last 50 verifications of a server, newest first, without the names of its tools. */
        get: operations["Verification.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/installed/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts or reaches the server over a new connection, completes the handshake and lists its tools within 30 seconds.
         *     A failed verification is reported with 200 too.
         */
        post: operations["Verification.verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Takes the answer of the authorization server of a remote server, and leads the browser on with the outcome in the
         *     query `signIn`. It is worth nothing without the session in which the sign-in began.
         */
        get: operations["Oauth.callback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/oauth/callback/{issuerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Takes the answer of the one authorization server for which the service has registered itself with this address. Otherwise
         *     it does the same as `callback`.
         */
        get: operations["Oauth.callbackOfIssuer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/oauth/client.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describes the service as a client to authorization servers. The address of this document is the id of the client. */
        get: operations["Oauth.client"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/profiles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All profiles, by name. */
        get: operations["Profiles.list"];
        put?: never;
        /** Gives several agents access to several servers, beside their grants. */
        post: operations["Profiles.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/profiles/{profileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One profile. */
        get: operations["Profiles.get"];
        /** Replaces what the request names: the name, all entries, all agents. Takes effect at once. */
        put: operations["Profiles.change"];
        post?: never;
        /** Removes the profile; its agents keep their grants. */
        delete: operations["Profiles.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/runtime": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the runtimes of this host. The report is at most 30 seconds old; `refresh=true` makes a new one. */
        get: operations["Runtime.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0.1/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the catalogue in the form of a registry of MCP servers, where PUBLISH_REGISTRY is on. */
        get: operations["PublishedServers.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0.1/servers/{serverName}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns every version of a published server, the newest first. */
        get: operations["PublishedServers.versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v0.1/servers/{serverName}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one version of a published server; `latest` is the newest one. */
        get: operations["PublishedServers.version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists all users, oldest first, including disabled ones. */
        get: operations["Users.list"];
        put?: never;
        /** Creates a user, whose role cannot be above the caller's. */
        post: operations["Users.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's own keys, oldest first, without their secrets. */
        get: operations["Me.list"];
        put?: never;
        /** Creates a key for the caller. No other response holds the key. */
        post: operations["Me.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes one of the caller's keys, which stops working at once. */
        delete: operations["Me.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns who the caller is and when its key expires. */
        get: operations["Me.me"];
        /** Changes the caller's own name and e-mail address. A new address needs the password. */
        put: operations["Me.update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one user. */
        get: operations["Users.get"];
        /** Changes a user. A field that is left out keeps its value. */
        put: operations["Users.update"];
        post?: never;
        /** Disables a user. Keys and sessions stop working at once, and the records keep the name. */
        delete: operations["Users.disable"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns which person at the configured OpenID provider a user is. */
        get: operations["UserIdentity.get"];
        /** Says which person at the OpenID provider a user is. The sessions of the user end. */
        put: operations["UserIdentity.set"];
        post?: never;
        /** Separates a user from the person at the OpenID provider. The sessions of the user end. */
        delete: operations["UserIdentity.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists a user's keys, oldest first, without their secrets. */
        get: operations["KeysOfUsers.list"];
        put?: never;
        /** Creates a key for a user. No other response holds the key. */
        post: operations["KeysOfUsers.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes a user's key, which stops working at once. */
        delete: operations["KeysOfUsers.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/elevate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Returns a key that opens the routes below `/api/mcp`, and no others, for 15 minutes. It has the caller's role, ends with
         *     the session, and is not among the caller's keys. No other response holds it.
         */
        post: operations["Elevation.elevate"];
        /** Deletes the elevated keys of this session, which stop working at once. */
        delete: operations["Elevation.end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs in and sets the session cookie. The session that the browser had before ends. */
        post: operations["Sessions.login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Signs out. The session ends at once on the server. */
        post: operations["Sessions.logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns how people sign in, for a sign-in page. */
        get: operations["SignInMethods.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/backchannel-logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ends the sessions that a logout token of the OpenID provider names. */
        post: operations["BackchannelLogout.logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Takes the answer of the OpenID provider, sets the session cookie and leads on. The session that the browser had before
         *     ends. A refused sign-in leads to the sign-in page with the reason in `problem`.
         */
        get: operations["Oidc.callback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/oidc/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Leads the browser to the OpenID provider, or to the sign-in page with the reason in `problem`. */
        get: operations["Oidc.login"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Changes the caller's own password and ends all of the caller's sessions, including this one. */
        post: operations["Sessions.changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the caller's own sessions that have not ended, oldest first. */
        get: operations["OwnSessions.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends one of the caller's sessions at once, for example of a browser that was left signed in. */
        delete: operations["OwnSessions.end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the sessions of a user that have not ended, oldest first. */
        get: operations["SessionsOfUsers.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Ends a session of a user at once, unless the user's role is above the caller's. */
        delete: operations["SessionsOfUsers.end"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sends events live as server-sent events. Each is an object `{id, type, at, projectId, actor, subject, data}`. Users
         *     and agents receive the events that they may see at that moment; events about users, keys, logins, refusals and MCP
         *     servers go to Admins only. The stream ends when the caller's right ends. Swagger UI shows no stream; follow it with
         *     `curl -N -H "Authorization: Bearer $KEY" $URL/api/events`.
         */
        get: operations["Events.follow"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the webhooks, oldest first, without their secrets. */
        get: operations["Webhooks.list"];
        put?: never;
        /** Creates a webhook, which receives events from now on. The response has the secret that signs them. */
        post: operations["Webhooks.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns one webhook, without its secret. */
        get: operations["Webhooks.get"];
        /** Changes a webhook. Fields that are left out stay as they are. */
        put: operations["Webhooks.update"];
        post?: never;
        /** Deletes a webhook and its delivery log. Nothing more is sent. */
        delete: operations["Webhooks.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the deliveries, oldest first. */
        get: operations["Webhooks.listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends an event of the delivery log again, at once and with all its tries. */
        post: operations["Webhooks.redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Makes a new secret. The previous one also signs for a day. */
        post: operations["Webhooks.rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists who did what, newest first: every change of state, every login, and every refusal for lack of permission. */
        get: operations["Audit.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the version of the service, its limits and its features, for dashboards and runners. */
        get: operations["Info.get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reports that the process responds. */
        get: operations["Health.live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Returns the metrics for Prometheus, of each process of this start under the label `process` where there are several. They contain no secrets; a proxy may hide them. */
        get: operations["Metrics.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Reports whether the service can work: database, migrations, key ring, sandbox. */
        get: operations["Health.ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccessMatrixResponse: {
            agents: components["schemas"]["MatrixAgentResponse"][];
            servers: components["schemas"]["MatrixServerResponse"][];
            cells: components["schemas"]["MatrixCellResponse"][];
            profiles: components["schemas"]["MatrixProfileResponse"][];
        };
        ActiveLeaseResponse: {
            /** @description Comments of others since the last turn. */
            newComments: components["schemas"]["NewCommentResponse"][];
            /** @description What changed since the last turn or, without one, since the issue was handed out. */
            changed: ("title" | "description" | "priority" | "attachments")[];
            /** @description Answers of people that the worker may not have yet. */
            answers: components["schemas"]["IssueAnswerResponse"][];
            issueId: string;
            /** Format: date-time */
            expiresAt: string;
        };
        ActivityResponse: {
            /** @example issue.status_changed */
            type: components["schemas"]["ActivityType"];
            /**
             * @description Depends on the type. `issue.updated` has each field with `old` and `new`, `issue.status_changed` also its `cause`; `comment.created` has the `content` while the comment exists and `editedAt` where it was changed, `issue.tools_called` the `calls`, `failed` ones and `tools` of one turn, a `gate` its `title`, and `gate.answered` the `answer`.
             * @example {
             *       "old": "Open",
             *       "new": "InProgress",
             *       "cause": "picked_up"
             *     }
             */
            data: {
                [key: string]: unknown;
            };
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a10 */
            id: string;
            issueId: string;
            actor: components["schemas"]["ActorResponse"];
            /** Format: date-time */
            createdAt: string;
        };
        /** @enum {string} */
        ActivityType: "issue.created" | "issue.updated" | "issue.status_changed" | "issue.picked_up" | "issue.lease_lost" | "issue.paused" | "issue.resumed" | "issue.tools_called" | "issue.child_added" | "issue.child_removed" | "comment.created" | "comment.updated" | "comment.deleted" | "attachment.created" | "attachment.deleted" | "link.created" | "link.deleted" | "code.linked" | "code.updated" | "code.unlinked" | "gate.opened" | "gate.answered" | "gate.expired" | "gate.withdrawn" | "gate.executed";
        ActorResponse: {
            /** @enum {string} */
            type: "user" | "agent" | "system";
            id: string | null;
            /** @example Ada Lovelace */
            name: string;
        };
        AddCodeRequest: {
            /**
             * @description The address of a branch, commit or pull request.
             * @example https://github.com/acme/web/pull/12
             */
            url: string;
        };
        AgentAccessEntry: {
            /**
             * @description Names of the tools that the grant is narrowed to; null grants all approved tools; absent keeps what is set.
             * @example null
             */
            tools?: string[] | null;
            /**
             * @description Tools whose calls a person has to approve: "writes" is every tool that does not declare itself read-only.
             * @example writes
             */
            ask?: ("writes" | string[]) | null;
            /**
             * @description The least role in the project of the issue that approves a call; absent keeps what is set.
             * @enum {string}
             */
            approverRole?: "Editor" | "Admin";
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
            agentId: string;
            /** @description true grants the server. false takes the grant away and refuses the server, also where a profile gives it. */
            granted: boolean;
            /** @description With `granted: false`: false leaves the server to the profiles of the agent. Default: true. */
            refused?: boolean;
            /**
             * @description The name of a credential set of the server; absent keeps what is set, which is `default` for a new grant.
             * @example team-a
             */
            credentialSet?: string;
        };
        AgentAccessResponse: {
            /** @description Names of the tools that the grant is narrowed to; null grants all approved tools. */
            tools: string[] | null;
            /** @description Tools whose calls a person has to approve: "writes" is every tool that does not declare itself read-only. */
            ask: ("writes" | string[]) | null;
            approverRole: components["schemas"]["ApproverRole"];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
            serverId: string;
            /** @example Everything (reference) */
            serverName: string;
            granted: boolean;
            /** @description Whether the agent does not have the server, whatever its profiles say. */
            refused: boolean;
            /**
             * @description The credential set that the agent's calls use.
             * @example default
             */
            credentialSet: string;
        };
        AgentBudgetResponse: {
            /**
             * @example day
             * @enum {string}
             */
            period: "day" | "month" | "total";
            used: components["schemas"]["BudgetFiguresResponse"];
            limits: components["schemas"]["BudgetLimitsResponse"];
            /** @description Whether a limit is reached, so that the agent gets no work. */
            stopped: boolean;
        };
        AgentFailureResponse: {
            /** @example writer-1 */
            worker: string;
            /** @example The agent ended with code 1. */
            reason: string;
            /** Format: date-time */
            since: string;
        };
        /** @enum {string} */
        AgentReason: "agent_disabled" | "halted" | "budget" | "agent_failing" | "agent_never_seen" | "agent_silent" | "agent_full" | "running" | "ready";
        AgentTodayResponse: {
            /**
             * @description Turns and tool calls in each of the last 24 hours, the present one last.
             * @example [
             *       0,
             *       4,
             *       12
             *     ]
             */
            activity: number[];
            /** @description null without a budget, and to callers below Admin. */
            budget: components["schemas"]["AgentBudgetResponse"] | null;
            /** @description The latest first, at most 200; what was done without an issue comes last. */
            issues: components["schemas"]["AgentTodayRowResponse"][];
            /** @description The newest first, at most 200. */
            asked: components["schemas"]["AskedResponse"][];
            /**
             * Format: date-time
             * @description The beginning of the window, a whole hour.
             */
            since: string;
            sums: components["schemas"]["AgentTodaySumsResponse"];
        };
        AgentTodayRowResponse: {
            /** @description null without an issue, and where it was deleted. */
            issue: components["schemas"]["TodaysIssueResponse"] | null;
            finishedAs: components["schemas"]["Status"] | null;
            /**
             * @description Its questions and requests for approval.
             * @example 1
             */
            asked: number;
            /**
             * @description All tool calls, refused ones too.
             * @example 9
             */
            calls: number;
            /**
             * @description Those that ended with an error, or were refused.
             * @example 1
             */
            toolErrors: number;
            /** @description The 5 tools with the most calls. */
            tools: components["schemas"]["CalledToolResponse"][];
            /** @description null for what was done without an issue. */
            issueId: string | null;
            /**
             * Format: date-time
             * @description When the agent first picked it up.
             */
            pickedUpAt: string | null;
            /**
             * Format: date-time
             * @description When the agent last handed it in, resolved or closed it.
             */
            finishedAt: string | null;
            usage: components["schemas"]["UsageFiguresResponse"];
        };
        AgentTodaySumsResponse: {
            /**
             * @description The issues that the agent had to do with.
             * @example 6
             */
            issues: number;
            /**
             * @description The issues that it picked up.
             * @example 4
             */
            pickedUp: number;
            /**
             * @description The issues that it handed in, resolved or closed.
             * @example 3
             */
            finished: number;
            /**
             * @description Its questions and requests for approval.
             * @example 1
             */
            asked: number;
            /**
             * @description All tool calls, refused ones too.
             * @example 120
             */
            calls: number;
            /**
             * @description Those that ended with an error, or were refused.
             * @example 2
             */
            toolErrors: number;
            usage: components["schemas"]["UsageFiguresResponse"];
        };
        AgentToolResponse: {
            /**
             * @description Why the agent may not use the tool; null if it may.
             * @enum {string|null}
             */
            reason: "not_granted" | "tool_not_granted" | "server_disabled" | "sign_in_needed" | "server_error" | "credentials_revoked" | "credentials_error" | "tool_changed" | "tool_invalid" | "agent_disabled" | "halted" | null;
            /**
             * @description Why clients would refuse the definition of the tool, where it is invalid; otherwise null.
             * @example null
             */
            invalidReason: string | null;
            /** @description Whether a person has to approve each call of the agent. */
            ask: boolean;
            /**
             * @description Where the right to use the server comes from; null for a server that the agent has from nowhere.
             * @enum {string|null}
             */
            source: "grant" | "profile" | null;
            /** @example echo */
            name: string;
            /**
             * @description The name under which the agent sees the tool.
             * @example everything__echo
             */
            advertisedName: string;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
            serverId: string;
            /** @example Everything (reference) */
            serverName: string;
            allowed: boolean;
            /**
             * @description The names of the profiles of the agent that have the server.
             * @example [
             *       "Support team"
             *     ]
             */
            profiles: string[];
            /**
             * @description The credential set that calls of the agent use.
             * @example default
             */
            credentialSet: string;
        };
        AgentWhyResponse: {
            reason: components["schemas"]["AgentReason"];
            /** @example It takes work on its next heartbeat. */
            sentence: string;
        };
        AgentWorkResponse: {
            /** @description Those that it holds a live lease of. */
            running: components["schemas"]["ExplainedIssueResponse"][];
            /** @description The others in the order in which the agent gets them: `why` says why it has not got one yet. Those that it cannot get now come last. */
            next: components["schemas"]["ExplainedIssueResponse"][];
        };
        AnswerGateRequest: {
            /** @description The values that the schema of a question asks for. */
            fields?: {
                [key: string]: unknown;
            };
            /**
             * @description approve or deny for an approval, extend or stop for a budget.
             * @enum {string}
             */
            decision?: "approve" | "deny" | "extend" | "stop";
            /**
             * @description Whether an approval is for this call or for all calls of the tool on the issue.
             * @enum {string}
             */
            scope?: "once" | "issue";
            /** @description By how much to extend a budget, in its own unit; without it by the limit that is set. */
            by?: number;
            /**
             * @description One of the options of a question.
             * @example Tomorrow
             */
            option?: string;
            /**
             * @description An answer to a question in one's own words.
             * @example Wait for the totals of March.
             */
            text?: string;
            /**
             * @description What the agent should know about a decision on a call.
             * @example Only on the staging server.
             */
            note?: string;
        };
        ApiKeyResponse: {
            /** @description The role that the key is limited to; null means the role of its owner. */
            role: components["schemas"]["Role"] | null;
            /** @description The key that this one was made with: it ends with that key. */
            parentKeyId: string | null;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a02 */
            id: string;
            /** @example laptop */
            name: string;
            /**
             * @description The first 12 characters, to recognise the key by.
             * @example awp_u_3kT9aZ
             */
            prefix: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        ApproveToolsRequest: {
            /**
             * @description Names of the tools to approve. Default: all tools that are not approved.
             * @example [
             *       "echo"
             *     ]
             */
            names?: string[];
            /**
             * @description The hash of each of `names` that the caller has read. Where a tool has another one by now, nothing is approved.
             * @example [
             *       "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
             *     ]
             */
            hashes?: string[];
        };
        ApprovedToolResponse: {
            inputSchema: {
                [key: string]: unknown;
            };
            annotations: {
                [key: string]: unknown;
            } | null;
            title: string | null;
            description: string | null;
        };
        ApproverResponse: {
            /** @enum {string} */
            type: "user" | "agent" | "system";
            id: string | null;
            /** @example Ada Lovelace */
            name: string;
        };
        /** @enum {string} */
        ApproverRole: "Editor" | "Admin";
        ArchiveResponse: {
            /** @example anyio-4.6.2-py3-none-any.whl */
            filename: string;
            /** @description The SHA-256 hash in hex. */
            sha256: string;
        };
        AskedResponse: {
            /** @enum {string} */
            kind: "question" | "approval";
            state: components["schemas"]["GateState"];
            /** @description Of the gate. */
            id: string;
            /** @example Which quarter should the report cover? */
            title: string;
            /** @example DOCS-12 */
            issueKey: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            closedAt: string | null;
        };
        AssigneeRequest: {
            /** @enum {string} */
            type: "agent" | "user";
            /** @description Accepted and ignored, so that an assignee as it was read is a valid value. */
            name?: string;
            id: string;
        };
        AssigneeResponse: {
            /** @enum {string} */
            type: "agent" | "user";
            id: string;
            /** @example Release notes writer */
            name: string;
        };
        AttachmentResponse: {
            /**
             * @description In bytes.
             * @example 18211
             */
            size: number;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a08 */
            id: string;
            issueId: string;
            /** @example totals of March.csv */
            filename: string;
            /**
             * @description The content type that the uploader named.
             * @example text/csv
             */
            contentType: string;
            /**
             * @description The SHA-256 of the bytes, in hex.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string;
            /** @example /api/projects/attachments/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a08/download */
            downloadUrl: string;
            uploadedBy: components["schemas"]["ActorResponse"];
            /** Format: date-time */
            createdAt: string;
        };
        AttentionActionResponse: {
            /** @enum {string} */
            method: "POST" | "PUT";
            body: {
                [key: string]: unknown;
            } | null;
            /** @description Whether a caller with a session needs a key of elevated mode for it. */
            elevated: boolean;
            /** @example Verify again */
            label: string;
            /** @example /api/mcp/installed/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a07/verify */
            path: string;
        };
        AttentionBlocksResponse: {
            /** @description Issues that wait for it, directly or through others. */
            issues: number;
            /** @description The agents of those that have nothing else to do. */
            agents: number;
        };
        AttentionGateResponse: {
            id: string;
            /** @example question */
            kind: string;
            /** @description Whether it is answered by the fields of a form, which the gate has (contract §5.7). */
            form: boolean;
        };
        AttentionGroupResponse: {
            /** @description The questions of the group that the caller sees, on all pages. */
            items: number;
            /** @description The agents that ask them. */
            agents: number;
            /** @example 5d41402a-bc4b-2a76-b971-9d911017c592 */
            id: string;
        };
        AttentionIssueResponse: {
            id: string;
            /** @example DOCS-12 */
            key: string;
            title: string;
        };
        AttentionItemResponse: {
            kind: components["schemas"]["AttentionKind"];
            tab: components["schemas"]["AttentionTab"];
            /** Format: date-time */
            since: string;
            severity: components["schemas"]["Severity"];
            project: components["schemas"]["AttentionProjectResponse"] | null;
            issue: components["schemas"]["AttentionIssueResponse"] | null;
            agent: components["schemas"]["AttentionNameResponse"] | null;
            server: components["schemas"]["AttentionNameResponse"] | null;
            /** @description A webhook; its name is its address. */
            webhook: components["schemas"]["AttentionNameResponse"] | null;
            schedule: components["schemas"]["AttentionNameResponse"] | null;
            gate: components["schemas"]["AttentionGateResponse"] | null;
            /** @description null where no other question is equal. */
            group: components["schemas"]["AttentionGroupResponse"] | null;
            /** Format: date-time */
            snoozedUntil: string | null;
            /** @description The recommended call; null where a person has to read first, or the caller may not. */
            action: components["schemas"]["AttentionActionResponse"] | null;
            /** @description Other calls that the caller may make. */
            alternatives: components["schemas"]["AttentionActionResponse"][];
            /**
             * @description The least role that may act.
             * @enum {string}
             */
            needsRole: "Viewer" | "Editor" | "Admin" | "Owner";
            /** @example review:0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05 */
            id: string;
            /** @example DOCS-12 waits for a review: Write the release notes */
            title: string;
            /** @example Look at the work, then resolve the issue or send it back. */
            detail: string;
            /** @description The id of the gate whose answer ends the cause. */
            gateId: string | null;
            /** @description The whole question; null for what is no question. */
            question: string | null;
            /** @description The answers to choose from, in their order. */
            options: string[];
            blocks: components["schemas"]["AttentionBlocksResponse"];
        };
        /** @enum {string} */
        AttentionKind: "gate" | "review" | "exhausted" | "stuck" | "released" | "server_error" | "tools_changed" | "agent_failing" | "agent_silent" | "credential" | "sign_in" | "webhook_disabled" | "schedule_failing" | "key_expiring" | "budget_near";
        AttentionNameResponse: {
            id: string;
            name: string;
        };
        AttentionProjectResponse: {
            /** @example DOCS */
            key: string;
            id: string;
            name: string;
        };
        AttentionResponse: {
            items: components["schemas"]["AttentionItemResponse"][];
            /**
             * @description How many items of each kind there are on all pages; a kind without items has 0.
             * @example {
             *       "review": 2,
             *       "stuck": 1
             *     }
             */
            counts: {
                [key: string]: number;
            };
            tabs: components["schemas"]["AttentionTabsResponse"];
        };
        /** @enum {string} */
        AttentionTab: "decide" | "review" | "broken";
        AttentionTabsResponse: {
            decide: number;
            review: number;
            broken: number;
            /** @description The three tabs together. */
            all: number;
            /** @description What the caller has snoozed, which is in no tab. */
            snoozed: number;
        };
        AuditActorResponse: {
            /** @enum {string} */
            type: "user" | "agent" | "system";
            id: string | null;
            name: string;
        };
        AuditEntryResponse: {
            /** @example login.failed */
            type: components["schemas"]["EventType"];
            projectId: string | null;
            issueId: string | null;
            /**
             * @description null once the issue is deleted.
             * @example DOCS-12
             */
            issueKey: string | null;
            /** @description Further details, which depend on the type and never hold a secret. */
            data: {
                [key: string]: unknown;
            };
            /** @description The id of the request; null where the service acted on its own. */
            requestId: string | null;
            /**
             * @description The address that the request came from.
             * @example 198.51.100.7
             */
            origin: string | null;
            id: string;
            /** Format: date-time */
            at: string;
            actor: components["schemas"]["AuditActorResponse"];
            subject: components["schemas"]["AuditSubjectResponse"];
        };
        AuditSubjectResponse: {
            id: string | null;
            /**
             * @description The present name of a server; null for other objects, and once the server is removed.
             * @example GitHub
             */
            name: string | null;
            /** @example user */
            type: string;
        };
        /** @enum {string} */
        AuthorType: "User" | "Agent" | "System";
        BeginSignInRequest: {
            /**
             * @description The path of this service that the sign-in leads to. Absent: the page of the server in the dashboard.
             * @example /servers
             */
            returnTo?: string;
        };
        BegunSignInResponse: {
            /**
             * @description The address at the authorization server that a browser with the caller's session has to open.
             * @example https://auth.example.com/authorize?response_type=code&client_id=awp&state=VZtq3kHl1s
             */
            authorizationUrl: string;
            /**
             * Format: date-time
             * @description When the sign-in must have come back.
             */
            expiresAt: string;
        };
        BlockerResponse: {
            status: components["schemas"]["Status"];
            /**
             * @description Whether a link makes it wait, or a sub-issue.
             * @enum {string}
             */
            kind: "blocker" | "child";
            id: string;
            /** @example DOCS-2 */
            key: string;
            /** @example Collect the merged work */
            title: string;
        };
        BudgetFiguresResponse: {
            /** @example 40000 */
            tokens: number;
            /** @example 120000 */
            costMicros: number;
            /** @example 12 */
            turns: number;
            /** @example 80 */
            toolCalls: number;
            /** @example 900 */
            wallSeconds: number;
        };
        BudgetLimitsResponse: {
            /** @example 2000000 */
            tokens: number | null;
            /** @example 5000000 */
            costMicros: number | null;
            /** @example null */
            turns: number | null;
            /** @example null */
            toolCalls: number | null;
            /** @example null */
            wallSeconds: number | null;
        };
        BudgetResponse: {
            /** @example 2000000 */
            tokens: number | null;
            /** @example 5000000 */
            costMicros: number | null;
            /** @example 500 */
            turns: number | null;
            /** @example 1000 */
            toolCalls: number | null;
            /** @example 36000 */
            wallSeconds: number | null;
            /**
             * @example day
             * @enum {string|null}
             */
            period: "day" | "month" | "total" | null;
            /** @description What is used in the present period. */
            used: components["schemas"]["BudgetFiguresResponse"];
            /** @description What was added to the limits in the present period. */
            extended: components["schemas"]["BudgetFiguresResponse"];
            /**
             * @description The first day of the present period.
             * @example 2026-11-01
             */
            startsOn: string | null;
            /** @description Whether a limit was reached in the present period and was not raised. */
            stopped: boolean;
            /** @description The open gate of a limit that was reached. */
            gateId: string | null;
        };
        /** @enum {string} */
        CallOutcome: "ok" | "tool_error" | "refused" | "timeout" | "cancelled" | "unavailable" | "unknown";
        CallPartyResponse: {
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
            id: string;
            /** @example Release notes writer */
            name: string;
        };
        CallResponse: {
            /** @description null for a trial by an Admin. */
            agent: components["schemas"]["CallPartyResponse"] | null;
            /** @description The Admin of a trial. */
            user: components["schemas"]["CallPartyResponse"] | null;
            /** @description The issue of the lease for which the call was made. */
            issue: components["schemas"]["CalledIssueResponse"] | null;
            leaseToken: number | null;
            /** @example ok */
            outcome: components["schemas"]["CallOutcome"];
            /**
             * @description A stable word where the outcome alone does not say enough.
             * @example not_granted
             */
            reason: string | null;
            /** @example 12 */
            durationMs: number;
            /**
             * @description The names of the arguments with their JSON types.
             * @example {
             *       "path": "string"
             *     }
             */
            argumentShape: {
                [key: string]: string;
            };
            /** @description SHA-256 of the arguments in canonical JSON (RFC 8785); null for a record of an earlier release. */
            argumentsHash: string | null;
            /** @description Size of the result as JSON; null without one. */
            resultBytes: number | null;
            id: string;
            /** Format: date-time */
            at: string;
            server: components["schemas"]["CallPartyResponse"];
            /** @example echo */
            toolName: string;
            /** @description The gate that the call waited for. */
            gateId: string | null;
        };
        CallSummaryResponse: {
            /** @example 40 */
            calls: number;
            /** @description The number of calls by outcome. */
            outcomes: {
                ok: number;
                tool_error: number;
                refused: number;
                timeout: number;
                cancelled: number;
                unavailable: number;
                unknown: number;
            } & {
                [key: string]: number;
            };
            /** @description The 100 tools with the most calls, most calls first. */
            tools: components["schemas"]["ToolSummaryResponse"][];
            /** Format: date-time */
            from: string;
            /** Format: date-time */
            to: string;
        };
        CallToolRequest: {
            /**
             * @description The arguments, as the tool's input schema describes them.
             * @example {
             *       "message": "Hello"
             *     }
             */
            arguments?: {
                [key: string]: unknown;
            };
        };
        CalledIssueResponse: {
            id: string;
            /** @example DOCS-12 */
            key: string;
            /** @example Write the release notes */
            title: string;
        };
        CalledToolResponse: {
            /**
             * @description All calls, refused ones too.
             * @example 4
             */
            calls: number;
            /**
             * @description Those that ended with an error, or were refused.
             * @example 0
             */
            errors: number;
            /** @example GitHub */
            server: string;
            /** @example create_branch */
            tool: string;
        };
        CatalogEntryDetailResponse: {
            /** @enum {string} */
            category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
            /** @enum {string} */
            transport: "stdio" | "http" | "sse";
            /**
             * @description The runtime that the host must have.
             * @enum {string}
             */
            runtime: "node" | "python" | "pipx" | "none";
            /** @description How the server is fetched and started, or the address of a remote server. */
            manifest: components["schemas"]["StdioManifestResponse"] | components["schemas"]["RemoteManifestResponse"];
            environmentVariables: components["schemas"]["EnvironmentVariableResponse"][];
            /** @description A semver range of the runtime that the server needs. */
            runtimeVersion: string | null;
            /**
             * @description The address in a registry that the entry was imported from.
             * @example https://registry.modelcontextprotocol.io/v0.1/servers/io.github.acme%2Fweather/versions/1.2.0
             */
            importedFrom: string | null;
            /** @example memory */
            id: string;
            /** @example Memory */
            name: string;
            description: string;
            /** @description Whether the entry has been reviewed; `verifiedBy` names the reviewer. */
            verified: boolean;
            verifiedBy: string | null;
            /** @example 2026.8.31 */
            version: string;
            publisher: string | null;
            homepage: string | null;
            license: string | null;
            installInstructions: string;
            /** @description Whether a required variable without a default is secret. */
            requiresCredentials: boolean;
            /**
             * @description What a verification proves about the credentials; null when the server reads none.
             * @example Verify calls get_me, which fails with a wrong credential.
             */
            credentialCheck: string | null;
            /** @description Whether this host can install the server now. */
            installable: boolean;
            /** @description Why it cannot be installed; null when it can. */
            installableReason: string | null;
        };
        CatalogEntryResponse: {
            /** @enum {string} */
            category: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
            /** @enum {string} */
            transport: "stdio" | "http" | "sse";
            /**
             * @description The runtime that the host must have.
             * @enum {string}
             */
            runtime: "node" | "python" | "pipx" | "none";
            /** @example memory */
            id: string;
            /** @example Memory */
            name: string;
            description: string;
            /** @description Whether the entry has been reviewed; `verifiedBy` names the reviewer. */
            verified: boolean;
            verifiedBy: string | null;
            /** @example 2026.8.31 */
            version: string;
            publisher: string | null;
            homepage: string | null;
            license: string | null;
            installInstructions: string;
            /** @description Whether a required variable without a default is secret. */
            requiresCredentials: boolean;
            /**
             * @description What a verification proves about the credentials; null when the server reads none.
             * @example Verify calls get_me, which fails with a wrong credential.
             */
            credentialCheck: string | null;
            /** @description Whether this host can install the server now. */
            installable: boolean;
            /** @description Why it cannot be installed; null when it can. */
            installableReason: string | null;
        };
        CatalogReloadResponse: {
            /**
             * @description How many entries the catalogue has now.
             * @example 40
             */
            entries: number;
        };
        CauseResponse: {
            /** @enum {string} */
            type: "issue" | "gate" | "agent" | "user";
            id: string;
            /**
             * @description The key of an issue, the title of a gate, the name of a person or agent.
             * @example DOCS-11
             */
            label: string;
        };
        ChangeCredentialSetRequest: {
            /**
             * @description Values by name, merged: a given value replaces the stored one, null removes an optional one, others stay.
             * @example {}
             */
            envValues: {
                [key: string]: string | null;
            };
        };
        ChangePasswordRequest: {
            /** @example correct horse battery staple */
            currentPassword: string;
            /** @example a longer and better phrase */
            newPassword: string;
        };
        ChangeProfileRequest: {
            /** @description The servers that its agents get; each may be named once. */
            entries?: components["schemas"]["ProfileEntryRequest"][];
            /** @example Writers */
            name?: string;
            /**
             * @description The agents that have the profile.
             * @example [
             *       "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03"
             *     ]
             */
            agentIds?: string[];
        };
        CheckEntryRequest: {
            /**
             * @description The content of the file of an entry.
             * @example {
             *       "id": "reports",
             *       "name": "Reports",
             *       "description": "Search the reports of this company.",
             *       "category": "search",
             *       "transport": "http",
             *       "runtime": "none",
             *       "version": "1",
             *       "manifest": {
             *         "url": "https://reports.example.com/mcp"
             *       },
             *       "environmentVariables": []
             *     }
             */
            entry: {
                [key: string]: unknown;
            };
        };
        /** @enum {string} */
        CheckState: "pending" | "passing" | "failing" | "none";
        CheckedIssueResponse: {
            status: components["schemas"]["Status"];
            /** @example Report of 2027-03-29 */
            title: string;
            description: string;
        };
        CheckedPlanIssueResponse: {
            status: components["schemas"]["Status"];
            /** @example notes */
            ref: string;
        };
        CheckedPlanResponse: {
            issues: components["schemas"]["CheckedPlanIssueResponse"][];
            /**
             * @description The refs in an order in which the issues can be finished.
             * @example [
             *       "notes"
             *     ]
             */
            order: string[];
            /**
             * @description The refs of the longest chain, each of which holds the next: the plan takes at least so many steps.
             * @example [
             *       "notes"
             *     ]
             */
            critical: string[];
        };
        CheckedScheduleResponse: {
            /** @description Its next five times. */
            nextTimes: string[];
            issue: components["schemas"]["CheckedIssueResponse"];
        };
        ChildCountsResponse: {
            total: number;
            /** @description Those that are Resolved or Closed. */
            resolved: number;
        };
        ClientDocumentResponse: {
            /** @example https://awp.example.com/api/mcp/oauth/client.json */
            client_id: string;
            /**
             * @description The name on the page of consent.
             * @example Agent Work Platform
             */
            client_name: string;
            /** @example https://awp.example.com */
            client_uri: string;
            /**
             * @example [
             *       "https://awp.example.com/api/mcp/oauth/callback"
             *     ]
             */
            redirect_uris: string[];
            /**
             * @example [
             *       "authorization_code",
             *       "refresh_token"
             *     ]
             */
            grant_types: string[];
            /**
             * @example [
             *       "code"
             *     ]
             */
            response_types: string[];
            /**
             * @description The client has no secret: PKCE and the redirect URI protect the sign-in.
             * @example none
             */
            token_endpoint_auth_method: string;
        };
        CodeCountsResponse: {
            /** @description Those that are open or a draft. */
            open: number;
            /** @description Those of them whose checks fail. */
            failing: number;
        };
        CodeDeliveryResponse: {
            /** @enum {string} */
            outcome: "accepted" | "replayed" | "ignored";
            /** @description Why nothing was changed. */
            detail: string | null;
        };
        CodeHookResponse: {
            provider: components["schemas"]["CodeProvider"];
            /**
             * Format: date-time
             * @description When the last delivery with a good signature came.
             */
            lastDeliveryAt: string | null;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a22 */
            id: string;
            projectId: string;
            /**
             * @example [
             *       "https://github.com/acme/web"
             *     ]
             */
            repositories: string[];
            /**
             * @description The path of the address to give to the code host.
             * @example /api/hooks/github/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a22
             */
            path: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @enum {string} */
        CodeKind: "branch" | "commit" | "pull_request";
        /** @enum {string} */
        CodeProvider: "github" | "gitlab" | "gitea";
        CodeResponse: {
            kind: components["schemas"]["CodeKind"];
            state: components["schemas"]["CodeState"];
            /** @description Those of its newest commit together. */
            checks: components["schemas"]["CheckState"];
            /** @description Whether gates and counts look at it: not where only a text of an outsider names the issue. */
            counts: boolean;
            createdBy: components["schemas"]["LinkAuthorResponse"];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21 */
            id: string;
            issueId: string;
            /** @example https://github.com/acme/web/pull/12 */
            url: string;
            /** @example Write the release notes */
            title: string;
            /** @example ada */
            author: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @enum {string} */
        CodeState: "open" | "draft" | "merged" | "closed";
        CommentAuthorResponse: {
            id: string | null;
            /** @example Ada Lovelace */
            name: string;
        };
        CommentResponse: {
            authorType: components["schemas"]["AuthorType"];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a07 */
            id: string;
            issueId: string;
            /** @example The new importer is merged; please check the totals of March. */
            content: string;
            author: components["schemas"]["CommentAuthorResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ConnectResponse: {
            /**
             * @example {
             *       "Authorization": "Bearer awp_a_…"
             *     }
             */
            headers: {
                [key: string]: string;
            };
            /** @example http://127.0.0.1:3000/mcp */
            url: string;
        };
        CreateAgentKeyRequest: {
            /**
             * Format: date-time
             * @description When the key expires. The default is 90 days for a user and never for an agent; null means never.
             * @example 2099-01-31T00:00:00.000Z
             */
            expiresAt?: string | null;
            /** @example laptop */
            name: string;
        };
        CreateAgentRequest: {
            /**
             * @description How many issues the agent may work on at a time.
             * @default 10
             */
            maxConcurrentIssues?: number;
            /** @example Release notes writer */
            name: string;
            /** @example Writes release notes from merged work. */
            description?: string;
            /** @description With its own key the agent uses the platform's tools only; those of servers need the key of a lease. */
            toolsRequireLease?: boolean;
        };
        CreateApiKeyRequest: {
            /**
             * Format: date-time
             * @description When the key expires. The default is 90 days for a user and never for an agent; null means never.
             * @example 2099-01-31T00:00:00.000Z
             */
            expiresAt?: string | null;
            /** @description Limits the key to a role below its owner's. */
            role?: components["schemas"]["Role"];
            /** @example laptop */
            name: string;
        };
        CreateCredentialSetRequest: {
            /**
             * @description Values of the entry's variables by name. They are encrypted before they are stored and never returned.
             * @example {}
             */
            envValues?: {
                [key: string]: string | null;
            };
            /**
             * @description Lower-case letters, digits and single hyphens. It never changes.
             * @example team-a
             */
            name: string;
        };
        CreateGoalRequest: {
            /** @example Release 2.0 by the end of March */
            title: string;
            /** @example Everything that has to be done before customers can upgrade. */
            description?: string;
        };
        CreateIssueRequest: {
            /** @description The agent that works on the issue. */
            assignedAgentId?: string | null;
            /** @description The person who is responsible for the issue. */
            assigneeUserId?: string | null;
            /** @description A goal of the same project. */
            goalId?: string | null;
            /** @description Id or key of an issue that must be resolved or closed first. */
            blockedByIssueId?: string | null;
            /** @description Id or key of the issue of the same project that this one is a part of. */
            parentId?: string | null;
            /**
             * @description Whether the parent waits until this issue is resolved or closed.
             * @default true
             */
            holdsParent?: boolean;
            /** @default none */
            priority?: components["schemas"]["Priority"];
            /**
             * @description All labels of the issue, each by its name or id, or as an issue shows it.
             * @example []
             */
            labels?: (string | components["schemas"]["IssueLabelResponse"])[];
            /**
             * @description A short title in the imperative.
             * @example Write the release notes
             */
            title: string;
            /**
             * @description The brief that the agent reads.
             * @example Collect what was merged since the last release and write the notes.
             */
            description?: string | null;
        };
        CreateLabelRequest: {
            /**
             * @default gray
             * @example red
             */
            color?: components["schemas"]["LabelColor"];
            /**
             * @description Unique in the project without regard to case.
             * @example bug
             */
            name: string;
            /** @example Something does not do what it should. */
            description?: string;
        };
        CreateLinkRequest: {
            /** @example BlockedBy */
            linkType: components["schemas"]["LinkType"];
            /**
             * @description Id or key of the other issue.
             * @example DOCS-2
             */
            targetIssueId: string;
        };
        CreateProfileRequest: {
            /** @description The servers that its agents get; each may be named once. */
            entries?: components["schemas"]["ProfileEntryRequest"][];
            /** @example Writers */
            name: string;
            /**
             * @description The agents that have the profile.
             * @example [
             *       "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03"
             *     ]
             */
            agentIds?: string[];
        };
        CreateProjectRequest: {
            /**
             * @description open: every user sees the project; members: only its members do.
             * @default open
             * @enum {string}
             */
            visibility?: "open" | "members";
            /**
             * @description To whom agents may assign the issues that they create here: all agents, or themselves only.
             * @default any
             * @enum {string}
             */
            agentsMayAssign?: "any" | "self";
            /**
             * @description The prefix of its issues' keys, as in DOCS-12. It never changes.
             * @example DOCS
             */
            key: string;
            /** @example Documentation */
            name: string;
            /** @example Everything that people read about the product. */
            description?: string;
        };
        CreateScheduleRequest: {
            /**
             * @description The IANA name of the time zone whose clock counts.
             * @default UTC
             * @example Europe/Berlin
             */
            timeZone?: string;
            /**
             * @description What happens while the last issue is unresolved.
             * @default skip
             */
            policy?: components["schemas"]["SchedulePolicy"];
            /** @default true */
            enabled?: boolean;
            /**
             * @description Checks the schedule, returns its next times and stores nothing.
             * @default false
             */
            dryRun?: boolean;
            /** @example Morning report */
            name: string;
            /**
             * @description Minute, hour, day of the month, month, day of the week.
             * @example 0 9 * * 1-5
             */
            cron: string;
            template: components["schemas"]["IssueTemplateRequest"];
        };
        CreateUserRequest: {
            /** @example Editor */
            role: components["schemas"]["Role"];
            /** @description The password for the dashboard. A user without one can use keys only. */
            password?: string;
            /**
             * Format: email
             * @example grace@example.com
             */
            email: string;
            /** @example Grace Hopper */
            name: string;
        };
        CreateViewRequest: {
            /**
             * @description Unique without regard to case: among the caller's own views of the project, or among its shared ones.
             * @example Urgent and unassigned
             */
            name: string;
            /**
             * @description The search string of the address of a list, without the question mark. The service does not read it.
             * @example priority=urgent&assigneeId=none&sort=createdAt
             */
            query: string;
            /** @description Whether everyone who sees the project sees the view. Only an Editor may share one. */
            shared?: boolean;
        };
        CreateWebhookRequest: {
            /**
             * @description Event types, or areas such as `issue.*`. Without it, or with null, all events are sent.
             * @example [
             *       "issue.*",
             *       "comment.created"
             *     ]
             */
            eventTypes?: string[] | null;
            /**
             * Format: uuid
             * @description Sends only events of this project. Without it, or with null, events of all projects are sent.
             */
            projectId?: string | null;
            /**
             * Format: uri
             * @description Where events are sent: a public address, or one that OUTBOUND_ALLOWED_HOSTS names. Redirects are not followed.
             * @example https://example.com/hooks/work
             */
            url: string;
            /** @example Starts a build when an issue is closed */
            description?: string;
        };
        CreatedPlanIssueResponse: {
            status: components["schemas"]["Status"];
            /** @example notes */
            ref: string;
            id: string;
            /** @example DOCS-3 */
            key: string;
        };
        CreatedPlanResponse: {
            issues: components["schemas"]["CreatedPlanIssueResponse"][];
        };
        CredentialProbeResponse: {
            arguments: {
                [key: string]: unknown;
            };
            tool: string;
        };
        CredentialSetResponse: {
            /** @description sign_in_needed: a person has to sign in at the authorization server of the server. error: the server crashed too often with the set. revoked: its values were deleted. New values end error and revoked. */
            state: components["schemas"]["CredentialSetState"];
            /** @description Names of the variables that have a value. */
            configuredEnv: string[];
            /** @description Names of the required variables that have no value. */
            missingEnv: string[];
            /** @description The last sign-in with the set, also one that has ended; null where the server needs none. */
            signIn: components["schemas"]["SignInResponse"] | null;
            /** @example team-a */
            name: string;
        };
        /** @enum {string} */
        CredentialSetState: "ready" | "missing_variables" | "sign_in_needed" | "error" | "revoked";
        CurrentIdentityResponse: {
            /**
             * @description The `sub` of the person; null where the user is joined with none.
             * @example 248289761001
             */
            subject: string | null;
            /** @example https://login.example.com */
            issuer: string;
        };
        CurrentIssueResponse: {
            id: string;
            /** @example DOCS-12 */
            key: string;
            /** @example Write the release notes */
            title: string;
            /**
             * Format: date-time
             * @description When it came into progress.
             */
            since: string;
            /**
             * @description The last line of output that its worker reported, at most 200 characters; null where it reported none.
             * @example Writing the notes.
             */
            line: string | null;
        };
        DefinitionWarningResponse: {
            /**
             * @description The name or URI of what is concerned, or the place of an entry without one.
             * @example echo
             */
            subject: string;
            /** @example The tool is withheld from agents, because description must be text. */
            message: string;
        };
        DeliveryAttemptResponse: {
            /**
             * @description The HTTP status of the response; null when there was none.
             * @example 500
             */
            status: number | null;
            /** @example 42 */
            durationMs: number;
            /** Format: date-time */
            at: string;
            /** @example The target responded with 500. */
            error: string | null;
        };
        DeliveryResponse: {
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            /** @description Oldest first; the last 50. */
            attempts: components["schemas"]["DeliveryAttemptResponse"][];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31 */
            id: string;
            webhookId: string;
            /**
             * @description Sent as `webhook-id`. It is the same for every try, so that the target recognises a repetition.
             * @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11
             */
            eventId: string;
            /** @example issue.status_changed */
            type: string;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        DistributionResponse: {
            /** @example anyio */
            name: string;
            /** @example 4.6.2 */
            version: string;
            files: components["schemas"]["ArchiveResponse"][];
        };
        ElevateRequest: {
            /**
             * @description The caller's own password; left out by a person who has just signed in again at the OpenID provider.
             * @example correct horse battery staple
             */
            password?: string;
        };
        ElevatedKeyResponse: {
            /** @example awp_u_0123456789012345678901234567890123456789012abcdef */
            key: string;
            /**
             * Format: date-time
             * @description When the key ends, at most 15 minutes from now.
             */
            expiresAt: string;
        };
        EntryCheckResponse: {
            /** @description Every error; none if the entry is valid. */
            errors: components["schemas"]["EntryErrorResponse"][];
            /** @description Whether the entry could be loaded from a folder of CATALOG_DIRS. */
            valid: boolean;
        };
        EntryErrorResponse: {
            /**
             * @description The field; empty for the entry as a whole.
             * @example manifest.launch.args[0]
             */
            path: string;
            /** @example uses ACME_TOKEN, which is not declared in environmentVariables */
            message: string;
        };
        EnvironmentVariableResponse: {
            /** @enum {string|null} */
            format: "string" | "number" | "boolean" | "filepath" | "file" | null;
            /**
             * @description How the path of this host is mounted, for the format filepath.
             * @enum {string}
             */
            access: "read" | "write";
            /** @description Where a program of the host is looked for when no value is given. */
            searchPaths: string[] | null;
            /** @example MEMORY_FILE_PATH */
            name: string;
            description: string;
            isRequired: boolean;
            isSecret: boolean;
            /** @description Used when no value is given; `{dataDir}` stands for the server's own folder. */
            default: string | null;
            choices: string[] | null;
            placeholder: string | null;
            /** @description A regular expression of ECMAScript with the u flag; the whole value must match. */
            pattern: string | null;
        };
        /** @enum {string} */
        EventType: "issue.created" | "issue.updated" | "issue.status_changed" | "issue.picked_up" | "issue.lease_lost" | "issue.paused" | "issue.resumed" | "issue.deleted" | "issue.child_added" | "issue.child_removed" | "issue.tools_called" | "comment.created" | "comment.updated" | "comment.deleted" | "attachment.created" | "attachment.deleted" | "attachment.replaced" | "link.created" | "link.deleted" | "gate.opened" | "gate.answered" | "gate.expired" | "gate.withdrawn" | "gate.executed" | "code.linked" | "code.updated" | "code.unlinked" | "goal.created" | "goal.updated" | "goal.deleted" | "label.created" | "label.updated" | "label.deleted" | "import.started" | "import.completed" | "import.failed" | "code.hook_set" | "code.hook_deleted" | "schedule.created" | "schedule.updated" | "schedule.deleted" | "schedule.ran" | "schedule.skipped" | "schedule.failed" | "project.created" | "project.updated" | "project.deleted" | "project.members_changed" | "agent.created" | "agent.updated" | "agent.deleted" | "agent.halted" | "agent.unhalted" | "budget.set" | "budget.deleted" | "user.created" | "user.updated" | "user.disabled" | "user.enabled" | "user.password_changed" | "user.role_kept" | "user.identity_set" | "user.identity_removed" | "key.created" | "key.expiring" | "key.deleted" | "login.succeeded" | "login.failed" | "login.ended" | "login.confirmed" | "access.refused" | "journal.pruned" | "webhook.created" | "webhook.updated" | "webhook.secret_rotated" | "webhook.deleted" | "mcp.catalog.imported" | "mcp.server.installed" | "mcp.server.updated" | "mcp.server.verified" | "mcp.server.enabled" | "mcp.server.disabled" | "mcp.server.failed" | "mcp.server.upgraded" | "mcp.server.deleted" | "mcp.credentials.created" | "mcp.credentials.updated" | "mcp.credentials.revoked" | "mcp.credentials.failed" | "mcp.credentials.sign_in_needed" | "mcp.credentials.deleted" | "mcp.credentials.signed_in" | "mcp.credentials.sign_in_failed" | "mcp.tool.approved" | "mcp.tool.changed" | "mcp.tool.called" | "mcp.access.changed" | "mcp.profile.created" | "mcp.profile.updated" | "mcp.profile.deleted";
        /** @enum {string} */
        ExplainReason: "closed" | "resolved" | "waiting" | "running" | "paused" | "in_review" | "unassigned" | "assigned_to_user" | "agent_retired" | "agent_disabled" | "agent_cannot_see_project" | "halted" | "budget" | "agent_failing" | "released" | "given_back" | "lease_ran_out" | "agent_never_seen" | "agent_silent" | "agent_full" | "ready";
        ExplainResponse: {
            /** @example agent_silent */
            reason: components["schemas"]["ExplainReason"];
            /** @description The decisions and answers that it waits for. */
            gates: components["schemas"]["OpenGateResponse"][];
            /** @description The issues that block it directly. */
            blockedBy: components["schemas"]["BlockerResponse"][];
            /** @description The issues at the ends of all chains of blockers, which can be worked on now. */
            rootBlockers: components["schemas"]["RootBlockerResponse"][];
            /** @description Who must act; null when anyone may, or no one needs to. */
            waitsFor: components["schemas"]["AssigneeResponse"] | null;
            /** @description The least role that may do what has to be done; null where no person has to act. */
            needsRole: components["schemas"]["Role"] | null;
            /** @description Whether an agent works on the issue now. */
            running: boolean;
            /**
             * @description How many unresolved issues lie between `rootBlockers` and `blockedBy`, and are in neither.
             * @example 18
             */
            issuesBetween: number;
            /** @description The gate whose answer lets the work go on; null where none does. Who may see it is decided by the gate. */
            gateId: string | null;
            /**
             * @description What happens next, or what a person has to do for it.
             * @example Release notes writer has sent no heartbeat since 2026-11-21T09:30:00.000Z. Check that it runs; it picks the issue up with its next one.
             */
            next: string;
        };
        ExplainedIssueResponse: {
            status: components["schemas"]["Status"];
            /** @description What the caller may set by PUT from here. An agent may change only issues that are assigned to it. */
            allowedTransitions: components["schemas"]["Status"][];
            priority: components["schemas"]["Priority"];
            assignee: components["schemas"]["AssigneeResponse"] | null;
            /** @description By name. */
            labels: components["schemas"]["IssueLabelResponse"][];
            lease: components["schemas"]["LeaseResponse"] | null;
            /** @description How often a lease ran out and was taken over, or an agent gave the issue back. */
            attempts: number;
            /** @description Grows with each change of the issue itself. It is the ETag. */
            version: number;
            /**
             * Format: date-time
             * @description When it got its present status.
             */
            statusSince: string;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05 */
            id: string;
            /** @example DOCS-1 */
            key: string;
            projectId: string;
            /** @example Write the release notes */
            title: string;
            /** @description Whether the issue is paused: no agent gets it until it is resumed. */
            paused: boolean;
            assignedAgentId: string | null;
            assigneeUserId: string | null;
            goalId: string | null;
            /** @description The issue that it is a part of; null for one on the top level. */
            parentId: string | null;
            /** @description Whether its parent waits for it. */
            holdsParent: boolean;
            children: components["schemas"]["ChildCountsResponse"];
            createdBy: components["schemas"]["ActorResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            resolvedAt: string | null;
            /** Format: date-time */
            closedAt: string | null;
            why: components["schemas"]["WhyResponse"];
            code: components["schemas"]["CodeCountsResponse"];
        };
        FeaturesResponse: {
            /** @description Whether the service serves the dashboard at /. */
            dashboard: boolean;
            /** @description Whether a tool that changed is withheld until an Admin approves it. */
            toolApproval: boolean;
            /**
             * @description Where attachments are stored.
             * @enum {string}
             */
            attachmentStore: "disk" | "s3";
        };
        FinishRequest: {
            /**
             * @description The token of the lease.
             * @example 1
             */
            token: number;
            /** @description Usage since the last report. It counts also where the request is refused for its state. */
            usage?: components["schemas"]["UsageReportRequest"][];
            /**
             * @description Resolved: done. PendingReview: a person has to look. Open: given back, which counts an attempt.
             * @example Resolved
             * @enum {string}
             */
            status: "Resolved" | "PendingReview" | "Open";
            /** @description Attachments of this issue that belong to the result. */
            attachmentIds?: string[];
            /**
             * @description A comment that is written with the finish.
             * @example All of it is in the changelog now.
             */
            comment?: string;
            /**
             * @description Why the work ends in this way. It stands in the issue's timeline.
             * @example The worker is being restarted.
             */
            reason?: string;
        };
        FinishResponse: {
            /** @description The issue right after the finish. */
            issue: components["schemas"]["IssueSummaryResponse"];
            /** @description The comment that was written with it. */
            commentId: string | null;
            attachmentIds: string[];
        };
        FleetAgentResponse: {
            /** @example 10 */
            maxConcurrentIssues: number;
            /**
             * @description How many issues the agent works on now.
             * @example 0
             */
            activeIssues: number;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
            id: string;
            /** @example Release notes writer */
            name: string;
            description: string;
            disabled: boolean;
            /** Format: date-time */
            lastHeartbeatAt: string | null;
            why: components["schemas"]["AgentWhyResponse"];
            /** @description Why a worker of the agent takes no more work; null when none reports that. */
            failing: components["schemas"]["AgentFailureResponse"] | null;
            /** @description Of the issues that it works on, the one whose worker reported last. */
            current: components["schemas"]["CurrentIssueResponse"] | null;
            /**
             * @description The issues that it handed in, resolved or closed, each counted once.
             * @example 3
             */
            finished: number;
            /**
             * @description The tool calls that ended with an error, or were refused.
             * @example 1
             */
            toolErrors: number;
            /**
             * @description Its open questions and approvals, and the gate of its budget: what waits for a person.
             * @example 1
             */
            waiting: number;
            /** @description null without a budget, and to callers below Admin. */
            budget: components["schemas"]["AgentBudgetResponse"] | null;
            /**
             * @description Turns and tool calls in each of the last 24 hours, the present one last.
             * @example [
             *       0,
             *       4,
             *       12
             *     ]
             */
            activity: number[];
            usage: components["schemas"]["UsageFiguresResponse"];
        };
        FleetResponse: {
            /** @description All agents that are not retired, oldest first. */
            agents: components["schemas"]["FleetAgentResponse"][];
            /**
             * Format: date-time
             * @description The beginning of the window, a whole hour.
             */
            since: string;
            sums: components["schemas"]["FleetSumsResponse"];
        };
        FleetSumsResponse: {
            /**
             * @description How many agents there are: those at work, idle, stopped and silent together.
             * @example 12
             */
            agents: number;
            /**
             * @description Agents with the reason running or agent_full.
             * @example 5
             */
            atWork: number;
            /**
             * @description Agents with the reason ready.
             * @example 4
             */
            idle: number;
            /**
             * @description Agents that get no work until a person acts: agent_disabled, halted, budget, agent_failing.
             * @example 2
             */
            stopped: number;
            /**
             * @description Agents with the reason agent_silent or agent_never_seen.
             * @example 1
             */
            silent: number;
            /**
             * @description What waits for a person.
             * @example 3
             */
            waiting: number;
            /**
             * @description The issues that agents finished, each counted once per agent.
             * @example 9
             */
            finished: number;
            /**
             * @description The tool calls that ended with an error, or were refused.
             * @example 2
             */
            toolErrors: number;
            usage: components["schemas"]["UsageFiguresResponse"];
        };
        GateAgentResponse: {
            id: string;
            /** @example Release notes writer */
            name: string;
        };
        GateBlocksResponse: {
            /** @description Unresolved issues that wait for it, directly or through others. */
            issues: number;
            /** @description Agents of those issues that have nothing else to do. */
            agents: number;
        };
        GateIssueResponse: {
            id: string;
            /** @example DOCS-12 */
            key: string;
            /** @example Write the release notes */
            title: string;
        };
        /** @enum {string} */
        GateKind: "approval" | "question" | "budget" | "checks";
        GateLastWordsResponse: {
            /** Format: date-time */
            at: string;
            /** @example The draft is ready. I publish it now. */
            text: string;
        };
        GateProjectResponse: {
            id: string;
            /** @example DOCS */
            key: string;
            /** @example Documentation */
            name: string;
        };
        GateResponse: {
            kind: components["schemas"]["GateKind"];
            state: components["schemas"]["GateState"];
            project: components["schemas"]["GateProjectResponse"] | null;
            issue: components["schemas"]["GateIssueResponse"] | null;
            /** @description The agent whose work it concerns. */
            agent: components["schemas"]["GateAgentResponse"] | null;
            /** @description What was asked. `arguments` of a call are those that the agent sent for itself, masked for people. `argumentsText` has them as JSON where they hold numbers that a double cannot hold. Both are null for Viewers, once the call waits no more, and in lists where they are large. */
            request: {
                [key: string]: unknown;
            };
            answer: {
                [key: string]: unknown;
            } | null;
            answeredBy: components["schemas"]["ActorResponse"] | null;
            openedBy: components["schemas"]["ActorResponse"];
            /** @description For an open approval: the first 500 characters of the last comment of its agent on the issue. */
            lastWords: components["schemas"]["GateLastWordsResponse"] | null;
            blocks: components["schemas"]["GateBlocksResponse"];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05 */
            id: string;
            /** @example May I publish the release notes today? */
            title: string;
            detail: string | null;
            /** @description The answers to choose from. */
            options: string[];
            recommended: string | null;
            /** Format: date-time */
            openedAt: string;
            /**
             * Format: date-time
             * @description null for a gate that does not expire.
             */
            expiresAt: string | null;
            /** Format: date-time */
            answeredAt: string | null;
            /** @description How an approved call ended, or the checks: passed or failed. */
            outcome: string | null;
        };
        /** @enum {string} */
        GateState: "open" | "answered" | "expired" | "withdrawn";
        GivenLeaseResponse: {
            /** @description Send it as Lease-Token with each change of the issue. */
            token: number;
            /** Format: date-time */
            expiresAt: string;
        };
        GoalResponse: {
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
            id: string;
            projectId: string;
            /** @example Release 2.0 by the end of March */
            title: string;
            description: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        GraphEdgeResponse: {
            /** @enum {string} */
            linkType: "Blocks" | "Child" | "RelatedTo" | "DuplicateOf";
            id: string;
            /** @description The issue that blocks, for Blocks; the sub-issue that its parent waits for, for Child. */
            source: string;
            target: string;
        };
        GraphNodeResponse: {
            status: components["schemas"]["Status"];
            /** @description What the caller may set by PUT from here. An agent may change only issues that are assigned to it. */
            allowedTransitions: components["schemas"]["Status"][];
            priority: components["schemas"]["Priority"];
            assignee: components["schemas"]["AssigneeResponse"] | null;
            /** @description By name. */
            labels: components["schemas"]["IssueLabelResponse"][];
            lease: components["schemas"]["LeaseResponse"] | null;
            /** @description How often a lease ran out and was taken over, or an agent gave the issue back. */
            attempts: number;
            /** @description Grows with each change of the issue itself. It is the ETag. */
            version: number;
            /**
             * Format: date-time
             * @description When it got its present status.
             */
            statusSince: string;
            /** @description How many issues that block it, or that it blocks, are not in the response. */
            hidden: number;
            why: components["schemas"]["WhyResponse"];
            code: components["schemas"]["CodeCountsResponse"];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05 */
            id: string;
            /** @example DOCS-1 */
            key: string;
            projectId: string;
            /** @example Write the release notes */
            title: string;
            /** @description Whether the issue is paused: no agent gets it until it is resumed. */
            paused: boolean;
            assignedAgentId: string | null;
            assigneeUserId: string | null;
            goalId: string | null;
            /** @description The issue that it is a part of; null for one on the top level. */
            parentId: string | null;
            /** @description Whether its parent waits for it. */
            holdsParent: boolean;
            children: components["schemas"]["ChildCountsResponse"];
            createdBy: components["schemas"]["ActorResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            resolvedAt: string | null;
            /** Format: date-time */
            closedAt: string | null;
        };
        GraphResponse: {
            nodes: components["schemas"]["GraphNodeResponse"][];
            edges: components["schemas"]["GraphEdgeResponse"][];
            /** @description Whether a limit left out issues or links. */
            truncated: boolean;
        };
        HaltResponse: {
            halted: boolean;
            /** @example Rotating all credentials. */
            reason: string | null;
        };
        HeartbeatAgentResponse: {
            /** @example 10 */
            maxConcurrentIssues: number;
            /**
             * @description How many issues the agent works on now.
             * @example 0
             */
            activeIssues: number;
            /** @description Why a worker of the agent takes no more work; null when none reports that. */
            failing: components["schemas"]["AgentFailureResponse"] | null;
            /** Format: date-time */
            keyExpiresAt: string | null;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
            id: string;
            /** @example Release notes writer */
            name: string;
            description: string;
            disabled: boolean;
            /** @description With its own key the agent uses the platform's tools only; those of servers need the key of a lease. */
            toolsRequireLease: boolean;
            /** Format: date-time */
            lastHeartbeatAt: string | null;
            usage: components["schemas"]["RecentUsageResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        HeartbeatRequest: {
            /** @description The leases that this worker holds; they are renewed. */
            leases?: components["schemas"]["NamedLeaseRequest"][];
            /**
             * @description Free slots of this worker now; absent: no limit of its own.
             * @example 1
             */
            capacity?: number;
            /** @description Usage since the last report. It counts also where the request is refused for its state. */
            usage?: components["schemas"]["UsageReportRequest"][];
            /**
             * @description The name of this worker among those of the agent, the same after a restart. With it the response lists all leases of
             *     the worker in `work`.
             * @example writer-1
             */
            worker?: string;
            /**
             * @description This process among those that work under the name, new at each start. While another one has sent a heartbeat within
             *     `LEASE_SECONDS` the response is 409 `worker_taken`; only with `worker`.
             * @example 8f14e45f-ceea-467f-a0e6-7b2c3a5d1c11
             */
            instance?: string;
            /** @description Whether this process supersedes another one of the name and gets its leases with new tokens; only with `instance`. */
            takeOver?: boolean;
            /**
             * @description Why the worker takes no more work until a person has acted; only with `worker`.
             * @example The agent ended with code 1.
             */
            failing?: string;
        };
        HeartbeatResponse: {
            /** @description New work. */
            pickedUp: components["schemas"]["PickedUpResponse"][];
            /** @description Leases that were renewed. */
            active: components["schemas"]["ActiveLeaseResponse"][];
            /** @description The issues that the worker must stop. */
            stop: components["schemas"]["StopResponse"][];
            /** @description With `worker`: all leases of that worker. An issue that it works on and that is not here is to stop. */
            work?: components["schemas"]["WorkItemResponse"][];
            /** @description Set while the agent gets no work. */
            suspended: components["schemas"]["SuspensionResponse"] | null;
            nextHeartbeatSeconds: number;
            agent: components["schemas"]["HeartbeatAgentResponse"];
        };
        IdentityResponse: {
            /** @example https://login.example.com */
            issuer: string;
            /** @example 248289761001 */
            subject: string;
        };
        ImportErrorResponse: {
            /** @description The line of the file that the record begins in; 0 for what an archive has beside its lines. */
            line: number;
            /** @example Blocks from beads:bd-2 to beads:bd-1 left out: This link would close a cycle of blocking. */
            message: string;
        };
        /** @enum {string} */
        ImportFormat: "awp" | "beads" | "github" | "linear" | "jira";
        ImportPackageRequest: {
            /**
             * @default dev
             * @enum {string}
             */
            category?: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
            /**
             * @description Whether the caller has reviewed the package, which makes the entry `verified` by their name.
             * @default false
             */
            reviewed?: boolean;
            /**
             * @description Whether the entry may take the place of an earlier import of the package, with what people changed in its file.
             * @default false
             */
            replace?: boolean;
            /**
             * @description A package of npm, alone or with a version behind an `@`.
             * @example @acme/mcp@1.4.2
             */
            package: string;
            /**
             * @description The hosts that the server may reach; an empty list means no host. Absent: every public one.
             * @example [
             *       "api.acme.example"
             *     ]
             */
            hosts?: string[];
        };
        ImportResponse: {
            format: components["schemas"]["ImportFormat"];
            state: components["schemas"]["ImportState"];
            /** @description The objects of the file; null until it has been read once. */
            total: number | null;
            /** @description How many of them are done. */
            done: number;
            /** @description How many of them, and of the labels that they need, were made. */
            created: number;
            /** @description How many were there already and had changed at their source. */
            updated: number;
            /** @description How many were left out; `errors` says why. */
            skipped: number;
            /** @description The first 1,000, in the order of the work. */
            errors: components["schemas"]["ImportErrorResponse"][];
            /**
             * @description How often the file has something that has no place here, by what it is.
             * @example {
             *       "estimated_minutes": 3
             *     }
             */
            ignored: {
                [key: string]: number;
            };
            /**
             * @description Why it failed as a whole.
             * @example null
             */
            failure: string | null;
            id: string;
            projectId: string;
            startedBy: components["schemas"]["ImportStarterResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        ImportStarterResponse: {
            id: string;
            /** @example Ada Lovelace */
            name: string;
        };
        /** @enum {string} */
        ImportState: "queued" | "running" | "completed" | "failed";
        ImportedPackageResponse: {
            /**
             * @description What the entry leaves out, as sentences.
             * @example [
             *       "Its README names NODE_OPTIONS, which controls a runtime. It is left out."
             *     ]
             */
            notes: string[];
            dryRun: boolean;
            entry: components["schemas"]["CatalogEntryDetailResponse"];
        };
        InfoResponse: {
            /** @example 0.1.0 */
            version: string;
            limits: components["schemas"]["LimitsResponse"];
            features: components["schemas"]["FeaturesResponse"];
            /** @description The processes of the start that answered, in their order. */
            processes: components["schemas"]["ProcessResponse"][];
        };
        InstallServerRequest: {
            /**
             * @description Values of the entry's variables by name. They are encrypted before they are stored and never returned.
             * @example {}
             */
            envValues?: {
                [key: string]: string | null;
            };
            /**
             * @description Default: the entry's name, or `NAME 2` and so on where that is taken.
             * @example Everything for tests
             */
            name?: string;
            limits?: components["schemas"]["ServerLimitsRequest"];
            /**
             * @description The id of an entry of the catalogue.
             * @example everything
             */
            catalogId: string;
        };
        InstalledServerResponse: {
            /** @enum {string} */
            transport: "stdio" | "http" | "sse";
            /** @enum {string} */
            status: "enabled" | "disabled" | "error";
            /** @description Names of the variables that have a value. */
            configuredEnv: string[];
            /** @description Names of the required variables that have no value. */
            missingEnv: string[];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
            id: string;
            /** @example Everything (reference) */
            name: string;
            /**
             * @description The prefix of its tools' names.
             * @example everything
             */
            slug: string;
            /** @example everything */
            catalogId: string;
            /** @description Why the server is in error; null otherwise. */
            statusReason: string | null;
            lastVerification: components["schemas"]["LastVerificationResponse"] | null;
            limits: components["schemas"]["ServerLimitsResponse"];
            /** @example 2026.8.31 */
            catalogVersion: string;
            /** @description Whether the catalogue has another version, which POST …/upgrade installs. */
            updateAvailable: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        IssueAnswerResponse: {
            /** @enum {string} */
            kind: "question" | "approval" | "checks";
            state: components["schemas"]["GateState"];
            fields: {
                [key: string]: unknown;
            } | null;
            /** @enum {string|null} */
            decision: "approve" | "deny" | null;
            result: {
                [key: string]: unknown;
            } | null;
            gateId: string;
            /** @description The question that was asked. */
            question: string | null;
            option: string | null;
            text: string | null;
            /** @description The tool that needed an approval, or whose server asked. */
            toolName: string | null;
            note: string | null;
            /** @description How the call ended that was approved, or whose server asked; of checks passed or failed. */
            outcome: string | null;
        };
        IssueCountsResponse: {
            Open: number;
            InProgress: number;
            WaitingOnDependency: number;
            PendingReview: number;
            Resolved: number;
            Closed: number;
            waiting: components["schemas"]["WaitingCountsResponse"];
        };
        IssueGroupResponse: {
            /**
             * @description The name of the agent or label, or the title of the goal or issue; null for a status and for `none`.
             * @example Release notes writer
             */
            name: string | null;
            /**
             * @description The key of the issue.
             * @example DOCS-2
             */
            key: string | null;
            /** @description The status of the issue. */
            status: components["schemas"]["Status"] | null;
            issues: number;
            /**
             * @description What the filter of a list takes to find them: a status, an id, or `none`.
             * @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05
             */
            value: string;
        };
        /** @enum {string} */
        IssueGrouping: "status" | "agent" | "goal" | "label" | "parent" | "blocker" | "root";
        IssueGroupsResponse: {
            groups: components["schemas"]["IssueGroupResponse"][];
            /** @description How many match. */
            total: number;
            /** @description Whether counting stopped, so that there are more issues or groups. */
            capped: boolean;
        };
        IssueLabelResponse: {
            color: components["schemas"]["LabelColor"];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11 */
            id: string;
            /** @example bug */
            name: string;
        };
        IssueResponse: {
            status: components["schemas"]["Status"];
            /** @description What the caller may set by PUT from here. An agent may change only issues that are assigned to it. */
            allowedTransitions: components["schemas"]["Status"][];
            priority: components["schemas"]["Priority"];
            assignee: components["schemas"]["AssigneeResponse"] | null;
            /** @description By name. */
            labels: components["schemas"]["IssueLabelResponse"][];
            lease: components["schemas"]["LeaseResponse"] | null;
            /** @description How often a lease ran out and was taken over, or an agent gave the issue back. */
            attempts: number;
            /** @description Grows with each change of the issue itself. It is the ETag. */
            version: number;
            /**
             * Format: date-time
             * @description When it got its present status.
             */
            statusSince: string;
            links: components["schemas"]["LinkResponse"][];
            /**
             * Format: date-time
             * @description When an import wrote it last.
             */
            importedAt: string | null;
            /** @example Collect what was merged since the last release and write the notes. */
            description: string;
            /**
             * @description What it is at the source of the import that has made or updated it; null where none has.
             * @example github:acme/web#12
             */
            externalId: string | null;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05 */
            id: string;
            /** @example DOCS-1 */
            key: string;
            projectId: string;
            /** @example Write the release notes */
            title: string;
            /** @description Whether the issue is paused: no agent gets it until it is resumed. */
            paused: boolean;
            assignedAgentId: string | null;
            assigneeUserId: string | null;
            goalId: string | null;
            /** @description The issue that it is a part of; null for one on the top level. */
            parentId: string | null;
            /** @description Whether its parent waits for it. */
            holdsParent: boolean;
            children: components["schemas"]["ChildCountsResponse"];
            createdBy: components["schemas"]["ActorResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            resolvedAt: string | null;
            /** Format: date-time */
            closedAt: string | null;
        };
        IssueSummaryResponse: {
            status: components["schemas"]["Status"];
            /** @description What the caller may set by PUT from here. An agent may change only issues that are assigned to it. */
            allowedTransitions: components["schemas"]["Status"][];
            priority: components["schemas"]["Priority"];
            assignee: components["schemas"]["AssigneeResponse"] | null;
            /** @description By name. */
            labels: components["schemas"]["IssueLabelResponse"][];
            lease: components["schemas"]["LeaseResponse"] | null;
            /** @description How often a lease ran out and was taken over, or an agent gave the issue back. */
            attempts: number;
            /** @description Grows with each change of the issue itself. It is the ETag. */
            version: number;
            /**
             * Format: date-time
             * @description When it got its present status.
             */
            statusSince: string;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05 */
            id: string;
            /** @example DOCS-1 */
            key: string;
            projectId: string;
            /** @example Write the release notes */
            title: string;
            /** @description Whether the issue is paused: no agent gets it until it is resumed. */
            paused: boolean;
            assignedAgentId: string | null;
            assigneeUserId: string | null;
            goalId: string | null;
            /** @description The issue that it is a part of; null for one on the top level. */
            parentId: string | null;
            /** @description Whether its parent waits for it. */
            holdsParent: boolean;
            children: components["schemas"]["ChildCountsResponse"];
            createdBy: components["schemas"]["ActorResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            resolvedAt: string | null;
            /** Format: date-time */
            closedAt: string | null;
        };
        IssueTemplateRequest: {
            /** @description The agent that works on the issue. */
            assignedAgentId?: string | null;
            /** @description The person who is responsible for the issue. */
            assigneeUserId?: string | null;
            /** @description A goal of the same project. */
            goalId?: string | null;
            /**
             * @description Whether the parent waits until this issue is resolved or closed.
             * @default true
             */
            holdsParent?: boolean;
            /** @default none */
            priority?: components["schemas"]["Priority"];
            /**
             * @description All labels of the issue, each by its name or id, or as an issue shows it.
             * @example []
             */
            labels?: (string | components["schemas"]["IssueLabelResponse"])[];
            /**
             * @description A short title in the imperative.
             * @example Write the release notes
             */
            title: string;
            /**
             * @description The brief that the agent reads.
             * @example Collect what was merged since the last release and write the notes.
             */
            description?: string | null;
            /** @description What the issue is a part of: a ref of this plan, or the id or key of an issue of the project. */
            parent?: string | null;
            /** @description What has to be finished first: refs of this plan, or ids or keys of issues. */
            blockedBy?: string[] | null;
        };
        IssueTemplateResponse: {
            priority: components["schemas"]["Priority"];
            /** @example Report of {{date}} */
            title: string;
            description: string;
            assignedAgentId: string | null;
            assigneeUserId: string | null;
            goalId: string | null;
            /**
             * @description The names or ids that the template was given.
             * @example [
             *       "docs"
             *     ]
             */
            labels: string[];
            /** @example DOCS-1 */
            parent: string | null;
            holdsParent: boolean;
            /**
             * @example [
             *       "DOCS-2"
             *     ]
             */
            blockedBy: string[];
        };
        /** @enum {string} */
        LabelColor: "gray" | "brown" | "red" | "orange" | "yellow" | "green" | "teal" | "cyan" | "blue" | "violet" | "magenta" | "pink";
        LabelResponse: {
            color: components["schemas"]["LabelColor"];
            /** @description How many issues have it that are neither Resolved nor Closed. */
            issues: number;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11 */
            id: string;
            projectId: string;
            /** @example bug */
            name: string;
            description: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        LastVerificationResponse: {
            /** @enum {string} */
            status: "ok" | "error";
            /**
             * @description Names of the tools; absent on failure.
             * @example [
             *       "echo"
             *     ]
             */
            capabilities?: string[];
            /**
             * @description The phase in which the verification ended.
             * @enum {string}
             */
            phase: "runtime" | "package" | "spawn" | "handshake" | "list" | "done";
            /** @description All steps in order. */
            phases: components["schemas"]["VerificationStepResponse"][];
            /**
             * @description Milliseconds.
             * @example 812
             */
            latencyMs: number;
            /**
             * @description Decided by the entry's credential probe, or by a 401 or 403: a handshake proves nothing about a key.
             * @enum {string}
             */
            credentials: "accepted" | "refused" | "unchecked";
            /** @description What is odd in what the server lists: withheld and repaired definitions, skipped entries, schemas that model APIs refuse. */
            warnings: components["schemas"]["DefinitionWarningResponse"][];
            /** @description The last lines of stderr, secrets masked; absent on success. */
            stderrTail?: string;
            /** Format: date-time */
            at: string;
            by: components["schemas"]["VerifierResponse"] | null;
            /** Format: date-time */
            checkedAt: string;
            /** @description True if values of the server have changed since: verify it again. Absent otherwise. */
            stale?: boolean;
            /**
             * @description The response time on success, the reason on failure.
             * @example The server answered the handshake and listed 13 tools in 812 ms.
             */
            details: string;
            /** @example 2025-11-25 */
            protocolVersion: string | null;
            serverInfo: components["schemas"]["ServerInfoResponse"] | null;
        };
        LaunchResponse: {
            command: string;
            args: string[];
            cwd: string | null;
        };
        LeaseResponse: {
            /** Format: date-time */
            expiresAt: string;
        };
        LimitsResponse: {
            /** @description The largest attachment in bytes. */
            attachmentMaxBytes: number;
            /** @description The largest JSON body in bytes. */
            bodyMaxBytes: number;
            /** @description The bytes of request bodies that the open requests of one caller may hold in a process. */
            bodiesMaxBytes: number;
            /** @description The largest delivery of a code host in bytes. */
            codeDeliveryMaxBytes: number;
            /** @description The most rows of a page. */
            pageMaxRows: number;
            /** @description The bytes of text after which a page ends. */
            pageMaxBytes: number;
            /** @description The largest JSON answer to a GET in bytes. */
            answerMaxBytes: number;
            /** @description The bytes of answers that one caller may leave unread in a process. */
            unreadMaxBytes: number;
            /** @description The unread bytes at which an event stream waits for its reader. */
            streamUnreadMaxBytes: number;
            /** @description The event streams that one caller may have open in a process. */
            streamsPerPrincipal: number;
            /** @description The requests that one caller may have open in a process. */
            requestsPerPrincipal: number;
            /** @description The open connections of a process. */
            connectionsMax: number;
            /** @description The comments that one agent may write per hour; 0: no limit. */
            commentsPerAgentHour: number;
            /** @description The bytes of comments that one agent may write per hour; 0: no limit. */
            commentBytesPerAgentHour: number;
            /** @description The attachments that one agent may upload per hour; 0: no limit. */
            attachmentsPerAgentHour: number;
            /** @description The bytes of attachments that one agent may upload per hour; 0: no limit. */
            attachmentBytesPerAgentHour: number;
            /** @description The usage reports that one agent may send per hour; 0: no limit. */
            usageReportsPerAgentHour: number;
            /** @description The largest message of the MCP protocol in bytes. */
            mcpFrameMaxBytes: number;
            /** @description The bytes of the tool definitions of one MCP server. */
            mcpToolsMaxBytes: number;
            /** @description The bytes of the prompts, or of the resources, of one MCP server. */
            mcpListMaxBytes: number;
            /** @description The longest text of a progress notification in bytes. */
            mcpNotificationMaxBytes: number;
            /** @description The longest name of a called tool that is stored, in bytes. */
            mcpNameMaxBytes: number;
            /** @description The MCP sessions, and subscriptions, that one agent may have open in a process. */
            mcpSessionsPerAgent: number;
            /** @description The MiB of files that one MCP server may keep; 0: no limit. */
            mcpDiskMb: number;
            /** @description How long a lease lasts without a renewal. */
            leaseSeconds: number;
            /** @description The failed attempts after which an issue goes to a person. */
            maxAttempts: number;
            /** @description How long a tool call may take without progress. */
            toolCallTimeoutMs: number;
            /** @description How long a tool call may take in all. */
            toolCallHardLimitMs: number;
            /** @description Requests per key and minute in each process; 0: no limit. */
            rateLimitPerMinute: number;
        };
        LinkAuthorResponse: {
            /** @enum {string} */
            type: "user" | "agent" | "system";
            id: string | null;
            name: string;
        };
        LinkResponse: {
            linkType: components["schemas"]["LinkType"];
            /** @enum {string} */
            direction: "outgoing" | "incoming";
            /** Format: date-time */
            createdAt: string;
            id: string;
            issueId: string;
            targetIssueId: string;
            target: components["schemas"]["LinkTargetResponse"];
            createdBy: components["schemas"]["LinkAuthorResponse"];
        };
        LinkTargetResponse: {
            status: components["schemas"]["Status"];
            /** @example DOCS-2 */
            key: string;
            /** @example Collect the merged work */
            title: string;
        };
        /** @enum {string} */
        LinkType: "Blocks" | "BlockedBy" | "RelatedTo" | "DuplicateOf";
        ListedImportResponse: {
            format: components["schemas"]["ImportFormat"];
            state: components["schemas"]["ImportState"];
            /** @description The objects of the file; null until it has been read once. */
            total: number | null;
            /** @description How many of them are done. */
            done: number;
            /** @description How many of them, and of the labels that they need, were made. */
            created: number;
            /** @description How many were there already and had changed at their source. */
            updated: number;
            /** @description How many were left out; `errors` says why. */
            skipped: number;
            /**
             * @description Why it failed as a whole.
             * @example null
             */
            failure: string | null;
            id: string;
            projectId: string;
            startedBy: components["schemas"]["ImportStarterResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        ListedIssueResponse: {
            status: components["schemas"]["Status"];
            /** @description What the caller may set by PUT from here. An agent may change only issues that are assigned to it. */
            allowedTransitions: components["schemas"]["Status"][];
            priority: components["schemas"]["Priority"];
            assignee: components["schemas"]["AssigneeResponse"] | null;
            /** @description By name. */
            labels: components["schemas"]["IssueLabelResponse"][];
            lease: components["schemas"]["LeaseResponse"] | null;
            /** @description How often a lease ran out and was taken over, or an agent gave the issue back. */
            attempts: number;
            /** @description Grows with each change of the issue itself. It is the ETag. */
            version: number;
            /**
             * Format: date-time
             * @description When it got its present status.
             */
            statusSince: string;
            links?: components["schemas"]["LinkResponse"][];
            /** Format: date-time */
            importedAt?: string | null;
            description?: string;
            externalId?: string | null;
            why?: components["schemas"]["WhyResponse"];
            code?: components["schemas"]["CodeCountsResponse"];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05 */
            id: string;
            /** @example DOCS-1 */
            key: string;
            projectId: string;
            /** @example Write the release notes */
            title: string;
            /** @description Whether the issue is paused: no agent gets it until it is resumed. */
            paused: boolean;
            assignedAgentId: string | null;
            assigneeUserId: string | null;
            goalId: string | null;
            /** @description The issue that it is a part of; null for one on the top level. */
            parentId: string | null;
            /** @description Whether its parent waits for it. */
            holdsParent: boolean;
            children: components["schemas"]["ChildCountsResponse"];
            createdBy: components["schemas"]["ActorResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            resolvedAt: string | null;
            /** Format: date-time */
            closedAt: string | null;
        };
        LiveResponse: {
            /** @enum {string} */
            status: "ok";
        };
        LogLineResponse: {
            /** Format: date-time */
            at: string;
            /** @example Server is listening */
            text: string;
            /**
             * @description The service process that read the line.
             * @example work-1:4711
             */
            process: string;
            /**
             * @description The credential set with which the server ran.
             * @example default
             */
            credentialSet: string;
        };
        LoginRequest: {
            /** @example correct horse battery staple */
            password: string;
            /**
             * Format: email
             * @example ada@example.com
             */
            email: string;
        };
        MatrixAgentResponse: {
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
            id: string;
            /** @example Release notes writer */
            name: string;
            disabled: boolean;
        };
        MatrixCellResponse: {
            /** @description Names of the tools that the grant is narrowed to; null grants all approved tools. */
            tools: string[] | null;
            /** @description Tools whose calls a person has to approve: "writes" is every tool that does not declare itself read-only. */
            ask: ("writes" | string[]) | null;
            approverRole: components["schemas"]["ApproverRole"];
            /**
             * @description Where the right comes from.
             * @enum {string}
             */
            source: "grant" | "profile";
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
            agentId: string;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
            serverId: string;
            granted: boolean;
            /** @example default */
            credentialSet: string;
        };
        MatrixProfileResponse: {
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31 */
            id: string;
            /** @example Writers */
            name: string;
            agentIds: string[];
            serverIds: string[];
        };
        MatrixServerResponse: {
            /** @enum {string} */
            status: "enabled" | "disabled" | "error";
            /**
             * @description How many tools the server has; null before its first listing.
             * @example 22
             */
            tools: number | null;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
            id: string;
            /** @example Everything (reference) */
            name: string;
        };
        MeResponse: {
            /** @enum {string} */
            type: "user" | "agent";
            /** @description Users only: the role of the user, or the lower one of the key in use. */
            role?: components["schemas"]["Role"];
            /**
             * @description Sessions only: how the session in use began. Elevated mode is confirmed in the same way.
             * @enum {string}
             */
            signedInWith?: "password" | "oidc";
            id: string;
            /** @example Ada Lovelace */
            name: string;
            /** @description Users only. */
            email?: string;
            /**
             * Format: date-time
             * @description When the key in use expires; null means never, or a session.
             */
            keyExpiresAt: string | null;
        };
        MemberEntry: {
            /**
             * @description Either this or agentId.
             * @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01
             */
            userId?: string | null;
            agentId?: string | null;
            /**
             * @description null removes the member.
             * @example Editor
             */
            role: components["schemas"]["Role"] | null;
        };
        MemberResponse: {
            role: components["schemas"]["Role"];
            userId: string | null;
            agentId: string | null;
            /** @example Ada Lovelace */
            name: string;
        };
        NamedLeaseRequest: {
            token: number;
            /**
             * @description Id or key of the issue. The response names the issue in the same way.
             * @example DOCS-1
             */
            issueId: string;
        };
        NewAgentResponse: {
            /** @example 10 */
            maxConcurrentIssues: number;
            /**
             * @description How many issues the agent works on now.
             * @example 0
             */
            activeIssues: number;
            /** @description Why a worker of the agent takes no more work; null when none reports that. */
            failing: components["schemas"]["AgentFailureResponse"] | null;
            why: components["schemas"]["AgentWhyResponse"];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
            id: string;
            /** @example Release notes writer */
            name: string;
            description: string;
            disabled: boolean;
            /** @description With its own key the agent uses the platform's tools only; those of servers need the key of a lease. */
            toolsRequireLease: boolean;
            /** Format: date-time */
            lastHeartbeatAt: string | null;
            usage: components["schemas"]["RecentUsageResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @example awp_a_0123456789012345678901234567890123456789012abcdef */
            key: string;
            connect: components["schemas"]["ConnectResponse"];
        };
        NewApiKeyResponse: {
            /** @description The role that the key is limited to; null means the role of its owner. */
            role: components["schemas"]["Role"] | null;
            /** @description The key that this one was made with: it ends with that key. */
            parentKeyId: string | null;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a02 */
            id: string;
            /** @example laptop */
            name: string;
            /**
             * @description The first 12 characters, to recognise the key by.
             * @example awp_u_3kT9aZ
             */
            prefix: string;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            lastUsedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @example awp_u_0123456789012345678901234567890123456789012abcdef */
            key: string;
        };
        NewCommentAuthorResponse: {
            id: string | null;
            /** @example Ada Lovelace */
            name: string;
        };
        NewCommentResponse: {
            authorType: components["schemas"]["AuthorType"];
            id: string;
            issueId: string;
            content: string;
            author: components["schemas"]["NewCommentAuthorResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        OidcMethodResponse: {
            /**
             * @description The name for "Continue with …".
             * @example Acme
             */
            name: string;
            /**
             * @description The address that begins the sign-in.
             * @example /api/auth/oidc/login
             */
            url: string;
        };
        OpenGateRequest: {
            /**
             * @description Answers to choose from, at most 10.
             * @example [
             *       "Today",
             *       "Tomorrow"
             *     ]
             */
            options?: string[];
            /** @description Default: `GATE_TTL_HOURS`. */
            expiresInSeconds?: number;
            /** @example May I publish the release notes today? */
            question?: string;
            /**
             * @description The option that the asker would take.
             * @example Tomorrow
             */
            recommended?: string;
            /**
             * @description question asks a person; checks waits for the checks of pull requests.
             * @default question
             * @enum {string}
             */
            kind?: "question" | "checks";
            /**
             * Format: uuid
             * @description Of checks: the code of the issue to wait for; without it all of its open pull requests.
             */
            codeId?: string;
            /**
             * @description Of checks: until they pass, or until the pull requests are merged.
             * @default passing
             * @enum {string}
             */
            until?: "passing" | "merged";
        };
        OpenGateResponse: {
            kind: components["schemas"]["GateKind"];
            /** @description The least role that may answer. */
            needsRole: components["schemas"]["Role"];
            id: string;
            /** @example Which quarter should the report cover? */
            title: string;
        };
        PackageResponse: {
            /** @enum {string} */
            registry: "npm" | "pypi" | "none";
            name: string | null;
            version: string | null;
            /** @description Subresource integrity of the package's own archive; checked at installation. */
            integrity: string | null;
            /** @description Every package that a package of pypi depends on, with its hashes; null if they are resolved at installation. */
            closure: components["schemas"]["DistributionResponse"][] | null;
        };
        PairAccessEntry: {
            /**
             * @description Names of the tools that the grant is narrowed to; null grants all approved tools; absent keeps what is set.
             * @example null
             */
            tools?: string[] | null;
            /**
             * @description Tools whose calls a person has to approve: "writes" is every tool that does not declare itself read-only.
             * @example writes
             */
            ask?: ("writes" | string[]) | null;
            /**
             * @description The least role in the project of the issue that approves a call; absent keeps what is set.
             * @enum {string}
             */
            approverRole?: "Editor" | "Admin";
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
            agentId: string;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
            serverId: string;
            /** @description true grants the server. false takes the grant away and refuses the server, also where a profile gives it. */
            granted: boolean;
            /** @description With `granted: false`: false leaves the server to the profiles of the agent. Default: true. */
            refused?: boolean;
            /**
             * @description The name of a credential set of the server; absent keeps what is set, which is `default` for a new grant.
             * @example team-a
             */
            credentialSet?: string;
        };
        PersonResponse: {
            /**
             * @description The role in the project, or the global one without a project.
             * @enum {string}
             */
            role: "Viewer" | "Editor" | "Admin" | "Owner";
            id: string;
            /** @example Ada Lovelace */
            name: string;
        };
        PickedUpResponse: {
            /** @description Answers of people that the worker may not have yet. */
            answers: components["schemas"]["IssueAnswerResponse"][];
            issue: components["schemas"]["IssueResponse"];
            lease: components["schemas"]["GivenLeaseResponse"];
            /** @description How the process that works on the issue connects to its tools: the key is good for this lease only. */
            connect: components["schemas"]["ConnectResponse"];
        };
        PlanRequest: {
            issues: components["schemas"]["PlannedIssueRequest"][];
            /**
             * @description Checks the plan and stores nothing.
             * @default false
             */
            dryRun?: boolean;
        };
        PlannedIssueRequest: {
            /** @description The agent that works on the issue. */
            assignedAgentId?: string | null;
            /** @description The person who is responsible for the issue. */
            assigneeUserId?: string | null;
            /** @description A goal of the same project. */
            goalId?: string | null;
            /**
             * @description Whether the parent waits until this issue is resolved or closed.
             * @default true
             */
            holdsParent?: boolean;
            /** @default none */
            priority?: components["schemas"]["Priority"];
            /**
             * @description All labels of the issue, each by its name or id, or as an issue shows it.
             * @example []
             */
            labels?: (string | components["schemas"]["IssueLabelResponse"])[];
            /**
             * @description A short title in the imperative.
             * @example Write the release notes
             */
            title: string;
            /**
             * @description The brief that the agent reads.
             * @example Collect what was merged since the last release and write the notes.
             */
            description?: string | null;
            /** @description What the issue is a part of: a ref of this plan, or the id or key of an issue of the project. */
            parent?: string | null;
            /** @description What has to be finished first: refs of this plan, or ids or keys of issues. */
            blockedBy?: string[] | null;
            /**
             * @description The caller's own name for the issue, unique in the plan.
             * @example notes
             */
            ref: string;
        };
        /** @enum {string} */
        Priority: "none" | "low" | "medium" | "high" | "urgent";
        /** @description An error. `errors` has one row per invalid field of the request. */
        Problem: {
            type: string;
            title: string;
            status: number;
            /** @description One sentence that says what to do next. */
            detail: string;
            /** @description The path of the request. */
            instance: string;
            /**
             * @description Stable: clients decide by this field.
             * @enum {string}
             */
            code: "validation_failed" | "malformed_json" | "invalid_logout_token" | "confirmation_required" | "unauthenticated" | "forbidden" | "not_yours" | "lease_required" | "assignment_refused" | "agent_disabled" | "wrong_password" | "confirmation_missing" | "password_login_off" | "approval_denied" | "csrf_rejected" | "https_required" | "author_type_mismatch" | "not_found" | "attachment_bytes_missing" | "method_not_allowed" | "invalid_transition" | "open_dependents" | "open_children" | "dependency_cycle" | "link_exists" | "link_limit" | "child_limit" | "depth_limit" | "snooze_limit" | "label_limit" | "view_limit" | "schedule_limit" | "name_taken" | "in_use" | "credential_set_limit" | "credentials_revoked" | "not_empty" | "cross_project_link" | "runtime_not_detected" | "not_importable" | "not_installable" | "missing_variables" | "sign_in_not_offered" | "last_owner" | "lease_token_required" | "gate_closed" | "question_pending" | "question_unanswered" | "approval_pending" | "approval_expired" | "approval_withdrawn" | "approval_outdated" | "lease_lost" | "worker_taken" | "worker_superseded" | "webhook_disabled" | "idempotency_key_in_use" | "events_gone" | "version_mismatch" | "payload_too_large" | "unsupported_media_type" | "range_not_satisfiable" | "idempotency_key_reused" | "answer_too_large" | "gate_limit" | "rate_limited" | "quota_exceeded" | "internal" | "package_unavailable" | "sign_in_unavailable" | "database_read_only" | "storage_full" | "outcome_unknown" | "unavailable";
            /** @description The same as `detail`. */
            message: string;
            /** @description The same as the header X-Request-Id. */
            requestId: string;
            errors?: {
                path: string;
                message: string;
            }[];
        };
        ProcessResponse: {
            /**
             * @description What it does; host: MCP servers and background work.
             * @enum {string}
             */
            kind: "all" | "api" | "host" | "tools" | "worker";
            /** @enum {string} */
            state: "starting" | "ready" | "ending";
            /**
             * Format: date-time
             * @description When it was started.
             */
            since: string;
            /** @description How often it was started again because it had ended. */
            restarts: number;
            /** @example api-1 */
            name: string;
        };
        ProfileEntryRequest: {
            /**
             * @description Names of the tools that the entry is narrowed to; null gives all approved tools.
             * @example null
             */
            tools?: string[] | null;
            /**
             * @description Tools whose calls a person has to approve: "writes" is every tool that does not declare itself read-only.
             * @example writes
             */
            ask?: ("writes" | string[]) | null;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
            serverId: string;
            /**
             * @description The name of a credential set of the server. Default: `default`.
             * @example team-a
             */
            credentialSet?: string;
        };
        ProfileEntryResponse: {
            /** @description Names of the tools that the grant is narrowed to; null grants all approved tools. */
            tools: string[] | null;
            /** @description Tools whose calls a person has to approve: "writes" is every tool that does not declare itself read-only. */
            ask: ("writes" | string[]) | null;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
            serverId: string;
            /** @example default */
            credentialSet: string;
        };
        ProfileResponse: {
            /** @description Grows with each PUT. It is the ETag. */
            version: number;
            /** @description Oldest server first. */
            entries: components["schemas"]["ProfileEntryResponse"][];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31 */
            id: string;
            /** @example Writers */
            name: string;
            agentIds: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ProjectCountsResponse: {
            Open: number;
            InProgress: number;
            WaitingOnDependency: number;
            PendingReview: number;
            projectId: string;
            waiting: components["schemas"]["WaitingCountsResponse"];
        };
        ProjectResponse: {
            /** @enum {string} */
            visibility: "open" | "members";
            /**
             * @description To whom agents may assign the issues that they create: all agents, or themselves only.
             * @enum {string}
             */
            agentsMayAssign: "any" | "self";
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a04 */
            id: string;
            /** @example DOCS */
            key: string;
            /** @example Documentation */
            name: string;
            description: string;
            usage: components["schemas"]["RecentUsageResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        PublishedListMetadata: {
            /** @description The number of servers of this page. */
            count: number;
            /** @description The cursor of the next page; absent on the last one. */
            nextCursor?: string;
        };
        PublishedListResponse: {
            servers: components["schemas"]["PublishedServerResponse"][];
            metadata: components["schemas"]["PublishedListMetadata"];
        };
        PublishedServerResponse: {
            /** @description A server.json (2025-12-11). */
            server: {
                [key: string]: unknown;
            };
            /** @description Status, and whether it is the latest. */
            _meta: {
                [key: string]: unknown;
            };
        };
        ReadyResponse: {
            /** @enum {string} */
            status: "ok" | "unavailable";
            /**
             * @example {
             *       "database": "ok",
             *       "keyRing": "ok",
             *       "sandbox": "bubblewrap"
             *     }
             */
            checks: {
                [key: string]: string;
            };
        };
        RecentUsageResponse: {
            today: components["schemas"]["UsageFiguresResponse"];
            month: components["schemas"]["UsageFiguresResponse"];
        };
        ReleaseRequest: {
            /**
             * @description The token of the lease.
             * @example 1
             */
            token: number;
            /** @description For how long this agent does not get the issue again. */
            retryAfterSeconds?: number;
            /**
             * @description Why the work ends in this way. It stands in the issue's timeline.
             * @example The worker is being restarted.
             */
            reason?: string;
        };
        RemoteManifestResponse: {
            /**
             * @description Whether all agents share one process or each agent has its own.
             * @enum {string}
             */
            sharing: "shared" | "agent";
            /** @description The entry in the official registry's format, for export. */
            serverJson: {
                [key: string]: unknown;
            } | null;
            headers: {
                [key: string]: string;
            };
            /** @description How the service gets access tokens for the server (OAuth 2.1); null: as the server itself asks for it. */
            oauth: {
                [key: string]: unknown;
            } | null;
            url: string;
            credentialProbe: components["schemas"]["CredentialProbeResponse"] | null;
            /**
             * @description Why there is none: the end of the sentence 'verify cannot check this credential because …'.
             * @example its tools report a wrong key as an ordinary result
             */
            noProbeReason: string | null;
        };
        ReportRunRequest: {
            /**
             * @description The token of the lease.
             * @example 1
             */
            token: number;
            /** @description The turn of this run that it is in. */
            turns?: number;
            /** @description The tokens that this run has used. */
            tokens?: number;
            /** @description The cost of this run in millionths of a US dollar. */
            costMicros?: number;
            /**
             * @description The session of the agent's program, in which the next run goes on.
             * @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05
             */
            session?: string;
            /**
             * @description The last lines of output, in place of those of the last report.
             * @example Reading the changelog.
             *     Writing the notes.
             */
            output?: string;
            /**
             * Format: uuid
             * @description An attachment of the issue that has the log so far.
             */
            logId?: string;
            /**
             * @description Why the run stopped. Absent while it lasts.
             * @example The agent ended its turn.
             */
            stopped?: string;
        };
        /** @enum {string} */
        Role: "Viewer" | "Editor" | "Admin" | "Owner";
        RootBlockerResponse: {
            status: components["schemas"]["Status"];
            assignee: components["schemas"]["AssigneeResponse"] | null;
            id: string;
            /** @example DOCS-2 */
            key: string;
            /** @example Collect the merged work */
            title: string;
        };
        RunAgentResponse: {
            id: string;
            /** @example Release notes writer */
            name: string;
        };
        RunResponse: {
            /** @description The token of its lease. */
            token: number;
            agent: components["schemas"]["RunAgentResponse"];
            /** @description running while its lease lives, stopped with the reason in `stopped`, lost when the lease is over and the worker reported no end. */
            state: components["schemas"]["RunState"];
            turns: number;
            tokens: number;
            /** @description Millionths of a US dollar. */
            costMicros: number;
            /** @description The session of the agent's program. */
            session: string | null;
            /** @example Writing the notes. */
            output: string;
            /** @description The attachment that has the log so far. */
            logId: string | null;
            /** @example The agent ended its turn. */
            stopped: string | null;
            /** Format: date-time */
            startedAt: string;
            /**
             * Format: date-time
             * @description When the worker last reported.
             */
            reportedAt: string;
            /** Format: date-time */
            stoppedAt: string | null;
        };
        /** @enum {string} */
        RunState: "running" | "stopped" | "lost";
        RuntimeReportResponse: {
            /** @description The Node that runs the service and every server that needs Node. */
            node: components["schemas"]["RuntimeResponse"];
            python: components["schemas"]["RuntimeResponse"];
            pipx: components["schemas"]["RuntimeResponse"];
        };
        RuntimeResponse: {
            /**
             * @description Without a leading v; absent when not detected.
             * @example 20.20.2
             */
            version?: string;
            /**
             * @description Absent when not detected.
             * @example /usr/bin/node
             */
            path?: string;
            detected: boolean;
        };
        ScheduleEditorResponse: {
            id: string;
            /** @example Ada Lovelace */
            name: string;
        };
        /** @enum {string} */
        SchedulePolicy: "skip" | "queue" | "replace";
        ScheduleResponse: {
            policy: components["schemas"]["SchedulePolicy"];
            /** @description How often in a row it could not create its issue. */
            failures: number;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21 */
            id: string;
            projectId: string;
            /** @example Morning report */
            name: string;
            /** @example 0 9 * * 1-5 */
            cron: string;
            /** @example Europe/Berlin */
            timeZone: string;
            template: components["schemas"]["IssueTemplateResponse"];
            enabled: boolean;
            /**
             * Format: date-time
             * @description null while it is disabled.
             */
            nextAt: string | null;
            /**
             * Format: date-time
             * @description The due time of its last issue, or when a person asked for that.
             */
            lastAt: string | null;
            /** @description null where there is none, or it was deleted. */
            lastIssueId: string | null;
            /**
             * @description Why it could not, the last time.
             * @example template.assignedAgentId: names no agent
             */
            lastFailure: string | null;
            /** @description Who changed it last: with the rights of this user it creates issues. */
            editedBy: components["schemas"]["ScheduleEditorResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SeenAgentResponse: {
            /** @example 10 */
            maxConcurrentIssues: number;
            /**
             * @description How many issues the agent works on now.
             * @example 0
             */
            activeIssues: number;
            /** @description Why a worker of the agent takes no more work; null when none reports that. */
            failing: components["schemas"]["AgentFailureResponse"] | null;
            why: components["schemas"]["AgentWhyResponse"];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
            id: string;
            /** @example Release notes writer */
            name: string;
            description: string;
            disabled: boolean;
            /** @description With its own key the agent uses the platform's tools only; those of servers need the key of a lease. */
            toolsRequireLease: boolean;
            /** Format: date-time */
            lastHeartbeatAt: string | null;
            usage: components["schemas"]["RecentUsageResponse"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ServerAccessEntry: {
            /**
             * @description Names of the tools that the grant is narrowed to; null grants all approved tools; absent keeps what is set.
             * @example null
             */
            tools?: string[] | null;
            /**
             * @description Tools whose calls a person has to approve: "writes" is every tool that does not declare itself read-only.
             * @example writes
             */
            ask?: ("writes" | string[]) | null;
            /**
             * @description The least role in the project of the issue that approves a call; absent keeps what is set.
             * @enum {string}
             */
            approverRole?: "Editor" | "Admin";
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
            serverId: string;
            /** @description true grants the server. false takes the grant away and refuses the server, also where a profile gives it. */
            granted: boolean;
            /** @description With `granted: false`: false leaves the server to the profiles of the agent. Default: true. */
            refused?: boolean;
            /**
             * @description The name of a credential set of the server; absent keeps what is set, which is `default` for a new grant.
             * @example team-a
             */
            credentialSet?: string;
        };
        ServerAccessResponse: {
            /** @description Names of the tools that the grant is narrowed to; null grants all approved tools. */
            tools: string[] | null;
            /** @description Tools whose calls a person has to approve: "writes" is every tool that does not declare itself read-only. */
            ask: ("writes" | string[]) | null;
            approverRole: components["schemas"]["ApproverRole"];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
            agentId: string;
            /** @example Release notes writer */
            agentName: string;
            granted: boolean;
            /** @description Whether the agent does not have the server, whatever its profiles say. */
            refused: boolean;
            /**
             * @description The credential set that the agent's calls use.
             * @example default
             */
            credentialSet: string;
        };
        ServerInfoResponse: {
            /** @example mcp-servers/everything */
            name: string;
            /** @example 2.0.0 */
            version: string;
        };
        ServerLimitsRequest: {
            /**
             * @description Memory of all its processes together, in MiB. null: as the entry or the settings say.
             * @example 2048
             */
            memoryMb?: number | null;
            /**
             * @description Processes and threads at once. null: as the entry or the settings say.
             * @example 2048
             */
            processes?: number | null;
            /**
             * @description Files and sockets that one of its processes has open at once. null: as the entry or the settings say.
             * @example 4096
             */
            openFiles?: number | null;
            /**
             * @description Time of a tool call without progress. null: as the entry or the settings say.
             * @example 120
             */
            callTimeoutSeconds?: number | null;
        };
        ServerLimitsResponse: {
            /** @example 2048 */
            memoryMb: number | null;
            processes: number | null;
            openFiles: number | null;
            /** @example 120 */
            callTimeoutSeconds: number | null;
        };
        ServerLogResponse: {
            /** @description Oldest first. */
            lines: components["schemas"]["LogLineResponse"][];
        };
        ServerToolResponse: {
            /** @description JSON Schema of the arguments. */
            inputSchema: {
                [key: string]: unknown;
            };
            annotations: {
                [key: string]: unknown;
            } | null;
            /** @description Agents see approved tools only. */
            state: components["schemas"]["ToolState"];
            /**
             * @description For an invalid tool why agents do not get it; otherwise null.
             * @example null
             */
            reason: string | null;
            /** @description For a changed tool the text that was approved, where it is known; otherwise null. */
            approved: components["schemas"]["ApprovedToolResponse"] | null;
            /** @example echo */
            name: string;
            title: string | null;
            description: string | null;
            /** @description SHA-256 of the canonical JSON of everything that agents see of the tool. */
            hash: string;
            /** Format: date-time */
            firstSeenAt: string;
            /** Format: date-time */
            changedAt: string | null;
            approvedBy: components["schemas"]["ApproverResponse"] | null;
        };
        SessionResponse: {
            id: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description The last use; it is written at most once per minute.
             */
            lastUsedAt: string;
            /**
             * Format: date-time
             * @description When the session ends if it is not used again.
             */
            expiresAt: string;
            /**
             * @description The address from which the user signed in; null where it is not known.
             * @example 203.0.113.7
             */
            address: string | null;
            /**
             * @description The User-Agent header of the login, cut at 200 characters.
             * @example Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0
             */
            userAgent: string | null;
            /** @description Whether this request was made with it. */
            isCurrent: boolean;
        };
        SetAccessRequest: {
            entries: components["schemas"]["PairAccessEntry"][];
        };
        SetAgentAccessRequest: {
            entries: components["schemas"]["ServerAccessEntry"][];
        };
        SetBudgetRequest: {
            /**
             * @description Input and output tokens; tokens of a cache do not count.
             * @example 2000000
             */
            tokens?: number | null;
            /**
             * @description In millionths of a US dollar.
             * @example 5000000
             */
            costMicros?: number | null;
            /**
             * @description Turns with an issue.
             * @example 500
             */
            turns?: number | null;
            /**
             * @description Calls of tools, but not of the platform's own.
             * @example 1000
             */
            toolCalls?: number | null;
            /**
             * @description Seconds during which issues are held.
             * @example 36000
             */
            wallSeconds?: number | null;
            /**
             * @description After which the use begins at 0 again, in UTC.
             * @example day
             * @enum {string}
             */
            period: "day" | "month" | "total";
        };
        SetCodeHookRequest: {
            /** @example github */
            provider: components["schemas"]["CodeProvider"];
            /**
             * @description The addresses of the repositories that it may report on, at most 100.
             * @example [
             *       "https://github.com/acme/web"
             *     ]
             */
            repositories: string[];
            /** @description Makes a new secret: the former one is refused from then on. */
            rotateSecret?: boolean;
        };
        SetCodeHookResponse: {
            provider: components["schemas"]["CodeProvider"];
            /**
             * Format: date-time
             * @description When the last delivery with a good signature came.
             */
            lastDeliveryAt: string | null;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a22 */
            id: string;
            projectId: string;
            /**
             * @example [
             *       "https://github.com/acme/web"
             *     ]
             */
            repositories: string[];
            /**
             * @description The path of the address to give to the code host.
             * @example /api/hooks/github/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a22
             */
            path: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * @description The secret, where it was made by this request. It is never returned again.
             * @example whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
             */
            secret: string | null;
        };
        SetHaltRequest: {
            halted: boolean;
            /** @example Rotating all credentials. */
            reason?: string | null;
        };
        SetIdentityRequest: {
            /**
             * @description The `sub` of the person at the configured issuer.
             * @example 248289761001
             */
            subject: string;
        };
        SetMembersRequest: {
            entries: components["schemas"]["MemberEntry"][];
        };
        SetServerAccessRequest: {
            entries: components["schemas"]["AgentAccessEntry"][];
        };
        /** @enum {string} */
        Severity: "blocking" | "degraded" | "notice";
        SignInMethodsResponse: {
            /** @description Whether a password may be tried from where the request comes. */
            password: boolean;
            /** @description null: no OpenID provider is configured. */
            oidc: components["schemas"]["OidcMethodResponse"] | null;
        };
        SignInResponse: {
            /** @example https://auth.example.com */
            authorizationServer: string | null;
            /**
             * @description The name of the user; null when the user was deleted.
             * @example Ada
             */
            signedInBy: string | null;
            /** Format: date-time */
            signedInAt: string | null;
            /**
             * @description What the authorization server granted.
             * @example tools
             */
            scope: string | null;
        };
        SnoozeRequest: {
            /**
             * Format: date-time
             * @description When they come back, within 90 days; null wakes them now.
             * @example 2026-11-23T09:00:00+01:00
             */
            until: string | null;
            /**
             * @description The ids of items, at most 1,000.
             * @example [
             *       "review:0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05"
             *     ]
             */
            items: string[];
        };
        SnoozeResponse: {
            /**
             * @description Those that are now as asked.
             * @example [
             *       "review:0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05"
             *     ]
             */
            changed: string[];
            /**
             * @description Those that the caller does not see, or that are gone.
             * @example [
             *       "question:0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a08"
             *     ]
             */
            unknown: string[];
        };
        /** @enum {string} */
        Status: "Open" | "InProgress" | "WaitingOnDependency" | "PendingReview" | "Resolved" | "Closed";
        StdioManifestResponse: {
            /**
             * @description Whether all agents share one process or each agent has its own.
             * @enum {string}
             */
            sharing: "shared" | "agent";
            /** @description The entry in the official registry's format, for export. */
            serverJson: {
                [key: string]: unknown;
            } | null;
            /** @description What the server may reach at the two best sandbox levels: nothing, every public host, or these hosts; null is the network of the host. */
            network: (("none" | "any") | {
                hosts: string[];
            }) | null;
            /**
             * @description Limits in place of those of the service; null: none.
             * @example {
             *       "memoryMb": 2048
             *     }
             */
            limits: {
                memoryMb?: number;
                processes?: number;
                openFiles?: number;
                callTimeoutSeconds?: number;
            } | null;
            package: components["schemas"]["PackageResponse"];
            launch: components["schemas"]["LaunchResponse"];
            runInstallScripts: boolean;
            credentialProbe: components["schemas"]["CredentialProbeResponse"] | null;
            /**
             * @description Why there is none: the end of the sentence 'verify cannot check this credential because …'.
             * @example its tools report a wrong key as an ordinary result
             */
            noProbeReason: string | null;
        };
        /** @enum {string} */
        StopReason: "paused" | "waiting" | "reassigned" | "in_review" | "open" | "resolved" | "closed" | "deleted" | "lease_lost" | "taken_over" | "halted" | "disabled" | "budget";
        StopResponse: {
            reason: components["schemas"]["StopReason"];
            issueId: string;
        };
        SuspensionResponse: {
            /** @enum {string} */
            reason: "halted" | "disabled";
            /** @description What a person gave as the reason. */
            detail: string | null;
        };
        TodaysIssueResponse: {
            /** @description Its present status. */
            status: components["schemas"]["Status"];
            id: string;
            /** @example DOCS-12 */
            key: string;
            /** @example Write the release notes */
            title: string;
        };
        ToolAfterUpgradeResponse: {
            state: components["schemas"]["ToolState"];
            /** @example echo */
            name: string;
        };
        ToolResultResponse: {
            /**
             * @description MCP content blocks.
             * @example [
             *       {
             *         "type": "text",
             *         "text": "Hello"
             *       }
             *     ]
             */
            content: {
                [key: string]: unknown;
            }[];
            structuredContent: {
                [key: string]: unknown;
            } | null;
            /** @description Whether the tool failed or the server sent no response. */
            isError: boolean;
        };
        /** @enum {string} */
        ToolState: "approved" | "changed" | "new" | "removed" | "invalid";
        ToolSummaryResponse: {
            /** @example 40 */
            calls: number;
            /**
             * @description Calls with another outcome than ok.
             * @example 1
             */
            failed: number;
            /** @example 12 */
            medianMs: number;
            /** @example 80 */
            p95Ms: number;
            server: components["schemas"]["CallPartyResponse"];
            /** @example echo */
            toolName: string;
        };
        TurnRequest: {
            /** @description Usage since the last report. It counts also where the request is refused for its state. */
            usage?: components["schemas"]["UsageReportRequest"][];
            /** @description The token of the lease, which the turn renews. */
            token?: number;
            /**
             * @description Id or key of the issue that the worker is about to continue.
             * @example DOCS-1
             */
            issueId?: string;
            /**
             * @description The `toolsVersion` of an earlier turn. While it is the present one, `tools` is `unchanged`.
             * @example 47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU
             */
            toolsVersion?: string;
        };
        TurnResponse: {
            reason: components["schemas"]["StopReason"] | null;
            newComments: components["schemas"]["NewCommentResponse"][];
            /** @description What changed in the issue since the last turn. */
            changed: ("title" | "description" | "priority" | "attachments")[];
            /** @description Answers of people that the worker may not have yet. */
            answers: components["schemas"]["IssueAnswerResponse"][];
            /** @description The tools, as tools/list returns them; `unchanged` while `toolsVersion` is the one of the request. */
            tools: components["schemas"]["TurnToolResponse"][] | "unchanged";
            /** @description Whether the worker may go on; if not, `reason` says why it must stop. */
            proceed: boolean;
            /**
             * @description The version of the tools, to be sent with the next turn.
             * @example 47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU
             */
            toolsVersion: string;
        };
        TurnToolResponse: {
            inputSchema: {
                [key: string]: unknown;
            };
            /** @example everything__echo */
            name: string;
            /** @description The server of the tool; null for a tool of the platform. */
            serverId: string | null;
            serverName: string | null;
            description: string | null;
        };
        UpdateAgentRequest: {
            /** @example 4 */
            maxConcurrentIssues?: number;
            /** @example Release notes writer */
            name?: string;
            /** @example Writes release notes from merged work. */
            description?: string;
            /** @description A disabled agent is given neither work nor tools. */
            disabled?: boolean;
            /** @description With its own key the agent uses the platform's tools only; those of servers need the key of a lease. */
            toolsRequireLease?: boolean;
        };
        UpdateGoalRequest: {
            /** @example Release 2.0 by the end of March */
            title?: string;
            /** @example Everything that has to be done before customers can upgrade. */
            description?: string;
        };
        UpdateIssueRequest: {
            /** @example Collect what was merged and write the notes. */
            description?: string | null;
            /** @example Resolved */
            status?: components["schemas"]["Status"];
            assignedAgentId?: string | null;
            assigneeUserId?: string | null;
            assignee?: components["schemas"]["AssigneeRequest"] | null;
            goalId?: string | null;
            /** @description Id or key of the issue of the same project that this one is a part of; null for the top level. */
            parentId?: string | null;
            /** @description Whether the parent waits until this issue is resolved or closed. Without a parent it is true. */
            holdsParent?: boolean;
            priority?: components["schemas"]["Priority"];
            /**
             * @description All labels of the issue, each by its name or id, or as an issue shows it.
             * @example []
             */
            labels?: (string | components["schemas"]["IssueLabelResponse"])[];
            /** @description Has the effect of If-Match. */
            version?: number;
            /** @description Read-only: accepted with its present value. */
            id?: string;
            /** @description Read-only: accepted with its present value. */
            key?: string;
            /** @description Read-only: accepted with its present value. */
            projectId?: string;
            /** @description Read-only: accepted with its present value. */
            allowedTransitions?: components["schemas"]["Status"][];
            /** @description Read-only: accepted with its present value. */
            paused?: boolean;
            /** @description Read-only: accepted with its present value. */
            children?: components["schemas"]["ChildCountsResponse"];
            /** @description Read-only: accepted with its present value. */
            links?: components["schemas"]["LinkResponse"][];
            /** @description Read-only: accepted with its present value. */
            lease?: components["schemas"]["LeaseResponse"] | null;
            /** @description Read-only: accepted with its present value. */
            attempts?: number;
            /** @description Read-only: accepted with its present value. */
            createdBy?: components["schemas"]["ActorResponse"];
            /**
             * Format: date-time
             * @description Read-only: accepted with its present value.
             */
            createdAt?: string;
            /**
             * Format: date-time
             * @description Read-only: accepted with its present value.
             */
            updatedAt?: string;
            /**
             * Format: date-time
             * @description Read-only: accepted with its present value.
             */
            statusSince?: string;
            /**
             * Format: date-time
             * @description Read-only: accepted with its present value.
             */
            startedAt?: string | null;
            /**
             * Format: date-time
             * @description Read-only: accepted with its present value.
             */
            resolvedAt?: string | null;
            /**
             * Format: date-time
             * @description Read-only: accepted with its present value.
             */
            closedAt?: string | null;
            /** @description Read-only: accepted with its present value. */
            externalId?: string | null;
            /**
             * Format: date-time
             * @description Read-only: accepted with its present value.
             */
            importedAt?: string | null;
            /** @example Write the release notes */
            title?: string;
        };
        UpdateLabelRequest: {
            /**
             * @default gray
             * @example red
             */
            color?: components["schemas"]["LabelColor"];
            /**
             * @description Unique in the project without regard to case.
             * @example bug
             */
            name?: string;
            /** @example Something does not do what it should. */
            description?: string;
        };
        UpdateMeRequest: {
            /** @description The password of the caller, for a new e-mail address. */
            currentPassword?: string;
            /** @example Ada Lovelace */
            name?: string;
            /**
             * Format: email
             * @description The address to sign in with. A new one needs `currentPassword`, unless the user has no password.
             */
            email?: string;
        };
        UpdateProjectRequest: {
            /** @example Documentation */
            name?: string;
            /** @example Everything that people read about the product. */
            description?: string;
            /**
             * @example open
             * @enum {string}
             */
            visibility?: "open" | "members";
            /**
             * @example any
             * @enum {string}
             */
            agentsMayAssign?: "any" | "self";
        };
        UpdateScheduleRequest: {
            /**
             * @description The IANA name of the time zone whose clock counts.
             * @default UTC
             * @example Europe/Berlin
             */
            timeZone?: string;
            /**
             * @description What happens while the last issue is unresolved.
             * @default skip
             */
            policy?: components["schemas"]["SchedulePolicy"];
            /** @default true */
            enabled?: boolean;
            /** @example Morning report */
            name?: string;
            /**
             * @description Minute, hour, day of the month, month, day of the week.
             * @example 0 9 * * 1-5
             */
            cron?: string;
            template?: components["schemas"]["IssueTemplateRequest"];
        };
        UpdateServerRequest: {
            /**
             * @description Values by name, merged: a given value replaces the stored one, null removes an optional one, others stay.
             * @example {}
             */
            envValues?: {
                [key: string]: string | null;
            };
            /** @example Everything for tests */
            name?: string;
            limits?: components["schemas"]["ServerLimitsRequest"];
        };
        UpdateUserRequest: {
            /** @example Editor */
            role?: components["schemas"]["Role"];
            password?: string;
            /**
             * Format: email
             * @example grace@example.com
             */
            email?: string;
            /** @example Grace Hopper */
            name?: string;
            /** @description true disables the user, whose keys and sessions stop working at once. */
            disabled?: boolean;
        };
        UpdateViewRequest: {
            /**
             * @description Unique without regard to case: among the caller's own views of the project, or among its shared ones.
             * @example Urgent and unassigned
             */
            name?: string;
            /**
             * @description The search string of the address of a list, without the question mark. The service does not read it.
             * @example priority=urgent&assigneeId=none&sort=createdAt
             */
            query?: string;
            /** @description Whether everyone who sees the project sees the view. Only an Editor may share one. */
            shared?: boolean;
        };
        UpdateWebhookRequest: {
            /**
             * @description Event types, or areas such as `issue.*`. Without it, or with null, all events are sent.
             * @example [
             *       "issue.*",
             *       "comment.created"
             *     ]
             */
            eventTypes?: string[] | null;
            /**
             * Format: uuid
             * @description Sends only events of this project. Without it, or with null, events of all projects are sent.
             */
            projectId?: string | null;
            /**
             * Format: uri
             * @description Where events are sent: a public address, or one that OUTBOUND_ALLOWED_HOSTS names. Redirects are not followed.
             * @example https://example.com/hooks/work
             */
            url?: string;
            /** @example Starts a build when an issue is closed */
            description?: string;
            /** @description A disabled webhook is sent no events. Events of that time are not sent later. */
            disabled?: boolean;
        };
        UpgradeReportResponse: {
            /** @description Variables that need a value before the upgrade: set them with PUT. */
            missingVariables: string[];
            /** @description Variables that the new version no longer declares; the upgrade deletes their values. */
            droppedVariables: string[];
            tools: components["schemas"]["ToolAfterUpgradeResponse"][];
            dryRun: boolean;
            /** @description Whether the server runs the new version now. */
            applied: boolean;
            /** @example 2026.8.31 */
            fromVersion: string;
            /** @example 2026.9.2 */
            toVersion: string;
            /** @description The verification of the new version; null if there was none. */
            verification: components["schemas"]["VerificationResponse"] | null;
        };
        UpgradedServerResponse: {
            /** @enum {string} */
            transport: "stdio" | "http" | "sse";
            /** @enum {string} */
            status: "enabled" | "disabled" | "error";
            /** @description Names of the variables that have a value. */
            configuredEnv: string[];
            /** @description Names of the required variables that have no value. */
            missingEnv: string[];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
            id: string;
            /** @example Everything (reference) */
            name: string;
            /**
             * @description The prefix of its tools' names.
             * @example everything
             */
            slug: string;
            /** @example everything */
            catalogId: string;
            /** @description Why the server is in error; null otherwise. */
            statusReason: string | null;
            lastVerification: components["schemas"]["LastVerificationResponse"] | null;
            limits: components["schemas"]["ServerLimitsResponse"];
            /** @example 2026.8.31 */
            catalogVersion: string;
            /** @description Whether the catalogue has another version, which POST …/upgrade installs. */
            updateAvailable: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            upgrade: components["schemas"]["UpgradeReportResponse"];
        };
        UsageFiguresResponse: {
            /** @example 12000 */
            inputTokens: number;
            /** @example 800 */
            outputTokens: number;
            /** @example 9000 */
            cacheReadTokens: number;
            /** @example 0 */
            cacheWriteTokens: number;
            /**
             * @description In millionths of a US dollar.
             * @example 41000
             */
            costMicros: number;
            /** @example 4 */
            turns: number;
            /**
             * @description Turns without a report.
             * @example 0
             */
            unreportedTurns: number;
            /** @example 9 */
            toolCalls: number;
            /**
             * @description Seconds during which issues were held.
             * @example 310
             */
            wallSeconds: number;
        };
        UsageReportRequest: {
            /** @example 12000 */
            inputTokens: number;
            /** @example 800 */
            outputTokens: number;
            /** @example 9000 */
            cacheReadTokens?: number;
            /** @example 0 */
            cacheWriteTokens?: number;
            /**
             * @description In millionths of a US dollar.
             * @example 41000
             */
            costMicros?: number;
            /**
             * Format: uuid
             * @description A UUID that the agent makes for this report. The same one again counts once.
             * @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21
             */
            reportId: string;
            /**
             * @description Id or key of the issue. Absent: the issue of the request, if it names one.
             * @example DOCS-12
             */
            issueId?: string;
            /** @example claude-sonnet-4-5 */
            model?: string;
        };
        UsageResponse: {
            /** @example 12000 */
            inputTokens: number;
            /** @example 800 */
            outputTokens: number;
            /** @example 9000 */
            cacheReadTokens: number;
            /** @example 0 */
            cacheWriteTokens: number;
            /**
             * @description In millionths of a US dollar.
             * @example 41000
             */
            costMicros: number;
            /** @example 4 */
            turns: number;
            /**
             * @description Turns without a report.
             * @example 0
             */
            unreportedTurns: number;
            /** @example 9 */
            toolCalls: number;
            /**
             * @description Seconds during which issues were held.
             * @example 310
             */
            wallSeconds: number;
            /**
             * @description Id of the agent, project or issue; the model; the day. null: usage that belongs to none.
             * @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03
             */
            key: string | null;
            /**
             * @description What to show for the key; null where the object was deleted.
             * @example Release notes writer
             */
            label: string | null;
        };
        UserResponse: {
            role: components["schemas"]["Role"];
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01 */
            id: string;
            /** @example ada@example.com */
            email: string;
            /** @example Ada Lovelace */
            name: string;
            /**
             * Format: date-time
             * @description When the user was disabled; null while the user is enabled.
             */
            disabledAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        VerificationRecordResponse: {
            /** @enum {string} */
            status: "ok" | "error";
            /**
             * @description Names of the tools; absent on failure.
             * @example [
             *       "echo"
             *     ]
             */
            capabilities?: string[];
            /**
             * @description The phase in which the verification ended.
             * @enum {string}
             */
            phase: "runtime" | "package" | "spawn" | "handshake" | "list" | "done";
            /** @description All steps in order. */
            phases: components["schemas"]["VerificationStepResponse"][];
            /**
             * @description Milliseconds.
             * @example 812
             */
            latencyMs: number;
            /**
             * @description Decided by the entry's credential probe, or by a 401 or 403: a handshake proves nothing about a key.
             * @enum {string}
             */
            credentials: "accepted" | "refused" | "unchecked";
            /** @description What is odd in what the server lists: withheld and repaired definitions, skipped entries, schemas that model APIs refuse. */
            warnings: components["schemas"]["DefinitionWarningResponse"][];
            /** @description The last lines of stderr, secrets masked; absent on success. */
            stderrTail?: string;
            /** Format: date-time */
            at: string;
            by: components["schemas"]["VerifierResponse"] | null;
            /**
             * @description The response time on success, the reason on failure.
             * @example The server answered the handshake and listed 13 tools in 812 ms.
             */
            details: string;
            /** @example 2025-11-25 */
            protocolVersion: string | null;
            serverInfo: components["schemas"]["ServerInfoResponse"] | null;
        };
        VerificationResponse: {
            /** @enum {string} */
            status: "ok" | "error";
            /**
             * @description Names of the tools; absent on failure.
             * @example [
             *       "echo"
             *     ]
             */
            capabilities?: string[];
            /**
             * @description The phase in which the verification ended.
             * @enum {string}
             */
            phase: "runtime" | "package" | "spawn" | "handshake" | "list" | "done";
            /** @description All steps in order. */
            phases: components["schemas"]["VerificationStepResponse"][];
            /**
             * @description Milliseconds.
             * @example 812
             */
            latencyMs: number;
            /**
             * @description Decided by the entry's credential probe, or by a 401 or 403: a handshake proves nothing about a key.
             * @enum {string}
             */
            credentials: "accepted" | "refused" | "unchecked";
            /** @description What is odd in what the server lists: withheld and repaired definitions, skipped entries, schemas that model APIs refuse. */
            warnings: components["schemas"]["DefinitionWarningResponse"][];
            /** @description The last lines of stderr, secrets masked; absent on success. */
            stderrTail?: string;
            /**
             * @description The response time on success, the reason on failure.
             * @example The server answered the handshake and listed 13 tools in 812 ms.
             */
            details: string;
            /** @example 2025-11-25 */
            protocolVersion: string | null;
            serverInfo: components["schemas"]["ServerInfoResponse"] | null;
        };
        /** @enum {string} */
        VerificationStep: "runtime" | "package" | "spawn" | "handshake" | "list" | "credentials";
        VerificationStepResponse: {
            phase: components["schemas"]["VerificationStep"];
            /**
             * @description skipped: it was not reached, the server does not need it, or credentials could not be tried.
             * @enum {string}
             */
            status: "ok" | "failed" | "skipped";
            /** @description Milliseconds; null where it was skipped. */
            ms: number | null;
            /** @example 13 tools */
            detail: string | null;
        };
        VerifierResponse: {
            /** @enum {string} */
            type: "user" | "agent" | "system";
            id: string | null;
            name: string;
        };
        ViewResponse: {
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11 */
            id: string;
            projectId: string;
            name: string;
            /** @example priority=urgent&assigneeId=none&sort=createdAt */
            query: string;
            shared: boolean;
            ownerId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        WaitingCountsResponse: {
            /** @description Those that wait for other issues alone. */
            onWork: number;
            /** @description Those that wait for a decision or answer of a person. */
            onPerson: number;
        };
        WebhookResponse: {
            /**
             * @example [
             *       "issue.*"
             *     ]
             */
            eventTypes: string[] | null;
            /**
             * Format: uuid
             * @example null
             */
            projectId: string | null;
            /**
             * @description Why the service has disabled it: its address answered 410 Gone, or nothing but 404 for a day. Null otherwise.
             * @enum {string|null}
             */
            disabledReason: "gone" | "not_found" | null;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21 */
            id: string;
            /** @example https://example.com/hooks/work */
            url: string;
            description: string;
            disabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        WebhookWithSecretResponse: {
            /**
             * @example [
             *       "issue.*"
             *     ]
             */
            eventTypes: string[] | null;
            /**
             * Format: uuid
             * @example null
             */
            projectId: string | null;
            /**
             * @description Why the service has disabled it: its address answered 410 Gone, or nothing but 404 for a day. Null otherwise.
             * @enum {string|null}
             */
            disabledReason: "gone" | "not_found" | null;
            /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21 */
            id: string;
            /** @example https://example.com/hooks/work */
            url: string;
            description: string;
            disabled: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * @description Signs the deliveries, as Standard Webhooks define it.
             * @example whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
             */
            secret: string;
        };
        WhyResponse: {
            /** @example waiting */
            reason: components["schemas"]["ExplainReason"];
            /** @description Who has to act, or what has to end: gates, then at most 5 issues. */
            waitsFor: components["schemas"]["CauseResponse"][];
            /** @example It waits for DOCS-11; once they are Resolved or Closed, it becomes Open automatically. */
            sentence: string;
        };
        WorkFileResponse: {
            size: number;
            id: string;
            /** @example notes.txt */
            filename: string;
            contentType: string;
            downloadUrl: string;
        };
        WorkItemResponse: {
            /** @description null when the agent cannot see it any more. */
            issue: components["schemas"]["IssueResponse"] | null;
            /** @description The token of the lease. */
            token: number;
            /**
             * @description start: begin, or begin again after a restart.
             * @enum {string}
             */
            state: "start" | "continue" | "stop";
            reason: components["schemas"]["StopReason"] | null;
            /** @description What changed since the last turn or, without one, since the issue was handed out. */
            changed: ("title" | "description" | "priority" | "attachments")[];
            /** @description Comments of others since the last turn. */
            newComments: components["schemas"]["NewCommentResponse"][];
            /** @description Files that others attached since the last turn. */
            newAttachments: components["schemas"]["WorkFileResponse"][];
            /** @description Answers of people that the worker may not have yet. */
            answers: components["schemas"]["IssueAnswerResponse"][];
            /** @description How the process that works on the issue connects to its tools; null for an issue to stop. */
            connect: components["schemas"]["ConnectResponse"] | null;
            issueId: string;
            /**
             * Format: date-time
             * @description null for an issue to stop.
             */
            expiresAt: string | null;
            /** @description Title, description, comments, attachments and attempt, as Markdown; null for an issue to stop. */
            brief: string | null;
        };
        WriteCommentRequest: {
            /** @description The type of the caller; any other is rejected. */
            authorType?: components["schemas"]["AuthorType"];
            /** @example The new importer is merged; please check the totals of March. */
            content: string;
        };
    };
    responses: {
        /** @description `answer_too_large`: Answer too large */
        answer_too_large: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:answer_too_large",
                 *       "title": "Answer too large",
                 *       "status": 422,
                 *       "detail": "Answer too large",
                 *       "instance": "/api/projects",
                 *       "code": "answer_too_large",
                 *       "message": "Answer too large",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "answer_too_large";
                };
            };
        };
        /** @description `credential_set_limit`: Too many credential sets; `idempotency_key_in_use`: Idempotency key in use */
        "credential_set_limit.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:credential_set_limit",
                 *       "title": "Too many credential sets",
                 *       "status": 409,
                 *       "detail": "Too many credential sets",
                 *       "instance": "/api/projects",
                 *       "code": "credential_set_limit",
                 *       "message": "Too many credential sets",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "credential_set_limit" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `credentials_revoked`: Credentials revoked; `runtime_not_detected`: Runtime not detected; `not_installable`: Not installable; `missing_variables`: Missing variables; `idempotency_key_in_use`: Idempotency key in use */
        "credentials_revoked.runtime_not_detected.not_installable.missing_variables.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:credentials_revoked",
                 *       "title": "Credentials revoked",
                 *       "status": 409,
                 *       "detail": "Credentials revoked",
                 *       "instance": "/api/projects",
                 *       "code": "credentials_revoked",
                 *       "message": "Credentials revoked",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "credentials_revoked" | "runtime_not_detected" | "not_installable" | "missing_variables" | "idempotency_key_in_use";
                    variables?: string[];
                };
            };
        };
        /** @description `cross_project_link`: Link across projects; `idempotency_key_in_use`: Idempotency key in use */
        "cross_project_link.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:cross_project_link",
                 *       "title": "Link across projects",
                 *       "status": 409,
                 *       "detail": "Link across projects",
                 *       "instance": "/api/projects",
                 *       "code": "cross_project_link",
                 *       "message": "Link across projects",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "cross_project_link" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `database_read_only`: Database read-only; `storage_full`: Storage full; `unavailable`: Temporarily unavailable */
        "database_read_only.storage_full.unavailable": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:database_read_only",
                 *       "title": "Database read-only",
                 *       "status": 503,
                 *       "detail": "Database read-only",
                 *       "instance": "/api/projects",
                 *       "code": "database_read_only",
                 *       "message": "Database read-only",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "database_read_only" | "storage_full" | "unavailable";
                };
            };
        };
        /** @description `events_gone`: Events gone */
        events_gone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:events_gone",
                 *       "title": "Events gone",
                 *       "status": 410,
                 *       "detail": "Events gone",
                 *       "instance": "/api/projects",
                 *       "code": "events_gone",
                 *       "message": "Events gone",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "events_gone";
                };
            };
        };
        /** @description `forbidden`: Not allowed */
        forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:forbidden",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "Not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "forbidden",
                 *       "message": "Not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "forbidden";
                };
            };
        };
        /** @description `forbidden`: Not allowed; `agent_disabled`: Agent disabled */
        "forbidden.agent_disabled": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:forbidden",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "Not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "forbidden",
                 *       "message": "Not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "forbidden" | "agent_disabled";
                };
            };
        };
        /** @description `forbidden`: Not allowed; `agent_disabled`: Agent disabled; `csrf_rejected`: Cross-site request rejected */
        "forbidden.agent_disabled.csrf_rejected": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:forbidden",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "Not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "forbidden",
                 *       "message": "Not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "forbidden" | "agent_disabled" | "csrf_rejected";
                };
            };
        };
        /** @description `forbidden`: Not allowed; `agent_disabled`: Agent disabled; `csrf_rejected`: Cross-site request rejected; `author_type_mismatch`: Author type does not match the caller */
        "forbidden.agent_disabled.csrf_rejected.author_type_mismatch": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:forbidden",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "Not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "forbidden",
                 *       "message": "Not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "forbidden" | "agent_disabled" | "csrf_rejected" | "author_type_mismatch";
                };
            };
        };
        /** @description `forbidden`: Not allowed; `assignment_refused`: Assignment refused; `agent_disabled`: Agent disabled; `csrf_rejected`: Cross-site request rejected */
        "forbidden.assignment_refused.agent_disabled.csrf_rejected": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:forbidden",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "Not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "forbidden",
                 *       "message": "Not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "forbidden" | "assignment_refused" | "agent_disabled" | "csrf_rejected";
                };
            };
        };
        /** @description `forbidden`: Not allowed; `csrf_rejected`: Cross-site request rejected */
        "forbidden.csrf_rejected": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:forbidden",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "Not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "forbidden",
                 *       "message": "Not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "forbidden" | "csrf_rejected";
                };
            };
        };
        /** @description `forbidden`: Not allowed; `csrf_rejected`: Cross-site request rejected; `https_required`: HTTPS required */
        "forbidden.csrf_rejected.https_required": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:forbidden",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "Not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "forbidden",
                 *       "message": "Not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "forbidden" | "csrf_rejected" | "https_required";
                };
            };
        };
        /** @description `forbidden`: Not allowed; `https_required`: HTTPS required */
        "forbidden.https_required": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:forbidden",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "Not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "forbidden",
                 *       "message": "Not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "forbidden" | "https_required";
                };
            };
        };
        /** @description `forbidden`: Not allowed; `not_yours`: Not assigned to you; `agent_disabled`: Agent disabled */
        "forbidden.not_yours.agent_disabled": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:forbidden",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "Not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "forbidden",
                 *       "message": "Not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "forbidden" | "not_yours" | "agent_disabled";
                };
            };
        };
        /** @description `forbidden`: Not allowed; `not_yours`: Not assigned to you; `agent_disabled`: Agent disabled; `csrf_rejected`: Cross-site request rejected */
        "forbidden.not_yours.agent_disabled.csrf_rejected": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:forbidden",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "Not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "forbidden",
                 *       "message": "Not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "forbidden" | "not_yours" | "agent_disabled" | "csrf_rejected";
                };
            };
        };
        /** @description `forbidden`: Not allowed; `wrong_password`: Wrong password; `confirmation_missing`: Confirmation missing; `password_login_off`: Password sign-in is off; `csrf_rejected`: Cross-site request rejected; `https_required`: HTTPS required */
        "forbidden.wrong_password.confirmation_missing.password_login_off.csrf_rejected.https_required": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:forbidden",
                 *       "title": "Not allowed",
                 *       "status": 403,
                 *       "detail": "Not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "forbidden",
                 *       "message": "Not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "forbidden" | "wrong_password" | "confirmation_missing" | "password_login_off" | "csrf_rejected" | "https_required";
                };
            };
        };
        /** @description `gate_closed`: Gate closed; `idempotency_key_in_use`: Idempotency key in use */
        "gate_closed.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:gate_closed",
                 *       "title": "Gate closed",
                 *       "status": 409,
                 *       "detail": "Gate closed",
                 *       "instance": "/api/projects",
                 *       "code": "gate_closed",
                 *       "message": "Gate closed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "gate_closed" | "idempotency_key_in_use";
                    state?: string;
                    by?: {
                        type: string;
                        id: string | null;
                        name: string;
                    };
                    at?: string;
                };
            };
        };
        /** @description `gate_limit`: Too many open gates; `rate_limited`: Too many requests */
        "gate_limit.rate_limited": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:gate_limit",
                 *       "title": "Too many open gates",
                 *       "status": 429,
                 *       "detail": "Too many open gates",
                 *       "instance": "/api/projects",
                 *       "code": "gate_limit",
                 *       "message": "Too many open gates",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "gate_limit" | "rate_limited";
                };
            };
        };
        /** @description `https_required`: HTTPS required */
        https_required: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:https_required",
                 *       "title": "HTTPS required",
                 *       "status": 403,
                 *       "detail": "HTTPS required",
                 *       "instance": "/api/projects",
                 *       "code": "https_required",
                 *       "message": "HTTPS required",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "https_required";
                };
            };
        };
        /** @description `idempotency_key_in_use`: Idempotency key in use */
        idempotency_key_in_use: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:idempotency_key_in_use",
                 *       "title": "Idempotency key in use",
                 *       "status": 409,
                 *       "detail": "Idempotency key in use",
                 *       "instance": "/api/projects",
                 *       "code": "idempotency_key_in_use",
                 *       "message": "Idempotency key in use",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "idempotency_key_in_use";
                };
            };
        };
        /** @description `idempotency_key_reused`: Idempotency key reused */
        idempotency_key_reused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:idempotency_key_reused",
                 *       "title": "Idempotency key reused",
                 *       "status": 422,
                 *       "detail": "Idempotency key reused",
                 *       "instance": "/api/projects",
                 *       "code": "idempotency_key_reused",
                 *       "message": "Idempotency key reused",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "idempotency_key_reused";
                };
            };
        };
        /** @description `in_use`: In use; `idempotency_key_in_use`: Idempotency key in use */
        "in_use.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:in_use",
                 *       "title": "In use",
                 *       "status": 409,
                 *       "detail": "In use",
                 *       "instance": "/api/projects",
                 *       "code": "in_use",
                 *       "message": "In use",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "in_use" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `internal`: Internal error */
        internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:internal",
                 *       "title": "Internal error",
                 *       "status": 500,
                 *       "detail": "Internal error",
                 *       "instance": "/api/projects",
                 *       "code": "internal",
                 *       "message": "Internal error",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "internal";
                };
            };
        };
        /** @description `invalid_transition`: Status change not allowed; `dependency_cycle`: Dependency cycle; `link_exists`: Link exists; `link_limit`: Too many links; `child_limit`: Too many children; `depth_limit`: Too many levels; `cross_project_link`: Link across projects; `idempotency_key_in_use`: Idempotency key in use */
        "invalid_transition.dependency_cycle.link_exists.link_limit.child_limit.depth_limit.cross_project_link.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:invalid_transition",
                 *       "title": "Status change not allowed",
                 *       "status": 409,
                 *       "detail": "Status change not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "invalid_transition",
                 *       "message": "Status change not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "invalid_transition" | "dependency_cycle" | "link_exists" | "link_limit" | "child_limit" | "depth_limit" | "cross_project_link" | "idempotency_key_in_use";
                    from?: string;
                    to?: string;
                    allowed?: string[];
                    path?: ({
                        id: string;
                        key: string;
                    } | {
                        ref: string;
                    })[];
                    omitted?: number;
                };
            };
        };
        /** @description `invalid_transition`: Status change not allowed; `dependency_cycle`: Dependency cycle; `link_exists`: Link exists; `link_limit`: Too many links; `cross_project_link`: Link across projects; `idempotency_key_in_use`: Idempotency key in use */
        "invalid_transition.dependency_cycle.link_exists.link_limit.cross_project_link.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:invalid_transition",
                 *       "title": "Status change not allowed",
                 *       "status": 409,
                 *       "detail": "Status change not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "invalid_transition",
                 *       "message": "Status change not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "invalid_transition" | "dependency_cycle" | "link_exists" | "link_limit" | "cross_project_link" | "idempotency_key_in_use";
                    from?: string;
                    to?: string;
                    allowed?: string[];
                    path?: ({
                        id: string;
                        key: string;
                    } | {
                        ref: string;
                    })[];
                    omitted?: number;
                };
            };
        };
        /** @description `invalid_transition`: Status change not allowed; `dependency_cycle`: Dependency cycle; `link_limit`: Too many links; `child_limit`: Too many children; `depth_limit`: Too many levels; `cross_project_link`: Link across projects; `idempotency_key_in_use`: Idempotency key in use */
        "invalid_transition.dependency_cycle.link_limit.child_limit.depth_limit.cross_project_link.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:invalid_transition",
                 *       "title": "Status change not allowed",
                 *       "status": 409,
                 *       "detail": "Status change not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "invalid_transition",
                 *       "message": "Status change not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "invalid_transition" | "dependency_cycle" | "link_limit" | "child_limit" | "depth_limit" | "cross_project_link" | "idempotency_key_in_use";
                    from?: string;
                    to?: string;
                    allowed?: string[];
                    path?: ({
                        id: string;
                        key: string;
                    } | {
                        ref: string;
                    })[];
                    omitted?: number;
                };
            };
        };
        /** @description `invalid_transition`: Status change not allowed; `dependency_cycle`: Dependency cycle; `link_limit`: Too many links; `child_limit`: Too many children; `depth_limit`: Too many levels; `schedule_limit`: Too many schedules; `cross_project_link`: Link across projects; `idempotency_key_in_use`: Idempotency key in use */
        "invalid_transition.dependency_cycle.link_limit.child_limit.depth_limit.schedule_limit.cross_project_link.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:invalid_transition",
                 *       "title": "Status change not allowed",
                 *       "status": 409,
                 *       "detail": "Status change not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "invalid_transition",
                 *       "message": "Status change not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "invalid_transition" | "dependency_cycle" | "link_limit" | "child_limit" | "depth_limit" | "schedule_limit" | "cross_project_link" | "idempotency_key_in_use";
                    from?: string;
                    to?: string;
                    allowed?: string[];
                    path?: ({
                        id: string;
                        key: string;
                    } | {
                        ref: string;
                    })[];
                    omitted?: number;
                };
            };
        };
        /** @description `invalid_transition`: Status change not allowed; `idempotency_key_in_use`: Idempotency key in use */
        "invalid_transition.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:invalid_transition",
                 *       "title": "Status change not allowed",
                 *       "status": 409,
                 *       "detail": "Status change not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "invalid_transition",
                 *       "message": "Status change not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "invalid_transition" | "idempotency_key_in_use";
                    from?: string;
                    to?: string;
                    allowed?: string[];
                };
            };
        };
        /** @description `invalid_transition`: Status change not allowed; `lease_lost`: Lease lost; `idempotency_key_in_use`: Idempotency key in use */
        "invalid_transition.lease_lost.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:invalid_transition",
                 *       "title": "Status change not allowed",
                 *       "status": 409,
                 *       "detail": "Status change not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "invalid_transition",
                 *       "message": "Status change not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "invalid_transition" | "lease_lost" | "idempotency_key_in_use";
                    from?: string;
                    to?: string;
                    allowed?: string[];
                    reason?: string;
                };
            };
        };
        /** @description `invalid_transition`: Status change not allowed; `open_dependents`: Open dependents; `open_children`: Open children; `dependency_cycle`: Dependency cycle; `link_exists`: Link exists; `child_limit`: Too many children; `depth_limit`: Too many levels; `cross_project_link`: Link across projects; `lease_token_required`: Lease token required; `lease_lost`: Lease lost; `idempotency_key_in_use`: Idempotency key in use */
        "invalid_transition.open_dependents.open_children.dependency_cycle.link_exists.child_limit.depth_limit.cross_project_link.lease_token_required.lease_lost.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:invalid_transition",
                 *       "title": "Status change not allowed",
                 *       "status": 409,
                 *       "detail": "Status change not allowed",
                 *       "instance": "/api/projects",
                 *       "code": "invalid_transition",
                 *       "message": "Status change not allowed",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "invalid_transition" | "open_dependents" | "open_children" | "dependency_cycle" | "link_exists" | "child_limit" | "depth_limit" | "cross_project_link" | "lease_token_required" | "lease_lost" | "idempotency_key_in_use";
                    from?: string;
                    to?: string;
                    allowed?: string[];
                    dependents?: {
                        id: string;
                        key: string;
                        title: string;
                        status: string;
                    }[];
                    children?: {
                        id: string;
                        key: string;
                        title: string;
                        status: string;
                    }[];
                    path?: ({
                        id: string;
                        key: string;
                    } | {
                        ref: string;
                    })[];
                    omitted?: number;
                    reason?: string;
                };
            };
        };
        /** @description `label_limit`: Too many labels; `name_taken`: Name taken; `idempotency_key_in_use`: Idempotency key in use */
        "label_limit.name_taken.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:label_limit",
                 *       "title": "Too many labels",
                 *       "status": 409,
                 *       "detail": "Too many labels",
                 *       "instance": "/api/projects",
                 *       "code": "label_limit",
                 *       "message": "Too many labels",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "label_limit" | "name_taken" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `last_owner`: Last owner; `idempotency_key_in_use`: Idempotency key in use */
        "last_owner.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:last_owner",
                 *       "title": "Last owner",
                 *       "status": 409,
                 *       "detail": "Last owner",
                 *       "instance": "/api/projects",
                 *       "code": "last_owner",
                 *       "message": "Last owner",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "last_owner" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `lease_lost`: Lease lost; `idempotency_key_in_use`: Idempotency key in use */
        "lease_lost.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:lease_lost",
                 *       "title": "Lease lost",
                 *       "status": 409,
                 *       "detail": "Lease lost",
                 *       "instance": "/api/projects",
                 *       "code": "lease_lost",
                 *       "message": "Lease lost",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "lease_lost" | "idempotency_key_in_use";
                    reason?: string;
                };
            };
        };
        /** @description `link_limit`: Too many links; `idempotency_key_in_use`: Idempotency key in use */
        "link_limit.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:link_limit",
                 *       "title": "Too many links",
                 *       "status": 409,
                 *       "detail": "Too many links",
                 *       "instance": "/api/projects",
                 *       "code": "link_limit",
                 *       "message": "Too many links",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "link_limit" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `missing_variables`: Missing variables; `sign_in_not_offered`: No sign-in at this server */
        "missing_variables.sign_in_not_offered": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:missing_variables",
                 *       "title": "Missing variables",
                 *       "status": 409,
                 *       "detail": "Missing variables",
                 *       "instance": "/api/projects",
                 *       "code": "missing_variables",
                 *       "message": "Missing variables",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "missing_variables" | "sign_in_not_offered";
                    variables?: string[];
                };
            };
        };
        /** @description `name_taken`: Name taken; `credential_set_limit`: Too many credential sets; `idempotency_key_in_use`: Idempotency key in use */
        "name_taken.credential_set_limit.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:name_taken",
                 *       "title": "Name taken",
                 *       "status": 409,
                 *       "detail": "Name taken",
                 *       "instance": "/api/projects",
                 *       "code": "name_taken",
                 *       "message": "Name taken",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "name_taken" | "credential_set_limit" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `name_taken`: Name taken; `idempotency_key_in_use`: Idempotency key in use */
        "name_taken.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:name_taken",
                 *       "title": "Name taken",
                 *       "status": 409,
                 *       "detail": "Name taken",
                 *       "instance": "/api/projects",
                 *       "code": "name_taken",
                 *       "message": "Name taken",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "name_taken" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `name_taken`: Name taken; `last_owner`: Last owner; `idempotency_key_in_use`: Idempotency key in use */
        "name_taken.last_owner.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:name_taken",
                 *       "title": "Name taken",
                 *       "status": 409,
                 *       "detail": "Name taken",
                 *       "instance": "/api/projects",
                 *       "code": "name_taken",
                 *       "message": "Name taken",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "name_taken" | "last_owner" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `name_taken`: Name taken; `runtime_not_detected`: Runtime not detected; `not_installable`: Not installable; `idempotency_key_in_use`: Idempotency key in use */
        "name_taken.runtime_not_detected.not_installable.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:name_taken",
                 *       "title": "Name taken",
                 *       "status": 409,
                 *       "detail": "Name taken",
                 *       "instance": "/api/projects",
                 *       "code": "name_taken",
                 *       "message": "Name taken",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "name_taken" | "runtime_not_detected" | "not_installable" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `not_empty`: Not empty; `idempotency_key_in_use`: Idempotency key in use */
        "not_empty.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:not_empty",
                 *       "title": "Not empty",
                 *       "status": 409,
                 *       "detail": "Not empty",
                 *       "instance": "/api/projects",
                 *       "code": "not_empty",
                 *       "message": "Not empty",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "not_empty" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `not_found`: Not found */
        not_found: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:not_found",
                 *       "title": "Not found",
                 *       "status": 404,
                 *       "detail": "Not found",
                 *       "instance": "/api/projects",
                 *       "code": "not_found",
                 *       "message": "Not found",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "not_found";
                };
            };
        };
        /** @description `not_found`: Not found; `attachment_bytes_missing`: Attachment bytes missing */
        "not_found.attachment_bytes_missing": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:not_found",
                 *       "title": "Not found",
                 *       "status": 404,
                 *       "detail": "Not found",
                 *       "instance": "/api/projects",
                 *       "code": "not_found",
                 *       "message": "Not found",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "not_found" | "attachment_bytes_missing";
                };
            };
        };
        /** @description `not_importable`: Not importable; `idempotency_key_in_use`: Idempotency key in use */
        "not_importable.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:not_importable",
                 *       "title": "Not importable",
                 *       "status": 409,
                 *       "detail": "Not importable",
                 *       "instance": "/api/projects",
                 *       "code": "not_importable",
                 *       "message": "Not importable",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "not_importable" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `open_dependents`: Open dependents; `open_children`: Open children; `idempotency_key_in_use`: Idempotency key in use */
        "open_dependents.open_children.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:open_dependents",
                 *       "title": "Open dependents",
                 *       "status": 409,
                 *       "detail": "Open dependents",
                 *       "instance": "/api/projects",
                 *       "code": "open_dependents",
                 *       "message": "Open dependents",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "open_dependents" | "open_children" | "idempotency_key_in_use";
                    dependents?: {
                        id: string;
                        key: string;
                        title: string;
                        status: string;
                    }[];
                    children?: {
                        id: string;
                        key: string;
                        title: string;
                        status: string;
                    }[];
                };
            };
        };
        /** @description `package_unavailable`: Package unavailable */
        package_unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:package_unavailable",
                 *       "title": "Package unavailable",
                 *       "status": 502,
                 *       "detail": "Package unavailable",
                 *       "instance": "/api/projects",
                 *       "code": "package_unavailable",
                 *       "message": "Package unavailable",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "package_unavailable";
                };
            };
        };
        /** @description `password_login_off`: Password sign-in is off; `https_required`: HTTPS required */
        "password_login_off.https_required": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:password_login_off",
                 *       "title": "Password sign-in is off",
                 *       "status": 403,
                 *       "detail": "Password sign-in is off",
                 *       "instance": "/api/projects",
                 *       "code": "password_login_off",
                 *       "message": "Password sign-in is off",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "password_login_off" | "https_required";
                };
            };
        };
        /** @description `payload_too_large`: Payload too large */
        payload_too_large: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:payload_too_large",
                 *       "title": "Payload too large",
                 *       "status": 413,
                 *       "detail": "Payload too large",
                 *       "instance": "/api/projects",
                 *       "code": "payload_too_large",
                 *       "message": "Payload too large",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "payload_too_large";
                };
            };
        };
        /** @description `range_not_satisfiable`: Range not satisfiable */
        range_not_satisfiable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:range_not_satisfiable",
                 *       "title": "Range not satisfiable",
                 *       "status": 416,
                 *       "detail": "Range not satisfiable",
                 *       "instance": "/api/projects",
                 *       "code": "range_not_satisfiable",
                 *       "message": "Range not satisfiable",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "range_not_satisfiable";
                };
            };
        };
        /** @description `rate_limited`: Too many requests */
        rate_limited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:rate_limited",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "detail": "Too many requests",
                 *       "instance": "/api/projects",
                 *       "code": "rate_limited",
                 *       "message": "Too many requests",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "rate_limited";
                };
            };
        };
        /** @description `rate_limited`: Too many requests; `quota_exceeded`: Quota exceeded */
        "rate_limited.quota_exceeded": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:rate_limited",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "detail": "Too many requests",
                 *       "instance": "/api/projects",
                 *       "code": "rate_limited",
                 *       "message": "Too many requests",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "rate_limited" | "quota_exceeded";
                };
            };
        };
        /** @description `sign_in_unavailable`: Sign-in unavailable */
        sign_in_unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:sign_in_unavailable",
                 *       "title": "Sign-in unavailable",
                 *       "status": 502,
                 *       "detail": "Sign-in unavailable",
                 *       "instance": "/api/projects",
                 *       "code": "sign_in_unavailable",
                 *       "message": "Sign-in unavailable",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "sign_in_unavailable";
                };
            };
        };
        /** @description `snooze_limit`: Too many snoozed items; `idempotency_key_in_use`: Idempotency key in use */
        "snooze_limit.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:snooze_limit",
                 *       "title": "Too many snoozed items",
                 *       "status": 409,
                 *       "detail": "Too many snoozed items",
                 *       "instance": "/api/projects",
                 *       "code": "snooze_limit",
                 *       "message": "Too many snoozed items",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "snooze_limit" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `unauthenticated`: Authentication required */
        unauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:unauthenticated",
                 *       "title": "Authentication required",
                 *       "status": 401,
                 *       "detail": "Authentication required",
                 *       "instance": "/api/projects",
                 *       "code": "unauthenticated",
                 *       "message": "Authentication required",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "unauthenticated";
                };
            };
        };
        /** @description `unavailable`: Temporarily unavailable */
        unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:unavailable",
                 *       "title": "Temporarily unavailable",
                 *       "status": 503,
                 *       "detail": "Temporarily unavailable",
                 *       "instance": "/api/projects",
                 *       "code": "unavailable",
                 *       "message": "Temporarily unavailable",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "unavailable";
                };
            };
        };
        /** @description `unsupported_media_type`: Unsupported media type */
        unsupported_media_type: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:unsupported_media_type",
                 *       "title": "Unsupported media type",
                 *       "status": 415,
                 *       "detail": "Unsupported media type",
                 *       "instance": "/api/projects",
                 *       "code": "unsupported_media_type",
                 *       "message": "Unsupported media type",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "unsupported_media_type";
                };
            };
        };
        /** @description `validation_failed`: The request is not valid */
        validation_failed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:validation_failed",
                 *       "title": "The request is not valid",
                 *       "status": 400,
                 *       "detail": "The request is not valid",
                 *       "instance": "/api/projects",
                 *       "code": "validation_failed",
                 *       "message": "The request is not valid",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "validation_failed";
                };
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_json`: The body is not valid JSON */
        "validation_failed.malformed_json": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:validation_failed",
                 *       "title": "The request is not valid",
                 *       "status": 400,
                 *       "detail": "The request is not valid",
                 *       "instance": "/api/projects",
                 *       "code": "validation_failed",
                 *       "message": "The request is not valid",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "validation_failed" | "malformed_json";
                };
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_json`: The body is not valid JSON; `confirmation_required`: Confirmation required */
        "validation_failed.malformed_json.confirmation_required": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:validation_failed",
                 *       "title": "The request is not valid",
                 *       "status": 400,
                 *       "detail": "The request is not valid",
                 *       "instance": "/api/projects",
                 *       "code": "validation_failed",
                 *       "message": "The request is not valid",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "validation_failed" | "malformed_json" | "confirmation_required";
                };
            };
        };
        /** @description `validation_failed`: The request is not valid; `malformed_json`: The body is not valid JSON; `invalid_logout_token`: Invalid logout token */
        "validation_failed.malformed_json.invalid_logout_token": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:validation_failed",
                 *       "title": "The request is not valid",
                 *       "status": 400,
                 *       "detail": "The request is not valid",
                 *       "instance": "/api/projects",
                 *       "code": "validation_failed",
                 *       "message": "The request is not valid",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "validation_failed" | "malformed_json" | "invalid_logout_token";
                };
            };
        };
        /** @description `version_mismatch`: Version mismatch */
        version_mismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:version_mismatch",
                 *       "title": "Version mismatch",
                 *       "status": 412,
                 *       "detail": "Version mismatch",
                 *       "instance": "/api/projects",
                 *       "code": "version_mismatch",
                 *       "message": "Version mismatch",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "version_mismatch";
                };
            };
        };
        /** @description `view_limit`: Too many views; `name_taken`: Name taken; `idempotency_key_in_use`: Idempotency key in use */
        "view_limit.name_taken.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:view_limit",
                 *       "title": "Too many views",
                 *       "status": 409,
                 *       "detail": "Too many views",
                 *       "instance": "/api/projects",
                 *       "code": "view_limit",
                 *       "message": "Too many views",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "view_limit" | "name_taken" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `webhook_disabled`: Webhook disabled; `idempotency_key_in_use`: Idempotency key in use */
        "webhook_disabled.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:webhook_disabled",
                 *       "title": "Webhook disabled",
                 *       "status": 409,
                 *       "detail": "Webhook disabled",
                 *       "instance": "/api/projects",
                 *       "code": "webhook_disabled",
                 *       "message": "Webhook disabled",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "webhook_disabled" | "idempotency_key_in_use";
                };
            };
        };
        /** @description `worker_taken`: Worker name taken; `worker_superseded`: Worker superseded; `idempotency_key_in_use`: Idempotency key in use */
        "worker_taken.worker_superseded.idempotency_key_in_use": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:agent-work-platform:problem:worker_taken",
                 *       "title": "Worker name taken",
                 *       "status": 409,
                 *       "detail": "Worker name taken",
                 *       "instance": "/api/projects",
                 *       "code": "worker_taken",
                 *       "message": "Worker name taken",
                 *       "requestId": "docs-1"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @enum {unknown} */
                    code?: "worker_taken" | "worker_superseded" | "idempotency_key_in_use";
                    since?: string;
                    retryAfterSeconds?: number;
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The version of the object, in quotes, for If-Match. */
        ETag: string;
        /** @description `<path>; rel="next"` unless it is the last page. */
        Link: string;
        /** @description Path of the created object. */
        Location: string;
        /** @description The id under which the request is logged and audited; sent by the caller or generated. */
        "X-Request-Id": string;
        /** @description Number of rows in the whole list, with `count=true`. */
        "X-Total-Count": number;
        /** @description `true` when the list is longer than X-Total-Count. */
        "X-Total-Count-Capped": boolean;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "Projects.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "visibility": "open",
                     *         "agentsMayAssign": "any",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a04",
                     *         "key": "DOCS",
                     *         "name": "Documentation",
                     *         "description": "Writes release notes from merged work.",
                     *         "usage": {
                     *           "today": {
                     *             "inputTokens": 12000,
                     *             "outputTokens": 800,
                     *             "cacheReadTokens": 9000,
                     *             "cacheWriteTokens": 0,
                     *             "costMicros": 41000,
                     *             "turns": 4,
                     *             "unreportedTurns": 0,
                     *             "toolCalls": 9,
                     *             "wallSeconds": 310
                     *           },
                     *           "month": {
                     *             "inputTokens": 12000,
                     *             "outputTokens": 800,
                     *             "cacheReadTokens": 9000,
                     *             "cacheWriteTokens": 0,
                     *             "costMicros": 41000,
                     *             "turns": 4,
                     *             "unreportedTurns": 0,
                     *             "toolCalls": 9,
                     *             "wallSeconds": 310
                     *           }
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ProjectResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Projects.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "DOCS",
                 *       "name": "Documentation",
                 *       "description": "Everything that people read about the product."
                 *     }
                 */
                "application/json": components["schemas"]["CreateProjectRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "visibility": "open",
                     *       "agentsMayAssign": "any",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a04",
                     *       "key": "DOCS",
                     *       "name": "Documentation",
                     *       "description": "Writes release notes from merged work.",
                     *       "usage": {
                     *         "today": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         },
                     *         "month": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         }
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            409: components["responses"]["name_taken.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "People.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
                /** @description Id or key of a project: only those who see it, with their role there. */
                projectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "role": "Viewer",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["PersonResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Projects.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "visibility": "open",
                     *       "agentsMayAssign": "any",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a04",
                     *       "key": "DOCS",
                     *       "name": "Documentation",
                     *       "description": "Writes release notes from merged work.",
                     *       "usage": {
                     *         "today": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         },
                     *         "month": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         }
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Projects.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Documentation",
                 *       "description": "Everything that people read about the product.",
                 *       "visibility": "open",
                 *       "agentsMayAssign": "any"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateProjectRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "visibility": "open",
                     *       "agentsMayAssign": "any",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a04",
                     *       "key": "DOCS",
                     *       "name": "Documentation",
                     *       "description": "Writes release notes from merged work.",
                     *       "usage": {
                     *         "today": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         },
                     *         "month": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         }
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ProjectResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["cross_project_link.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Projects.delete": {
        parameters: {
            query?: {
                /** @description Must be true. */
                confirm?: boolean;
            };
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json.confirmation_required"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["not_empty.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Export.export": {
        parameters: {
            query?: {
                /** @description Returns a tar with the lines as `export.ndjson` and the bytes of the attachments. */
                attachments?: boolean;
            };
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One object per line, each with its `kind`. The last line has the kind `end`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"kind":"issue","externalId":"github:acme/web#12","key":"WEB-12","title":"Renew the certificate","status":"Open"} */
                    "application/x-ndjson": string;
                    /** @example text */
                    "application/x-tar": string;
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Imports.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "format": "awp",
                     *         "state": "queued",
                     *         "total": 1,
                     *         "done": 1,
                     *         "created": 1,
                     *         "updated": 1,
                     *         "skipped": 1,
                     *         "failure": null,
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "startedBy": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "finishedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ListedImportResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Imports.start": {
        parameters: {
            query?: {
                /** @description What the file is: an export of this service, or of another system. */
                format?: components["schemas"]["ImportFormat"];
            };
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {"kind":"issue","externalId":"github:acme/web#12","key":"WEB-12","title":"Renew the certificate","status":"Open"} */
                "application/x-ndjson": string;
                /** @example {"kind":"issue","externalId":"github:acme/web#12","key":"WEB-12","title":"Renew the certificate","status":"Open"} */
                "application/json": string;
                /** @example {"kind":"issue","externalId":"github:acme/web#12","key":"WEB-12","title":"Renew the certificate","status":"Open"} */
                "text/csv": string;
                /** @example {"kind":"issue","externalId":"github:acme/web#12","key":"WEB-12","title":"Renew the certificate","status":"Open"} */
                "application/x-tar": string;
            };
        };
        responses: {
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "format": "awp",
                     *       "state": "queued",
                     *       "total": 1,
                     *       "done": 1,
                     *       "created": 1,
                     *       "updated": 1,
                     *       "skipped": 1,
                     *       "errors": [
                     *         {
                     *           "line": 1,
                     *           "message": "Blocks from beads:bd-2 to beads:bd-1 left out: This link would close a cycle of blocking."
                     *         }
                     *       ],
                     *       "ignored": {
                     *         "estimated_minutes": 3
                     *       },
                     *       "failure": null,
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "startedBy": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "finishedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Imports.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                importId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "format": "awp",
                     *       "state": "queued",
                     *       "total": 1,
                     *       "done": 1,
                     *       "created": 1,
                     *       "updated": 1,
                     *       "skipped": 1,
                     *       "errors": [
                     *         {
                     *           "line": 1,
                     *           "message": "Blocks from beads:bd-2 to beads:bd-1 left out: This link would close a cycle of blocking."
                     *         }
                     *       ],
                     *       "ignored": {
                     *         "estimated_minutes": 3
                     *       },
                     *       "failure": null,
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "startedBy": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "finishedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Members.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "role": "Viewer",
                     *         "userId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "agentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["MemberResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Members.merge": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entries": [
                 *         {
                 *           "userId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01",
                 *           "role": "Editor"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SetMembersRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "role": "Viewer",
                     *         "userId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "agentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["MemberResponse"][];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "GoalsOfProject.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *         "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "title": "Release 2.0 by the end of March",
                     *         "description": "Writes release notes from merged work.",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GoalResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "GoalsOfProject.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Release 2.0 by the end of March",
                 *       "description": "Everything that has to be done before customers can upgrade."
                 *     }
                 */
                "application/json": components["schemas"]["CreateGoalRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "title": "Release 2.0 by the end of March",
                     *       "description": "Writes release notes from merged work.",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GoalResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Goals.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "title": "Release 2.0 by the end of March",
                     *       "description": "Writes release notes from merged work.",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GoalResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Goals.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                goalId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Release 2.0 by the end of March",
                 *       "description": "Everything that has to be done before customers can upgrade."
                 *     }
                 */
                "application/json": components["schemas"]["UpdateGoalRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "title": "Release 2.0 by the end of March",
                     *       "description": "Writes release notes from merged work.",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["GoalResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Goals.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                goalId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "IssuesOfProject.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description One status, or several separated by commas: Open, InProgress, WaitingOnDependency, PendingReview, Resolved, Closed. */
                status?: string;
                /** @description The id of the agent or user that is assigned; `me` for the caller, `none` for issues without assignee. Several are separated by commas, 20 at most. */
                assigneeId?: string;
                /** @description The id of the agent that executes the issue, or `none` for issues without agent. Several are separated by commas, 20 at most. */
                agentId?: string;
                /** @description The id of a goal, or `none` for issues without goal. Several are separated by commas, 20 at most. */
                goalId?: string;
                /** @description The id of an issue: its sub-issues. `none` for issues on the top level. Several are separated by commas, 20 at most. */
                parentId?: string;
                /** @description One of none, low, medium, high, urgent. Several are separated by commas, 20 at most. */
                priority?: string;
                /** @description The name or id of a label; issues that have all of these. `none` for issues without labels. Several are separated by commas, 20 at most. */
                label?: string;
                /** @description The id of an unfinished issue: those that wait for it directly. `none` for issues that wait for no other. Several are separated by commas, 20 at most. */
                blockedBy?: string;
                /** @description Ids of issues, separated by commas, 200 at most. Those that do not match the other filters are left out. */
                ids?: string;
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "priority" | "-priority" | "status" | "-status";
                /** @description summary omits description and links; why adds why no agent works on the issue. */
                fields?: "summary" | "summary,why";
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
                /**
                 * @description The key of an issue, or words that title and description must contain, all of them; the last one may be a beginning.
                 *     With `limit` at most 10 the order is key, title, text.
                 */
                q?: string;
            };
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "status": "Open",
                     *         "allowedTransitions": [
                     *           "Open"
                     *         ],
                     *         "priority": "none",
                     *         "assignee": {
                     *           "type": "agent",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "labels": [
                     *           {
                     *             "color": "gray",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *             "name": "bug"
                     *           }
                     *         ],
                     *         "lease": {
                     *           "expiresAt": "2026-11-21T09:30:00.000Z"
                     *         },
                     *         "attempts": 1,
                     *         "version": 1,
                     *         "statusSince": "2026-11-21T09:30:00.000Z",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *         "key": "DOCS-1",
                     *         "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "title": "Write the release notes",
                     *         "paused": false,
                     *         "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "parentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "holdsParent": false,
                     *         "children": {
                     *           "total": 1,
                     *           "resolved": 1
                     *         },
                     *         "createdBy": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z",
                     *         "startedAt": "2026-11-21T09:30:00.000Z",
                     *         "resolvedAt": "2026-11-21T09:30:00.000Z",
                     *         "closedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ListedIssueResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "IssuesOfProject.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "labels": [],
                 *       "title": "Write the release notes",
                 *       "description": "Collect what was merged since the last release and write the notes."
                 *     }
                 */
                "application/json": components["schemas"]["CreateIssueRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "Open",
                     *       "allowedTransitions": [
                     *         "Open"
                     *       ],
                     *       "priority": "none",
                     *       "assignee": {
                     *         "type": "agent",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Release notes writer"
                     *       },
                     *       "labels": [
                     *         {
                     *           "color": "gray",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *           "name": "bug"
                     *         }
                     *       ],
                     *       "lease": {
                     *         "expiresAt": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "attempts": 1,
                     *       "version": 1,
                     *       "statusSince": "2026-11-21T09:30:00.000Z",
                     *       "links": [
                     *         {
                     *           "linkType": "Blocks",
                     *           "direction": "outgoing",
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "targetIssueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "target": {
                     *             "status": "Open",
                     *             "key": "DOCS-2",
                     *             "title": "Collect the merged work"
                     *           },
                     *           "createdBy": {
                     *             "type": "user",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           }
                     *         }
                     *       ],
                     *       "importedAt": "2026-11-21T09:30:00.000Z",
                     *       "description": "Collect what was merged since the last release and write the notes.",
                     *       "externalId": "github:acme/web#12",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *       "key": "DOCS-1",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "title": "Write the release notes",
                     *       "paused": false,
                     *       "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "parentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "holdsParent": false,
                     *       "children": {
                     *         "total": 1,
                     *         "resolved": 1
                     *       },
                     *       "createdBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z",
                     *       "startedAt": "2026-11-21T09:30:00.000Z",
                     *       "resolvedAt": "2026-11-21T09:30:00.000Z",
                     *       "closedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IssueResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.assignment_refused.agent_disabled.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["invalid_transition.dependency_cycle.link_limit.child_limit.depth_limit.cross_project_link.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "ProjectCounts.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "Open": 1,
                     *         "InProgress": 1,
                     *         "WaitingOnDependency": 1,
                     *         "PendingReview": 1,
                     *         "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "waiting": {
                     *           "onWork": 1,
                     *           "onPerson": 1
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ProjectCountsResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Issues.listAll": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description One status, or several separated by commas: Open, InProgress, WaitingOnDependency, PendingReview, Resolved, Closed. */
                status?: string;
                /** @description The id of the agent or user that is assigned; `me` for the caller, `none` for issues without assignee. Several are separated by commas, 20 at most. */
                assigneeId?: string;
                /** @description The id of the agent that executes the issue, or `none` for issues without agent. Several are separated by commas, 20 at most. */
                agentId?: string;
                /** @description The id of a goal, or `none` for issues without goal. Several are separated by commas, 20 at most. */
                goalId?: string;
                /** @description The id of an issue: its sub-issues. `none` for issues on the top level. Several are separated by commas, 20 at most. */
                parentId?: string;
                /** @description One of none, low, medium, high, urgent. Several are separated by commas, 20 at most. */
                priority?: string;
                /** @description The name or id of a label; issues that have all of these. `none` for issues without labels. Several are separated by commas, 20 at most. */
                label?: string;
                /** @description The id of an unfinished issue: those that wait for it directly. `none` for issues that wait for no other. Several are separated by commas, 20 at most. */
                blockedBy?: string;
                /** @description Ids of issues, separated by commas, 200 at most. Those that do not match the other filters are left out. */
                ids?: string;
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "priority" | "-priority" | "status" | "-status";
                /** @description summary omits description and links; why adds why no agent works on the issue. */
                fields?: "summary" | "summary,why";
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
                /**
                 * @description The key of an issue, or words that title and description must contain, all of them; the last one may be a beginning.
                 *     With `limit` at most 10 the order is key, title, text.
                 */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "status": "Open",
                     *         "allowedTransitions": [
                     *           "Open"
                     *         ],
                     *         "priority": "none",
                     *         "assignee": {
                     *           "type": "agent",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "labels": [
                     *           {
                     *             "color": "gray",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *             "name": "bug"
                     *           }
                     *         ],
                     *         "lease": {
                     *           "expiresAt": "2026-11-21T09:30:00.000Z"
                     *         },
                     *         "attempts": 1,
                     *         "version": 1,
                     *         "statusSince": "2026-11-21T09:30:00.000Z",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *         "key": "DOCS-1",
                     *         "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "title": "Write the release notes",
                     *         "paused": false,
                     *         "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "parentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "holdsParent": false,
                     *         "children": {
                     *           "total": 1,
                     *           "resolved": 1
                     *         },
                     *         "createdBy": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z",
                     *         "startedAt": "2026-11-21T09:30:00.000Z",
                     *         "resolvedAt": "2026-11-21T09:30:00.000Z",
                     *         "closedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ListedIssueResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Issues.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "Open",
                     *       "allowedTransitions": [
                     *         "Open"
                     *       ],
                     *       "priority": "none",
                     *       "assignee": {
                     *         "type": "agent",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Release notes writer"
                     *       },
                     *       "labels": [
                     *         {
                     *           "color": "gray",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *           "name": "bug"
                     *         }
                     *       ],
                     *       "lease": {
                     *         "expiresAt": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "attempts": 1,
                     *       "version": 1,
                     *       "statusSince": "2026-11-21T09:30:00.000Z",
                     *       "links": [
                     *         {
                     *           "linkType": "Blocks",
                     *           "direction": "outgoing",
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "targetIssueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "target": {
                     *             "status": "Open",
                     *             "key": "DOCS-2",
                     *             "title": "Collect the merged work"
                     *           },
                     *           "createdBy": {
                     *             "type": "user",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           }
                     *         }
                     *       ],
                     *       "importedAt": "2026-11-21T09:30:00.000Z",
                     *       "description": "Collect what was merged since the last release and write the notes.",
                     *       "externalId": "github:acme/web#12",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *       "key": "DOCS-1",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "title": "Write the release notes",
                     *       "paused": false,
                     *       "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "parentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "holdsParent": false,
                     *       "children": {
                     *         "total": 1,
                     *         "resolved": 1
                     *       },
                     *       "createdBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z",
                     *       "startedAt": "2026-11-21T09:30:00.000Z",
                     *       "resolvedAt": "2026-11-21T09:30:00.000Z",
                     *       "closedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IssueResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Issues.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that the change is meant for. Any other version is 412. */
                "If-Match"?: string;
                /** @description The token of the agent's lease on this issue. */
                "Lease-Token"?: string;
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Collect what was merged and write the notes.",
                 *       "status": "Resolved",
                 *       "labels": [],
                 *       "title": "Write the release notes"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateIssueRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "Open",
                     *       "allowedTransitions": [
                     *         "Open"
                     *       ],
                     *       "priority": "none",
                     *       "assignee": {
                     *         "type": "agent",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Release notes writer"
                     *       },
                     *       "labels": [
                     *         {
                     *           "color": "gray",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *           "name": "bug"
                     *         }
                     *       ],
                     *       "lease": {
                     *         "expiresAt": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "attempts": 1,
                     *       "version": 1,
                     *       "statusSince": "2026-11-21T09:30:00.000Z",
                     *       "links": [
                     *         {
                     *           "linkType": "Blocks",
                     *           "direction": "outgoing",
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "targetIssueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "target": {
                     *             "status": "Open",
                     *             "key": "DOCS-2",
                     *             "title": "Collect the merged work"
                     *           },
                     *           "createdBy": {
                     *             "type": "user",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           }
                     *         }
                     *       ],
                     *       "importedAt": "2026-11-21T09:30:00.000Z",
                     *       "description": "Collect what was merged since the last release and write the notes.",
                     *       "externalId": "github:acme/web#12",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *       "key": "DOCS-1",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "title": "Write the release notes",
                     *       "paused": false,
                     *       "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "parentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "holdsParent": false,
                     *       "children": {
                     *         "total": 1,
                     *         "resolved": 1
                     *       },
                     *       "createdBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z",
                     *       "startedAt": "2026-11-21T09:30:00.000Z",
                     *       "resolvedAt": "2026-11-21T09:30:00.000Z",
                     *       "closedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IssueResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.not_yours.agent_disabled.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["invalid_transition.open_dependents.open_children.dependency_cycle.link_exists.child_limit.depth_limit.cross_project_link.lease_token_required.lease_lost.idempotency_key_in_use"];
            412: components["responses"]["version_mismatch"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Issues.delete": {
        parameters: {
            query?: {
                /** @description Must be true. */
                confirm?: boolean;
            };
            header?: {
                /** @description The ETag of the version that the change is meant for. Any other version is 412. */
                "If-Match"?: string;
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json.confirmation_required"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            412: components["responses"]["version_mismatch"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Timeline.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description One type, or several separated by commas: issue.created, issue.updated, issue.status_changed, issue.picked_up, issue.lease_lost, issue.paused, issue.resumed, issue.tools_called, issue.child_added, issue.child_removed, comment.created, comment.updated, comment.deleted, attachment.created, attachment.deleted, link.created, link.deleted, code.linked, code.updated, code.unlinked, gate.opened, gate.answered, gate.expired, gate.withdrawn, gate.executed. */
                type?: string;
                /** @description Only rows at or after this instant, in ISO 8601 with a time zone. */
                from?: string;
                /** @description Only rows before this instant. */
                to?: string;
                sort?: "createdAt" | "-createdAt";
                /** @description `summary` leaves out the contents of comments and the answers to gates. */
                fields?: "summary";
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "type": "issue.status_changed",
                     *         "data": {
                     *           "old": "Open",
                     *           "new": "InProgress",
                     *           "cause": "picked_up"
                     *         },
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a10",
                     *         "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "actor": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ActivityResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "IssueCalls.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description Only calls at or after this instant, in ISO 8601 with a time zone. */
                from?: string;
                /** @description Only calls before this instant. */
                to?: string;
                outcome?: components["schemas"]["CallOutcome"];
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
                agentId?: string;
                serverId?: string;
                /** @description The server's own name of the tool. */
                toolName?: string;
            };
            header?: never;
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "agent": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *           "name": "Release notes writer"
                     *         },
                     *         "user": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *           "name": "Release notes writer"
                     *         },
                     *         "issue": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "key": "DOCS-12",
                     *           "title": "Write the release notes"
                     *         },
                     *         "leaseToken": 1,
                     *         "outcome": "ok",
                     *         "reason": "not_granted",
                     *         "durationMs": 12,
                     *         "argumentShape": {
                     *           "path": "string"
                     *         },
                     *         "argumentsHash": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
                     *         "resultBytes": 1,
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "at": "2026-11-21T09:30:00.000Z",
                     *         "server": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *           "name": "Release notes writer"
                     *         },
                     *         "toolName": "echo",
                     *         "gateId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CallResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Issues.children": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description One status, or several separated by commas: Open, InProgress, WaitingOnDependency, PendingReview, Resolved, Closed. */
                status?: string;
                /** @description The id of the agent or user that is assigned; `me` for the caller, `none` for issues without assignee. Several are separated by commas, 20 at most. */
                assigneeId?: string;
                /** @description The id of the agent that executes the issue, or `none` for issues without agent. Several are separated by commas, 20 at most. */
                agentId?: string;
                /** @description The id of a goal, or `none` for issues without goal. Several are separated by commas, 20 at most. */
                goalId?: string;
                /** @description One of none, low, medium, high, urgent. Several are separated by commas, 20 at most. */
                priority?: string;
                /** @description The name or id of a label; issues that have all of these. `none` for issues without labels. Several are separated by commas, 20 at most. */
                label?: string;
                /** @description The id of an unfinished issue: those that wait for it directly. `none` for issues that wait for no other. Several are separated by commas, 20 at most. */
                blockedBy?: string;
                /** @description summary omits description and links; why adds why no agent works on the issue. */
                fields?: "summary" | "summary,why";
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
                /**
                 * @description The key of an issue, or words that title and description must contain, all of them; the last one may be a beginning.
                 *     With `limit` at most 10 the order is key, title, text.
                 */
                q?: string;
                sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | "priority" | "-priority" | "status" | "-status";
            };
            header?: never;
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "status": "Open",
                     *         "allowedTransitions": [
                     *           "Open"
                     *         ],
                     *         "priority": "none",
                     *         "assignee": {
                     *           "type": "agent",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "labels": [
                     *           {
                     *             "color": "gray",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *             "name": "bug"
                     *           }
                     *         ],
                     *         "lease": {
                     *           "expiresAt": "2026-11-21T09:30:00.000Z"
                     *         },
                     *         "attempts": 1,
                     *         "version": 1,
                     *         "statusSince": "2026-11-21T09:30:00.000Z",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *         "key": "DOCS-1",
                     *         "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "title": "Write the release notes",
                     *         "paused": false,
                     *         "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "parentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "holdsParent": false,
                     *         "children": {
                     *           "total": 1,
                     *           "resolved": 1
                     *         },
                     *         "createdBy": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z",
                     *         "startedAt": "2026-11-21T09:30:00.000Z",
                     *         "resolvedAt": "2026-11-21T09:30:00.000Z",
                     *         "closedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ListedIssueResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Issues.close": {
        parameters: {
            query?: {
                /** @description Closes the issue even while it blocks unresolved issues, and with the issues below it. */
                force?: boolean;
            };
            header?: {
                /** @description The ETag of the version that the change is meant for. Any other version is 412. */
                "If-Match"?: string;
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["open_dependents.open_children.idempotency_key_in_use"];
            412: components["responses"]["version_mismatch"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Explain.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reason": "agent_silent",
                     *       "gates": [
                     *         {
                     *           "kind": "approval",
                     *           "needsRole": "Viewer",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "title": "Which quarter should the report cover?"
                     *         }
                     *       ],
                     *       "blockedBy": [
                     *         {
                     *           "status": "Open",
                     *           "kind": "blocker",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "key": "DOCS-2",
                     *           "title": "Collect the merged work"
                     *         }
                     *       ],
                     *       "rootBlockers": [
                     *         {
                     *           "status": "Open",
                     *           "assignee": {
                     *             "type": "agent",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           },
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "key": "DOCS-2",
                     *           "title": "Collect the merged work"
                     *         }
                     *       ],
                     *       "waitsFor": {
                     *         "type": "agent",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Release notes writer"
                     *       },
                     *       "needsRole": "Viewer",
                     *       "running": false,
                     *       "issuesBetween": 18,
                     *       "gateId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "next": "Release notes writer has sent no heartbeat since 2026-11-21T09:30:00.000Z. Check that it runs; it picks the issue up with its next one."
                     *     }
                     */
                    "application/json": components["schemas"]["ExplainResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Issues.pause": {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that the change is meant for. Any other version is 412. */
                "If-Match"?: string;
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["invalid_transition.idempotency_key_in_use"];
            412: components["responses"]["version_mismatch"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Issues.resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that the change is meant for. Any other version is 412. */
                "If-Match"?: string;
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["invalid_transition.idempotency_key_in_use"];
            412: components["responses"]["version_mismatch"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Runs.report": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": 1,
                 *       "session": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                 *       "output": "Reading the changelog.\nWriting the notes.",
                 *       "stopped": "The agent ended its turn."
                 *     }
                 */
                "application/json": components["schemas"]["ReportRunRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.agent_disabled"];
            404: components["responses"]["not_found"];
            409: components["responses"]["lease_lost.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Runs.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "token": 1,
                     *         "agent": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "state": "running",
                     *         "turns": 1,
                     *         "tokens": 1,
                     *         "costMicros": 1,
                     *         "session": "0199f0a0-session",
                     *         "output": "Writing the notes.",
                     *         "logId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "stopped": "The agent ended its turn.",
                     *         "startedAt": "2026-11-21T09:30:00.000Z",
                     *         "reportedAt": "2026-11-21T09:30:00.000Z",
                     *         "stoppedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["RunResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "IssueCounts.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Open": 1,
                     *       "InProgress": 1,
                     *       "WaitingOnDependency": 1,
                     *       "PendingReview": 1,
                     *       "Resolved": 1,
                     *       "Closed": 1,
                     *       "waiting": {
                     *         "onWork": 1,
                     *         "onPerson": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["IssueCountsResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Graph.get": {
        parameters: {
            query?: {
                /** @description How many links from the focus. */
                depth?: number;
                /** @description The most issues. */
                limit?: number;
                /** @description true shows finished issues too. */
                done?: boolean;
                /** @description Id or key of the issue in the middle. Without it the issues come first that most others wait for. */
                focus?: string;
            };
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nodes": [
                     *         {
                     *           "status": "Open",
                     *           "allowedTransitions": [
                     *             "Open"
                     *           ],
                     *           "priority": "none",
                     *           "assignee": {
                     *             "type": "agent",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           },
                     *           "labels": [
                     *             {
                     *               "color": "gray",
                     *               "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *               "name": "bug"
                     *             }
                     *           ],
                     *           "lease": {
                     *             "expiresAt": "2026-11-21T09:30:00.000Z"
                     *           },
                     *           "attempts": 1,
                     *           "version": 1,
                     *           "statusSince": "2026-11-21T09:30:00.000Z",
                     *           "hidden": 1,
                     *           "why": {
                     *             "reason": "waiting",
                     *             "waitsFor": [
                     *               {
                     *                 "type": "issue",
                     *                 "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *                 "label": "DOCS-11"
                     *               }
                     *             ],
                     *             "sentence": "It waits for DOCS-11; once they are Resolved or Closed, it becomes Open automatically."
                     *           },
                     *           "code": {
                     *             "open": 1,
                     *             "failing": 1
                     *           },
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *           "key": "DOCS-1",
                     *           "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "title": "Write the release notes",
                     *           "paused": false,
                     *           "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "parentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "holdsParent": false,
                     *           "children": {
                     *             "total": 1,
                     *             "resolved": 1
                     *           },
                     *           "createdBy": {
                     *             "type": "user",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "updatedAt": "2026-11-21T09:30:00.000Z",
                     *           "startedAt": "2026-11-21T09:30:00.000Z",
                     *           "resolvedAt": "2026-11-21T09:30:00.000Z",
                     *           "closedAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "edges": [
                     *         {
                     *           "linkType": "Blocks",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "source": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "target": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *         }
                     *       ],
                     *       "truncated": false
                     *     }
                     */
                    "application/json": components["schemas"]["GraphResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "IssueGroups.list": {
        parameters: {
            query?: {
                /** @description One status, or several separated by commas: Open, InProgress, WaitingOnDependency, PendingReview, Resolved, Closed. */
                status?: string;
                /** @description The id of the agent or user that is assigned; `me` for the caller, `none` for issues without assignee. Several are separated by commas, 20 at most. */
                assigneeId?: string;
                /** @description The id of the agent that executes the issue, or `none` for issues without agent. Several are separated by commas, 20 at most. */
                agentId?: string;
                /** @description The id of a goal, or `none` for issues without goal. Several are separated by commas, 20 at most. */
                goalId?: string;
                /** @description The id of an issue: its sub-issues. `none` for issues on the top level. Several are separated by commas, 20 at most. */
                parentId?: string;
                /** @description One of none, low, medium, high, urgent. Several are separated by commas, 20 at most. */
                priority?: string;
                /** @description The name or id of a label; issues that have all of these. `none` for issues without labels. Several are separated by commas, 20 at most. */
                label?: string;
                /** @description The id of an unfinished issue: those that wait for it directly. `none` for issues that wait for no other. Several are separated by commas, 20 at most. */
                blockedBy?: string;
                /** @description What they are counted by. */
                by?: components["schemas"]["IssueGrouping"];
                /**
                 * @description The key of an issue, or words that title and description must contain, all of them; the last one may be a beginning.
                 *     With `limit` at most 10 the order is key, title, text.
                 */
                q?: string;
            };
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "groups": [
                     *         {
                     *           "name": "Release notes writer",
                     *           "key": "DOCS-2",
                     *           "status": "Open",
                     *           "issues": 1,
                     *           "value": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "capped": false
                     *     }
                     */
                    "application/json": components["schemas"]["IssueGroupsResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Plans.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "issues": [
                 *         {
                 *           "labels": [],
                 *           "title": "Write the release notes",
                 *           "description": "Collect what was merged since the last release and write the notes.",
                 *           "ref": "notes"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PlanRequest"];
            };
        };
        responses: {
            /** @description With `dryRun`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issues": [
                     *         {
                     *           "status": "Open",
                     *           "ref": "notes"
                     *         }
                     *       ],
                     *       "order": [
                     *         "notes"
                     *       ],
                     *       "critical": [
                     *         "notes"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CheckedPlanResponse"];
                };
            };
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issues": [
                     *         {
                     *           "status": "Open",
                     *           "ref": "notes",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "key": "DOCS-3"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedPlanResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.assignment_refused.agent_disabled.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["invalid_transition.dependency_cycle.link_exists.link_limit.child_limit.depth_limit.cross_project_link.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Attention.list": {
        parameters: {
            query?: {
                /** @description Only the kinds of a tab. */
                tab?: components["schemas"]["AttentionTab"];
                /** @description true: only issues that the caller answers for, gates of projects that have the caller as a member, and the caller's keys. */
                mine?: boolean;
                /** @description true: only what the caller has snoozed; false leaves it out, which is the default without `ids`. */
                snoozed?: boolean;
                /** @description The ids of items, at most 1,000: only those, snoozed or not. */
                ids?: string[];
                /** @description The maximum number of items. */
                limit?: number;
                /** @description Id or key of a project: only what belongs to it. */
                projectId?: string;
                /** @description Id of an agent: only what concerns it, or an issue that is assigned to it. */
                agentId?: string;
                /** @description The `id` of a group: only its equal questions. */
                group?: string;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "kind": "gate",
                     *           "tab": "decide",
                     *           "since": "2026-11-21T09:30:00.000Z",
                     *           "severity": "blocking",
                     *           "project": {
                     *             "key": "DOCS",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           },
                     *           "issue": {
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "key": "DOCS-12",
                     *             "title": "Echo"
                     *           },
                     *           "agent": {
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           },
                     *           "server": {
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           },
                     *           "webhook": {
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           },
                     *           "schedule": {
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           },
                     *           "gate": {
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "kind": "question",
                     *             "form": false
                     *           },
                     *           "group": {
                     *             "items": 1,
                     *             "agents": 1,
                     *             "id": "5d41402a-bc4b-2a76-b971-9d911017c592"
                     *           },
                     *           "snoozedUntil": "2026-11-21T09:30:00.000Z",
                     *           "action": {
                     *             "method": "POST",
                     *             "body": {},
                     *             "elevated": false,
                     *             "label": "Verify again",
                     *             "path": "/api/mcp/installed/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a07/verify"
                     *           },
                     *           "alternatives": [
                     *             {
                     *               "method": "POST",
                     *               "body": {},
                     *               "elevated": false,
                     *               "label": "Verify again",
                     *               "path": "/api/mcp/installed/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a07/verify"
                     *             }
                     *           ],
                     *           "needsRole": "Viewer",
                     *           "id": "review:0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *           "title": "DOCS-12 waits for a review: Write the release notes",
                     *           "detail": "Look at the work, then resolve the issue or send it back.",
                     *           "gateId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "question": "May I publish the release notes today?",
                     *           "options": [
                     *             "Publish today",
                     *             "Wait until Monday"
                     *           ],
                     *           "blocks": {
                     *             "issues": 1,
                     *             "agents": 1
                     *           }
                     *         }
                     *       ],
                     *       "counts": {
                     *         "review": 2,
                     *         "stuck": 1
                     *       },
                     *       "tabs": {
                     *         "decide": 1,
                     *         "review": 1,
                     *         "broken": 1,
                     *         "all": 1,
                     *         "snoozed": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AttentionResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Attention.snooze": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "until": "2026-11-23T09:00:00+01:00",
                 *       "items": [
                 *         "review:0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SnoozeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "changed": [
                     *         "review:0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05"
                     *       ],
                     *       "unknown": [
                     *         "question:0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a08"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SnoozeResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            409: components["responses"]["snooze_limit.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Links.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "linkType": "Blocks",
                     *         "direction": "outgoing",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "targetIssueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "target": {
                     *           "status": "Open",
                     *           "key": "DOCS-2",
                     *           "title": "Collect the merged work"
                     *         },
                     *         "createdBy": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["LinkResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Links.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "linkType": "BlockedBy",
                 *       "targetIssueId": "DOCS-2"
                 *     }
                 */
                "application/json": components["schemas"]["CreateLinkRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "linkType": "Blocks",
                     *       "direction": "outgoing",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "targetIssueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "target": {
                     *         "status": "Open",
                     *         "key": "DOCS-2",
                     *         "title": "Collect the merged work"
                     *       },
                     *       "createdBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Release notes writer"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LinkResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.agent_disabled.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["invalid_transition.dependency_cycle.link_exists.link_limit.cross_project_link.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Links.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                linkId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.agent_disabled.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "GatesOfIssue.ask": {
        parameters: {
            query?: never;
            header?: {
                /** @description The token of the agent's lease on this issue. One that is not the newest is refused. */
                "Lease-Token"?: string;
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenGateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "approval",
                     *       "state": "open",
                     *       "project": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "key": "DOCS",
                     *         "name": "Documentation"
                     *       },
                     *       "issue": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "key": "DOCS-12",
                     *         "title": "Write the release notes"
                     *       },
                     *       "agent": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Release notes writer"
                     *       },
                     *       "request": {},
                     *       "answer": {},
                     *       "answeredBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "openedBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "lastWords": {
                     *         "at": "2026-11-21T09:30:00.000Z",
                     *         "text": "The draft is ready. I publish it now."
                     *       },
                     *       "blocks": {
                     *         "issues": 1,
                     *         "agents": 1
                     *       },
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *       "title": "May I publish the release notes today?",
                     *       "detail": "This agent is disabled: stop work. A person can enable it again.",
                     *       "options": [
                     *         "Publish today",
                     *         "Wait until Monday"
                     *       ],
                     *       "recommended": "Publish today",
                     *       "openedAt": "2026-11-21T09:30:00.000Z",
                     *       "expiresAt": "2026-11-21T09:30:00.000Z",
                     *       "answeredAt": "2026-11-21T09:30:00.000Z",
                     *       "outcome": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["GateResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.not_yours.agent_disabled.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["invalid_transition.lease_lost.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["gate_limit.rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Gates.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                state?: components["schemas"]["GateState"];
                kind?: components["schemas"]["GateKind"];
                /** @description Id or key of a project. */
                projectId?: string;
                /** @description Id or key of an issue. */
                issueId?: string;
                /** @description The agent whose work the gates concern. */
                agentId?: string;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "kind": "approval",
                     *         "state": "open",
                     *         "project": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "key": "DOCS",
                     *           "name": "Documentation"
                     *         },
                     *         "issue": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "key": "DOCS-12",
                     *           "title": "Write the release notes"
                     *         },
                     *         "agent": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "request": {},
                     *         "answer": {},
                     *         "answeredBy": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "openedBy": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "lastWords": {
                     *           "at": "2026-11-21T09:30:00.000Z",
                     *           "text": "The draft is ready. I publish it now."
                     *         },
                     *         "blocks": {
                     *           "issues": 1,
                     *           "agents": 1
                     *         },
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *         "title": "May I publish the release notes today?",
                     *         "detail": "This agent is disabled: stop work. A person can enable it again.",
                     *         "options": [
                     *           "Publish today",
                     *           "Wait until Monday"
                     *         ],
                     *         "recommended": "Publish today",
                     *         "openedAt": "2026-11-21T09:30:00.000Z",
                     *         "expiresAt": "2026-11-21T09:30:00.000Z",
                     *         "answeredAt": "2026-11-21T09:30:00.000Z",
                     *         "outcome": "ok"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["GateResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Gates.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                gateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "approval",
                     *       "state": "open",
                     *       "project": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "key": "DOCS",
                     *         "name": "Documentation"
                     *       },
                     *       "issue": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "key": "DOCS-12",
                     *         "title": "Write the release notes"
                     *       },
                     *       "agent": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Release notes writer"
                     *       },
                     *       "request": {},
                     *       "answer": {},
                     *       "answeredBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "openedBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "lastWords": {
                     *         "at": "2026-11-21T09:30:00.000Z",
                     *         "text": "The draft is ready. I publish it now."
                     *       },
                     *       "blocks": {
                     *         "issues": 1,
                     *         "agents": 1
                     *       },
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *       "title": "May I publish the release notes today?",
                     *       "detail": "This agent is disabled: stop work. A person can enable it again.",
                     *       "options": [
                     *         "Publish today",
                     *         "Wait until Monday"
                     *       ],
                     *       "recommended": "Publish today",
                     *       "openedAt": "2026-11-21T09:30:00.000Z",
                     *       "expiresAt": "2026-11-21T09:30:00.000Z",
                     *       "answeredAt": "2026-11-21T09:30:00.000Z",
                     *       "outcome": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["GateResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Gates.answer": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                gateId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerGateRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "approval",
                     *       "state": "open",
                     *       "project": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "key": "DOCS",
                     *         "name": "Documentation"
                     *       },
                     *       "issue": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "key": "DOCS-12",
                     *         "title": "Write the release notes"
                     *       },
                     *       "agent": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Release notes writer"
                     *       },
                     *       "request": {},
                     *       "answer": {},
                     *       "answeredBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "openedBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "lastWords": {
                     *         "at": "2026-11-21T09:30:00.000Z",
                     *         "text": "The draft is ready. I publish it now."
                     *       },
                     *       "blocks": {
                     *         "issues": 1,
                     *         "agents": 1
                     *       },
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *       "title": "May I publish the release notes today?",
                     *       "detail": "This agent is disabled: stop work. A person can enable it again.",
                     *       "options": [
                     *         "Publish today",
                     *         "Wait until Monday"
                     *       ],
                     *       "recommended": "Publish today",
                     *       "openedAt": "2026-11-21T09:30:00.000Z",
                     *       "expiresAt": "2026-11-21T09:30:00.000Z",
                     *       "answeredAt": "2026-11-21T09:30:00.000Z",
                     *       "outcome": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["GateResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["gate_closed.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Gates.withdraw": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                gateId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "approval",
                     *       "state": "open",
                     *       "project": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "key": "DOCS",
                     *         "name": "Documentation"
                     *       },
                     *       "issue": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "key": "DOCS-12",
                     *         "title": "Write the release notes"
                     *       },
                     *       "agent": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Release notes writer"
                     *       },
                     *       "request": {},
                     *       "answer": {},
                     *       "answeredBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "openedBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "lastWords": {
                     *         "at": "2026-11-21T09:30:00.000Z",
                     *         "text": "The draft is ready. I publish it now."
                     *       },
                     *       "blocks": {
                     *         "issues": 1,
                     *         "agents": 1
                     *       },
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *       "title": "May I publish the release notes today?",
                     *       "detail": "This agent is disabled: stop work. A person can enable it again.",
                     *       "options": [
                     *         "Publish today",
                     *         "Wait until Monday"
                     *       ],
                     *       "recommended": "Publish today",
                     *       "openedAt": "2026-11-21T09:30:00.000Z",
                     *       "expiresAt": "2026-11-21T09:30:00.000Z",
                     *       "answeredAt": "2026-11-21T09:30:00.000Z",
                     *       "outcome": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["GateResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.agent_disabled.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["gate_closed.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "LabelsOfProject.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "color": "gray",
                     *         "issues": 1,
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *         "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "bug",
                     *         "description": "Writes release notes from merged work.",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["LabelResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "LabelsOfProject.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "color": "red",
                 *       "name": "bug",
                 *       "description": "Something does not do what it should."
                 *     }
                 */
                "application/json": components["schemas"]["CreateLabelRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "color": "gray",
                     *       "issues": 1,
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "name": "bug",
                     *       "description": "Writes release notes from merged work.",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LabelResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["label_limit.name_taken.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Labels.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                labelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "color": "gray",
                     *       "issues": 1,
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "name": "bug",
                     *       "description": "Writes release notes from merged work.",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LabelResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Labels.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                labelId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "color": "red",
                 *       "name": "bug",
                 *       "description": "Something does not do what it should."
                 *     }
                 */
                "application/json": components["schemas"]["UpdateLabelRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "color": "gray",
                     *       "issues": 1,
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "name": "bug",
                     *       "description": "Writes release notes from merged work.",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LabelResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["name_taken.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Labels.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                labelId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Code.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "kind": "branch",
                     *         "state": "open",
                     *         "checks": "pending",
                     *         "counts": false,
                     *         "createdBy": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21",
                     *         "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "url": "https://github.com/acme/web/pull/12",
                     *         "title": "Write the release notes",
                     *         "author": "ada",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CodeResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Code.add": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://github.com/acme/web/pull/12"
                 *     }
                 */
                "application/json": components["schemas"]["AddCodeRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "branch",
                     *       "state": "open",
                     *       "checks": "pending",
                     *       "counts": false,
                     *       "createdBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Release notes writer"
                     *       },
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21",
                     *       "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "url": "https://github.com/acme/web/pull/12",
                     *       "title": "Write the release notes",
                     *       "author": "ada",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CodeResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.not_yours.agent_disabled.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["link_limit.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "CodeDeliveries.receive": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                provider: string;
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                hookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "accepted",
                     *       "detail": "This agent is disabled: stop work. A person can enable it again."
                     *     }
                     */
                    "application/json": components["schemas"]["CodeDeliveryResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["https_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Code.deleteHook": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                hookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Code.remove": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                codeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.agent_disabled.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Code.listHooks": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "provider": "github",
                     *         "lastDeliveryAt": "2026-11-21T09:30:00.000Z",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a22",
                     *         "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "repositories": [
                     *           "https://github.com/acme/web"
                     *         ],
                     *         "path": "/api/hooks/github/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a22",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CodeHookResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Code.setHook": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "provider": "github",
                 *       "repositories": [
                 *         "https://github.com/acme/web"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SetCodeHookRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": "github",
                     *       "lastDeliveryAt": "2026-11-21T09:30:00.000Z",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a22",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "repositories": [
                     *         "https://github.com/acme/web"
                     *       ],
                     *       "path": "/api/hooks/github/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a22",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z",
                     *       "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
                     *     }
                     */
                    "application/json": components["schemas"]["SetCodeHookResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected.https_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "SchedulesOfProject.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "policy": "skip",
                     *         "failures": 1,
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21",
                     *         "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Morning report",
                     *         "cron": "0 9 * * 1-5",
                     *         "timeZone": "Europe/Berlin",
                     *         "template": {
                     *           "priority": "none",
                     *           "title": "Report of {{date}}",
                     *           "description": "Writes release notes from merged work.",
                     *           "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "labels": [
                     *             "docs"
                     *           ],
                     *           "parent": "DOCS-1",
                     *           "holdsParent": false,
                     *           "blockedBy": [
                     *             "DOCS-2"
                     *           ]
                     *         },
                     *         "enabled": false,
                     *         "nextAt": "2026-11-21T09:30:00.000Z",
                     *         "lastAt": "2026-11-21T09:30:00.000Z",
                     *         "lastIssueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "lastFailure": "template.assignedAgentId: names no agent",
                     *         "editedBy": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ScheduleResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "SchedulesOfProject.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timeZone": "Europe/Berlin",
                 *       "name": "Morning report",
                 *       "cron": "0 9 * * 1-5",
                 *       "template": {
                 *         "labels": [],
                 *         "title": "Write the release notes",
                 *         "description": "Collect what was merged since the last release and write the notes."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreateScheduleRequest"];
            };
        };
        responses: {
            /** @description With `dryRun`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "nextTimes": [
                     *         "2026-11-21T09:30:00.000Z"
                     *       ],
                     *       "issue": {
                     *         "status": "Open",
                     *         "title": "Report of 2027-03-29",
                     *         "description": "Writes release notes from merged work."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CheckedScheduleResponse"];
                };
            };
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policy": "skip",
                     *       "failures": 1,
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "name": "Morning report",
                     *       "cron": "0 9 * * 1-5",
                     *       "timeZone": "Europe/Berlin",
                     *       "template": {
                     *         "priority": "none",
                     *         "title": "Report of {{date}}",
                     *         "description": "Writes release notes from merged work.",
                     *         "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "labels": [
                     *           "docs"
                     *         ],
                     *         "parent": "DOCS-1",
                     *         "holdsParent": false,
                     *         "blockedBy": [
                     *           "DOCS-2"
                     *         ]
                     *       },
                     *       "enabled": false,
                     *       "nextAt": "2026-11-21T09:30:00.000Z",
                     *       "lastAt": "2026-11-21T09:30:00.000Z",
                     *       "lastIssueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "lastFailure": "template.assignedAgentId: names no agent",
                     *       "editedBy": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduleResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["invalid_transition.dependency_cycle.link_limit.child_limit.depth_limit.schedule_limit.cross_project_link.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Schedules.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policy": "skip",
                     *       "failures": 1,
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "name": "Morning report",
                     *       "cron": "0 9 * * 1-5",
                     *       "timeZone": "Europe/Berlin",
                     *       "template": {
                     *         "priority": "none",
                     *         "title": "Report of {{date}}",
                     *         "description": "Writes release notes from merged work.",
                     *         "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "labels": [
                     *           "docs"
                     *         ],
                     *         "parent": "DOCS-1",
                     *         "holdsParent": false,
                     *         "blockedBy": [
                     *           "DOCS-2"
                     *         ]
                     *       },
                     *       "enabled": false,
                     *       "nextAt": "2026-11-21T09:30:00.000Z",
                     *       "lastAt": "2026-11-21T09:30:00.000Z",
                     *       "lastIssueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "lastFailure": "template.assignedAgentId: names no agent",
                     *       "editedBy": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduleResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Schedules.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "timeZone": "Europe/Berlin",
                 *       "name": "Morning report",
                 *       "cron": "0 9 * * 1-5"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateScheduleRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policy": "skip",
                     *       "failures": 1,
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "name": "Morning report",
                     *       "cron": "0 9 * * 1-5",
                     *       "timeZone": "Europe/Berlin",
                     *       "template": {
                     *         "priority": "none",
                     *         "title": "Report of {{date}}",
                     *         "description": "Writes release notes from merged work.",
                     *         "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "labels": [
                     *           "docs"
                     *         ],
                     *         "parent": "DOCS-1",
                     *         "holdsParent": false,
                     *         "blockedBy": [
                     *           "DOCS-2"
                     *         ]
                     *       },
                     *       "enabled": false,
                     *       "nextAt": "2026-11-21T09:30:00.000Z",
                     *       "lastAt": "2026-11-21T09:30:00.000Z",
                     *       "lastIssueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "lastFailure": "template.assignedAgentId: names no agent",
                     *       "editedBy": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ScheduleResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["invalid_transition.dependency_cycle.link_limit.child_limit.depth_limit.cross_project_link.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Schedules.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Schedules.run": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                scheduleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "Open",
                     *       "allowedTransitions": [
                     *         "Open"
                     *       ],
                     *       "priority": "none",
                     *       "assignee": {
                     *         "type": "agent",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Release notes writer"
                     *       },
                     *       "labels": [
                     *         {
                     *           "color": "gray",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *           "name": "bug"
                     *         }
                     *       ],
                     *       "lease": {
                     *         "expiresAt": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "attempts": 1,
                     *       "version": 1,
                     *       "statusSince": "2026-11-21T09:30:00.000Z",
                     *       "links": [
                     *         {
                     *           "linkType": "Blocks",
                     *           "direction": "outgoing",
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "targetIssueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "target": {
                     *             "status": "Open",
                     *             "key": "DOCS-2",
                     *             "title": "Collect the merged work"
                     *           },
                     *           "createdBy": {
                     *             "type": "user",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           }
                     *         }
                     *       ],
                     *       "importedAt": "2026-11-21T09:30:00.000Z",
                     *       "description": "Collect what was merged since the last release and write the notes.",
                     *       "externalId": "github:acme/web#12",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *       "key": "DOCS-1",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "title": "Write the release notes",
                     *       "paused": false,
                     *       "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "parentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "holdsParent": false,
                     *       "children": {
                     *         "total": 1,
                     *         "resolved": 1
                     *       },
                     *       "createdBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z",
                     *       "startedAt": "2026-11-21T09:30:00.000Z",
                     *       "resolvedAt": "2026-11-21T09:30:00.000Z",
                     *       "closedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IssueResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["invalid_transition.dependency_cycle.link_limit.child_limit.depth_limit.cross_project_link.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "ViewsOfProject.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *         "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Release notes writer",
                     *         "query": "priority=urgent&assigneeId=none&sort=createdAt",
                     *         "shared": false,
                     *         "ownerId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ViewResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "ViewsOfProject.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Urgent and unassigned",
                 *       "query": "priority=urgent&assigneeId=none&sort=createdAt"
                 *     }
                 */
                "application/json": components["schemas"]["CreateViewRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "name": "Release notes writer",
                     *       "query": "priority=urgent&assigneeId=none&sort=createdAt",
                     *       "shared": false,
                     *       "ownerId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ViewResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["view_limit.name_taken.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Views.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                viewId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Urgent and unassigned",
                 *       "query": "priority=urgent&assigneeId=none&sort=createdAt"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateViewRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *       "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "name": "Release notes writer",
                     *       "query": "priority=urgent&assigneeId=none&sort=createdAt",
                     *       "shared": false,
                     *       "ownerId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ViewResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["name_taken.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Views.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Comments.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "authorType": "User",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a07",
                     *         "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "content": "The new importer is merged; please check the totals of March.",
                     *         "author": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CommentResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Comments.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "The new importer is merged; please check the totals of March."
                 *     }
                 */
                "application/json": components["schemas"]["WriteCommentRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "authorType": "User",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a07",
                     *       "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "content": "The new importer is merged; please check the totals of March.",
                     *       "author": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CommentResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.agent_disabled.csrf_rejected.author_type_mismatch"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Comments.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                commentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "content": "The new importer is merged; please check the totals of March."
                 *     }
                 */
                "application/json": components["schemas"]["WriteCommentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "authorType": "User",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a07",
                     *       "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "content": "The new importer is merged; please check the totals of March.",
                     *       "author": {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CommentResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.agent_disabled.csrf_rejected.author_type_mismatch"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Comments.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                commentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.agent_disabled.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Attachments.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "size": 18211,
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a08",
                     *         "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "filename": "totals of March.csv",
                     *         "contentType": "text/csv",
                     *         "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *         "downloadUrl": "/api/projects/attachments/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a08/download",
                     *         "uploadedBy": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AttachmentResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Attachments.upload": {
        parameters: {
            query?: {
                /** @description The attachment of the same issue that the file replaces, such as an earlier state of a log. */
                replaces?: string;
            };
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "the bytes of the file"
                 *     }
                 */
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @example the bytes of the file
                     */
                    file: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "size": 18211,
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a08",
                     *       "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "filename": "totals of March.csv",
                     *       "contentType": "text/csv",
                     *       "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "downloadUrl": "/api/projects/attachments/0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a08/download",
                     *       "uploadedBy": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Ada Lovelace"
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AttachmentResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.agent_disabled.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Attachments.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.agent_disabled.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Attachments.download": {
        parameters: {
            query?: never;
            header?: {
                /** @description One range of bytes, as in `bytes=0-99`; for several ranges the whole file is returned. */
                Range?: string;
                /** @description The ETag that the range is meant for; if the file has another ETag, the whole file is returned. */
                "If-Range"?: string;
                /** @description The ETag of the bytes that the caller has. */
                "If-None-Match"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                attachmentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All bytes, in the content type that the uploader named. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The SHA-256 of the whole file, for If-Range and If-None-Match. */
                    ETag?: string;
                    /** @description The name of the file; `inline` for images only. */
                    "Content-Disposition"?: string;
                    /** @description `bytes` */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "*/*": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    /** @description The SHA-256 of the whole file, for If-Range and If-None-Match. */
                    ETag?: string;
                    /** @description The name of the file; `inline` for images only. */
                    "Content-Disposition"?: string;
                    /** @description `bytes` */
                    "Accept-Ranges"?: string;
                    /** @description As in `bytes 0-99/1234`. */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /** @example text */
                    "*/*": string;
                };
            };
            /** @description The caller has these bytes. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found.attachment_bytes_missing"];
            416: components["responses"]["range_not_satisfiable"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Agents.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "maxConcurrentIssues": 10,
                     *         "activeIssues": 0,
                     *         "failing": {
                     *           "worker": "writer-1",
                     *           "reason": "The agent ended with code 1.",
                     *           "since": "2026-11-21T09:30:00.000Z"
                     *         },
                     *         "why": {
                     *           "reason": "agent_disabled",
                     *           "sentence": "It takes work on its next heartbeat."
                     *         },
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *         "name": "Release notes writer",
                     *         "description": "Writes release notes from merged work.",
                     *         "disabled": false,
                     *         "toolsRequireLease": false,
                     *         "lastHeartbeatAt": "2026-11-21T09:30:00.000Z",
                     *         "usage": {
                     *           "today": {
                     *             "inputTokens": 12000,
                     *             "outputTokens": 800,
                     *             "cacheReadTokens": 9000,
                     *             "cacheWriteTokens": 0,
                     *             "costMicros": 41000,
                     *             "turns": 4,
                     *             "unreportedTurns": 0,
                     *             "toolCalls": 9,
                     *             "wallSeconds": 310
                     *           },
                     *           "month": {
                     *             "inputTokens": 12000,
                     *             "outputTokens": 800,
                     *             "cacheReadTokens": 9000,
                     *             "cacheWriteTokens": 0,
                     *             "costMicros": 41000,
                     *             "turns": 4,
                     *             "unreportedTurns": 0,
                     *             "toolCalls": 9,
                     *             "wallSeconds": 310
                     *           }
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SeenAgentResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Agents.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Release notes writer",
                 *       "description": "Writes release notes from merged work."
                 *     }
                 */
                "application/json": components["schemas"]["CreateAgentRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "maxConcurrentIssues": 10,
                     *       "activeIssues": 0,
                     *       "failing": {
                     *         "worker": "writer-1",
                     *         "reason": "The agent ended with code 1.",
                     *         "since": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "why": {
                     *         "reason": "agent_disabled",
                     *         "sentence": "It takes work on its next heartbeat."
                     *       },
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *       "name": "Release notes writer",
                     *       "description": "Writes release notes from merged work.",
                     *       "disabled": false,
                     *       "toolsRequireLease": false,
                     *       "lastHeartbeatAt": "2026-11-21T09:30:00.000Z",
                     *       "usage": {
                     *         "today": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         },
                     *         "month": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         }
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z",
                     *       "key": "awp_a_0123456789012345678901234567890123456789012abcdef",
                     *       "connect": {
                     *         "headers": {
                     *           "Authorization": "Bearer awp_a_…"
                     *         },
                     *         "url": "http://127.0.0.1:3000/mcp"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NewAgentResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected.https_required"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Halt.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "halted": false,
                     *       "reason": "Rotating all credentials."
                     *     }
                     */
                    "application/json": components["schemas"]["HaltResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Halt.set": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "halted": false,
                 *       "reason": "Rotating all credentials."
                 *     }
                 */
                "application/json": components["schemas"]["SetHaltRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "halted": false,
                     *       "reason": "Rotating all credentials."
                     *     }
                     */
                    "application/json": components["schemas"]["HaltResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Agents.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "maxConcurrentIssues": 10,
                     *       "activeIssues": 0,
                     *       "failing": {
                     *         "worker": "writer-1",
                     *         "reason": "The agent ended with code 1.",
                     *         "since": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "why": {
                     *         "reason": "agent_disabled",
                     *         "sentence": "It takes work on its next heartbeat."
                     *       },
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *       "name": "Release notes writer",
                     *       "description": "Writes release notes from merged work.",
                     *       "disabled": false,
                     *       "toolsRequireLease": false,
                     *       "lastHeartbeatAt": "2026-11-21T09:30:00.000Z",
                     *       "usage": {
                     *         "today": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         },
                     *         "month": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         }
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SeenAgentResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Agents.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "maxConcurrentIssues": 4,
                 *       "name": "Release notes writer",
                 *       "description": "Writes release notes from merged work."
                 *     }
                 */
                "application/json": components["schemas"]["UpdateAgentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "maxConcurrentIssues": 10,
                     *       "activeIssues": 0,
                     *       "failing": {
                     *         "worker": "writer-1",
                     *         "reason": "The agent ended with code 1.",
                     *         "since": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "why": {
                     *         "reason": "agent_disabled",
                     *         "sentence": "It takes work on its next heartbeat."
                     *       },
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *       "name": "Release notes writer",
                     *       "description": "Writes release notes from merged work.",
                     *       "disabled": false,
                     *       "toolsRequireLease": false,
                     *       "lastHeartbeatAt": "2026-11-21T09:30:00.000Z",
                     *       "usage": {
                     *         "today": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         },
                     *         "month": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         }
                     *       },
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SeenAgentResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Agents.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "AgentAccess.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "tools": [
                     *           "echo"
                     *         ],
                     *         "ask": "writes",
                     *         "approverRole": "Editor",
                     *         "serverId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *         "serverName": "Everything (reference)",
                     *         "granted": false,
                     *         "refused": false,
                     *         "credentialSet": "default"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AgentAccessResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "AgentAccess.set": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entries": [
                 *         {
                 *           "tools": null,
                 *           "ask": "writes",
                 *           "serverId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                 *           "granted": false,
                 *           "credentialSet": "team-a"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SetAgentAccessRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "tools": [
                     *           "echo"
                     *         ],
                     *         "ask": "writes",
                     *         "approverRole": "Editor",
                     *         "serverId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *         "serverName": "Everything (reference)",
                     *         "granted": false,
                     *         "refused": false,
                     *         "credentialSet": "default"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AgentAccessResponse"][];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "AgentKeys.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "role": "Viewer",
                     *         "parentKeyId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a02",
                     *         "name": "laptop",
                     *         "prefix": "awp_u_3kT9aZ",
                     *         "expiresAt": "2026-11-21T09:30:00.000Z",
                     *         "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ApiKeyResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "AgentKeys.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expiresAt": "2099-01-31T00:00:00.000Z",
                 *       "name": "laptop"
                 *     }
                 */
                "application/json": components["schemas"]["CreateAgentKeyRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role": "Viewer",
                     *       "parentKeyId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a02",
                     *       "name": "laptop",
                     *       "prefix": "awp_u_3kT9aZ",
                     *       "expiresAt": "2026-11-21T09:30:00.000Z",
                     *       "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "key": "awp_u_0123456789012345678901234567890123456789012abcdef"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected.https_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "AgentKeys.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "AgentToday.get": {
        parameters: {
            query?: {
                /** @description The instant from which on it counts, at most 7 days ago; rounded down to a whole hour. Absent: since midnight, UTC. */
                since?: string;
            };
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "activity": [
                     *         0,
                     *         4,
                     *         12
                     *       ],
                     *       "budget": {
                     *         "period": "day",
                     *         "used": {
                     *           "tokens": 40000,
                     *           "costMicros": 120000,
                     *           "turns": 12,
                     *           "toolCalls": 80,
                     *           "wallSeconds": 900
                     *         },
                     *         "limits": {
                     *           "tokens": 2000000,
                     *           "costMicros": 5000000,
                     *           "turns": null,
                     *           "toolCalls": null,
                     *           "wallSeconds": null
                     *         },
                     *         "stopped": false
                     *       },
                     *       "issues": [
                     *         {
                     *           "issue": {
                     *             "status": "Open",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "key": "DOCS-12",
                     *             "title": "Write the release notes"
                     *           },
                     *           "finishedAs": "Open",
                     *           "asked": 1,
                     *           "calls": 9,
                     *           "toolErrors": 1,
                     *           "tools": [
                     *             {
                     *               "calls": 4,
                     *               "errors": 0,
                     *               "server": "GitHub",
                     *               "tool": "create_branch"
                     *             }
                     *           ],
                     *           "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "pickedUpAt": "2026-11-21T09:30:00.000Z",
                     *           "finishedAt": "2026-11-21T09:30:00.000Z",
                     *           "usage": {
                     *             "inputTokens": 12000,
                     *             "outputTokens": 800,
                     *             "cacheReadTokens": 9000,
                     *             "cacheWriteTokens": 0,
                     *             "costMicros": 41000,
                     *             "turns": 4,
                     *             "unreportedTurns": 0,
                     *             "toolCalls": 9,
                     *             "wallSeconds": 310
                     *           }
                     *         }
                     *       ],
                     *       "asked": [
                     *         {
                     *           "kind": "question",
                     *           "state": "open",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "title": "Which quarter should the report cover?",
                     *           "issueKey": "DOCS-12",
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "closedAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "since": "2026-11-21T09:30:00.000Z",
                     *       "sums": {
                     *         "issues": 6,
                     *         "pickedUp": 4,
                     *         "finished": 3,
                     *         "asked": 1,
                     *         "calls": 120,
                     *         "toolErrors": 2,
                     *         "usage": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AgentTodayResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "AgentTools.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "reason": "not_granted",
                     *         "invalidReason": null,
                     *         "ask": false,
                     *         "source": "grant",
                     *         "name": "echo",
                     *         "advertisedName": "everything__echo",
                     *         "serverId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *         "serverName": "Everything (reference)",
                     *         "allowed": false,
                     *         "profiles": [
                     *           "Support team"
                     *         ],
                     *         "credentialSet": "default"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AgentToolResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "AgentWork.get": {
        parameters: {
            query?: {
                /** @description The most issues of each of the two lists. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "running": [
                     *         {
                     *           "status": "Open",
                     *           "allowedTransitions": [
                     *             "Open"
                     *           ],
                     *           "priority": "none",
                     *           "assignee": {
                     *             "type": "agent",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           },
                     *           "labels": [
                     *             {
                     *               "color": "gray",
                     *               "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *               "name": "bug"
                     *             }
                     *           ],
                     *           "lease": {
                     *             "expiresAt": "2026-11-21T09:30:00.000Z"
                     *           },
                     *           "attempts": 1,
                     *           "version": 1,
                     *           "statusSince": "2026-11-21T09:30:00.000Z",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *           "key": "DOCS-1",
                     *           "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "title": "Write the release notes",
                     *           "paused": false,
                     *           "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "parentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "holdsParent": false,
                     *           "children": {
                     *             "total": 1,
                     *             "resolved": 1
                     *           },
                     *           "createdBy": {
                     *             "type": "user",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "updatedAt": "2026-11-21T09:30:00.000Z",
                     *           "startedAt": "2026-11-21T09:30:00.000Z",
                     *           "resolvedAt": "2026-11-21T09:30:00.000Z",
                     *           "closedAt": "2026-11-21T09:30:00.000Z",
                     *           "why": {
                     *             "reason": "waiting",
                     *             "waitsFor": [
                     *               {
                     *                 "type": "issue",
                     *                 "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *                 "label": "DOCS-11"
                     *               }
                     *             ],
                     *             "sentence": "It waits for DOCS-11; once they are Resolved or Closed, it becomes Open automatically."
                     *           },
                     *           "code": {
                     *             "open": 1,
                     *             "failing": 1
                     *           }
                     *         }
                     *       ],
                     *       "next": [
                     *         {
                     *           "status": "Open",
                     *           "allowedTransitions": [
                     *             "Open"
                     *           ],
                     *           "priority": "none",
                     *           "assignee": {
                     *             "type": "agent",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           },
                     *           "labels": [
                     *             {
                     *               "color": "gray",
                     *               "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *               "name": "bug"
                     *             }
                     *           ],
                     *           "lease": {
                     *             "expiresAt": "2026-11-21T09:30:00.000Z"
                     *           },
                     *           "attempts": 1,
                     *           "version": 1,
                     *           "statusSince": "2026-11-21T09:30:00.000Z",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *           "key": "DOCS-1",
                     *           "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "title": "Write the release notes",
                     *           "paused": false,
                     *           "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "parentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "holdsParent": false,
                     *           "children": {
                     *             "total": 1,
                     *             "resolved": 1
                     *           },
                     *           "createdBy": {
                     *             "type": "user",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "updatedAt": "2026-11-21T09:30:00.000Z",
                     *           "startedAt": "2026-11-21T09:30:00.000Z",
                     *           "resolvedAt": "2026-11-21T09:30:00.000Z",
                     *           "closedAt": "2026-11-21T09:30:00.000Z",
                     *           "why": {
                     *             "reason": "waiting",
                     *             "waitsFor": [
                     *               {
                     *                 "type": "issue",
                     *                 "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *                 "label": "DOCS-11"
                     *               }
                     *             ],
                     *             "sentence": "It waits for DOCS-11; once they are Resolved or Closed, it becomes Open automatically."
                     *           },
                     *           "code": {
                     *             "open": 1,
                     *             "failing": 1
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AgentWorkResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Fleet.get": {
        parameters: {
            query?: {
                /** @description The instant from which on it counts, at most 7 days ago; rounded down to a whole hour. Absent: since midnight, UTC. */
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agents": [
                     *         {
                     *           "maxConcurrentIssues": 10,
                     *           "activeIssues": 0,
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *           "name": "Release notes writer",
                     *           "description": "Writes release notes from merged work.",
                     *           "disabled": false,
                     *           "lastHeartbeatAt": "2026-11-21T09:30:00.000Z",
                     *           "why": {
                     *             "reason": "agent_disabled",
                     *             "sentence": "It takes work on its next heartbeat."
                     *           },
                     *           "failing": {
                     *             "worker": "writer-1",
                     *             "reason": "The agent ended with code 1.",
                     *             "since": "2026-11-21T09:30:00.000Z"
                     *           },
                     *           "current": {
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "key": "DOCS-12",
                     *             "title": "Write the release notes",
                     *             "since": "2026-11-21T09:30:00.000Z",
                     *             "line": "Writing the notes."
                     *           },
                     *           "finished": 3,
                     *           "toolErrors": 1,
                     *           "waiting": 1,
                     *           "budget": {
                     *             "period": "day",
                     *             "used": {
                     *               "tokens": 40000,
                     *               "costMicros": 120000,
                     *               "turns": 12,
                     *               "toolCalls": 80,
                     *               "wallSeconds": 900
                     *             },
                     *             "limits": {
                     *               "tokens": 2000000,
                     *               "costMicros": 5000000,
                     *               "turns": null,
                     *               "toolCalls": null,
                     *               "wallSeconds": null
                     *             },
                     *             "stopped": false
                     *           },
                     *           "activity": [
                     *             0,
                     *             4,
                     *             12
                     *           ],
                     *           "usage": {
                     *             "inputTokens": 12000,
                     *             "outputTokens": 800,
                     *             "cacheReadTokens": 9000,
                     *             "cacheWriteTokens": 0,
                     *             "costMicros": 41000,
                     *             "turns": 4,
                     *             "unreportedTurns": 0,
                     *             "toolCalls": 9,
                     *             "wallSeconds": 310
                     *           }
                     *         }
                     *       ],
                     *       "since": "2026-11-21T09:30:00.000Z",
                     *       "sums": {
                     *         "agents": 12,
                     *         "atWork": 5,
                     *         "idle": 4,
                     *         "stopped": 2,
                     *         "silent": 1,
                     *         "waiting": 3,
                     *         "finished": 9,
                     *         "toolErrors": 2,
                     *         "usage": {
                     *           "inputTokens": 12000,
                     *           "outputTokens": 800,
                     *           "cacheReadTokens": 9000,
                     *           "cacheWriteTokens": 0,
                     *           "costMicros": 41000,
                     *           "turns": 4,
                     *           "unreportedTurns": 0,
                     *           "toolCalls": 9,
                     *           "wallSeconds": 310
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FleetResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Heartbeat.send": {
        parameters: {
            query?: {
                /** @description Seconds to wait for something to start or to stop; at most a third of the lease. */
                wait?: number;
            };
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The calling agent: its id, or `me`.
                 * @example me
                 */
                agentId: unknown;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "capacity": 1,
                 *       "worker": "writer-1",
                 *       "instance": "8f14e45f-ceea-467f-a0e6-7b2c3a5d1c11",
                 *       "failing": "The agent ended with code 1."
                 *     }
                 */
                "application/json": components["schemas"]["HeartbeatRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pickedUp": [
                     *         {
                     *           "answers": [
                     *             {
                     *               "kind": "question",
                     *               "state": "open",
                     *               "fields": {},
                     *               "decision": "approve",
                     *               "result": {},
                     *               "gateId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *               "question": "May I publish the release notes today?",
                     *               "option": "Publish today",
                     *               "text": "Publish them after the review.",
                     *               "toolName": "echo",
                     *               "note": "Not on a Friday.",
                     *               "outcome": "ok"
                     *             }
                     *           ],
                     *           "issue": {
                     *             "status": "Open",
                     *             "allowedTransitions": [
                     *               "Open"
                     *             ],
                     *             "priority": "none",
                     *             "assignee": {
                     *               "type": "agent",
                     *               "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *               "name": "Release notes writer"
                     *             },
                     *             "labels": [
                     *               {
                     *                 "color": "gray",
                     *                 "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *                 "name": "bug"
                     *               }
                     *             ],
                     *             "lease": {
                     *               "expiresAt": "2026-11-21T09:30:00.000Z"
                     *             },
                     *             "attempts": 1,
                     *             "version": 1,
                     *             "statusSince": "2026-11-21T09:30:00.000Z",
                     *             "links": [
                     *               {
                     *                 "linkType": "Blocks",
                     *                 "direction": "outgoing",
                     *                 "createdAt": "2026-11-21T09:30:00.000Z",
                     *                 "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *                 "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *                 "targetIssueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *                 "target": {
                     *                   "status": "Open",
                     *                   "key": "DOCS-2",
                     *                   "title": "Collect the merged work"
                     *                 },
                     *                 "createdBy": {
                     *                   "type": "user",
                     *                   "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *                   "name": "Release notes writer"
                     *                 }
                     *               }
                     *             ],
                     *             "importedAt": "2026-11-21T09:30:00.000Z",
                     *             "description": "Collect what was merged since the last release and write the notes.",
                     *             "externalId": "github:acme/web#12",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *             "key": "DOCS-1",
                     *             "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "title": "Write the release notes",
                     *             "paused": false,
                     *             "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "parentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "holdsParent": false,
                     *             "children": {
                     *               "total": 1,
                     *               "resolved": 1
                     *             },
                     *             "createdBy": {
                     *               "type": "user",
                     *               "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *               "name": "Ada Lovelace"
                     *             },
                     *             "createdAt": "2026-11-21T09:30:00.000Z",
                     *             "updatedAt": "2026-11-21T09:30:00.000Z",
                     *             "startedAt": "2026-11-21T09:30:00.000Z",
                     *             "resolvedAt": "2026-11-21T09:30:00.000Z",
                     *             "closedAt": "2026-11-21T09:30:00.000Z"
                     *           },
                     *           "lease": {
                     *             "token": 1,
                     *             "expiresAt": "2026-11-21T09:30:00.000Z"
                     *           },
                     *           "connect": {
                     *             "headers": {
                     *               "Authorization": "Bearer awp_a_…"
                     *             },
                     *             "url": "http://127.0.0.1:3000/mcp"
                     *           }
                     *         }
                     *       ],
                     *       "active": [
                     *         {
                     *           "newComments": [
                     *             {
                     *               "authorType": "User",
                     *               "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *               "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *               "content": "The new importer is merged; please check the totals of March.",
                     *               "author": {
                     *                 "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *                 "name": "Ada Lovelace"
                     *               },
                     *               "createdAt": "2026-11-21T09:30:00.000Z",
                     *               "updatedAt": "2026-11-21T09:30:00.000Z"
                     *             }
                     *           ],
                     *           "changed": [
                     *             "title"
                     *           ],
                     *           "answers": [
                     *             {
                     *               "kind": "question",
                     *               "state": "open",
                     *               "fields": {},
                     *               "decision": "approve",
                     *               "result": {},
                     *               "gateId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *               "question": "May I publish the release notes today?",
                     *               "option": "Publish today",
                     *               "text": "Publish them after the review.",
                     *               "toolName": "echo",
                     *               "note": "Not on a Friday.",
                     *               "outcome": "ok"
                     *             }
                     *           ],
                     *           "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "expiresAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "stop": [
                     *         {
                     *           "reason": "paused",
                     *           "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *         }
                     *       ],
                     *       "suspended": {
                     *         "reason": "halted",
                     *         "detail": "This agent is disabled: stop work. A person can enable it again."
                     *       },
                     *       "nextHeartbeatSeconds": 1,
                     *       "agent": {
                     *         "maxConcurrentIssues": 10,
                     *         "activeIssues": 0,
                     *         "failing": {
                     *           "worker": "writer-1",
                     *           "reason": "The agent ended with code 1.",
                     *           "since": "2026-11-21T09:30:00.000Z"
                     *         },
                     *         "keyExpiresAt": "2026-11-21T09:30:00.000Z",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *         "name": "Release notes writer",
                     *         "description": "Writes release notes from merged work.",
                     *         "disabled": false,
                     *         "toolsRequireLease": false,
                     *         "lastHeartbeatAt": "2026-11-21T09:30:00.000Z",
                     *         "usage": {
                     *           "today": {
                     *             "inputTokens": 12000,
                     *             "outputTokens": 800,
                     *             "cacheReadTokens": 9000,
                     *             "cacheWriteTokens": 0,
                     *             "costMicros": 41000,
                     *             "turns": 4,
                     *             "unreportedTurns": 0,
                     *             "toolCalls": 9,
                     *             "wallSeconds": 310
                     *           },
                     *           "month": {
                     *             "inputTokens": 12000,
                     *             "outputTokens": 800,
                     *             "cacheReadTokens": 9000,
                     *             "cacheWriteTokens": 0,
                     *             "costMicros": 41000,
                     *             "turns": 4,
                     *             "unreportedTurns": 0,
                     *             "toolCalls": 9,
                     *             "wallSeconds": 310
                     *           }
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["HeartbeatResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["worker_taken.worker_superseded.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "McpEndpoint.get": {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that `initialize` began. Only for protocol version 2025-11-25 and earlier. */
                "Mcp-Session-Id"?: string;
            };
            path: {
                /**
                 * @description The calling agent: its id, or `me`.
                 * @example me
                 */
                agentId: unknown;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Notifications, for example `notifications/tools/list_changed`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example event: message
                     *     data: {}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description The body is not JSON-RPC, or the request needs a session. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            /** @description The session was deleted or is not one of this agent. Send `initialize` again. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The request names no session, or too many streams of this agent are open. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The session already has such a stream. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "McpEndpoint.post": {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that `initialize` began. Only for protocol version 2025-11-25 and earlier. */
                "Mcp-Session-Id"?: string;
                /** @description The protocol version that the client speaks. */
                "MCP-Protocol-Version"?: string;
            };
            path: {
                /**
                 * @description The calling agent: its id, or `me`.
                 * @example me
                 */
                agentId: unknown;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "tools/list"
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The response, as JSON or as an event stream that ends with it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "result": {
                     *         "tools": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                    /**
                     * @example event: message
                     *     data: {}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description A notification was accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON-RPC, or the request needs a session. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            /** @description The session was deleted or is not one of this agent. Send `initialize` again. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client accepts neither JSON nor event streams. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The frame has more than `MCP_FRAME_MAX_BYTES`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "McpEndpoint.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that `initialize` began. Only for protocol version 2025-11-25 and earlier. */
                "Mcp-Session-Id"?: string;
            };
            path: {
                /**
                 * @description The calling agent: its id, or `me`.
                 * @example me
                 */
                agentId: unknown;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON-RPC, or the request needs a session. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            /** @description The session was deleted or is not one of this agent. Send `initialize` again. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Heartbeat.turn": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The calling agent: its id, or `me`.
                 * @example me
                 */
                agentId: unknown;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "issueId": "DOCS-1",
                 *       "toolsVersion": "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
                 *     }
                 */
                "application/json": components["schemas"]["TurnRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reason": "paused",
                     *       "newComments": [
                     *         {
                     *           "authorType": "User",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "content": "The new importer is merged; please check the totals of March.",
                     *           "author": {
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Ada Lovelace"
                     *           },
                     *           "createdAt": "2026-11-21T09:30:00.000Z",
                     *           "updatedAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "changed": [
                     *         "title"
                     *       ],
                     *       "answers": [
                     *         {
                     *           "kind": "question",
                     *           "state": "open",
                     *           "fields": {},
                     *           "decision": "approve",
                     *           "result": {},
                     *           "gateId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "question": "May I publish the release notes today?",
                     *           "option": "Publish today",
                     *           "text": "Publish them after the review.",
                     *           "toolName": "echo",
                     *           "note": "Not on a Friday.",
                     *           "outcome": "ok"
                     *         }
                     *       ],
                     *       "tools": [
                     *         {
                     *           "inputSchema": {},
                     *           "name": "everything__echo",
                     *           "serverId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "serverName": "Everything for tests",
                     *           "description": "Writes release notes from merged work."
                     *         }
                     *       ],
                     *       "proceed": false,
                     *       "toolsVersion": "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
                     *     }
                     */
                    "application/json": components["schemas"]["TurnResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Finish.finish": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": 1,
                 *       "status": "Resolved",
                 *       "comment": "All of it is in the changelog now.",
                 *       "reason": "The worker is being restarted."
                 *     }
                 */
                "application/json": components["schemas"]["FinishRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issue": {
                     *         "status": "Open",
                     *         "allowedTransitions": [
                     *           "Open"
                     *         ],
                     *         "priority": "none",
                     *         "assignee": {
                     *           "type": "agent",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "labels": [
                     *           {
                     *             "color": "gray",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *             "name": "bug"
                     *           }
                     *         ],
                     *         "lease": {
                     *           "expiresAt": "2026-11-21T09:30:00.000Z"
                     *         },
                     *         "attempts": 1,
                     *         "version": 1,
                     *         "statusSince": "2026-11-21T09:30:00.000Z",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *         "key": "DOCS-1",
                     *         "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "title": "Write the release notes",
                     *         "paused": false,
                     *         "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "parentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "holdsParent": false,
                     *         "children": {
                     *           "total": 1,
                     *           "resolved": 1
                     *         },
                     *         "createdBy": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z",
                     *         "startedAt": "2026-11-21T09:30:00.000Z",
                     *         "resolvedAt": "2026-11-21T09:30:00.000Z",
                     *         "closedAt": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "commentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "attachmentIds": [
                     *         "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FinishResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.not_yours.agent_disabled"];
            404: components["responses"]["not_found"];
            409: components["responses"]["invalid_transition.lease_lost.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited.quota_exceeded"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Finish.release": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": 1,
                 *       "reason": "The worker is being restarted."
                 *     }
                 */
                "application/json": components["schemas"]["ReleaseRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issue": {
                     *         "status": "Open",
                     *         "allowedTransitions": [
                     *           "Open"
                     *         ],
                     *         "priority": "none",
                     *         "assignee": {
                     *           "type": "agent",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "labels": [
                     *           {
                     *             "color": "gray",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *             "name": "bug"
                     *           }
                     *         ],
                     *         "lease": {
                     *           "expiresAt": "2026-11-21T09:30:00.000Z"
                     *         },
                     *         "attempts": 1,
                     *         "version": 1,
                     *         "statusSince": "2026-11-21T09:30:00.000Z",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05",
                     *         "key": "DOCS-1",
                     *         "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "title": "Write the release notes",
                     *         "paused": false,
                     *         "assignedAgentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "assigneeUserId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "goalId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "parentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "holdsParent": false,
                     *         "children": {
                     *           "total": 1,
                     *           "resolved": 1
                     *         },
                     *         "createdBy": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         },
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z",
                     *         "startedAt": "2026-11-21T09:30:00.000Z",
                     *         "resolvedAt": "2026-11-21T09:30:00.000Z",
                     *         "closedAt": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "commentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "attachmentIds": [
                     *         "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["FinishResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.not_yours.agent_disabled"];
            404: components["responses"]["not_found"];
            409: components["responses"]["invalid_transition.lease_lost.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "McpEndpoint.get2": {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that `initialize` began. Only for protocol version 2025-11-25 and earlier. */
                "Mcp-Session-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Notifications, for example `notifications/tools/list_changed`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example event: message
                     *     data: {}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description The body is not JSON-RPC, or the request needs a session. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            /** @description The session was deleted or is not one of this agent. Send `initialize` again. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The request names no session, or too many streams of this agent are open. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The session already has such a stream. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "McpEndpoint.post2": {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that `initialize` began. Only for protocol version 2025-11-25 and earlier. */
                "Mcp-Session-Id"?: string;
                /** @description The protocol version that the client speaks. */
                "MCP-Protocol-Version"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "tools/list"
                 *     }
                 */
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The response, as JSON or as an event stream that ends with it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": 1,
                     *       "result": {
                     *         "tools": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                    /**
                     * @example event: message
                     *     data: {}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description A notification was accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON-RPC, or the request needs a session. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            /** @description The session was deleted or is not one of this agent. Send `initialize` again. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client accepts neither JSON nor event streams. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The frame has more than `MCP_FRAME_MAX_BYTES`. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The body is not `application/json`. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "McpEndpoint.delete2": {
        parameters: {
            query?: never;
            header?: {
                /** @description The session that `initialize` began. Only for protocol version 2025-11-25 and earlier. */
                "Mcp-Session-Id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON-RPC, or the request needs a session. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            /** @description The session was deleted or is not one of this agent. Send `initialize` again. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jsonrpc": "2.0",
                     *       "id": null,
                     *       "error": {
                     *         "code": -32600,
                     *         "message": "Invalid Request"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "AgentBudget.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": 2000000,
                     *       "costMicros": 5000000,
                     *       "turns": 500,
                     *       "toolCalls": 1000,
                     *       "wallSeconds": 36000,
                     *       "period": "day",
                     *       "used": {
                     *         "tokens": 40000,
                     *         "costMicros": 120000,
                     *         "turns": 12,
                     *         "toolCalls": 80,
                     *         "wallSeconds": 900
                     *       },
                     *       "extended": {
                     *         "tokens": 40000,
                     *         "costMicros": 120000,
                     *         "turns": 12,
                     *         "toolCalls": 80,
                     *         "wallSeconds": 900
                     *       },
                     *       "startsOn": "2026-11-01",
                     *       "stopped": false,
                     *       "gateId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *     }
                     */
                    "application/json": components["schemas"]["BudgetResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "AgentBudget.put": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tokens": 2000000,
                 *       "costMicros": 5000000,
                 *       "turns": 500,
                 *       "toolCalls": 1000,
                 *       "wallSeconds": 36000,
                 *       "period": "day"
                 *     }
                 */
                "application/json": components["schemas"]["SetBudgetRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": 2000000,
                     *       "costMicros": 5000000,
                     *       "turns": 500,
                     *       "toolCalls": 1000,
                     *       "wallSeconds": 36000,
                     *       "period": "day",
                     *       "used": {
                     *         "tokens": 40000,
                     *         "costMicros": 120000,
                     *         "turns": 12,
                     *         "toolCalls": 80,
                     *         "wallSeconds": 900
                     *       },
                     *       "extended": {
                     *         "tokens": 40000,
                     *         "costMicros": 120000,
                     *         "turns": 12,
                     *         "toolCalls": 80,
                     *         "wallSeconds": 900
                     *       },
                     *       "startsOn": "2026-11-01",
                     *       "stopped": false,
                     *       "gateId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *     }
                     */
                    "application/json": components["schemas"]["BudgetResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "AgentBudget.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "IssueBudget.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": 2000000,
                     *       "costMicros": 5000000,
                     *       "turns": 500,
                     *       "toolCalls": 1000,
                     *       "wallSeconds": 36000,
                     *       "period": "day",
                     *       "used": {
                     *         "tokens": 40000,
                     *         "costMicros": 120000,
                     *         "turns": 12,
                     *         "toolCalls": 80,
                     *         "wallSeconds": 900
                     *       },
                     *       "extended": {
                     *         "tokens": 40000,
                     *         "costMicros": 120000,
                     *         "turns": 12,
                     *         "toolCalls": 80,
                     *         "wallSeconds": 900
                     *       },
                     *       "startsOn": "2026-11-01",
                     *       "stopped": false,
                     *       "gateId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *     }
                     */
                    "application/json": components["schemas"]["BudgetResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "IssueBudget.put": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tokens": 2000000,
                 *       "costMicros": 5000000,
                 *       "turns": 500,
                 *       "toolCalls": 1000,
                 *       "wallSeconds": 36000,
                 *       "period": "day"
                 *     }
                 */
                "application/json": components["schemas"]["SetBudgetRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": 2000000,
                     *       "costMicros": 5000000,
                     *       "turns": 500,
                     *       "toolCalls": 1000,
                     *       "wallSeconds": 36000,
                     *       "period": "day",
                     *       "used": {
                     *         "tokens": 40000,
                     *         "costMicros": 120000,
                     *         "turns": 12,
                     *         "toolCalls": 80,
                     *         "wallSeconds": 900
                     *       },
                     *       "extended": {
                     *         "tokens": 40000,
                     *         "costMicros": 120000,
                     *         "turns": 12,
                     *         "toolCalls": 80,
                     *         "wallSeconds": 900
                     *       },
                     *       "startsOn": "2026-11-01",
                     *       "stopped": false,
                     *       "gateId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *     }
                     */
                    "application/json": components["schemas"]["BudgetResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "IssueBudget.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS-1 */
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "ProjectBudget.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": 2000000,
                     *       "costMicros": 5000000,
                     *       "turns": 500,
                     *       "toolCalls": 1000,
                     *       "wallSeconds": 36000,
                     *       "period": "day",
                     *       "used": {
                     *         "tokens": 40000,
                     *         "costMicros": 120000,
                     *         "turns": 12,
                     *         "toolCalls": 80,
                     *         "wallSeconds": 900
                     *       },
                     *       "extended": {
                     *         "tokens": 40000,
                     *         "costMicros": 120000,
                     *         "turns": 12,
                     *         "toolCalls": 80,
                     *         "wallSeconds": 900
                     *       },
                     *       "startsOn": "2026-11-01",
                     *       "stopped": false,
                     *       "gateId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *     }
                     */
                    "application/json": components["schemas"]["BudgetResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "ProjectBudget.put": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tokens": 2000000,
                 *       "costMicros": 5000000,
                 *       "turns": 500,
                 *       "toolCalls": 1000,
                 *       "wallSeconds": 36000,
                 *       "period": "day"
                 *     }
                 */
                "application/json": components["schemas"]["SetBudgetRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": 2000000,
                     *       "costMicros": 5000000,
                     *       "turns": 500,
                     *       "toolCalls": 1000,
                     *       "wallSeconds": 36000,
                     *       "period": "day",
                     *       "used": {
                     *         "tokens": 40000,
                     *         "costMicros": 120000,
                     *         "turns": 12,
                     *         "toolCalls": 80,
                     *         "wallSeconds": 900
                     *       },
                     *       "extended": {
                     *         "tokens": 40000,
                     *         "costMicros": 120000,
                     *         "turns": 12,
                     *         "toolCalls": 80,
                     *         "wallSeconds": 900
                     *       },
                     *       "startsOn": "2026-11-01",
                     *       "stopped": false,
                     *       "gateId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *     }
                     */
                    "application/json": components["schemas"]["BudgetResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "ProjectBudget.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example DOCS */
                projectId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Usage.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                groupBy?: "agent" | "project" | "issue" | "model" | "day";
                /** @description Usage from this instant on, in whole hours; absent: the last 30 days. */
                from?: string;
                /** @description Usage before this instant, in whole hours; absent: until now. */
                to?: string;
                agentId?: string;
                /** @description Id or key of the project. */
                projectId?: string;
                /** @description Id or key of the issue. */
                issueId?: string;
                /** @description A model as agents name it in their reports. */
                model?: string;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "inputTokens": 12000,
                     *         "outputTokens": 800,
                     *         "cacheReadTokens": 9000,
                     *         "cacheWriteTokens": 0,
                     *         "costMicros": 41000,
                     *         "turns": 4,
                     *         "unreportedTurns": 0,
                     *         "toolCalls": 9,
                     *         "wallSeconds": 310,
                     *         "key": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *         "label": "Release notes writer"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["UsageResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "InstalledServers.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "transport": "stdio",
                     *         "status": "enabled",
                     *         "configuredEnv": [
                     *           "ACME_TOKEN"
                     *         ],
                     *         "missingEnv": [],
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *         "name": "Everything (reference)",
                     *         "slug": "everything",
                     *         "catalogId": "everything",
                     *         "statusReason": "The server ended five times within ten minutes.",
                     *         "lastVerification": {
                     *           "status": "ok",
                     *           "capabilities": [
                     *             "echo"
                     *           ],
                     *           "phase": "runtime",
                     *           "phases": [
                     *             {
                     *               "phase": "runtime",
                     *               "status": "ok",
                     *               "ms": 1,
                     *               "detail": "13 tools"
                     *             }
                     *           ],
                     *           "latencyMs": 812,
                     *           "credentials": "accepted",
                     *           "warnings": [
                     *             {
                     *               "subject": "echo",
                     *               "message": "The tool is withheld from agents, because description must be text."
                     *             }
                     *           ],
                     *           "at": "2026-11-21T09:30:00.000Z",
                     *           "by": {
                     *             "type": "user",
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *             "name": "Release notes writer"
                     *           },
                     *           "checkedAt": "2026-11-21T09:30:00.000Z",
                     *           "details": "The server answered the handshake and listed 13 tools in 812 ms.",
                     *           "protocolVersion": "2025-11-25",
                     *           "serverInfo": {
                     *             "name": "mcp-servers/everything",
                     *             "version": "2.0.0"
                     *           }
                     *         },
                     *         "limits": {
                     *           "memoryMb": 2048,
                     *           "processes": 1,
                     *           "openFiles": 1,
                     *           "callTimeoutSeconds": 120
                     *         },
                     *         "catalogVersion": "2026.8.31",
                     *         "updateAvailable": false,
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["InstalledServerResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "InstalledServers.install": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "envValues": {},
                 *       "name": "Everything for tests",
                 *       "catalogId": "everything"
                 *     }
                 */
                "application/json": components["schemas"]["InstallServerRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transport": "stdio",
                     *       "status": "enabled",
                     *       "configuredEnv": [
                     *         "ACME_TOKEN"
                     *       ],
                     *       "missingEnv": [],
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *       "name": "Everything (reference)",
                     *       "slug": "everything",
                     *       "catalogId": "everything",
                     *       "statusReason": "The server ended five times within ten minutes.",
                     *       "lastVerification": {
                     *         "status": "ok",
                     *         "capabilities": [
                     *           "echo"
                     *         ],
                     *         "phase": "runtime",
                     *         "phases": [
                     *           {
                     *             "phase": "runtime",
                     *             "status": "ok",
                     *             "ms": 1,
                     *             "detail": "13 tools"
                     *           }
                     *         ],
                     *         "latencyMs": 812,
                     *         "credentials": "accepted",
                     *         "warnings": [
                     *           {
                     *             "subject": "echo",
                     *             "message": "The tool is withheld from agents, because description must be text."
                     *           }
                     *         ],
                     *         "at": "2026-11-21T09:30:00.000Z",
                     *         "by": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "checkedAt": "2026-11-21T09:30:00.000Z",
                     *         "details": "The server answered the handshake and listed 13 tools in 812 ms.",
                     *         "protocolVersion": "2025-11-25",
                     *         "serverInfo": {
                     *           "name": "mcp-servers/everything",
                     *           "version": "2.0.0"
                     *         }
                     *       },
                     *       "limits": {
                     *         "memoryMb": 2048,
                     *         "processes": 1,
                     *         "openFiles": 1,
                     *         "callTimeoutSeconds": 120
                     *       },
                     *       "catalogVersion": "2026.8.31",
                     *       "updateAvailable": false,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InstalledServerResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.https_required"];
            409: components["responses"]["name_taken.runtime_not_detected.not_installable.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            502: components["responses"]["package_unavailable"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "AccessMatrix.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agents": [
                     *         {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *           "name": "Release notes writer",
                     *           "disabled": false
                     *         }
                     *       ],
                     *       "servers": [
                     *         {
                     *           "status": "enabled",
                     *           "tools": 22,
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *           "name": "Everything (reference)"
                     *         }
                     *       ],
                     *       "cells": [
                     *         {
                     *           "tools": [
                     *             "echo"
                     *           ],
                     *           "ask": "writes",
                     *           "approverRole": "Editor",
                     *           "source": "grant",
                     *           "agentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *           "serverId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *           "granted": false,
                     *           "credentialSet": "default"
                     *         }
                     *       ],
                     *       "profiles": [
                     *         {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31",
                     *           "name": "Writers",
                     *           "agentIds": [
                     *             "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *           ],
                     *           "serverIds": [
                     *             "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccessMatrixResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "AccessMatrix.set": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entries": [
                 *         {
                 *           "tools": null,
                 *           "ask": "writes",
                 *           "agentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                 *           "serverId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                 *           "granted": false,
                 *           "credentialSet": "team-a"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SetAccessRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agents": [
                     *         {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *           "name": "Release notes writer",
                     *           "disabled": false
                     *         }
                     *       ],
                     *       "servers": [
                     *         {
                     *           "status": "enabled",
                     *           "tools": 22,
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *           "name": "Everything (reference)"
                     *         }
                     *       ],
                     *       "cells": [
                     *         {
                     *           "tools": [
                     *             "echo"
                     *           ],
                     *           "ask": "writes",
                     *           "approverRole": "Editor",
                     *           "source": "grant",
                     *           "agentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *           "serverId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *           "granted": false,
                     *           "credentialSet": "default"
                     *         }
                     *       ],
                     *       "profiles": [
                     *         {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31",
                     *           "name": "Writers",
                     *           "agentIds": [
                     *             "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *           ],
                     *           "serverIds": [
                     *             "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccessMatrixResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Calls.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description Only calls at or after this instant, in ISO 8601 with a time zone. */
                from?: string;
                /** @description Only calls before this instant. */
                to?: string;
                outcome?: components["schemas"]["CallOutcome"];
                /** @description Id or key of the issue. */
                issueId?: string;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
                agentId?: string;
                serverId?: string;
                /** @description The server's own name of the tool. */
                toolName?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "agent": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *           "name": "Release notes writer"
                     *         },
                     *         "user": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *           "name": "Release notes writer"
                     *         },
                     *         "issue": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "key": "DOCS-12",
                     *           "title": "Write the release notes"
                     *         },
                     *         "leaseToken": 1,
                     *         "outcome": "ok",
                     *         "reason": "not_granted",
                     *         "durationMs": 12,
                     *         "argumentShape": {
                     *           "path": "string"
                     *         },
                     *         "argumentsHash": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
                     *         "resultBytes": 1,
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "at": "2026-11-21T09:30:00.000Z",
                     *         "server": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *           "name": "Release notes writer"
                     *         },
                     *         "toolName": "echo",
                     *         "gateId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CallResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Calls.summary": {
        parameters: {
            query?: {
                /** @description Only calls at or after this instant, in ISO 8601 with a time zone. */
                from?: string;
                /** @description Only calls before this instant. */
                to?: string;
                agentId?: string;
                serverId?: string;
                /** @description The server's own name of the tool. */
                toolName?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calls": 40,
                     *       "outcomes": {
                     *         "ok": 1,
                     *         "tool_error": 1,
                     *         "refused": 1,
                     *         "timeout": 1,
                     *         "cancelled": 1,
                     *         "unavailable": 1,
                     *         "unknown": 1
                     *       },
                     *       "tools": [
                     *         {
                     *           "calls": 40,
                     *           "failed": 1,
                     *           "medianMs": 12,
                     *           "p95Ms": 80,
                     *           "server": {
                     *             "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *             "name": "Release notes writer"
                     *           },
                     *           "toolName": "echo"
                     *         }
                     *       ],
                     *       "from": "2026-11-21T09:30:00.000Z",
                     *       "to": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CallSummaryResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Catalog.list": {
        parameters: {
            query?: {
                category?: "database" | "saas" | "search" | "cloud" | "dev" | "productivity";
                transport?: "stdio" | "http" | "sse";
                runtime?: "node" | "python" | "pipx" | "none";
                /** @description Only the entries that this host can install now, or only the others. */
                installable?: boolean;
                /** @description Words that must all occur in id, name, description or publisher. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "category": "database",
                     *         "transport": "stdio",
                     *         "runtime": "node",
                     *         "id": "memory",
                     *         "name": "Memory",
                     *         "description": "Writes release notes from merged work.",
                     *         "verified": false,
                     *         "verifiedBy": "npm run catalog:check",
                     *         "version": "2026.8.31",
                     *         "publisher": "Acme",
                     *         "homepage": "https://acme.example",
                     *         "license": "MIT",
                     *         "installInstructions": "Create a token in the Acme console.",
                     *         "requiresCredentials": false,
                     *         "credentialCheck": "Verify calls get_me, which fails with a wrong credential.",
                     *         "installable": false,
                     *         "installableReason": "The runtime python was not found on this host."
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CatalogEntryResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Catalog.check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entry": {
                 *         "id": "reports",
                 *         "name": "Reports",
                 *         "description": "Search the reports of this company.",
                 *         "category": "search",
                 *         "transport": "http",
                 *         "runtime": "none",
                 *         "version": "1",
                 *         "manifest": {
                 *           "url": "https://reports.example.com/mcp"
                 *         },
                 *         "environmentVariables": []
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CheckEntryRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "errors": [
                     *         {
                     *           "path": "manifest.launch.args[0]",
                     *           "message": "uses ACME_TOKEN, which is not declared in environmentVariables"
                     *         }
                     *       ],
                     *       "valid": false
                     *     }
                     */
                    "application/json": components["schemas"]["EntryCheckResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "PackageImports.create": {
        parameters: {
            query?: {
                /** @description Only looks at the package: nothing is stored. */
                dryRun?: boolean;
            };
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "package": "@acme/mcp@1.4.2",
                 *       "hosts": [
                 *         "api.acme.example"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ImportPackageRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "notes": [
                     *         "Its README names NODE_OPTIONS, which controls a runtime. It is left out."
                     *       ],
                     *       "dryRun": false,
                     *       "entry": {
                     *         "category": "database",
                     *         "transport": "stdio",
                     *         "runtime": "node",
                     *         "manifest": {
                     *           "sharing": "shared",
                     *           "serverJson": {},
                     *           "network": "none",
                     *           "limits": {
                     *             "memoryMb": 2048
                     *           },
                     *           "package": {
                     *             "registry": "npm",
                     *             "name": "Release notes writer",
                     *             "version": "1.4.2",
                     *             "integrity": "sha512-nhqGnbTAdb+BblDAG59vD0u4T3/QzDA7h6pYbBP1djH7RGjJcTg8uLVAJ7jNkbKF90NkQ/fF9K8u8SkKUQZEyQ==",
                     *             "closure": [
                     *               {
                     *                 "name": "anyio",
                     *                 "version": "4.6.2",
                     *                 "files": [
                     *                   {
                     *                     "filename": "anyio-4.6.2-py3-none-any.whl",
                     *                     "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *                   }
                     *                 ]
                     *               }
                     *             ]
                     *           },
                     *           "launch": {
                     *             "command": "node",
                     *             "args": [
                     *               "{installDir}/node_modules/@acme/mcp/dist/index.js"
                     *             ],
                     *             "cwd": "{dataDir}"
                     *           },
                     *           "runInstallScripts": false,
                     *           "credentialProbe": {
                     *             "arguments": {},
                     *             "tool": "list_orders"
                     *           },
                     *           "noProbeReason": "its tools report a wrong key as an ordinary result"
                     *         },
                     *         "environmentVariables": [
                     *           {
                     *             "format": "string",
                     *             "access": "read",
                     *             "searchPaths": [
                     *               "/usr/bin/chromium"
                     *             ],
                     *             "name": "MEMORY_FILE_PATH",
                     *             "description": "Writes release notes from merged work.",
                     *             "isRequired": false,
                     *             "isSecret": false,
                     *             "default": "eu",
                     *             "choices": [
                     *               "eu",
                     *               "us"
                     *             ],
                     *             "placeholder": "eu",
                     *             "pattern": "^[a-z]+$"
                     *           }
                     *         ],
                     *         "runtimeVersion": ">=20",
                     *         "importedFrom": "https://registry.modelcontextprotocol.io/v0.1/servers/io.github.acme%2Fweather/versions/1.2.0",
                     *         "id": "memory",
                     *         "name": "Memory",
                     *         "description": "Writes release notes from merged work.",
                     *         "verified": false,
                     *         "verifiedBy": "npm run catalog:check",
                     *         "version": "2026.8.31",
                     *         "publisher": "Acme",
                     *         "homepage": "https://acme.example",
                     *         "license": "MIT",
                     *         "installInstructions": "Create a token in the Acme console.",
                     *         "requiresCredentials": false,
                     *         "credentialCheck": "Verify calls get_me, which fails with a wrong credential.",
                     *         "installable": false,
                     *         "installableReason": "The runtime python was not found on this host."
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ImportedPackageResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            409: components["responses"]["not_importable.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            502: components["responses"]["package_unavailable"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Catalog.reload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entries": 40
                     *     }
                     */
                    "application/json": components["schemas"]["CatalogReloadResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Catalog.schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Catalog.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example memory */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "category": "database",
                     *       "transport": "stdio",
                     *       "runtime": "node",
                     *       "manifest": {
                     *         "sharing": "shared",
                     *         "serverJson": {},
                     *         "network": "none",
                     *         "limits": {
                     *           "memoryMb": 2048
                     *         },
                     *         "package": {
                     *           "registry": "npm",
                     *           "name": "Release notes writer",
                     *           "version": "1.4.2",
                     *           "integrity": "sha512-nhqGnbTAdb+BblDAG59vD0u4T3/QzDA7h6pYbBP1djH7RGjJcTg8uLVAJ7jNkbKF90NkQ/fF9K8u8SkKUQZEyQ==",
                     *           "closure": [
                     *             {
                     *               "name": "anyio",
                     *               "version": "4.6.2",
                     *               "files": [
                     *                 {
                     *                   "filename": "anyio-4.6.2-py3-none-any.whl",
                     *                   "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *                 }
                     *               ]
                     *             }
                     *           ]
                     *         },
                     *         "launch": {
                     *           "command": "node",
                     *           "args": [
                     *             "{installDir}/node_modules/@acme/mcp/dist/index.js"
                     *           ],
                     *           "cwd": "{dataDir}"
                     *         },
                     *         "runInstallScripts": false,
                     *         "credentialProbe": {
                     *           "arguments": {},
                     *           "tool": "list_orders"
                     *         },
                     *         "noProbeReason": "its tools report a wrong key as an ordinary result"
                     *       },
                     *       "environmentVariables": [
                     *         {
                     *           "format": "string",
                     *           "access": "read",
                     *           "searchPaths": [
                     *             "/usr/bin/chromium"
                     *           ],
                     *           "name": "MEMORY_FILE_PATH",
                     *           "description": "Writes release notes from merged work.",
                     *           "isRequired": false,
                     *           "isSecret": false,
                     *           "default": "eu",
                     *           "choices": [
                     *             "eu",
                     *             "us"
                     *           ],
                     *           "placeholder": "eu",
                     *           "pattern": "^[a-z]+$"
                     *         }
                     *       ],
                     *       "runtimeVersion": ">=20",
                     *       "importedFrom": "https://registry.modelcontextprotocol.io/v0.1/servers/io.github.acme%2Fweather/versions/1.2.0",
                     *       "id": "memory",
                     *       "name": "Memory",
                     *       "description": "Writes release notes from merged work.",
                     *       "verified": false,
                     *       "verifiedBy": "npm run catalog:check",
                     *       "version": "2026.8.31",
                     *       "publisher": "Acme",
                     *       "homepage": "https://acme.example",
                     *       "license": "MIT",
                     *       "installInstructions": "Create a token in the Acme console.",
                     *       "requiresCredentials": false,
                     *       "credentialCheck": "Verify calls get_me, which fails with a wrong credential.",
                     *       "installable": false,
                     *       "installableReason": "The runtime python was not found on this host."
                     *     }
                     */
                    "application/json": components["schemas"]["CatalogEntryDetailResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "InstalledServers.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transport": "stdio",
                     *       "status": "enabled",
                     *       "configuredEnv": [
                     *         "ACME_TOKEN"
                     *       ],
                     *       "missingEnv": [],
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *       "name": "Everything (reference)",
                     *       "slug": "everything",
                     *       "catalogId": "everything",
                     *       "statusReason": "The server ended five times within ten minutes.",
                     *       "lastVerification": {
                     *         "status": "ok",
                     *         "capabilities": [
                     *           "echo"
                     *         ],
                     *         "phase": "runtime",
                     *         "phases": [
                     *           {
                     *             "phase": "runtime",
                     *             "status": "ok",
                     *             "ms": 1,
                     *             "detail": "13 tools"
                     *           }
                     *         ],
                     *         "latencyMs": 812,
                     *         "credentials": "accepted",
                     *         "warnings": [
                     *           {
                     *             "subject": "echo",
                     *             "message": "The tool is withheld from agents, because description must be text."
                     *           }
                     *         ],
                     *         "at": "2026-11-21T09:30:00.000Z",
                     *         "by": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "checkedAt": "2026-11-21T09:30:00.000Z",
                     *         "details": "The server answered the handshake and listed 13 tools in 812 ms.",
                     *         "protocolVersion": "2025-11-25",
                     *         "serverInfo": {
                     *           "name": "mcp-servers/everything",
                     *           "version": "2.0.0"
                     *         }
                     *       },
                     *       "limits": {
                     *         "memoryMb": 2048,
                     *         "processes": 1,
                     *         "openFiles": 1,
                     *         "callTimeoutSeconds": 120
                     *       },
                     *       "catalogVersion": "2026.8.31",
                     *       "updateAvailable": false,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InstalledServerResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "InstalledServers.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "envValues": {},
                 *       "name": "Everything for tests"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateServerRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transport": "stdio",
                     *       "status": "enabled",
                     *       "configuredEnv": [
                     *         "ACME_TOKEN"
                     *       ],
                     *       "missingEnv": [],
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *       "name": "Everything (reference)",
                     *       "slug": "everything",
                     *       "catalogId": "everything",
                     *       "statusReason": "The server ended five times within ten minutes.",
                     *       "lastVerification": {
                     *         "status": "ok",
                     *         "capabilities": [
                     *           "echo"
                     *         ],
                     *         "phase": "runtime",
                     *         "phases": [
                     *           {
                     *             "phase": "runtime",
                     *             "status": "ok",
                     *             "ms": 1,
                     *             "detail": "13 tools"
                     *           }
                     *         ],
                     *         "latencyMs": 812,
                     *         "credentials": "accepted",
                     *         "warnings": [
                     *           {
                     *             "subject": "echo",
                     *             "message": "The tool is withheld from agents, because description must be text."
                     *           }
                     *         ],
                     *         "at": "2026-11-21T09:30:00.000Z",
                     *         "by": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "checkedAt": "2026-11-21T09:30:00.000Z",
                     *         "details": "The server answered the handshake and listed 13 tools in 812 ms.",
                     *         "protocolVersion": "2025-11-25",
                     *         "serverInfo": {
                     *           "name": "mcp-servers/everything",
                     *           "version": "2.0.0"
                     *         }
                     *       },
                     *       "limits": {
                     *         "memoryMb": 2048,
                     *         "processes": 1,
                     *         "openFiles": 1,
                     *         "callTimeoutSeconds": 120
                     *       },
                     *       "catalogVersion": "2026.8.31",
                     *       "updateAvailable": false,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InstalledServerResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.https_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["name_taken.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "InstalledServers.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "ServerAccess.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "tools": [
                     *           "echo"
                     *         ],
                     *         "ask": "writes",
                     *         "approverRole": "Editor",
                     *         "agentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *         "agentName": "Release notes writer",
                     *         "granted": false,
                     *         "refused": false,
                     *         "credentialSet": "default"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ServerAccessResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "ServerAccess.set": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "entries": [
                 *         {
                 *           "tools": null,
                 *           "ask": "writes",
                 *           "agentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                 *           "granted": false,
                 *           "credentialSet": "team-a"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SetServerAccessRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "tools": [
                     *           "echo"
                     *         ],
                     *         "ask": "writes",
                     *         "approverRole": "Editor",
                     *         "agentId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03",
                     *         "agentName": "Release notes writer",
                     *         "granted": false,
                     *         "refused": false,
                     *         "credentialSet": "default"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ServerAccessResponse"][];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "CredentialSets.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "state": "ready",
                     *         "configuredEnv": [
                     *           "ACME_TOKEN"
                     *         ],
                     *         "missingEnv": [],
                     *         "signIn": {
                     *           "authorizationServer": "https://auth.example.com",
                     *           "signedInBy": "Ada",
                     *           "signedInAt": "2026-11-21T09:30:00.000Z",
                     *           "scope": "tools"
                     *         },
                     *         "name": "team-a"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["CredentialSetResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "CredentialSets.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "envValues": {},
                 *       "name": "team-a"
                 *     }
                 */
                "application/json": components["schemas"]["CreateCredentialSetRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "ready",
                     *       "configuredEnv": [
                     *         "ACME_TOKEN"
                     *       ],
                     *       "missingEnv": [],
                     *       "signIn": {
                     *         "authorizationServer": "https://auth.example.com",
                     *         "signedInBy": "Ada",
                     *         "signedInAt": "2026-11-21T09:30:00.000Z",
                     *         "scope": "tools"
                     *       },
                     *       "name": "team-a"
                     *     }
                     */
                    "application/json": components["schemas"]["CredentialSetResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.https_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["name_taken.credential_set_limit.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "CredentialSets.change": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "envValues": {}
                 *     }
                 */
                "application/json": components["schemas"]["ChangeCredentialSetRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "ready",
                     *       "configuredEnv": [
                     *         "ACME_TOKEN"
                     *       ],
                     *       "missingEnv": [],
                     *       "signIn": {
                     *         "authorizationServer": "https://auth.example.com",
                     *         "signedInBy": "Ada",
                     *         "signedInAt": "2026-11-21T09:30:00.000Z",
                     *         "scope": "tools"
                     *       },
                     *       "name": "team-a"
                     *     }
                     */
                    "application/json": components["schemas"]["CredentialSetResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.https_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["credential_set_limit.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "CredentialSets.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["in_use.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "CredentialSets.revoke": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "ready",
                     *       "configuredEnv": [
                     *         "ACME_TOKEN"
                     *       ],
                     *       "missingEnv": [],
                     *       "signIn": {
                     *         "authorizationServer": "https://auth.example.com",
                     *         "signedInBy": "Ada",
                     *         "signedInAt": "2026-11-21T09:30:00.000Z",
                     *         "scope": "tools"
                     *       },
                     *       "name": "team-a"
                     *     }
                     */
                    "application/json": components["schemas"]["CredentialSetResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "CredentialSetSignIn.begin": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "returnTo": "/servers"
                 *     }
                 */
                "application/json": components["schemas"]["BeginSignInRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "authorizationUrl": "https://auth.example.com/authorize?response_type=code&client_id=awp&state=VZtq3kHl1s",
                     *       "expiresAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["BegunSignInResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.https_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["missing_variables.sign_in_not_offered"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            502: components["responses"]["sign_in_unavailable"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "InstalledServers.disable": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "InstalledServers.enable": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "ServerLogs.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "lines": [
                     *         {
                     *           "at": "2026-11-21T09:30:00.000Z",
                     *           "text": "Server is listening",
                     *           "process": "work-1:4711",
                     *           "credentialSet": "default"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ServerLogResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "ServerTools.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "inputSchema": {},
                     *         "annotations": {},
                     *         "state": "approved",
                     *         "reason": null,
                     *         "approved": {
                     *           "inputSchema": {},
                     *           "annotations": {},
                     *           "title": "Echo",
                     *           "description": "Writes release notes from merged work."
                     *         },
                     *         "name": "echo",
                     *         "title": "Echo",
                     *         "description": "Writes release notes from merged work.",
                     *         "hash": "R2GJm2v1Yk7iXv0VtVhDLYqZbU3c8bS0Yw8sZ3iJ0eA",
                     *         "firstSeenAt": "2026-11-21T09:30:00.000Z",
                     *         "changedAt": "2026-11-21T09:30:00.000Z",
                     *         "approvedBy": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ServerToolResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "ServerTools.approve": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "names": [
                 *         "echo"
                 *       ],
                 *       "hashes": [
                 *         "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ApproveToolsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "inputSchema": {},
                     *         "annotations": {},
                     *         "state": "approved",
                     *         "reason": null,
                     *         "approved": {
                     *           "inputSchema": {},
                     *           "annotations": {},
                     *           "title": "Echo",
                     *           "description": "Writes release notes from merged work."
                     *         },
                     *         "name": "echo",
                     *         "title": "Echo",
                     *         "description": "Writes release notes from merged work.",
                     *         "hash": "R2GJm2v1Yk7iXv0VtVhDLYqZbU3c8bS0Yw8sZ3iJ0eA",
                     *         "firstSeenAt": "2026-11-21T09:30:00.000Z",
                     *         "changedAt": "2026-11-21T09:30:00.000Z",
                     *         "approvedBy": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Ada Lovelace"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ServerToolResponse"][];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            412: components["responses"]["version_mismatch"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "TryOut.call": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
                /** @example echo */
                toolName: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "arguments": {
                 *         "message": "Hello"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CallToolRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "content": [
                     *         {
                     *           "type": "text",
                     *           "text": "Hello"
                     *         }
                     *       ],
                     *       "structuredContent": {},
                     *       "isError": false
                     *     }
                     */
                    "application/json": components["schemas"]["ToolResultResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Upgrade.upgrade": {
        parameters: {
            query?: {
                /** @description Reports everything that an upgrade would do and changes nothing. */
                dryRun?: boolean;
            };
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transport": "stdio",
                     *       "status": "enabled",
                     *       "configuredEnv": [
                     *         "ACME_TOKEN"
                     *       ],
                     *       "missingEnv": [],
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *       "name": "Everything (reference)",
                     *       "slug": "everything",
                     *       "catalogId": "everything",
                     *       "statusReason": "The server ended five times within ten minutes.",
                     *       "lastVerification": {
                     *         "status": "ok",
                     *         "capabilities": [
                     *           "echo"
                     *         ],
                     *         "phase": "runtime",
                     *         "phases": [
                     *           {
                     *             "phase": "runtime",
                     *             "status": "ok",
                     *             "ms": 1,
                     *             "detail": "13 tools"
                     *           }
                     *         ],
                     *         "latencyMs": 812,
                     *         "credentials": "accepted",
                     *         "warnings": [
                     *           {
                     *             "subject": "echo",
                     *             "message": "The tool is withheld from agents, because description must be text."
                     *           }
                     *         ],
                     *         "at": "2026-11-21T09:30:00.000Z",
                     *         "by": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "checkedAt": "2026-11-21T09:30:00.000Z",
                     *         "details": "The server answered the handshake and listed 13 tools in 812 ms.",
                     *         "protocolVersion": "2025-11-25",
                     *         "serverInfo": {
                     *           "name": "mcp-servers/everything",
                     *           "version": "2.0.0"
                     *         }
                     *       },
                     *       "limits": {
                     *         "memoryMb": 2048,
                     *         "processes": 1,
                     *         "openFiles": 1,
                     *         "callTimeoutSeconds": 120
                     *       },
                     *       "catalogVersion": "2026.8.31",
                     *       "updateAvailable": false,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z",
                     *       "upgrade": {
                     *         "missingVariables": [
                     *           "ACME_TOKEN"
                     *         ],
                     *         "droppedVariables": [
                     *           "ACME_REGION"
                     *         ],
                     *         "tools": [
                     *           {
                     *             "state": "approved",
                     *             "name": "echo"
                     *           }
                     *         ],
                     *         "dryRun": false,
                     *         "applied": false,
                     *         "fromVersion": "2026.8.31",
                     *         "toVersion": "2026.9.2",
                     *         "verification": {
                     *           "status": "ok",
                     *           "capabilities": [
                     *             "echo"
                     *           ],
                     *           "phase": "runtime",
                     *           "phases": [
                     *             {
                     *               "phase": "runtime",
                     *               "status": "ok",
                     *               "ms": 1,
                     *               "detail": "13 tools"
                     *             }
                     *           ],
                     *           "latencyMs": 812,
                     *           "credentials": "accepted",
                     *           "warnings": [
                     *             {
                     *               "subject": "echo",
                     *               "message": "The tool is withheld from agents, because description must be text."
                     *             }
                     *           ],
                     *           "details": "The server answered the handshake and listed 13 tools in 812 ms.",
                     *           "protocolVersion": "2025-11-25",
                     *           "serverInfo": {
                     *             "name": "mcp-servers/everything",
                     *             "version": "2.0.0"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["UpgradedServerResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["credentials_revoked.runtime_not_detected.not_installable.missing_variables.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            502: components["responses"]["package_unavailable"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Verification.list": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "status": "ok",
                     *         "capabilities": [
                     *           "echo"
                     *         ],
                     *         "phase": "runtime",
                     *         "phases": [
                     *           {
                     *             "phase": "runtime",
                     *             "status": "ok",
                     *             "ms": 1,
                     *             "detail": "13 tools"
                     *           }
                     *         ],
                     *         "latencyMs": 812,
                     *         "credentials": "accepted",
                     *         "warnings": [
                     *           {
                     *             "subject": "echo",
                     *             "message": "The tool is withheld from agents, because description must be text."
                     *           }
                     *         ],
                     *         "at": "2026-11-21T09:30:00.000Z",
                     *         "by": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "details": "The server answered the handshake and listed 13 tools in 812 ms.",
                     *         "protocolVersion": "2025-11-25",
                     *         "serverInfo": {
                     *           "name": "mcp-servers/everything",
                     *           "version": "2.0.0"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["VerificationRecordResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Verification.verify": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "capabilities": [
                     *         "echo"
                     *       ],
                     *       "phase": "runtime",
                     *       "phases": [
                     *         {
                     *           "phase": "runtime",
                     *           "status": "ok",
                     *           "ms": 1,
                     *           "detail": "13 tools"
                     *         }
                     *       ],
                     *       "latencyMs": 812,
                     *       "credentials": "accepted",
                     *       "warnings": [
                     *         {
                     *           "subject": "echo",
                     *           "message": "The tool is withheld from agents, because description must be text."
                     *         }
                     *       ],
                     *       "at": "2026-11-21T09:30:00.000Z",
                     *       "by": {
                     *         "type": "user",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "name": "Release notes writer"
                     *       },
                     *       "details": "The server answered the handshake and listed 13 tools in 812 ms.",
                     *       "protocolVersion": "2025-11-25",
                     *       "serverInfo": {
                     *         "name": "mcp-servers/everything",
                     *         "version": "2.0.0"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VerificationRecordResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Oauth.callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page that the sign-in was begun for, with `signIn`. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed"];
            403: components["responses"]["https_required"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Oauth.callbackOfIssuer": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                issuerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page that the sign-in was begun for, with `signIn`. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed"];
            403: components["responses"]["https_required"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Oauth.client": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "client_id": "https://awp.example.com/api/mcp/oauth/client.json",
                     *       "client_name": "Agent Work Platform",
                     *       "client_uri": "https://awp.example.com",
                     *       "redirect_uris": [
                     *         "https://awp.example.com/api/mcp/oauth/callback"
                     *       ],
                     *       "grant_types": [
                     *         "authorization_code",
                     *         "refresh_token"
                     *       ],
                     *       "response_types": [
                     *         "code"
                     *       ],
                     *       "token_endpoint_auth_method": "none"
                     *     }
                     */
                    "application/json": components["schemas"]["ClientDocumentResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Profiles.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "version": 1,
                     *         "entries": [
                     *           {
                     *             "tools": [
                     *               "echo"
                     *             ],
                     *             "ask": "writes",
                     *             "serverId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *             "credentialSet": "default"
                     *           }
                     *         ],
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31",
                     *         "name": "Writers",
                     *         "agentIds": [
                     *           "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *         ],
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ProfileResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Profiles.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Writers",
                 *       "agentIds": [
                 *         "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateProfileRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "entries": [
                     *         {
                     *           "tools": [
                     *             "echo"
                     *           ],
                     *           "ask": "writes",
                     *           "serverId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *           "credentialSet": "default"
                     *         }
                     *       ],
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31",
                     *       "name": "Writers",
                     *       "agentIds": [
                     *         "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *       ],
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ProfileResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            409: components["responses"]["name_taken.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Profiles.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                profileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "entries": [
                     *         {
                     *           "tools": [
                     *             "echo"
                     *           ],
                     *           "ask": "writes",
                     *           "serverId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *           "credentialSet": "default"
                     *         }
                     *       ],
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31",
                     *       "name": "Writers",
                     *       "agentIds": [
                     *         "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *       ],
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ProfileResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Profiles.change": {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that the change is meant for. Any other version is 412. */
                "If-Match"?: string;
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                profileId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Writers",
                 *       "agentIds": [
                 *         "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChangeProfileRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": 1,
                     *       "entries": [
                     *         {
                     *           "tools": [
                     *             "echo"
                     *           ],
                     *           "ask": "writes",
                     *           "serverId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06",
                     *           "credentialSet": "default"
                     *         }
                     *       ],
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31",
                     *       "name": "Writers",
                     *       "agentIds": [
                     *         "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"
                     *       ],
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ProfileResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["name_taken.idempotency_key_in_use"];
            412: components["responses"]["version_mismatch"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Profiles.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the version that the change is meant for. Any other version is 412. */
                "If-Match"?: string;
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                profileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            412: components["responses"]["version_mismatch"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Runtime.get": {
        parameters: {
            query?: {
                /** @description Probes the host again instead of returning a report of the last 30 seconds. */
                refresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "node": {
                     *         "version": "20.20.2",
                     *         "path": "/usr/bin/node",
                     *         "detected": false
                     *       },
                     *       "python": {
                     *         "version": "20.20.2",
                     *         "path": "/usr/bin/node",
                     *         "detected": false
                     *       },
                     *       "pipx": {
                     *         "version": "20.20.2",
                     *         "path": "/usr/bin/node",
                     *         "detected": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RuntimeReportResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "PublishedServers.list": {
        parameters: {
            query?: {
                /** @description The maximum number of servers. */
                limit?: number;
                /** @description Accepted and without effect: nothing is deleted here. */
                include_deleted?: boolean;
                /** @description `metadata.nextCursor` of the previous response. */
                cursor?: string;
                /** @description A part of the server's name, in any case. */
                search?: string;
                /** @description `latest`, or an exact version. */
                version?: string;
                /** @description Accepted and without effect: the catalogue does not know when an entry changed, so each may have. */
                updated_since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "server": {},
                     *           "_meta": {}
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PublishedListResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "PublishedServers.versions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                serverName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "servers": [
                     *         {
                     *           "server": {},
                     *           "_meta": {}
                     *         }
                     *       ],
                     *       "metadata": {
                     *         "count": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PublishedListResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "PublishedServers.version": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                serverName: string;
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "server": {},
                     *       "_meta": {}
                     *     }
                     */
                    "application/json": components["schemas"]["PublishedServerResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Users.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "role": "Viewer",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01",
                     *         "email": "ada@example.com",
                     *         "name": "Ada Lovelace",
                     *         "disabledAt": "2026-11-21T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["UserResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Users.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "Editor",
                 *       "email": "grace@example.com",
                 *       "name": "Grace Hopper"
                 *     }
                 */
                "application/json": components["schemas"]["CreateUserRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role": "Viewer",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01",
                     *       "email": "ada@example.com",
                     *       "name": "Ada Lovelace",
                     *       "disabledAt": "2026-11-21T09:30:00.000Z",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected.https_required"];
            409: components["responses"]["name_taken.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Me.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "role": "Viewer",
                     *         "parentKeyId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a02",
                     *         "name": "laptop",
                     *         "prefix": "awp_u_3kT9aZ",
                     *         "expiresAt": "2026-11-21T09:30:00.000Z",
                     *         "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ApiKeyResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Me.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expiresAt": "2099-01-31T00:00:00.000Z",
                 *       "name": "laptop"
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role": "Viewer",
                     *       "parentKeyId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a02",
                     *       "name": "laptop",
                     *       "prefix": "awp_u_3kT9aZ",
                     *       "expiresAt": "2026-11-21T09:30:00.000Z",
                     *       "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "key": "awp_u_0123456789012345678901234567890123456789012abcdef"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected.https_required"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Me.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Me.me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "user",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "name": "Ada Lovelace",
                     *       "keyExpiresAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["MeResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Me.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Ada Lovelace"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "user",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "name": "Ada Lovelace",
                     *       "keyExpiresAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["MeResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected.https_required"];
            409: components["responses"]["name_taken.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Users.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role": "Viewer",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01",
                     *       "email": "ada@example.com",
                     *       "name": "Ada Lovelace",
                     *       "disabledAt": "2026-11-21T09:30:00.000Z",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Users.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "Editor",
                 *       "email": "grace@example.com",
                 *       "name": "Grace Hopper"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateUserRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role": "Viewer",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01",
                     *       "email": "ada@example.com",
                     *       "name": "Ada Lovelace",
                     *       "disabledAt": "2026-11-21T09:30:00.000Z",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected.https_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["name_taken.last_owner.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Users.disable": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["last_owner.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "UserIdentity.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subject": "248289761001",
                     *       "issuer": "https://login.example.com"
                     *     }
                     */
                    "application/json": components["schemas"]["CurrentIdentityResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "UserIdentity.set": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subject": "248289761001"
                 *     }
                 */
                "application/json": components["schemas"]["SetIdentityRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "https://login.example.com",
                     *       "subject": "248289761001"
                     *     }
                     */
                    "application/json": components["schemas"]["IdentityResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["name_taken.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "UserIdentity.remove": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["last_owner.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "KeysOfUsers.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "role": "Viewer",
                     *         "parentKeyId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a02",
                     *         "name": "laptop",
                     *         "prefix": "awp_u_3kT9aZ",
                     *         "expiresAt": "2026-11-21T09:30:00.000Z",
                     *         "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ApiKeyResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "KeysOfUsers.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expiresAt": "2099-01-31T00:00:00.000Z",
                 *       "name": "laptop"
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role": "Viewer",
                     *       "parentKeyId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a02",
                     *       "name": "laptop",
                     *       "prefix": "awp_u_3kT9aZ",
                     *       "expiresAt": "2026-11-21T09:30:00.000Z",
                     *       "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "key": "awp_u_0123456789012345678901234567890123456789012abcdef"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected.https_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "KeysOfUsers.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                userId: string;
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Elevation.elevate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple"
                 *     }
                 */
                "application/json": components["schemas"]["ElevateRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "awp_u_0123456789012345678901234567890123456789012abcdef",
                     *       "expiresAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ElevatedKeyResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.wrong_password.confirmation_missing.password_login_off.csrf_rejected.https_required"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Elevation.end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Sessions.login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery staple",
                 *       "email": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role": "Viewer",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01",
                     *       "email": "ada@example.com",
                     *       "name": "Ada Lovelace",
                     *       "disabledAt": "2026-11-21T09:30:00.000Z",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["password_login_off.https_required"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Sessions.logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "SignInMethods.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "password": false,
                     *       "oidc": {
                     *         "name": "Acme",
                     *         "url": "/api/auth/oidc/login"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignInMethodsResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "BackchannelLogout.logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "logout_token": "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ…"
                 *     }
                 */
                "application/x-www-form-urlencoded": {
                    /** @example eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ… */
                    logout_token: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json.invalid_logout_token"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Oidc.callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page that the sign-in was begun for, or the sign-in page. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed"];
            403: components["responses"]["https_required"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Oidc.login": {
        parameters: {
            query?: {
                /** @description true: the person enters credentials again and confirms the session of this browser, for elevated mode. */
                confirm?: boolean;
                /** @description The path of this service that the sign-in leads to. Anything else counts as `/`. */
                returnTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sign-in page of the OpenID provider, or of the service. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed"];
            403: components["responses"]["https_required"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Sessions.changePassword": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "currentPassword": "correct horse battery staple",
                 *       "newPassword": "a longer and better phrase"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected.https_required"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "OwnSessions.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *         "expiresAt": "2026-11-21T09:30:00.000Z",
                     *         "address": "203.0.113.7",
                     *         "userAgent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
                     *         "isCurrent": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SessionResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "OwnSessions.end": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "SessionsOfUsers.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "lastUsedAt": "2026-11-21T09:30:00.000Z",
                     *         "expiresAt": "2026-11-21T09:30:00.000Z",
                     *         "address": "203.0.113.7",
                     *         "userAgent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
                     *         "isCurrent": false
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SessionResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "SessionsOfUsers.end": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                userId: string;
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Events.follow": {
        parameters: {
            query?: {
                /** @description Types of events, or families such as issue.*, separated by commas: only these. */
                types?: string;
                /** @description The same as the header Last-Event-ID, for clients that cannot set it on their first connection. The header wins. */
                lastEventId?: string;
                /** @description Id or key of a project: only its events. */
                projectId?: string;
            };
            header?: {
                /** @description The last id that the client received. The stream resumes right after it and misses no event. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event stream. It has no end of its own; comments keep the connection open. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example id: 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11
                     *     data: {"id":"0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11","type":"issue.status_changed","at":"2026-11-21T09:30:00.000Z","projectId":"0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01","actor":{"type":"agent","id":"0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03","name":"Release notes writer"},"subject":{"type":"issue","id":"0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09"},"data":{"old":"Open","new":"InProgress"}}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            410: components["responses"]["events_gone"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Webhooks.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "eventTypes": [
                     *           "issue.*"
                     *         ],
                     *         "projectId": null,
                     *         "disabledReason": "gone",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21",
                     *         "url": "https://example.com/hooks/work",
                     *         "description": "Writes release notes from merged work.",
                     *         "disabled": false,
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "updatedAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["WebhookResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Webhooks.create": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventTypes": [
                 *         "issue.*",
                 *         "comment.created"
                 *       ],
                 *       "url": "https://example.com/hooks/work",
                 *       "description": "Starts a build when an issue is closed"
                 *     }
                 */
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "eventTypes": [
                     *         "issue.*"
                     *       ],
                     *       "projectId": null,
                     *       "disabledReason": "gone",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21",
                     *       "url": "https://example.com/hooks/work",
                     *       "description": "Writes release notes from merged work.",
                     *       "disabled": false,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z",
                     *       "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecretResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected.https_required"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Webhooks.get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "eventTypes": [
                     *         "issue.*"
                     *       ],
                     *       "projectId": null,
                     *       "disabledReason": "gone",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21",
                     *       "url": "https://example.com/hooks/work",
                     *       "description": "Writes release notes from merged work.",
                     *       "disabled": false,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Webhooks.update": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventTypes": [
                 *         "issue.*",
                 *         "comment.created"
                 *       ],
                 *       "url": "https://example.com/hooks/work",
                 *       "description": "Starts a build when an issue is closed"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "eventTypes": [
                     *         "issue.*"
                     *       ],
                     *       "projectId": null,
                     *       "disabledReason": "gone",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21",
                     *       "url": "https://example.com/hooks/work",
                     *       "description": "Writes release notes from merged work.",
                     *       "disabled": false,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Webhooks.delete": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Webhooks.listDeliveries": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "status": "pending",
                     *         "attempts": [
                     *           {
                     *             "status": 500,
                     *             "durationMs": 42,
                     *             "at": "2026-11-21T09:30:00.000Z",
                     *             "error": "The target responded with 500."
                     *           }
                     *         ],
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31",
                     *         "webhookId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "eventId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *         "type": "issue.status_changed",
                     *         "nextAttemptAt": "2026-11-21T09:30:00.000Z",
                     *         "createdAt": "2026-11-21T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["DeliveryResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Webhooks.redeliver": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                webhookId: string;
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "pending",
                     *       "attempts": [
                     *         {
                     *           "status": 500,
                     *           "durationMs": 42,
                     *           "at": "2026-11-21T09:30:00.000Z",
                     *           "error": "The target responded with 500."
                     *         }
                     *       ],
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a31",
                     *       "webhookId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *       "eventId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11",
                     *       "type": "issue.status_changed",
                     *       "nextAttemptAt": "2026-11-21T09:30:00.000Z",
                     *       "createdAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected"];
            404: components["responses"]["not_found"];
            409: components["responses"]["webhook_disabled.idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Webhooks.rotateSecret": {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key, caller, path and body within 24 hours return the first response again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09 */
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "eventTypes": [
                     *         "issue.*"
                     *       ],
                     *       "projectId": null,
                     *       "disabledReason": "gone",
                     *       "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21",
                     *       "url": "https://example.com/hooks/work",
                     *       "description": "Writes release notes from merged work.",
                     *       "disabled": false,
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "updatedAt": "2026-11-21T09:30:00.000Z",
                     *       "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecretResponse"];
                };
            };
            400: components["responses"]["validation_failed.malformed_json"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.csrf_rejected.https_required"];
            404: components["responses"]["not_found"];
            409: components["responses"]["idempotency_key_in_use"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["database_read_only.storage_full.unavailable"];
        };
    };
    "Audit.list": {
        parameters: {
            query?: {
                /** @description The maximum number of rows. */
                limit?: number;
                /** @description true adds `X-Total-Count`, which stops at 10,000, with `X-Total-Count-Capped: true`. */
                count?: boolean;
                /** @description One type, or several separated by commas: issue.created, issue.updated, issue.status_changed, issue.picked_up, issue.lease_lost, issue.paused, issue.resumed, issue.deleted, issue.child_added, issue.child_removed, issue.tools_called, comment.created, comment.updated, comment.deleted, attachment.created, attachment.deleted, attachment.replaced, link.created, link.deleted, gate.opened, gate.answered, gate.expired, gate.withdrawn, gate.executed, code.linked, code.updated, code.unlinked, goal.created, goal.updated, goal.deleted, label.created, label.updated, label.deleted, import.started, import.completed, import.failed, code.hook_set, code.hook_deleted, schedule.created, schedule.updated, schedule.deleted, schedule.ran, schedule.skipped, schedule.failed, project.created, project.updated, project.deleted, project.members_changed, agent.created, agent.updated, agent.deleted, agent.halted, agent.unhalted, budget.set, budget.deleted, user.created, user.updated, user.disabled, user.enabled, user.password_changed, user.role_kept, user.identity_set, user.identity_removed, key.created, key.expiring, key.deleted, login.succeeded, login.failed, login.ended, login.confirmed, access.refused, journal.pruned, webhook.created, webhook.updated, webhook.secret_rotated, webhook.deleted, mcp.catalog.imported, mcp.server.installed, mcp.server.updated, mcp.server.verified, mcp.server.enabled, mcp.server.disabled, mcp.server.failed, mcp.server.upgraded, mcp.server.deleted, mcp.credentials.created, mcp.credentials.updated, mcp.credentials.revoked, mcp.credentials.failed, mcp.credentials.sign_in_needed, mcp.credentials.deleted, mcp.credentials.signed_in, mcp.credentials.sign_in_failed, mcp.tool.approved, mcp.tool.changed, mcp.tool.called, mcp.access.changed, mcp.profile.created, mcp.profile.updated, mcp.profile.deleted; or a family: issue.*, comment.*, attachment.*, link.*, gate.*, code.*, goal.*, label.*, import.*, schedule.*, project.*, agent.*, budget.*, user.*, key.*, login.*, access.*, journal.*, webhook.*, mcp.catalog.*, mcp.server.*, mcp.credentials.*, mcp.tool.*, mcp.access.*, mcp.profile.*. */
                type?: string;
                /** @description Only entries at or after this instant, in ISO 8601 with a time zone. */
                from?: string;
                /** @description Only entries before this instant. */
                to?: string;
                /** @description The id of the user or agent that acted. */
                actorId?: string;
                /** @description The object of the action: the id of a user, key, agent, project, issue or server, or the route of an access.refused. */
                subjectId?: string;
                projectId?: string;
                /** @description Id or key of an issue. Events of a deleted issue are found by its id alone. */
                issueId?: string;
                /** @description The cursor from the `Link` header of the previous response. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    "X-Total-Count-Capped": components["headers"]["X-Total-Count-Capped"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "type": "login.failed",
                     *         "projectId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "issueId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "issueKey": "DOCS-12",
                     *         "data": {},
                     *         "requestId": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "origin": "198.51.100.7",
                     *         "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *         "at": "2026-11-21T09:30:00.000Z",
                     *         "actor": {
                     *           "type": "user",
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "Release notes writer"
                     *         },
                     *         "subject": {
                     *           "id": "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09",
                     *           "name": "GitHub",
                     *           "type": "user"
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AuditEntryResponse"][];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Info.get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "0.1.0",
                     *       "limits": {
                     *         "attachmentMaxBytes": 1,
                     *         "bodyMaxBytes": 1,
                     *         "bodiesMaxBytes": 1,
                     *         "codeDeliveryMaxBytes": 1,
                     *         "pageMaxRows": 1,
                     *         "pageMaxBytes": 1,
                     *         "answerMaxBytes": 1,
                     *         "unreadMaxBytes": 1,
                     *         "streamUnreadMaxBytes": 1,
                     *         "streamsPerPrincipal": 1,
                     *         "requestsPerPrincipal": 1,
                     *         "connectionsMax": 1,
                     *         "commentsPerAgentHour": 1,
                     *         "commentBytesPerAgentHour": 1,
                     *         "attachmentsPerAgentHour": 1,
                     *         "attachmentBytesPerAgentHour": 1,
                     *         "usageReportsPerAgentHour": 1,
                     *         "mcpFrameMaxBytes": 1,
                     *         "mcpToolsMaxBytes": 1,
                     *         "mcpListMaxBytes": 1,
                     *         "mcpNotificationMaxBytes": 1,
                     *         "mcpNameMaxBytes": 1,
                     *         "mcpSessionsPerAgent": 1,
                     *         "mcpDiskMb": 1,
                     *         "leaseSeconds": 1,
                     *         "maxAttempts": 1,
                     *         "toolCallTimeoutMs": 1,
                     *         "toolCallHardLimitMs": 1,
                     *         "rateLimitPerMinute": 1
                     *       },
                     *       "features": {
                     *         "dashboard": false,
                     *         "toolApproval": false,
                     *         "attachmentStore": "disk"
                     *       },
                     *       "processes": [
                     *         {
                     *           "kind": "all",
                     *           "state": "starting",
                     *           "since": "2026-11-21T09:30:00.000Z",
                     *           "restarts": 1,
                     *           "name": "api-1"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["InfoResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Health.live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["LiveResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Metrics.read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text format of Prometheus. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # TYPE awp_issues gauge
                     *     awp_issues{status="Open"} 12
                     */
                    "text/plain": string;
                };
            };
            400: components["responses"]["validation_failed"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    "Health.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "checks": {
                     *         "database": "ok",
                     *         "keyRing": "ok",
                     *         "sandbox": "bubblewrap"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReadyResponse"];
                };
            };
            400: components["responses"]["validation_failed"];
            422: components["responses"]["answer_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            /** @description Something that the service needs is missing. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "checks": {
                     *         "database": "ok",
                     *         "keyRing": "ok",
                     *         "sandbox": "bubblewrap"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReadyResponse"];
                };
            };
        };
    };
}
