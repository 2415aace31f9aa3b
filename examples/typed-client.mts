// Creates a project and an issue, and prints the issue. AWP_URL and AWP_KEY name the service and the key.
import { apiAt, dataOf, Refused, type Schemas } from '@agent-work-platform/client';

const api = apiAt(process.env['AWP_URL'] ?? 'http://127.0.0.1:3000', process.env['AWP_KEY'] ?? '');

try {
  const project = await dataOf(api.POST('/api/projects', { body: { key: 'APP', name: 'App' } }));
  const params = { path: { projectId: project.key } };
  const body = { title: 'Write the release notes' };
  const issue: Schemas['IssueResponse'] = await dataOf(
    api.POST('/api/projects/{projectId}/issues', { params, body }),
  );
  console.log(`${issue.key} is ${issue.status}: ${issue.title}`);
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(error.code, error.message);
}
