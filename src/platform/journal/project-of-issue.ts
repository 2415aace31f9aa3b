/** SQL: the project of an issue that the journal names, also of a deleted one. @param issueId SQL */
export const projectOfIssue = (issueId: string): string => `coalesce(
  (SELECT i.project_id FROM issues i WHERE i.id = ${issueId}),
  (SELECT d.project_id FROM deleted_issues d WHERE d.id = ${issueId}))`;
