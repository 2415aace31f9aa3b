import { cursor, issueId, leaseToken, READS, taking, type ToolDefinition, WRITES } from './agent-tool.js';

/** So many issues fit the result of a heartbeat, each with a beginning of its description. */
export const MOST_PICKED_UP = 20;

/** The tools that list, read and add the files of issues. */
export const fileTools = {
  list_attachments: {
    title: 'List the files of an issue',
    description:
      'Lists the files that are attached to an issue, oldest first, without their bytes. Returns {attachments, nextCursor}. ' +
      'Pass nextCursor as cursor for the next page. Read a file with platform__read_attachment.',
    inputSchema: taking(
      {
        issueId,
        limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
        cursor,
      },
      'issueId',
    ),
    annotations: READS,
  },
  read_attachment: {
    title: 'Read a file',
    description:
      'Reads an attached file: a text in parts of at most 64 KiB, or an image of at most 1 MiB as an image. Returns ' +
      '{attachment, text, nextOffset}. Pass nextOffset as offset for the next part of a text; it is null at the end.',
    inputSchema: taking(
      {
        attachmentId: { type: 'string', description: 'Id of the file, as the list of attachments names it.' },
        offset: {
          type: 'integer',
          minimum: 0,
          default: 0,
          description: 'nextOffset of the previous result.',
        },
      },
      'attachmentId',
    ),
    annotations: READS,
  },
  add_attachment: {
    title: 'Attach a file to an issue',
    description:
      'Attaches a file to an issue, for instance a report or a patch that you made. Give its content as text, or as base64 ' +
      'where it is not text. Returns {attachment}. Files stay when the issue is resolved.',
    inputSchema: taking(
      {
        issueId,
        filename: { type: 'string', minLength: 1, description: 'Such as "report.md".' },
        contentType: {
          type: 'string',
          description:
            'Such as "text/markdown". text/plain by default for text, otherwise application/octet-stream.',
        },
        text: { type: 'string', description: 'The content of a text file.' },
        base64: { type: 'string', description: 'The content of any other file, in base64.' },
      },
      'issueId',
      'filename',
    ),
    annotations: WRITES,
  },
} satisfies Record<string, ToolDefinition>;

/** The tools that ask people. */
export const personTools = {
  ask_person: {
    title: 'Ask a person',
    description:
      'Asks a person a question that you cannot go on without. Returns {gateId, state}. Your issue waits for the answer and ' +
      'your lease of it ends: end your turn. When the person has answered, the issue comes back to you with the answer in ' +
      'answers. Without issueId the question is about the issue that you work on, when it is only one.',
    inputSchema: taking(
      {
        question: {
          type: 'string',
          minLength: 1,
          description: 'The question, with all that a person needs to answer it.',
        },
        options: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          maxItems: 10,
          uniqueItems: true,
          description: 'Answers to choose from.',
        },
        recommended: { type: 'string', description: 'The option that you would take.' },
        issueId,
        leaseToken,
      },
      'question',
    ),
    annotations: WRITES,
  },
  wait_for_checks: {
    title: 'Wait for the checks of a pull request',
    description:
      'Lets your issue wait until the checks of its pull requests have ended, instead of asking for them again and again. Give ' +
      'the url of the pull request that you opened. Returns {gateId, state, outcome, result}. With state open your lease of the ' +
      'issue ends: end your turn. The issue comes back to you with outcome passed or failed in answers. With state answered ' +
      'the checks have ended already and you go on.',
    inputSchema: taking({
      url: {
        type: 'string',
        minLength: 1,
        description: 'The address of the pull request. Without it: all open pull requests of the issue.',
      },
      until: {
        type: 'string',
        enum: ['passing', 'merged'],
        default: 'passing',
        description: 'Whether to wait until the checks pass, or until the pull request is merged.',
      },
      issueId,
      leaseToken,
    }),
    annotations: { ...WRITES, idempotentHint: true },
  },
  gate_result: {
    title: 'Read the answer of a person',
    description:
      'Reads the state of a question, an approval or checks by its gateId. Returns {state, answer, outcome, result}. state is open until ' +
      'a person has decided, or the checks have ended. The result of an approved call is there once outcome is.',
    inputSchema: taking(
      { gateId: { type: 'string', description: 'The gateId of the question or call.' } },
      'gateId',
    ),
    annotations: READS,
  },
} satisfies Record<string, ToolDefinition>;

/** The tools that take work and report on it. */
export const workTools = {
  next_issue: {
    title: 'Take the next issue',
    description:
      'Takes the next issue that is assigned to you and ready to be worked on. Returns {key, id, leaseToken, leaseExpiresAt, more, issue, ' +
      'answers, comments, attachments}. issue is null when there is no work now: call again after nextHeartbeatSeconds. The issue is ' +
      'yours while its lease lives. Your calls renew it; keep leaseToken and pass it to platform__update_issue. again: true means that ' +
      'you got this issue before and have not used its token yet. A result has at most 40,000 characters: what more names, ' +
      'platform__get_issue reads. Finish with platform__update_issue and status Resolved (done) or PendingReview (a person has to look at it).',
    inputSchema: taking({}),
    annotations: WRITES,
  },
  heartbeat: {
    title: 'Report and renew leases',
    description:
      'Renews the leases of the issues that you work on. Call it at least every nextHeartbeatSeconds while you work. Returns ' +
      '{pickedUp, active, stop, nextHeartbeatSeconds}. active contains the renewed leases, with newComments that people wrote ' +
      'meanwhile (read them: they may change your task). stop names issues that you must stop working on at once, with the reason.',
    inputSchema: taking({
      leases: {
        type: 'array',
        maxItems: 1000,
        description: 'The issues that you work on, each with its leaseToken.',
        items: taking({ issueId, token: leaseToken }, 'issueId', 'token'),
      },
      capacity: {
        type: 'integer',
        minimum: 0,
        maximum: 1000,
        default: 0,
        description: `How many further issues to take now, at most ${MOST_PICKED_UP} at once. pickedUp contains them, each with its lease.token. 0 only renews leases.`,
      },
    }),
    annotations: { ...WRITES, idempotentHint: true },
  },
} satisfies Record<string, ToolDefinition>;
